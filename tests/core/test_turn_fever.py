"""A fever goes on after its wins to the last tile; what was flipped lies open and is drawn."""

from __future__ import annotations

import pytest
from support.histories import entry
from support.otherwise import otherwise
from support.told import Told

from tablectl.core import facts
from tablectl.core.fold import fold
from tablectl.core.preset_file import find_preset
from tablectl.core.state import ground_of
from tablectl.core.turn import Turn
from tablectl.core.view import view_of

RAMEN = find_preset("ramen-jiro")


def fever(rules=RAMEN) -> Told:
    """Seat 0 is under fever, seat 1 is to act."""
    table = Told(rules)
    return table.say(facts.Riichi(seat=0, kind="fever")).discard(0, "1m").draw(1)


def won(seat: int, frm: int | None = None) -> facts.Won:
    return facts.Won(seat=seat, frm=seat if frm is None else frm)


def flip(table: Told, n: int, tile: str = "7p") -> None:
    """The tile that is to be flipped as the n-th is turned up."""
    table.say(facts.Shown(place=table.plan.reveal[n].place, tile=tile, why="reveal"))


def test_after_a_win_from_a_discard_the_seat_after_the_discarder_draws():
    table = fever().discard(1).say(won(0, 1)).draw(2)
    assert table.verdict.kind == "fits"
    assert table.hand.turn == Turn("act", 2)


def test_after_a_self_draw_the_seat_after_the_winner_draws():
    table = fever().discard(1).draw(2).discard(2).draw(0).say(won(0)).draw(1)
    assert table.verdict.kind == "fits"
    assert table.hand.turn == Turn("act", 1)


def test_a_win_of_one_who_is_not_under_fever_ends_the_hand():
    table = fever().say(won(1))
    assert "play was told" in table.odd(facts.Drawn(seat=2))


def test_wins_to_the_last_tile():
    table = fever()
    wins = 0
    while table.plan.drawable:
        seat = table.hand.turn.seat
        if seat == 0:
            table.say(won(0))
        else:
            table.discard(seat).say(won(0, seat))
        wins += 1
        table.draw(table.after(seat))
    table.discard(table.hand.turn.seat).say(facts.Exhausted(tenpai=(0,)))
    assert (len(table.hand.wins), table.hand.end) == (wins, "exhausted")
    assert wins > 50
    assert [win.indicators for win in table.hand.wins] == [1] * wins
    assert not table.odd(facts.Settled())


def test_several_win_on_one_tile_and_the_fever_goes_on():
    table = fever().discard(1).say(won(0, 1), won(2, 1)).draw(2).discard(2).say(won(0, 2))
    assert [(win.seat, win.frm) for win in table.hand.wins] == [(0, 1), (2, 1), (0, 2)]
    assert [win.seat for win in table.hand.wins_here] == [0]
    table.say(won(1, 2))
    assert [win.seat for win in table.hand.wins_here] == [0, 1]
    only = otherwise(RAMEN, winning__together=1)
    table = fever(only).discard(1).say(won(0, 1)).draw(2).discard(2).say(won(1, 2), won(0, 2))
    assert [(win.seat, win.frm) for win in table.hand.wins] == [(0, 1), (0, 2)], "nearer to seat 2"


def test_the_flips_of_the_first_win_stand_for_all():
    table = fever().discard(1).say(won(0, 1))
    flip(table, 0)
    table.draw(2).discard(2).say(won(0, 2))
    place = table.plan.reveal[0].place
    again = facts.Shown(place=place, tile="1p", why="reveal")
    assert table.odd(again)
    value = facts.FlippedValue(place=table.plan.reveal[1].place, hits=2)
    assert "stand for all wins" in table.odd(value)
    assert len(table.hand.flips) == 1


def test_no_flips_at_the_first_win_are_none_at_the_later_ones():
    table = fever().discard(1).say(won(0, 1)).draw(2).discard(2).say(won(0, 2))
    shown = facts.Shown(place=table.plan.reveal[0].place, tile="7p", why="reveal")
    assert "stand for all wins" in table.odd(shown)


def test_a_tulip_needs_a_riichi_where_the_rule_says_so():
    plain = Told(RAMEN).say(won(0))
    shown = facts.Shown(place=plain.plan.reveal[0].place, tile="7p", why="reveal")
    assert plain.odd(shown)
    assert not Told(otherwise(RAMEN, reveal__after="any")).say(won(0)).odd(shown)


def test_flipped_tiles_lie_in_the_live_wall_until_they_are_drawn():
    table = fever().discard(1).say(won(0, 1))
    # From the indicator's neighbour back to the head: the last one flipped is drawn first.
    count = len(table.plan.reveal)
    places = [position.place for position in table.plan.reveal]
    for n in range(count):
        flip(table, n, f"{n % 9 + 1}s")
    assert [table.hand.face(place) for place in places] == [f"{n % 9 + 1}s" for n in range(count)]
    table.draw(2)
    seen = []
    while table.plan.drawable:
        drawn = table.hand.turn.seat
        before = len(table.hand.public)
        seat = table.after(drawn)
        there = table.hand.face(table.plan.next_draw.place)
        table.discard(drawn).draw(seat)
        assert len(table.hand.public) == before - (there is not None)
        if there is not None:
            seen.append((seat, there))
    assert list(table.hand.drawn_open)[-len(seen) :] == seen
    assert len(table.hand.drawn_open) == count
    shown = view_of(RAMEN, table.state).hand.drawn_open
    assert [(one.seat, one.tile) for one in shown] == list(table.hand.drawn_open)


def test_sensors_see_a_flipped_tile_drawn_too():
    table = fever().discard(1).say(won(0, 1))
    for n in range(len(table.plan.reveal)):
        flip(table, n, "5s")
    book = {RAMEN.digest: RAMEN}
    base = ground_of(RAMEN, table.hand)
    for n in range(4):
        place = base.wall.order[base.order.p(table.hand.head)].place
        fact = facts.Taken(place=place)
        table.state, _ = fold(book, table.state, entry(1000 + n, fact, origin="sensor"))
        assert table.hand.face(place) is None
    assert len(table.hand.drawn_open) >= 2
    assert {tile for _, tile in table.hand.drawn_open} == {"5s"}


def test_another_face_than_the_one_that_lay_open():
    table = fever().discard(1).say(won(0, 1))
    for n in range(len(table.plan.reveal)):
        flip(table, n, "5s")
    if table.hand.face(table.plan.next_draw.place) is None:
        table.draw(2).discard(2).draw(0, tile="6s")
    else:
        table.draw(2, tile="6s")
    assert table.verdict == ("assumed", "6s was drawn where 5s lay open")


def test_a_kong_turns_a_column_whose_upper_tile_lies_open():
    table = fever().discard(1).say(won(0, 1))
    flip(table, 0, "7p")
    table.draw(2).say(facts.Kong(seat=2, kind="concealed", tile="3m"))
    place, end = table.plan.next_indicator.place, table.plan.last_draw.p
    assert table.hand.face(place) == "7p"
    for why in ("indicator", None):
        again = fold({RAMEN.digest: RAMEN}, table.state, entry(900, facts.Shown(
            place=place, tile="7p", why=why)))[0]  # fmt: skip
        assert (again.hand.turned, again.hand.due) == (1, ())
        assert [tile for there, tile in again.hand.public if there == place] == ["7p"]
    table.say(facts.Shown(place=place, tile="7p", why="indicator"))
    assert table.plan.last_draw.p == end - 2
    table.draw(2, "tail").discard(2).say(won(0, 2))
    assert table.hand.wins[-1].indicators == 2


def test_ura_stay_open_from_the_first_win():
    table = fever().discard(1).say(won(0, 1))
    place = table.plan.ura[0].place
    table.say(facts.Shown(place=place, tile="9p", why="ura")).draw(2)
    assert table.hand.face(place) == "9p"
    assert not table.odd(facts.Shown(place=place, tile="9p", why="ura")), "it lies there"


def test_a_north_drawn_by_another_is_set_aside_and_replaced():
    table = fever().discard(1).say(won(0, 1)).draw(2).aside(2, "4z")
    assert table.verdict.kind == "fits"
    assert (table.hand.tail, table.hand.aside[2], table.hand.turn.seat) == (1, ("4z",), 2)
    table = fever().discard(1).say(won(0, 1)).draw(2).say(facts.SetAside(seat=2, tile="4z"))
    table.say(won(0, 2))
    assert (table.hand.wins[-1].on, table.hand.tail) == ("aside", 0)
    assert table.draw(0).hand.turn == Turn("act", 0), "the seat after the one who gave it"


def test_a_fever_that_is_not_certain_goes_on_as_an_open_riichi():
    table = fever().say(facts.Riichi(seat=0, kind="open"))
    assert table.hand.riichi[0] == "open"
    table.discard(1).say(won(0, 1))
    assert "play was told" in table.odd(facts.Drawn(seat=2)), "it wins once"
    assert "declared riichi already" in fever().odd(facts.Riichi(seat=0, kind="plain"))
    after = fever().discard(1).say(won(0, 1)).draw(2)
    assert "has won under fever" in after.odd(facts.Riichi(seat=0, kind="open"))


@pytest.mark.parametrize(
    ("rank", "tile", "words"),
    [(7, "7p", "its triplet"), (7, "3p", ""), (8, "7p", ""), (0, "7s", "")],
)
def test_no_kong_of_the_triplet_that_makes_the_fever(rank, tile, words):
    table = fever(otherwise(RAMEN, riichi__fever_kind=rank)).discard(1).draw(2).discard(2).draw(0)
    why = table.odd(facts.Kong(seat=0, kind="concealed", tile=tile))
    assert (words in why) if words else not why
    other = fever().say(facts.Kong(seat=1, kind="concealed", tile="7p"))
    assert other.hand.kongs == 1, "who is not under fever may"
