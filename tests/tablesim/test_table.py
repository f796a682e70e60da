"""The whole simulated table: what each model sees and does not see, faults, recorded hands."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from support.boards import Host
from support.peers import SimMemory

from protocols.codes import Button, Phase
from tablectl.core import facts
from tablectl.link.said import Told
from tablesim import faults
from tablesim.faults import Fault
from tablesim.lay import Spot
from tablesim.model import MODELS
from tablesim.records import Player, hand_of, read
from tablesim.table import Table, find_model
from tablesim.tiles import normal
from tablesim.tileset import SimError
from tablesim.truth import truth

DATA = Path(__file__).parents[1] / "data"


class Evening:
    """A host at a table of a model."""

    def __init__(self, model: str) -> None:
        self.peer = SimMemory(model)
        self.host = Host(self.peer).ready()
        self.machine, self.hands = self.peer.table.machine, self.peer.table.hands

    def deal(self) -> list[facts.Fact]:
        """Start is pressed, walls come up, dice are thrown, a tile is taken and one shown."""
        before = len(self.host.facts)
        self.machine.press(Button.START)
        self.host.run(60_000, step=100)
        self.machine.press(Button.DICE, side=2)
        self.host.run(5000)
        self.hands.take(Spot(1, 2, "upper"))
        self.host.run(500)
        self.hands.show(Spot(1, 3, "upper"))
        self.host.run(500)
        return self.host.facts[before:]


SEEN = {
    "stock": {"button", "phase", "raised", "dice"},
    "stock+counts": {"button", "phase", "raised", "dice", "count"},
    "presence": {"button", "phase", "raised", "dice", "count", "taken", "observed"},
    "reader": {
        "button",
        "phase",
        "raised",
        "dice",
        "count",
        "taken",
        "observed",
        "shown",
        "sealed",
    },
    "gears": {"phase", "raised", "dice"},
    "autodeal": {"button", "phase", "raised"},
    "deaf": {"button"},
}


def name_of(fact: facts.Fact) -> str:
    return str(fact.__struct_config__.tag)


@pytest.mark.parametrize("model", SEEN)
def test_each_model_sees_what_its_abilities_say(model):
    evening = Evening(model)
    found = evening.deal()
    assert {name_of(fact) for fact in found} == SEEN[model]
    abilities = {one.ability for one in evening.host.said if isinstance(one, Told)}
    assert abilities - {"board", "counts_live"} <= set(MODELS[model].abilities)


def test_a_reader_tells_sealed_faces_apart_and_none_in_a_fact():
    evening = Evening("reader")
    walls = dict(evening.machine.sets[0].walls)
    evening.deal()
    told = [one for one in evening.host.said if isinstance(one, Told) and one.face]
    assert len(told) == 136
    walls = {Spot(*place): tile for *place, tile in truth(evening.machine)["sets"]["a"]["walls"]}
    for one in told:
        assert isinstance(one.fact, facts.Sealed)
        place = one.fact.place
        spot = Spot(place.side, place.column, place.row)
        assert walls.get(spot, one.face) == one.face
        assert one.face not in repr(one)


def test_a_number_chosen_by_wire_is_pending_then_active():
    from protocols import v1
    from protocols.codes import ANY_PHASE

    evening = Evening("stock")
    evening.host.driver.command(
        lambda c, n: v1.Select(c, n, (ANY_PHASE, ANY_PHASE), 0, 5), evening.host.now
    )
    evening.host.run(100)
    assert [e.result for e in evening.host.ended()] == ["accepted", "done"]
    assert [one.pending for one in evening.machine.sets] == [5, 5]
    evening.machine.press(Button.START)
    evening.host.run(10_000, step=100)
    numbers = [fact for fact in evening.host.facts if isinstance(fact, facts.Number)]
    assert numbers[-1] == facts.Number(set="b", number=5)


def test_gears_cannot_be_read_back_so_a_press_is_the_outcome():
    from protocols import v1
    from protocols.codes import ANY_PHASE

    evening = Evening("gears")
    evening.host.driver.command(
        lambda c, n: v1.Select(c, n, (ANY_PHASE, ANY_PHASE), 0, 15), evening.host.now
    )
    evening.host.run(1000)
    assert [e.result for e in evening.host.ended()] == ["accepted", "done"]
    assert not any(isinstance(fact, facts.Number) for fact in evening.host.facts)


# ── faults ──────────────────────────────────────────────────────────────────────────────────────


def test_a_dirty_sensor_counts_too_few():
    evening = Evening("stock+counts")
    faults.begin(evening.peer.table, Fault("dirty_sensor", side=2, amount=1))
    evening.deal()
    [raised] = [fact for fact in evening.host.facts if isinstance(fact, facts.Raised)]
    assert raised.sides == (34, 34, 33, 34)


def test_dice_that_cannot_be_read_are_a_trouble():
    evening = Evening("stock")
    faults.begin(evening.peer.table, Fault("dice_unread"))
    evening.machine.press(Button.DICE)
    evening.host.run(5000)
    assert evening.host.facts[-1] == facts.Trouble(code="dice_unread")
    faults.end(evening.peer.table, Fault("dice_unread"))
    evening.machine.press(Button.DICE)
    evening.host.run(5000)
    assert isinstance(evening.host.facts[-1], facts.Dice)


def test_a_missing_tile_is_a_short_side_with_its_counts():
    evening = Evening("stock")
    faults.begin(evening.peer.table, Fault("missing_tile", amount=2))
    evening.machine.press(Button.START)
    evening.host.run(100_000, step=200)
    [trouble] = [fact for fact in evening.host.facts if isinstance(fact, facts.Trouble)]
    assert (trouble.code, trouble.set, trouble.expected) == ("short", "b", 34)
    assert facts.Phase(set="b", phase="blocked") in evening.host.facts
    evening.hands.push_in()
    evening.machine.press(Button.START)
    evening.host.run(60_000, step=200)
    assert evening.machine.sets[1].phase is Phase.READY
    assert [f.on for f in evening.host.facts if isinstance(f, facts.Trouble)] == [True, False]


def test_a_silent_board_is_called_until_it_speaks_again():
    evening = Evening("stock")
    faults.begin(evening.peer.table, Fault("silent"))
    evening.host.run(10_000, step=100)
    assert evening.host.driver.stage == "calling"
    faults.end(evening.peer.table, Fault("silent"))
    evening.host.run(2000)
    assert evening.host.driver.stage == "ready"


@pytest.mark.parametrize("name", sorted(faults.TABLE))
def test_every_fault_can_begin_and_end_and_the_table_lives_on(name):
    evening = Evening("presence")
    fault = Fault(name, side=1, amount=2)
    faults.begin(evening.peer.table, fault)
    evening.machine.press(Button.START)
    evening.host.run(120_000, step=500)
    faults.end(evening.peer.table, fault)
    evening.hands.push_in() if evening.machine.sets[1].aside else None
    evening.machine.press(Button.START)
    evening.host.run(120_000, step=500)
    assert evening.host.driver.stage == "ready"
    for tiles in evening.machine.sets:
        assert Counter(tiles.everything()) == Counter(tiles.tiles)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no [[fault]]"),
        ("fault = 3", "no [[fault]]"),
        ("[[fault]]\nname = 'gremlins'", "no fault 'gremlins'"),
        ("[[fault]]\nname = 'jam'\nwhen = 3", "has no when"),
        ("[[fault]]\nname = 'jam'\nside = 4", "side = 4"),
        ("[[fault]]\nname = 'jam'\nat = 'soon'", "at = 'soon'"),
        ("[[fault]", "cannot be read"),
    ],
)
def test_a_fault_file_with_mistakes_is_refused(tmp_path, text, said):
    (tmp_path / "faults.toml").write_text(text)
    with pytest.raises(SimError) as refused:
        faults.read_faults(tmp_path / "faults.toml")
    assert said in refused.value.what
    assert refused.value.hint
    assert "faults.toml" in refused.value.where


def test_a_fault_file_is_read(tmp_path):
    (tmp_path / "faults.toml").write_text(
        "[[fault]]\nname = 'drop'\nat = 1000\nlasts = 500\nchance = 0.25\n"
        "[[fault]]\nname = 'missing_tile'\namount = 3\n"
    )
    assert faults.read_faults(tmp_path / "faults.toml") == [
        Fault("drop", 1000, 500, chance=0.25),
        Fault("missing_tile", amount=3),
    ]


# ── recorded hands ──────────────────────────────────────────────────────────────────────────────


def played(name: str, model: str = "reader") -> tuple[Table, list[dict]]:
    file = DATA / f"{name}.jsonl"
    table = Table(find_model(model), "records", seed=3)
    player = Player(table, read(file))
    while not player.over:
        times = [time for time in (player.due, table.due()) if time is not None]
        table.advance(min(times))
        player.advance()
        table.settle()
    assert player.played == len(read(file))
    return table, [json.loads(line) for line in file.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(("name", "dealt"), [("riichi-4p", 52), ("riichi-3p", 39)])
def test_recorded_hands_are_built_and_taken_tile_by_tile(name, dealt):
    table, records = played(name)
    done = table.machine.done
    starts = [n for n, deed in enumerate(done) if deed[1] == "dice"]
    for record, start, end in zip(records, starts, [*starts[1:], len(done)], strict=True):
        deeds = done[start:end]
        assert list(deeds[0][2:]) == record["dice"]
        taken = [deed[5] for deed in deeds if deed[1] == "take"]
        wall = [f"5{tile[1]}r" if tile[0] == "0" else tile for tile in record["wall"]]
        assert taken[:dealt] == wall[:dealt], "the deal is the head of the wall"
        drawn = [event[2] for event in record["events"] if event[0] == "draw"]
        assert normal(taken[dealt:]) == normal(drawn)
        assert taken[dealt:] == [f"5{t[1]}r" if t[0] == "0" else t for t in drawn]
        shown = [deed[5] for deed in deeds if deed[1] == "show"]
        told = [event[1] for event in record["events"] if event[0] == "indicator"]
        assert shown[1 : 1 + len(told)] == [f"5{t[1]}r" if t[0] == "0" else t for t in told]


def line(**changes: object) -> str:
    record = json.loads((DATA / "riichi-4p.jsonl").read_text("utf-8").splitlines()[0])
    record |= changes
    return json.dumps({key: value for key, value in record.items() if value is not None})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "no JSON"),
        ("[]", "a JSON object"),
        (line(wall=None), "it has no wall"),
        (line(players=5), "players are 5"),
        (line(dealer=4), "dealer 4"),
        (line(dice=[0, 3]), "dice are [0, 3]"),
        (line(dice=[]), "dice are []"),
        (line(wall=["1m"]), "the wall has 1 tiles"),
        (line(wall=["?"] * 136), "its face is not known"),
        (line(events=[[]]), "events are a list"),
    ],
)
def test_a_record_that_is_no_hand_is_refused_with_its_line(tmp_path, text, said):
    with pytest.raises(SimError) as refused:
        hand_of(text, "hands.jsonl, line 1")
    assert said in refused.value.what
    assert refused.value.where == "hands.jsonl, line 1"
    assert "tablectl replay" in refused.value.hint


def test_an_empty_file_of_records_is_refused(tmp_path):
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(SimError) as refused:
        read(tmp_path / "empty.jsonl")
    assert "no hand in it" in refused.value.what


# ── what a review found ─────────────────────────────────────────────────────────────────────────


def test_places_are_empty_when_the_walls_are_gone():
    evening = Evening("presence")
    evening.deal()
    assert any(evening.peer.table.board.readings.presence)
    evening.machine.press(Button.START)
    evening.host.run(500)
    assert evening.peer.table.board.readings.presence == [0, 0, 0, 0]


def test_a_fault_that_ends_leaves_the_others_alone():
    table = Table(find_model("stock"), "faults")
    for name in ("jam", "hatch_stuck", "slow"):
        faults.begin(table, Fault(name, amount=3))
    faults.end(table, Fault("slow", amount=3))
    assert (table.machine.jammed, table.machine.hatch_stuck, table.machine.slow) == (True, True, 1)
    faults.end(table, Fault("jam"))
    assert (table.machine.jammed, table.machine.hatch_stuck) == (False, True)


def test_a_table_that_runs_for_months_goes_on():
    peer = SimMemory("stock")
    host = Host(peer)
    host.now = 2**32 - 1500
    peer.run(b"", host.now)
    host.begin(200)
    host.ready()
    host.run(4000)
    peer.table.machine.press(Button.START)
    host.run(1000)
    assert host.driver.stage == "ready"
    assert isinstance(host.facts[-1], facts.Phase)
    assert [one.at for one in host.said if isinstance(one, Told) and one.edge][-1] < 10_000


def test_a_table_without_dice_cannot_throw():
    from protocols import v1
    from protocols.codes import Motion

    evening = Evening("autodeal")
    evening.host.driver.command(
        lambda c, n: v1.Move(c, n, (255, 255), Motion.THROW), evening.host.now
    )
    evening.host.run(500)
    assert [(e.result, e.why) for e in evening.host.ended()] == [("refused", "unable")]


@pytest.mark.parametrize(
    "changes",
    [
        {"players": []},
        {"dealer": 0.0},
        {"dice": [1.0, 2]},
        {"wall": ["9z"] * 136},
        {"wall": [5] * 136},
        {"events": [["draw", "x", "1m", "live"]]},
        {"events": [["draw", 0, "1m", "side"]]},
        {"events": [["riichi", 9]]},
        {"events": [["draw", 0, "1m", "live"]] * 71},
        {"events": [["draw", 0, "1m", "tail"]] * 9},
        {"events": [["indicator", "1m"]] * 5},
    ],
)
def test_a_record_that_cannot_be_played_is_refused_before_it_is(changes):
    with pytest.raises(SimError) as refused:
        hand_of(line(**changes), "line 1")
    assert refused.value.code == "sim.record"


@pytest.mark.parametrize(
    "values",
    [
        {"name": []},
        {"name": "jam", "amount": -3},
        {"name": "jam", "amount": 0.5},
        {"name": "drop", "chance": 2},
        {"name": "jam", "side": 1.0},
        {"name": "jam", "at": -1},
    ],
)
def test_a_fault_with_a_value_out_of_range_is_refused(values):
    with pytest.raises(SimError) as refused:
        faults.fault_of(values)
    assert refused.value.code == "sim.fault"
