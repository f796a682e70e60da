"""Sentences of the core as people say them: seats by wind and side, tiles by face, once each."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import tablectl.core
from tablectl.cli.said import for_people

HAND = {"seats": [0, 1, 3], "dealer": 1}
"""Seat 1 deals: seat 0 is West, seat 1 East, seat 2 South on side 3."""

SENTENCES = {
    "seat 2 discarded 4z, but in this rule it is only set aside":
        "South (side 3) discarded 北, but in this rule it is only set aside",
    "the win is seat 0's and not seat 2's: head bump":
        "the win is West's (side 0) and not South's (side 3): head bump",
    "the hand of seat 1 is dead and so not ready": (
        "the hand of East (side 1) is dead and so not ready"
    ),
    "Seat 1 won": "East (side 1) won",
    "there is no seat 3: 3 play": "there is no seat 3: 3 play",
    "seats [0, 1] are not the sides of 3 players": "seats [0, 1] are not the sides of 3 players",
    "7z is not set aside in this rule, only 4z, 1f, 8f":
        "中 is not set aside in this rule, only 北, 春, 菊",
    "5p stays, 5pr and 7mx do not": "5p stays, red 5p and galaxy 7m do not",
    "5zd lies on side 2": "white diamond lies on side 2",
    "in the walls of set a gold 5p is missing, one 北 too many":
        "in the walls of set a gold 5p is missing, one 北 too many",
    "play riichi-4p or vivace-4p+aka-2 with 1m-9m in 30s":
        "play riichi-4p or vivace-4p+aka-2 with 1m-9m in 30s",
    "nobody is / seat 0 / seat 1 / seat 2":
        "nobody is / West (side 0) / East (side 1) / South (side 3)",
    "side 2: ? of 28, the face was ?": "side 2: ? of 28, the face was ?",
    "4z4z, 9z and 6m.": "4z4z, 9z and 6m.",
}  # fmt: skip


@pytest.mark.parametrize("sentence", SENTENCES)
def test_as_people_say_it_and_once(sentence):
    said = for_people(sentence, HAND)
    assert said == SENTENCES[sentence]
    assert for_people(said, HAND) == said


def test_without_a_hand_only_tiles_are_said():
    assert for_people("seat 2 discarded 4z", None) == "seat 2 discarded 北"


def sentences() -> list[str]:
    """What the core says of a seat: its format strings, with a seat and a tile put in."""
    found = []
    for file in sorted(Path(tablectl.core.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts = [
                    str(part.value)
                    if isinstance(part, ast.Constant)
                    else ("4z" if "tile" in ast.unparse(part) else "1")
                    for part in node.values
                ]
                found.append("".join(parts))
    return [one for one in found if "seat 1" in one]


def test_no_sentence_of_the_core_keeps_a_seat():
    found = sentences()
    assert len(found) > 40
    for one in found:
        said = for_people(one, HAND)
        assert "seat 1" not in said, one
        assert "4z" not in said, one
        assert said.count("(side 1)") == one.count("seat 1")
        assert for_people(said, HAND) == said
