"""What real sensors say at odd moments: before the break, after the hand, under fever."""

from __future__ import annotations

from support.histories import entry
from support.preset_texts import growing_text

from tablectl.core import facts
from tablectl.core.entry import Entry
from tablectl.core.fold import History
from tablectl.core.preset_file import find_preset, read_preset
from tablectl.core.state import ground_of, plan_of
from tablectl.core.wall import Place

FOUR, RAMEN = find_preset("riichi-4p"), find_preset("ramen-jiro")


class Table:
    """A journal in which sensors and people speak."""

    def __init__(self, rules, *said: facts.AnyFact) -> None:
        self.rules = rules
        self.history = History({rules.digest: rules})
        game = facts.GameStarted(
            preset=rules.name, digest=rules.digest, seats=tuple(range(rules.players))
        )
        self.say(game, facts.Raised(), *said)

    def say(self, *said: facts.AnyFact, origin: str = "person") -> Table:
        for fact in said:
            one: Entry = entry(len(self.history.entries) + 1, fact, origin=origin)
            self.history, self.verdict = self.history.append(one)
        return self

    def sense(self, *said: facts.AnyFact) -> Table:
        return self.say(*said, origin="sensor")

    @property
    def hand(self):
        return self.history.state.hand

    @property
    def plan(self):
        return plan_of(self.rules, self.hand)


def dealt(rules) -> Table:
    return Table(rules, facts.Dice(pips=(3, 4)), facts.Dealt())


def test_a_look_at_a_side_before_the_dice_says_nothing():
    table = Table(FOUR)
    before = table.hand
    places = tuple(Place(1, column, row) for column in range(1, 18) for row in ("upper", "lower"))
    table.sense(facts.Observed(of="presence", side=1, places=places))
    assert table.verdict.kind == "fits"
    assert table.hand == before


def test_sticks_gathered_after_the_hand_take_nothing_back():
    table = dealt(FOUR).say(facts.Won(seat=1, frm=0))
    back = facts.Riichi(seat=1, taken_back=True)
    before = table.hand
    assert table.sense(back).verdict.kind == "fits"
    assert table.hand == before
    assert table.say(facts.Settled()).sense(back).verdict.kind == "fits"
    assert not table.history.state.questions


def test_a_person_says_which_riichi_the_tray_has_seen():
    table = dealt(RAMEN)
    seat = table.hand.dealer
    table.sense(facts.Riichi(seat=seat)).say(facts.Riichi(seat=seat, kind="fever"))
    assert table.verdict.kind != "odd"
    assert table.hand.riichi[seat] == "fever"
    assert table.sense(facts.Riichi(seat=seat)).verdict.kind == "fits"
    assert table.hand.riichi[seat] == "fever"
    assert table.say(facts.Riichi(seat=seat, kind="plain")).verdict.kind == "odd"


def test_counts_are_read_on_after_a_win_under_fever():
    table = dealt(RAMEN)
    seat = table.hand.dealer
    table.say(facts.Riichi(seat=seat, kind="fever"))
    order = _order(table)
    left = [sum(place.side == side for place in order) for side in range(4)]
    table.sense(facts.Observed(of="snapshot", counts=tuple(left)))
    table.say(facts.Won(seat=seat, frm=seat))
    head, side = table.hand.head, order[0].side
    table.sense(facts.CountLeft(side=side, left=left[side] - 1))
    assert (table.hand.head, table.hand.life) == (head + 1, "playing")


def test_the_last_draws_go_on_after_a_win_under_fever():
    rules = read_preset(growing_text(), "house.toml")
    table = dealt(rules)
    gold = facts.Shown(place=Place(0, 1, "on"), tile="1m", why="gold")
    table.say(gold, facts.Riichi(seat=0, kind="fever"))
    last = _order(table)[table.plan.drawable - rules.reserve.final]
    table.say(facts.HeadAt(place=last))
    assert table.hand.life == "last_draws"
    table.say(facts.Won(seat=0, frm=0), facts.SetAside(seat=1, tile="7z"))
    assert table.hand.life == "last_draws"
    assert table.hand.owed == ()


def _order(table: Table) -> list[Place]:
    """Places from the next draw on, in drawing order, those of the end behind."""
    base = ground_of(table.rules, table.hand)
    wall = base.wall
    return [wall.order[base.order.p(k)].place for k in range(table.hand.head, wall.tiles)]
