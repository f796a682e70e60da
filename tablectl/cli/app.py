"""All commands with their options. Each body lives in a module of its own, imported when called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import tablectl

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
PresetName = Annotated[
    str, typer.Argument(metavar="PRESET", help="A rule by name, or a TOML file.")
]
Sides = Annotated[
    str | None,
    typer.Option(
        metavar="N,N,N,N",
        help="Columns of sides 0-3 as they stand; 0 no wall, 10.5< and 10.5> a half column at the"
        " owner's right or left end. Default: the preset's.",
    ),
]
Seats = Annotated[
    str | None, typer.Option(metavar="S,S,S", help="The side of each seat. Default: 0,1,2,…")
]
FileName = Annotated[str, typer.Argument(metavar="FILE", help="A file, or - for standard input.")]

EXAMPLE = "ramen-jiro"
"""The rule that is played where none is named."""

app = typer.Typer(
    help="Knows the rule that is played at an automatic mahjong table: where the wall is opened and"
    " ends, which tile replaces a called one, what is flipped after a win.",
    epilog=f"Example: tablectl plan {EXAMPLE} --dice 3,4",
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)


@app.callback(invoke_without_command=True)
def _tablectl(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        print(f"tablectl {tablectl.__version__}")
        raise typer.Exit


@app.command(epilog=f"Example: tablectl plan {EXAMPLE} --dice 3,4 --head 60 --tail 2")
def plan(
    preset: PresetName,
    dice: Annotated[
        str | None, typer.Option(metavar="N,N", help="The dice, in the order thrown.")
    ] = None,
    broke: Annotated[
        str | None,
        typer.Option(
            "--break",
            metavar="SIDE,AFTER",
            help="The wall opened and the columns left standing at its right end.",
        ),
    ] = None,
    dealer: Annotated[int, typer.Option(help="The dealer's seat.")] = 0,
    seats: Seats = None,
    sides: Sides = None,
    head: Annotated[
        int | None,
        typer.Option(
            help="Tiles taken from the head. Default: after the deal and the dealer's first draw."
        ),
    ] = None,
    head_at: Annotated[
        str | None,
        typer.Option(metavar="SIDE,COLUMN,ROW", help="The next draw lies there (upper, lower)."),
    ] = None,
    tail: Annotated[int, typer.Option(help="Replacements taken.")] = 0,
    turned: Annotated[int, typer.Option(help="Indicators turned after the start.")] = 0,
    open_kongs: Annotated[int, typer.Option(help="Open and added kongs.")] = 0,
    concealed_kongs: Annotated[int, typer.Option(help="Concealed kongs.")] = 0,
    flower_quads: Annotated[int, typer.Option(help="Sets of four like flowers.")] = 0,
    dealt: Annotated[
        bool, typer.Option("--dealt", help="The table has dealt; the sides hold what is left.")
    ] = False,
    json: Json = False,
) -> None:
    """Show where everything is: break, end, indicators, replacements, flipping order."""
    from tablectl.cli import plan as command

    command.run(
        preset,
        command.Asked(
            dice=dice,
            broke=broke,
            dealer=dealer,
            seats=seats,
            sides=sides,
            head=head,
            head_at=head_at,
            tail=tail,
            turned=turned,
            open_kongs=open_kongs,
            concealed_kongs=concealed_kongs,
            flower_quads=flower_quads,
            dealt=dealt,
        ),
        as_json=json,
    )


@app.command(epilog=f"Example: tablectl card {EXAMPLE} > card.html")
def card(
    preset: PresetName,
    sides: Sides = None,
    seats: Seats = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the page there, not to the screen.")
    ] = None,
    json: Json = False,
) -> None:
    """Print a page for the wall: every dice sum and dealer, where to break and where it ends."""
    from tablectl.cli import card as command

    command.run(preset, sides, seats, out, as_json=json)


@app.command(epilog=f"Example: tablectl replay {EXAMPLE} hands.jsonl")
def replay(preset: PresetName, file: FileName, json: Json = False) -> None:
    """Replay recorded hands or a journal's export, a line of JSON for each hand."""
    from tablectl.cli import replay as command

    # Its lines are JSON in any case; --json is for its errors.
    raise typer.Exit(command.run(preset, file))


@app.command(epilog=f"Example: tablectl presets {EXAMPLE}")
def presets(
    name: Annotated[str | None, typer.Argument(help="Show this rule with its sources.")] = None,
    check: Annotated[
        str | None, typer.Option(metavar="FILE", help="Report all mistakes of a preset file.")
    ] = None,
    json: Json = False,
) -> None:
    """List the rules, show one with the source of every value, or check a file."""
    from tablectl.cli import presets as command

    raise typer.Exit(command.run(name, check, as_json=json))


@app.command(epilog=f"Example: tablectl demo --preset {EXAMPLE} --file hands.jsonl --hand 0")
def demo(
    preset: Annotated[str, typer.Option(help="The rule of the hand.")] = EXAMPLE,
    file: Annotated[
        str | None, typer.Option(metavar="FILE", help="Recorded hands; default: one of our own.")
    ] = None,
    hand: Annotated[int, typer.Option(help="Which hand of the file, from 0.")] = 0,
    pause: Annotated[float, typer.Option(help="Seconds between two events.")] = 0.4,
    json: Json = False,
) -> None:
    """Play a recorded hand in the terminal, position by position."""
    from tablectl.cli import demo as command

    command.run(preset, file, hand, pause, as_json=json)


@app.command(epilog="Example: tablectl decode 00 07 01 10 34 12 35 4A 00")
def decode(
    words: Annotated[
        list[str],
        typer.Argument(metavar="HEX…|FILE", help="Bytes, a file of them or a capture, or - ."),
    ],
    json: Json = False,
) -> None:
    """Put bytes of the line between a table and its host into words."""
    from tablectl.cli import decode as command

    raise typer.Exit(command.run(words, as_json=json))


journal = typer.Typer(
    help="What was said at the tables, as the daemon keeps it. No daemon is needed.",
    epilog="Example: tablectl journal export --table east",
    rich_markup_mode=None,
    no_args_is_help=True,
)
app.add_typer(journal, name="journal")

JournalFile = Annotated[
    Path | None,
    typer.Option("--journal", metavar="FILE", help="Default: the daemon's in its state directory."),
]


@journal.command("check", epilog="Example: tablectl journal check --json")
def journal_check(path: JournalFile = None, json: Json = False) -> None:
    """Report everything that is wrong with the journal."""
    from tablectl.cli import journal as command

    raise typer.Exit(command.check(path, as_json=json))


@journal.command("repair", epilog="Example: tablectl journal repair")
def journal_repair(path: JournalFile = None, json: Json = False) -> None:
    """Set a damaged journal aside and keep what can be read of it."""
    from tablectl.cli import journal as command

    raise typer.Exit(command.repair(path, as_json=json))


@journal.command("export", epilog="Example: tablectl journal export --table east --hand 3")
def journal_export(
    path: JournalFile = None,
    table: Annotated[str | None, typer.Option(help="Only this table.")] = None,
    hand: Annotated[
        int | None, typer.Option(help="Only this hand of it, from 0; replay takes it.")
    ] = None,
    json: Json = False,
) -> None:
    """Print one entry a line, as JSON."""
    from tablectl.cli import journal as command

    # Its lines are JSON in any case; --json is for its errors.
    raise typer.Exit(command.export(path, table, hand))
