"""Who deals first, as programs say it with a rule."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tablectl.api.messages import CommandBody


def wish_of(body: dict[str, Any]) -> Any:
    return msgspec.convert(body, CommandBody).wish()


@pytest.mark.parametrize("what", ["select", "game"])
def test_a_first_dealer_or_the_dice_for_one(what: str) -> None:
    body = {"what": what, "preset": "fuzhou-144"}
    wish = wish_of(body | {"first_dealer": 3})
    assert (wish.what, wish.first_dealer, wish.first_dice) == (what, 3, None)
    wish = wish_of(body | {"first_dice": [3, 4], "temporary": 1})
    assert (wish.first_dice, wish.temporary) == ((3, 4), 1)
    assert wish_of(body).first_dealer is None


@pytest.mark.parametrize(
    "about",
    [{"first_dealer": 4}, {"first_dice": [0, 1]}, {"first_dice": []}, {"temporary": -1}],
)
def test_what_no_seat_and_no_dice_are(about: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        wish_of({"what": "select", "preset": "fuzhou-144"} | about)
