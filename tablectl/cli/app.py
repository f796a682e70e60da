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
    name: Annotated[
        str | None, typer.Argument(help="Show this rule whole; toppings follow it with a + each.")
    ] = None,
    check: Annotated[
        str | None, typer.Option(metavar="FILE", help="Report all mistakes of a preset file.")
    ] = None,
    sources: Annotated[
        bool, typer.Option("--sources", help="With the source of every value, a line each.")
    ] = False,
    ja: Annotated[bool, typer.Option("--ja", help="In Japanese.")] = False,
    json: Json = False,
) -> None:
    """List the rules, show one whole on one screen, or check a file."""
    from tablectl.cli import presets as command

    raise typer.Exit(command.run(name, check, as_json=json, sources=sources, japanese=ja))


@app.command(epilog=f"Example: tablectl demo --preset {EXAMPLE} --hands 1 --speed 20")
def demo(
    preset: Annotated[str, typer.Option(help="The rule that is played.")] = EXAMPLE,
    model: Annotated[
        str, typer.Option(help="The simulated table: stock, presence, reader … (tablesim --help).")
    ] = "presence",
    seed: Annotated[
        int | None, typer.Option(help="The same seed plays the same hands. Default: a new one.")
    ] = None,
    speed: Annotated[float, typer.Option(help="The table's seconds for each second.")] = 4.0,
    hands: Annotated[int, typer.Option(min=0, help="How many; 0: until Ctrl-C.")] = 0,
    clumsy: Annotated[
        float,
        typer.Option(min=0, max=0.5, help="Share of taps that are forgotten, twice or wrong."),
    ] = 0.0,
    file: Annotated[
        str | None, typer.Option(metavar="FILE", help="Play a recorded hand of this file.")
    ] = None,
    hand: Annotated[int, typer.Option(help="Which hand of the file, from 0.")] = 0,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Of its API; 0: a free one.")] = 8136,
    json: Json = False,
) -> None:
    """Play at a simulated table and follow it in the terminal, as at a real one."""
    from tablectl.cli import demo as command

    raise typer.Exit(
        command.run(
            preset,
            model=model,
            seed=seed,
            speed=speed,
            hands=hands,
            clumsy=clumsy,
            file=file,
            hand=hand,
            port=port,
            as_json=json,
        )
    )


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


ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Default: $TABLECTL_CONFIG, else ~/.config/tablectl/config.toml.",
    ),
]


@app.command(epilog="Example: tablectl ports --json")
def ports(config: ConfigFile = None, json: Json = False) -> None:
    """List the serial ports: stable names, adapters, who may open them, who holds them."""
    from tablectl.cli import ports as command

    raise typer.Exit(command.run(config, as_json=json))


@app.command(epilog="Example: tablectl doctor --config parlour.toml")
def doctor(config: ConfigFile = None, json: Json = False) -> None:
    """Look for what keeps the daemon from its tables, and say what mends it. Opens no port."""
    from tablectl.cli import doctor as command

    raise typer.Exit(command.run(config, as_json=json))


StateDirectory = Annotated[
    Path | None,
    typer.Option(
        "--state",
        metavar="DIR",
        help="The daemon's state directory. Default: $TABLECTL_STATE, else the configuration's,"
        " else ~/.local/state/tablectl.",
    ),
]
TableName = Annotated[
    str,
    typer.Argument(metavar="TABLE", help="A table's name or id, or the beginning of one id."),
]


@app.command(epilog=f"Example: tablectl run --table sim:presence --preset {EXAMPLE}")
def run(
    config: ConfigFile = None,
    table: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="A table, each with its --preset; see the README."),
    ] = None,
    preset: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="The rule played at the --table.")
    ] = None,
    state: StateDirectory = None,
    capture: Annotated[
        bool, typer.Option("--capture", help="Keep what goes over the lines.")
    ] = False,
    json: Json = False,
) -> None:
    """Be the daemon: speak with the tables, keep what they say, show it. Ctrl-C stops it."""
    from tablectl.cli import run as command

    raise typer.Exit(command.run(config, table or [], preset or [], state, capture, as_json=json))


@app.command(epilog="Example: tablectl tables east")
def tables(
    table: Annotated[
        str | None, typer.Argument(metavar="TABLE", help="Show more of this one.")
    ] = None,
    config: ConfigFile = None,
    state: StateDirectory = None,
    json: Json = False,
) -> None:
    """List the daemon's tables: link, numbers, hand, open questions; or all of one."""
    from tablectl.cli import tables as command

    raise typer.Exit(command.run(table, config, state, as_json=json))


@app.command(epilog=f"Example: tablectl select east {EXAMPLE}")
def select(
    table: TableName,
    preset: PresetName,
    number: Annotated[
        int | None, typer.Option(min=0, help="The table's number, where several fit.")
    ] = None,
    first_dealer: Annotated[
        int | None,
        typer.Option(min=0, max=3, metavar="SEAT", help="The seat that deals first (default 0)."),
    ] = None,
    first_dice: Annotated[
        str | None,
        typer.Option(metavar="PIPS", help="The dice that say who deals first, as in 3,4."),
    ] = None,
    temporary: Annotated[
        int | None,
        typer.Option(min=0, max=3, metavar="SEAT", help="The seat that threw them (default 0)."),
    ] = None,
    config: ConfigFile = None,
    state: StateDirectory = None,
    json: Json = False,
) -> None:
    """Have a table build a rule's walls, and say when it does."""
    from tablectl.cli import ask as command

    code = command.select(
        table,
        preset,
        number,
        config,
        state,
        as_json=json,
        first_dealer=first_dealer,
        first_dice=first_dice,
        temporary=temporary,
    )
    raise typer.Exit(code)


@app.command(epilog=f"Example: tablectl note east {EXAMPLE}=5 --verified")
def note(
    table: TableName,
    known: Annotated[
        str,
        typer.Argument(
            metavar="PRESET=NUMBER",
            help="The number that a rule has there; without one the note goes.",
        ),
    ],
    verified: Annotated[
        bool, typer.Option("--verified", help="Somebody has seen the machine build it.")
    ] = False,
    config: ConfigFile = None,
    state: StateDirectory = None,
    json: Json = False,
) -> None:
    """Keep which number a rule has at a table; it wins over what is known of the model."""
    from tablectl.cli import ask as command

    raise typer.Exit(command.note(table, known, verified, config, state, as_json=json))


@app.command(epilog="Example: tablectl watch east")
def watch(
    table: Annotated[
        str | None, typer.Argument(metavar="TABLE", help="Default: the only one there is.")
    ] = None,
    config: ConfigFile = None,
    state: StateDirectory = None,
    json: Json = False,
) -> None:
    """Follow a table in the terminal: its walls and all that is known. Ctrl-C ends."""
    from tablectl.cli import watch as command

    raise typer.Exit(command.run(table, config, state, as_json=json))


@app.command(epilog="Example: tablectl pair --json")
def pair(config: ConfigFile = None, state: StateDirectory = None, json: Json = False) -> None:
    """Print six digits with which one browser gets leave to write."""
    from tablectl.cli import ask as command

    raise typer.Exit(command.pair(config, state, as_json=json))


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
def journal_check(
    path: JournalFile = None,
    config: ConfigFile = None,
    state: StateDirectory = None,
    json: Json = False,
) -> None:
    """Report everything that is wrong with the journal."""
    from tablectl.cli import journal as command

    raise typer.Exit(command.check(command.Where(path, config, state), as_json=json))


@journal.command("repair", epilog="Example: tablectl journal repair")
def journal_repair(
    path: JournalFile = None,
    config: ConfigFile = None,
    state: StateDirectory = None,
    json: Json = False,
) -> None:
    """Set a damaged journal aside and keep what can be read of it."""
    from tablectl.cli import journal as command

    raise typer.Exit(command.repair(command.Where(path, config, state), as_json=json))


@journal.command("export", epilog="Example: tablectl journal export --table east --hand 3")
def journal_export(
    path: JournalFile = None,
    table: Annotated[
        str | None,
        typer.Option(help="Only this table: its name or id, or the beginning of one id."),
    ] = None,
    hand: Annotated[
        int | None, typer.Option(help="Only this hand of it, from 0; replay takes it.")
    ] = None,
    config: ConfigFile = None,
    state: StateDirectory = None,
    json: Json = False,
) -> None:
    """Print one entry a line, as JSON."""
    from tablectl.cli import journal as command

    # Its lines are JSON in any case; --json is for its errors.
    raise typer.Exit(command.export(command.Where(path, config, state), table, hand))
