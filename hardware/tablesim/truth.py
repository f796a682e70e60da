"""The truth about a machine: what lies where, what no sensor says too."""

from __future__ import annotations

from typing import Any

from tablesim.mechanism import Machine


def truth(machine: Machine) -> dict[str, Any]:
    """Everything in plain values, for tests and for people who look behind the curtain. `done` is
    told apart, since it grows."""
    return {
        "now": machine.now,
        "sets": {
            tiles.name: {
                "phase": tiles.phase.name.lower(),
                "active": tiles.active,
                "pending": tiles.pending,
                "tiles": len(tiles.tiles),
                "inside": len(tiles.inside),
                "stacked": list(tiles.progress),
                "out": list(tiles.out),
                "aside": list(tiles.aside),
                "walls": [[*spot, tile] for spot, tile in sorted(tiles.walls.items())],
                "shown": [list(spot) for spot in sorted(tiles.shown)],
            }
            for tiles in machine.sets
        },
        "dice": list(machine.pips),
        "troubles": [code.name.lower() for code in machine.troubles],
        "points": list(machine.points),
        "sticks": [side for side in range(4) if machine.sticks >> side & 1],
    }
