"""What binds players and how a hand was won, as the terminal says it."""

from __future__ import annotations

from support.told import Told
from support.views import READY

from tablectl.cli.shown import facts as lines
from tablectl.core import facts
from tablectl.core.preset_file import find_preset
from tablectl.core.view import plain, view_of


def said(table: Told, label: str) -> list[str]:
    view = {
        "table": "00112233445566aa",
        "name": "east",
        "seq": table.seq,
        "state": plain(view_of(table.rules, table.state)),
        "live": READY,
    }
    return [one.text for one in lines(view, table.rules) if one.label == label]


def test_dead_hands_limits_and_forgotten_replacements():
    table = Told(find_preset("goto-sanma")).say(facts.DeadHand(seat=2))
    table.say(facts.SetAside(seat=0, tile="4z")).discard(0).draw(1)
    table.say(facts.Riichi(seat=1)).discard(1).say(facts.Riichi(seat=1, taken_back=True))
    assert said(table, "dead") == ["the hand of West (side 2): no win, no call"]
    assert said(table, "wins only") == ["South (side 1): after a new riichi"]
    assert said(table, "owed") == ["a replacement to East (side 0), who has discarded without it"]


def test_the_way_of_a_win():
    table = Told(find_preset("fuzhou-144")).gold()
    table.say(facts.Won(seat=1, frm=1, way="robbing_gold"))
    assert said(table, "won") == ["South (side 1) by self-draw, robbing the gold"]
