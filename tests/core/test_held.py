"""What a seat can hold, followed through draws, discards, calls and kongs."""

from __future__ import annotations

import pytest

from tablectl.core.held import dealt, stands_for

ASIDE = ("4z", "7z")


def seat_with(*tiles: str, aside: tuple[str, ...] = ()):
    return dealt([tiles], aside)


def possible(held) -> set[tuple[str, ...]]:
    return {hand.tiles for hand in held.hands[0]}


def test_only_what_is_held_is_discarded():
    held = seat_with("1m", "2m", "5pr")
    assert held.discard(0, "3m") is None
    assert held.discard(0, "5p") is None, "a red five is another face"
    assert possible(held.discard(0, "5pr")) == {("1m", "2m")}
    assert possible(held.draw(0, "9s").discard(0, "1m")) == {("2m", "5pr", "9s")}


def test_a_chi_leaves_what_a_later_discard_decides():
    held = seat_with("2m", "3m", "5m", "6m", "9p").chi(0, "4m")
    assert possible(held) == {
        ("5m", "6m", "9p"),
        ("2m", "6m", "9p"),
        ("2m", "3m", "9p"),
    }
    assert possible(held.discard(0, "5m")) == {("6m", "9p")}
    assert held.discard(0, "2m").discard(0, "5m") is None


def test_runs_stay_within_a_suit_and_have_no_honours():
    assert seat_with("8m", "9m", "1p").chi(0, "1m") is None
    assert seat_with("2z", "3z").chi(0, "1z") is None
    assert possible(seat_with("8m", "9m", "1p").chi(0, "7m")) == {("1p",)}


def test_a_pon_takes_red_or_plain():
    held = seat_with("5p", "5p", "5pr", "1m").pon(0, "5p")
    assert possible(held) == {("1m", "5p"), ("1m", "5pr")}
    assert possible(held.added_kong(0)) == {("1m",)}
    assert seat_with("5p", "1m").pon(0, "5p") is None


def test_kongs():
    assert seat_with("1m", "1m").open_kong(0, "1m") is None
    assert possible(seat_with("1m", "1m", "1m", "2m").open_kong(0, "1m")) == {("2m",)}
    both = seat_with(*["1m"] * 4, *["2m"] * 4, "9p").concealed_kong(0)
    assert len(possible(both)) == 2
    assert both.discard(0, "1m").discard(0, "2m") is None
    assert seat_with("1m", "1m", "1m").concealed_kong(0) is None
    assert seat_with(*["1m"] * 4).added_kong(0) is None


def test_riichi_needs_a_closed_hand_and_locks_it():
    held = seat_with("1m", "1m", "2m", "3m").pon(0, "1m")
    assert held.riichi(0) is None
    locked = seat_with("1m", "2m").draw(0, "3m").riichi(0).discard(0, "1m")
    assert locked is not None, "the discard of the declaration is free"
    assert locked.draw(0, "9p").discard(0, "2m") is None
    assert locked.draw(0, "9p").discard(0, "9p") is not None
    concealed = seat_with(*["1m"] * 4, "2m").concealed_kong(0)
    assert concealed.riichi(0) is not None


def test_tiles_set_aside():
    held = seat_with("4z", "7z", "1m", aside=ASIDE)
    assert possible(held.set_aside(0, "?")) == {("1m", "7z"), ("1m", "4z")}
    assert possible(held.set_aside(0, "7z")) == {("1m", "4z")}
    assert seat_with("1m", aside=ASIDE).set_aside(0, "?") is None


def test_unknown_tiles_stand_for_any():
    held = seat_with("?", "?", "1m")
    assert possible(held.discard(0, "9p")) == {("1m", "?")}
    assert possible(held.discard(0, "1m")) == {("?", "?"), ("1m", "?")}
    assert held.pon(0, "3s") is not None
    assert held.discard(0, "1p").discard(0, "2p").discard(0, "3p") is None


@pytest.mark.parametrize(
    ("tile", "kinds"),
    [
        ("7mx", {"7m", "7p", "7s"}),
        ("4zx", {"4z", "7z"}),
        ("7m", {"7m"}),
        ("5pr", {"5p"}),
    ],
)
def test_galaxy_tiles(tile, kinds):
    # A galaxy 7 or 8 is its number in any suit, a galaxy north or red either of the two.
    assert stands_for(tile, ASIDE) == kinds


def test_a_galaxy_tile_in_a_call():
    held = seat_with("7mx", "7p", "1m", aside=ASIDE)
    assert possible(held.pon(0, "7p")) == {("1m",)}
    assert seat_with("7m", "7p", "1m").pon(0, "7p") is None
    assert possible(seat_with("7sx", "8p").chi(0, "9p")) == {()}
