"""The simulated machine: its sets go round as the chart says, and no tile is ever lost."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from support.wander import TRIGGERS, wander

from protocols import v1
from protocols.codes import Button, Phase, Trouble
from tablesim.hands import Hands
from tablesim.lay import Spot
from tablesim.mechanism import Machine
from tablesim.model import MODELS, even
from tablesim.tiles import standard
from tablesim.tileset import SimError


class Told:
    """A machine and what it tells."""

    def __init__(self, model: str = "stock", seed: int = 1) -> None:
        self.told: list[tuple] = []
        self.machine = Machine(
            MODELS[model],
            random.Random(seed),
            lambda kind, *values: self.told.append((kind, *values)),
        )
        self.hands = Hands(self.machine)

    def start(self, ms: int = 0) -> None:
        self.machine.press(Button.START)
        self.machine.advance(self.machine.now + ms)

    def phases(self) -> tuple[Phase, Phase]:
        return self.machine.sets[0].phase, self.machine.sets[1].phase

    def of(self, kind: type) -> list[tuple]:
        return [values for found, *values in self.told if found is kind]

    def round(self) -> int:
        """Tiles in, hatch closed, the other set up, this one stacked; the number that came up."""
        if self.machine.up is not None:
            self.start()
        self.hands.push_in()
        self.start(120_000)
        return self.of(v1.RaisedEdge)[-1][1]


@pytest.mark.parametrize("seed", range(16))
def test_random_presses_follow_the_chart_and_lose_no_tile(seed):
    assert wander(seed, 150)


def test_all_arrows_of_a_healthy_and_a_troubled_machine_are_taken():
    taken: Counter[str] = Counter()
    for seed in range(100, 110):
        taken += wander(seed, 300)
    assert set(taken) == {"raised", "trouble", "cleared", *TRIGGERS.values()}


def test_one_evening_from_the_power_switch_on():
    table = Told()
    assert table.phases() == (Phase.READY, Phase.DROPPING)
    table.start()
    assert table.phases() == (Phase.RAISING, Phase.MIXING)
    table.machine.advance(3500)
    assert table.phases() == (Phase.UP, Phase.MIXING)
    assert table.of(v1.RaisedEdge) == [[1, 1, (34, 34, 34, 34)]]
    table.machine.advance(40_000)
    assert table.phases() == (Phase.UP, Phase.READY)
    table.start()
    assert table.phases() == (Phase.DROPPING, Phase.READY)
    table.hands.push_in()
    table.start(3500)
    assert table.phases() == (Phase.MIXING, Phase.UP)


def test_start_does_nothing_while_the_other_set_is_not_ready():
    table = Told()
    table.start(3500)
    table.start()
    assert table.phases() == (Phase.UP, Phase.MIXING)


def test_a_number_selected_during_stacking_comes_up_one_deal_later():
    table = Told()
    table.start(10_000)
    assert table.phases() == (Phase.UP, Phase.STACKING)
    table.machine.select(5)
    table.machine.advance(60_000)
    # What was being stacked comes up with the old number, the set dropped in now with the new.
    assert table.round() == 1
    assert [one.active for one in table.machine.sets] == [5, 1]
    for tiles in table.machine.sets:
        assert tiles.pending in (None, 5)


@pytest.mark.parametrize("outlets", ["stock", "gears"])
def test_outlets_fill_in_parallel_or_in_turn(outlets):
    table = Told(outlets)
    table.start()
    machine = table.machine
    seen = set()
    while machine.sets[1].phase is not Phase.READY:
        machine.advance(machine.now + 500)
        seen.add(machine.sets[1].progress)
    spread = max(max(each) - min(each) for each in seen)
    assert spread == (1 if outlets == "stock" else 34)
    took = machine.now
    assert took < 40_000 if outlets == "stock" else 60_000 < took < 120_000


def test_forgotten_tiles_are_put_in_while_the_machine_is_paused():
    table = Told()
    table.start(60_000)
    table.start()
    table.hands.push_in(keep=3)
    table.start(10_000)
    assert table.phases()[0] is Phase.STACKING
    table.machine.press(Button.START, long=True)
    assert table.phases()[0] is Phase.PAUSED
    table.hands.push_in()
    table.start(60_000)
    assert table.phases()[0] is Phase.READY


def test_a_missing_tile_leaves_a_side_short_and_stops_the_set_alone():
    table = Told()
    table.start(60_000)
    table.start()
    table.hands.push_in(keep=1)
    table.start(90_000)
    assert table.phases() == (Phase.BLOCKED, Phase.UP)
    [trouble] = table.of(v1.TroubleEdge)
    assert trouble == [Trouble.SHORT, 1, 3, 1, 34, 33]
    # The tile is found and put in; start tries again.
    table.hands.push_in()
    table.start(60_000)
    assert table.phases() == (Phase.READY, Phase.UP)
    assert table.of(v1.TroubleEdge)[-1][3] == 0


def test_too_many_tiles_are_noticed_and_taken_out():
    table = Told()
    table.machine.sets[1].exchange(standard(144))
    table.start(60_000)
    [trouble] = table.of(v1.TroubleEdge)
    assert trouble == [Trouble.TOO_MANY, 2, None, 1, 136, 144]
    table.hands.take_out()
    table.start(10_000)
    assert table.phases()[1] is Phase.READY


def test_a_jam_blocks_until_it_is_mended():
    table = Told()
    table.start(10_000)
    table.machine.jam()
    assert table.phases()[1] is Phase.BLOCKED
    table.start(60_000)
    assert table.phases()[1] is Phase.BLOCKED, "trying again does not free it"
    table.machine.mend()
    table.start(60_000)
    assert table.phases()[1] is Phase.READY


def test_lowered_walls_come_up_again_as_they_were():
    table = Told()
    table.start(60_000)
    walls = dict(table.machine.sets[0].walls)
    table.machine.press(Button.RAISE, long=True)
    assert table.phases() == (Phase.READY, Phase.READY)
    table.machine.press(Button.RAISE)
    table.machine.advance(table.machine.now + 10_000)
    assert table.machine.sets[0].walls == walls


def test_walls_of_which_a_tile_was_taken_do_not_sink():
    table = Told()
    table.start(60_000)
    table.hands.take(Spot(0, 1, "upper"))
    table.machine.press(Button.RAISE, long=True)
    assert table.phases()[0] is Phase.UP


def test_the_dealing_table_deals_thirteen_and_turns_the_indicator():
    table = Told("autodeal")
    table.start(60_000)
    up = table.machine.sets[0]
    assert len(up.out) == 52
    assert up.counts() == (20, 20, 22, 22)
    assert table.of(v1.ShownEdge) == [[1 << 14 | 8 << 2, up.walls[Spot(1, 8, "upper")]]]
    table.machine.press(Button.DICE)
    table.machine.advance(table.machine.now + 10_000)
    assert table.of(v1.DiceEdge) == []


def test_dice_come_from_the_seed_or_as_they_are_told():
    thrown = []
    for _ in range(2):
        table = Told(seed=7)
        table.machine.press(Button.DICE)
        table.machine.advance(5000)
        thrown += table.of(v1.DiceEdge)
    assert thrown[0] == thrown[1]
    table.machine.next_pips = (6, 6)
    table.machine.press(Button.DICE)
    table.machine.advance(10_000)
    assert table.of(v1.DiceEdge)[-1] == [2, (6, 6, None, None)]


def test_taking_what_is_not_there_is_refused_and_changes_nothing():
    table = Told()
    with pytest.raises(SimError) as refused:
        table.hands.take(Spot(0, 1, "upper"))
    assert refused.value.code == "sim.no_walls"
    table.start(60_000)
    table.hands.take(Spot(0, 1, "upper"))
    for spot in (Spot(0, 1, "upper"), Spot(0, 18, "upper")):
        with pytest.raises(SimError) as refused:
            table.hands.take(spot)
        assert refused.value.code == "sim.no_tile"
    with pytest.raises(SimError):
        table.hands.put_back(Spot(0, 2, "upper"), "1m")
    with pytest.raises(SimError) as refused:
        table.hands.push_in()
    assert refused.value.code == "sim.closed"
    with pytest.raises(SimError) as refused:
        table.machine.select(77)
    assert refused.value.code == "sim.number"
    assert refused.value.hint


# ── models ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_every_number_of_every_model_can_be_stacked(model):
    for number in model.numbers:
        assert sum(number.sides) + 4 * number.dealt == number.tiles
        assert len(standard(number.tiles)) == number.tiles
        assert number.players


def test_the_gears_are_those_of_the_page():
    numbers = {one.number: one.tiles for one in MODELS["gears"].numbers}
    assert len(numbers) == 39
    assert (numbers[1], numbers[5], numbers[15], numbers[39]) == (18, 144, 116, 20)
    twins = [one for one in MODELS["gears"].numbers if one.tiles == 108]
    assert [one.sides for one in twins] == [(28, 26, 28, 26), (36, 36, 36, 0)]


def test_walls_are_shared_out_evenly():
    assert even(136) == (34, 34, 34, 34)
    assert even(116) == (30, 28, 30, 28)
    assert even(112, 3) == (38, 38, 36, 0)
    for tiles in range(2, 170):
        for walls in (3, 4):
            sides = even(tiles, walls)
            assert sum(sides) == tiles
            assert sum(1 for n in sides if n % 2) == tiles % 2


def test_number_five_of_a_stock_machine_is_hana_hachi():
    five = MODELS["stock"].number(5)
    assert five is not None
    assert (five.tiles, five.sides, five.name) == (116, (30, 28, 30, 28), "華8")
    flowers = Counter(tile for tile in standard(116) if tile.endswith("f"))
    assert flowers == {"1f": 2, "2f": 2, "3f": 2, "4f": 2}


# ── what a review found ─────────────────────────────────────────────────────────────────────────


def test_a_hatch_closed_too_early_can_be_put_right():
    table = Told()
    table.start(60_000)
    table.start()
    table.start(90_000)
    assert table.phases()[0] is Phase.BLOCKED, "nobody pushed the tiles in"
    table.hands.push_in()
    table.start(60_000)
    assert table.phases()[0] is Phase.READY


def test_walls_sink_as_they_stand_also_after_a_tile_was_put_back():
    table = Told()
    table.start(60_000)
    walls = dict(table.machine.sets[0].walls)
    spot = Spot(2, 5, "lower")
    table.hands.put_back(spot, table.hands.take(spot))
    table.machine.press(Button.RAISE, long=True)
    table.machine.press(Button.RAISE)
    table.machine.advance(table.machine.now + 10_000)
    assert table.machine.sets[0].walls == walls


def test_a_tile_is_put_back_only_where_the_wall_has_a_place():
    table = Told()
    table.start(60_000)
    tile = table.hands.take(Spot(2, 5, "lower"))
    with pytest.raises(SimError, match="no such place"):
        table.hands.put_back(Spot(2, 99, "lower"), tile)


@pytest.mark.parametrize("tiles", [("foo",), (), ("1m",) * 500, ("9z",) * 136, ("5mq",) * 136])
def test_only_tiles_are_put_in(tiles):
    table = Told()
    with pytest.raises(SimError) as refused:
        table.hands.exchange(2, tiles)
    assert refused.value.code == "sim.tiles"


def test_an_exchange_forgets_what_the_old_tiles_were_for():
    table = Told()
    tiles = table.machine.sets[1]
    tiles.rig({Spot(0, n + 1, "upper"): tile for n, tile in enumerate(tiles.tiles)})
    table.hands.exchange(2, standard(136)[::-1])
    assert tiles.rigged is None
    table.start(60_000)
    assert Counter(tiles.everything()) == Counter(tiles.tiles)
