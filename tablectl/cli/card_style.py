"""How the card looks: its style sheet and the drawing of the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tablectl.core.wall import Side

STYLE: Final = """
@page { size: A4 landscape; margin: 9mm; }
* { box-sizing: border-box; }
html { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
body { margin: 0 auto; padding: 9mm; width: 297mm; color: #1b1b1b; background: #fff;
  font: 8.6pt/1.3 "Noto Sans", "Helvetica Neue", Arial, "Noto Sans CJK JP", "Noto Sans JP",
  "Hiragino Sans", "Yu Gothic", Meiryo, sans-serif; font-variant-numeric: tabular-nums; }
header { display: flex; align-items: baseline; gap: 5mm; border-bottom: 1.5pt solid #14532d;
  padding-bottom: 1mm; margin-bottom: 3mm; }
h1 { font-size: 15pt; line-height: 1.2; margin: 0; }
header p { margin: 0; color: #555; }
main { display: grid; grid-template-columns: 1fr 1fr; gap: 3mm 6mm; }
h2 { font-size: min(10pt, calc(var(--row) * 1.1)); line-height: 1.2; margin: 0; color: #14532d; }
h2 small { font-size: .8em; font-weight: normal; color: #555; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0 1.4mm; height: var(--row);
  line-height: calc(var(--row) * .96);
  font-size: min(8.6pt, calc(var(--row) * .84)); white-space: nowrap; }
thead th { font-weight: normal; color: #555; border-bottom: .6pt solid #888; }
tbody th { width: 7mm; text-align: right; }
tbody tr:nth-child(odd) { background: #eef3ee; }
td:nth-child(2) { font-weight: bold; }
td.not { font-weight: normal; font-style: italic; white-space: normal; color: #8a1c1c; }
aside { display: flex; align-items: flex-start; gap: 5mm; }
aside svg { flex: none; width: 50mm; height: 50mm; }
aside ul { margin: 0; padding-left: 3.5mm; color: #333; font-size: 8pt; }
aside li { margin-bottom: .7mm; }
.blocks-4 aside { grid-column: 1 / -1; grid-row: 1; }
.blocks-4 aside svg { width: 37mm; height: 37mm; }
.blocks-4 aside ul { columns: 2; column-gap: 7mm; font-size: 7.6pt; }
@media print { body { padding: 0; width: auto; } section, aside { break-inside: avoid; } }
@media screen and (max-width: 297mm) { body { width: auto; } }
@media screen and (max-width: 190mm) { main { display: block; } aside { flex-wrap: wrap; }
  section { overflow-x: auto; margin-bottom: 4mm; } }
"""

_AT: Final = ((100, 168), (168, 100), (100, 32), (32, 100))
"""The middle of each side's wall in a square of 200."""

_TURN: Final = (0, -90, 180, 90)
"""How each side's drawing is turned from that of side 0, whose owner sits below it."""


def table_drawing(sides: Sequence[Side], seats: Sequence[int]) -> str:
    """The table from above as SVG: sides, their columns 1, where counting and drawing go."""
    walls = "".join(_wall(number, side, seats) for number, side in enumerate(sides))
    return f"""<svg viewBox="0 0 200 200" role="img" aria-label="The table seen from above: side 0 \
below, 1 right, 2 on top, 3 left. Counting goes counter-clockwise, drawing clockwise." \
font-family="inherit" font-size="10" text-anchor="middle">
<defs><marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="5" markerHeight="5" \
orient="auto"><path d="M0 0 8 4 0 8z" fill="#14532d"/></marker></defs>
{walls}
<path d="M78 126A34 34 0 0 0 122 126" fill="none" stroke="#14532d" stroke-width="2" \
marker-end="url(#tip)"/>
<text x="100" y="120" fill="#14532d">counting</text>
<path d="M78 74A34 34 0 0 1 122 74" fill="none" stroke="#14532d" stroke-width="2" \
marker-end="url(#tip)"/>
<text x="100" y="88" fill="#14532d">drawing</text>
</svg>"""


def _wall(number: int, side: Side, seats: Sequence[int]) -> str:
    x, y = _AT[number]
    seat = f"seat {seats.index(number)}" if number in seats else "empty"
    if side.columns:
        # Drawn for side 0 and turned: the owner sits below, column 1 is on the right.
        shape = (
            f'<g transform="rotate({_TURN[number]} {x} {y})">'
            f'<rect x="{x - 48}" y="{y - 6}" width="96" height="12" rx="2" fill="#eef3ee"'
            f' stroke="#14532d"/>'
            f'<path d="M{x + 38} {y - 6}v12" stroke="#14532d"/></g>'
        )
        one_x, one_y = {0: (44, 0), 1: (0, -44), 2: (-44, 0), 3: (0, 44)}[number]
        shape += f'<text x="{x + one_x}" y="{y + one_y + 3.5}" font-size="9">1</text>'
        inside = f"{side.text} columns"
    else:
        shape = (
            f'<g transform="rotate({_TURN[number]} {x} {y})"><rect x="{x - 48}" y="{y - 6}"'
            f' width="96" height="12" rx="2" fill="none" stroke="#888" stroke-dasharray="3 3"/></g>'
        )
        inside = "no wall"
    out_x, out_y = {0: (100, 188), 1: (188, 100), 2: (100, 19), 3: (12, 100)}[number]
    turned = {1: -90, 3: 90}.get(number, 0)
    turn = f' transform="rotate({turned} {out_x} {out_y})"' if turned else ""
    label = f"side {number} · {seat} · {inside}"
    return f'{shape}<text x="{out_x}" y="{out_y}"{turn}>{label}</text>\n'
