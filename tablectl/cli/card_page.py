"""The card: one printable sheet with every dice sum and dealer, as one HTML file.

Every position on it comes from `plan`; this module only says it in people's words and sets it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html import escape
from typing import Final, NamedTuple

from tablectl.cli.card_style import STYLE, table_drawing
from tablectl.cli.words import columns_text
from tablectl.core.geometry import Inputs, Plan, plan
from tablectl.core.preset import Preset
from tablectl.core.wall import Break, Position, Side, counted, sides_text
from tablectl.errors import TablectlError

OWN_WORDS: Final = ("own", "right", "across", "left")
"""A wall as the dealer sees it, counter-clockwise from the dealer's own."""

_SHEET: Final = 172
"""Millimetres of an A4 sheet on its side without its margins and the title."""

_ASIDE: Final = 42
"""The drawing and the notes, where they have no quarter of the sheet of their own."""

_SMALLEST: Final = 2.5
_LARGEST: Final = 5.4

_PAST: Final = "past"

_MOST_REPLACEMENTS: Final = 16
"""So many are looked for; where more can be taken (no fixed number), three columns are shown."""


_GOLD_ALONE: Final = 1
"""Tiles taken from the end before the gold lies: itself, where nobody had a flower."""


def card(rules: Preset, sides: tuple[Side, ...], seats: tuple[int, ...]) -> str:
    """The page for these walls and seats. A sum that cannot be counted says why in its row."""
    blocks = [_block(rules, block) for block in _blocks(rules, sides, seats)]
    told = [*_notes(rules)]
    if any(f"({_PAST} " in block for block in blocks):
        told.append(
            f"({_PAST} …): the sum passes the end of that wall and goes on on the next one."
        )
    notes = "".join(f"<li>{escape(note)}</li>" for note in told)
    title = escape(rules.title)
    facts = f"{rules.players} players · {rules.tile_count} tiles · walls {sides_text(sides)}"
    row = _row_height(len(_sums(rules)), len(blocks))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title} – card for the wall</title>
<style>{STYLE}</style>
</head>
<body class="blocks-{len(blocks)}" style="--row: {row:.2f}mm">
<header><h1>{title}</h1><p>{escape(rules.name)} · {facts}</p></header>
<main>
{"".join(blocks)}<aside>
{table_drawing(sides, seats)}
<ul>{notes}</ul>
</aside>
</main>
</body>
</html>
"""


def _row_height(rows: int, blocks: int) -> float:
    """Millimetres for a row, so that two tables stand above each other on one sheet. Beneath what
    can be read the page grows to a second sheet instead."""
    table = (_SHEET - (_ASIDE if blocks == 4 else 0)) / 2
    return min(max(table / (rows + 2.6), _SMALLEST), _LARGEST)


class _Block(NamedTuple):
    """One table of the page: `rows` are what the dice say and the inputs that this makes; walls
    are named by `words`."""

    key: str
    title: str
    about: str
    words: dict[int, str]
    rows: list[tuple[int, Inputs]]


def _blocks(rules: Preset, sides: tuple[Side, ...], seats: tuple[int, ...]) -> Iterator[_Block]:
    if rules.breaking.throws == 1:
        for dealer, start in enumerate(seats):
            words = {side: OWN_WORDS[(side - start) % 4] for side in range(4)}
            rows = [
                (total, Inputs(sides=sides, seats=seats, dealer=dealer, dice=_dice(rules, total)))
                for total in _sums(rules)
            ]
            first = ", the first dealer" if dealer == 0 else ""
            about = f"seat {dealer}{first}"
            yield _Block(f"dealer-{dealer}", f"Dealer at side {start}", about, words, rows)
        return
    # With two throws the first one names the wall: a table for each wall that can be opened.
    words = {side: f"side {side}:" for side in range(4)}
    for side in range(4):
        if sides[side].columns:
            rows = [
                (after, Inputs(sides=sides, seats=seats, broke=Break(side, after)))
                for after in _sums(rules)
            ]
            about = _first_throws(rules, sides, seats, side)
            yield _Block(f"wall-{side}", f"Wall of side {side}", about, words, rows)


def _sums(rules: Preset) -> range:
    """What decides the columns: all dice, or the second throw alone."""
    rule = rules.breaking
    both = rule.throws == 2 and rule.second == "total"
    dice = rule.dice * (2 if both else 1)
    return range(dice, 6 * dice + 1)


def _dice(rules: Preset, total: int) -> tuple[int, ...]:
    """Dice with that sum; only the sum of a throw matters."""
    dice = [1] * rules.breaking.dice
    spare = total - len(dice)
    for n in range(len(dice)):
        dice[n] += min(spare, 5)
        spare -= dice[n] - 1
    return tuple(dice)


def _first_throws(rules: Preset, sides: tuple[Side, ...], seats: tuple[int, ...], side: int) -> str:
    """Which sums of the first throw name this wall, for each dealer."""
    dice = rules.breaking.dice
    told = []
    for dealer, start in enumerate(seats):
        sums = []
        for total in range(dice, 6 * dice + 1):
            throw = _dice(rules, total)
            try:
                found = counted(sides, seats, dealer, throw + throw, rules.breaking)
            except TablectlError:
                continue
            if found.side == side:
                sums.append(str(total))
        told.append(f"dealer at side {start}: first throw {', '.join(sums) or 'none'}")
    return "; ".join(told)


def _block(rules: Preset, block: _Block) -> str:
    columns = _columns(rules)
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in ("dice", *columns))
    rows = [_row(rules, block, total, inputs, len(columns)) for total, inputs in block.rows]
    about = f" <small>{escape(block.about)}</small>" if block.about else ""
    return (
        f'<section id="{block.key}">\n<h2>{escape(block.title)}{about}</h2>\n'
        f"<table><thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(rows) + "\n</tbody></table>"
        "\n</section>\n"
    )


def _columns(rules: Preset) -> list[str]:
    names = ["break", "wall ends"]
    if rules.indicators.start:
        names.append("indicator" if rules.indicators.start == 1 else "indicators")
    names.append("replacements")
    if rules.gold.turned != "none":
        names.append("gold")
    if rules.reveal.kind != "none":
        names.append("flip from")
    return names


def _row(rules: Preset, block: _Block, total: int, inputs: Inputs, width: int) -> str:
    open_tag = f'<tr data-block="{block.key}" data-sum="{total}">'
    head = f'{open_tag}<th scope="row">{total}</th>'
    try:
        found = plan(rules, inputs)
    except TablectlError as error:
        return f'{head}<td class="not" colspan="{width}">{escape(error.message)}</td></tr>'
    words = block.words
    cells = [_break(found, inputs, words), _place(found.last_draw, words)]
    if rules.indicators.start:
        cells.append(f"{columns_text(found.indicators, words)} {found.indicators[0].row}")
    cells.append(_replacements(rules, inputs, found, words))
    if rules.gold.turned != "none":
        cells.append(_gold(rules, inputs, words))
    if rules.reveal.kind != "none":
        cells.append(_place(found.reveal[0], words) if found.reveal else "nothing")
    return head + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"


def _break(found: Plan, inputs: Inputs, words: dict[int, str]) -> str:
    opened = found.break_
    text = f"{words[opened.side]} {opened.after}"
    asked = inputs.broke.side if inputs.broke is not None else opened.side
    if found.counted is not None:
        asked = found.counted.side
    elif asked == opened.side:
        return text
    return f"{text} ({_PAST} {words[asked].rstrip(':')})"


def _place(position: Position | None, words: dict[int, str]) -> str:
    if position is None:
        return "none"
    return f"{words[position.side]} {position.column} {position.row}"


def _gold(rules: Preset, inputs: Inputs, words: dict[int, str]) -> str:
    """Where the gold lies when it alone was taken from the end."""
    marker = plan(rules, replace(inputs, tail=_GOLD_ALONE)).gold_marker
    return "none" if marker is None else f"{words[marker.side]} {marker.column}"


def _replacements(rules: Preset, inputs: Inputs, found: Plan, words: dict[int, str]) -> str:
    """The columns in which the replacements lie, in the order in which they are taken."""
    if rules.replacements.source == "head":
        return "the next draw"
    taken = list(_each_replacement(rules, inputs, found))
    if not taken:
        return "none"
    if rules.replacements.count == 0:
        three: list[Position] = []
        for position in taken:
            if len({(p.side, p.column) for p in [*three, position]}) > 3:
                return columns_text(three, words) + " …"
            three.append(position)
    return columns_text(taken, words)


def _each_replacement(rules: Preset, inputs: Inputs, found: Plan) -> Iterator[Position]:
    most = rules.replacements.count or _MOST_REPLACEMENTS
    for tail in range(most):
        try:
            later = plan(rules, replace(inputs, tail=tail)) if tail else found
        except TablectlError:
            return
        if later.replacement is None:
            return
        yield later.replacement


def _notes(rules: Preset) -> Iterator[str]:
    """How the page is read, and how its places move while a hand is played."""
    if rules.breaking.throws == 1:
        yield (
            "Own, right, across, left: walls as the dealer sees them. The dealer counts as 1 and"
            " counts counter-clockwise."
        )
    else:
        yield (
            "The first throw names the wall, counted counter-clockwise with the dealer as 1; the"
            " sum in a row is "
            + (
                "that of both throws."
                if rules.breaking.second == "total"
                else "that of the second throw."
            )
        )
    yield (
        "Columns are counted from their owner’s right, from 1. Break: the wall opened and the"
        " columns left standing at its right end; taking begins to the left of them."
    )
    yield "Wall ends: the last tile that is drawn, at the start of the hand."
    policy = rules.reserve.policy
    if policy == "kept":
        yield f"{rules.reserve.tiles} tiles stay: each replacement brings the end one tile nearer."
    elif policy == "shrinking":
        yield (
            f"{rules.reserve.tiles} tiles stay, fewer with each tile set aside: the replacement"
            " after a kong alone brings the end one tile nearer."
        )
    elif policy == "neighbour":
        yield (
            "Everything up to the column beside the last open indicator is drawn: each further"
            " indicator brings the end one column nearer."
        )
    else:
        yield f"{rules.reserve.tiles} tiles stay, {_growth(rules)}."
    yield from _end_notes(rules)


def _growth(rules: Preset) -> str:
    grown = {
        "open kong": rules.reserve.open_kong,
        "concealed kong": rules.reserve.concealed_kong,
        "four like flowers": rules.reserve.flower_quad,
    }
    more = [f"{n} more for each {what}" for what, n in grown.items() if n]
    return ", ".join(["one fewer can be drawn for each replacement", *more])


def _end_notes(rules: Preset) -> Iterator[str]:
    if rules.replacements.source == "head":
        yield "A replacement is simply the next draw."
    else:
        lower = "upper" if rules.replacements.first == "lower" else "lower"
        yield (
            f"Replacements are taken column by column as listed, the {rules.replacements.first}"
            f" tile before the {lower} one."
        )
    if rules.indicators.kongs_turn:
        yield "A kong turns the indicator of the next column towards the live wall, upper tile."
    if rules.indicators.ura:
        yield "Ura: the tile under each open indicator."
    if rules.gold.turned != "none":
        where = "that wholly stays" if rules.reserve.marker == "reserved" else "of the boundary"
        yield (
            f"The gold lies on the first column {where}; the table says where if nobody had a"
            " flower. Every two tiles replaced, or more that stay, bring it one column nearer to"
            " the next draw."
        )
    if rules.wareme.factor > 1:
        side = {"opened": "wall opened", "counted": "wall counted by the dice"}
        yield (
            f"Wareme ×{rules.wareme.factor}: who sits at the"
            f" {side.get(rules.wareme.side, 'first indicator')}; an empty chair is nobody."
        )
    if rules.reveal.kind != "none":
        rows = "upper tiles only" if rules.reveal.rows == "upper" else "both rows"
        yield (
            f"Flipping goes column by column towards the next draw, {rows}. It begins beside the"
            " last open indicator: one column further for each indicator that was turned since."
        )
