"""Recorded hands: replayed whole, from other breaks, and altered at every index."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.histories import played, rules_of
from support.presets import random_preset_text

from tablectl.core.entry import encode_entry
from tablectl.core.fold import fold_all
from tablectl.core.geometry import plan
from tablectl.core.preset_file import find_preset, read_preset
from tablectl.core.record import read_record
from tablectl.core.replay import Follow, entries_of, replay_hand
from tablectl.core.replay import replay as replay_lines
from tablectl.core.state import ground_of, inputs_of, plan_of
from tablectl.core.tiles import normal
from tablectl.errors import TablectlError
from tablesim import lay

DATA = Path(__file__).parent.parent / "data"
SHARED_FILES = {"riichi-4p": ("riichi-4p", "riichi-4p-chips"), "riichi-3p": ("sanma-3p",)}
Hand = dict[str, Any]


@cache
def own_hands() -> list[tuple[str, Hand]]:
    return [
        (name, json.loads(line))
        for name in ("riichi-4p", "riichi-3p")
        for line in (DATA / f"{name}.jsonl").read_text().splitlines()
    ]


OWN = [pytest.param(*pair, id=f"{pair[0]}-{n}") for n, pair in enumerate(own_hands())]


def report(name: str, hand: Hand) -> dict[str, Any]:
    rules = find_preset(name)
    return replay_hand(rules, read_record(rules, json.dumps(hand)))


def before_each(name: str, hand: Hand) -> list[Follow]:
    """The hand as followed so far before each event, and at its end."""
    rules = find_preset(name)
    record = read_record(rules, json.dumps(hand))
    followed = Follow(rules, record)
    followed.begin()
    moments = [copied(followed)]
    for index, event in enumerate(record.events):
        followed.event(index, event)
        moments.append(copied(followed))
    return moments


def copied(followed: Follow) -> Follow:
    return replace(followed, entries=[*followed.entries], checked=dict(followed.checked))


def mismatch_at(moment: Follow, index: int, events: list[Any]) -> int | None:
    """Where the first mismatch is when these events follow from that moment on."""
    followed = copied(moment)
    for n, event in enumerate(events, start=index):
        followed.event(n, tuple(event))
        if followed.mismatch is not None:
            return followed.mismatch.event
    return None


def counted(hand: Hand) -> dict[str, int]:
    """What a whole replay must have looked at, counted from the events."""
    events = hand["events"]
    ends = Counter(event[3] for event in events if event[0] == "draw")
    names = Counter(event[0] for event in events)
    laid = ("discard", "chi", "pon", "kong", "kita", "riichi")
    return {
        "live": ends["live"],
        "tail": ends["tail"],
        "indicators": 1 + names["indicator"],
        "ura": sum(len(event[4]) for event in events if event[0] == "win"),
        "turn": len(events),
        "held": sum(names[name] for name in laid),
    }


@pytest.mark.parametrize(("name", "hand"), OWN)
def test_own_hands(name, hand):
    found = report(name, hand)
    assert found["mismatch"] is None
    assert found["ok"]
    assert found["checked"] == counted(hand)
    last = hand["events"][-1]
    assert found["end"] == last[0]
    if last[0] == "win":
        assert len(found["indicators"]) == last[3]
        assert last[4] in ([], found["ura"])
    if last[0] == "exhausted":
        assert found["drawable"] == 0


@pytest.mark.parametrize("name", list(SHARED_FILES))
def test_every_recorded_hand(shared, name):
    rules = find_preset(name)
    total: Counter[str] = Counter()
    hands = 0
    for file in SHARED_FILES[name]:
        lines = (shared / "data" / "hands" / f"{file}.jsonl").read_text().splitlines()
        for line, found in zip(lines, replay_lines(rules, lines), strict=True):
            assert found["ok"], (file, found)
            assert found["checked"] == counted(json.loads(line))
            total.update(found["checked"])
            hands += 1
    print(name, hands, dict(total))
    assert hands == {"riichi-4p": 207, "riichi-3p": 4}[name]


# ── three breaks ────────────────────────────────────────────────────────────────────────────────


def places(name: str, hand: Hand) -> tuple[list[Any], list[lay.Spot], tuple[int, ...]]:
    """What the replay says in p, and where each draw was physically taken."""
    rules = find_preset(name)
    record = read_record(rules, json.dumps(hand))
    followed = Follow(rules, record)
    followed.begin()
    taken = []
    for index, event in enumerate(record.events):
        before = followed.hand
        base = ground_of(rules, before)
        followed.event(index, event)
        after = followed.hand
        if after.head > before.head:
            taken.append(base.wall.order[base.order.p(before.head)])
        elif after.tail > before.tail:
            taken.append(base.wall.tail("upper")[before.tail])
    there = plan_of(rules, followed.hand)
    taken += [*there.indicators, *there.ura]
    in_p = [[q.p for q in taken], followed.report(0)]
    where = [lay.Spot(q.side, q.column, q.row) for q in taken]
    return in_p, where, (there.break_.side, there.break_.after)


def broken_thrice(name: str, hand: Hand) -> None:
    """The hand from three breaks: the same p, all places moved and right by laying and walking."""
    sides = {"riichi-4p": ["17"] * 4, "riichi-3p": ["14", "13", "14", "13"]}[name]
    players, dealer = hand["players"], hand["dealer"]
    seats = list(range(players))
    first, second = hand["dice"]
    other = [first % 6 + 1, second]
    turned = [(side + 1) % 4 for side in seats]
    seen = []
    for dice, chairs in ((hand["dice"], seats), (other, seats), (hand["dice"], turned)):
        in_p, where, broke = places(name, hand | {"dice": dice, "seats": chairs})
        opening = lay.Table(sides).open(chairs[dealer], sum(dice), "walls", chairs)
        assert broke == (opening.side, opening.after)
        order = opening.walk()
        assert where == [order[p] for p in in_p[0]]
        seen.append((in_p, where))
    assert seen[0][0] == seen[1][0] == seen[2][0]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        assert not any(x == y for x, y in zip(seen[a][1], seen[b][1], strict=True))


@pytest.mark.parametrize(("name", "hand"), OWN)
def test_three_breaks(name, hand):
    broken_thrice(name, hand)


def test_three_breaks_of_every_recorded_hand(shared):
    for name, files in SHARED_FILES.items():
        for file in files:
            lines = (shared / "data" / "hands" / f"{file}.jsonl").read_text().splitlines()
            for line in lines[::9] if len(lines) > 20 else lines:
                broken_thrice(name, json.loads(line))


# ── altered hands ───────────────────────────────────────────────────────────────────────────────


def other_tile(hand: Hand, tile: str) -> str:
    return next(code for code in sorted(set(hand["wall"])) if code != tile)


def alterations(hand: Hand, index: int) -> list[tuple[str, list[Any]]]:
    """Events that cannot stand at this index, by kind; each must be noticed there."""
    event, players = hand["events"][index], hand["players"]
    found: list[tuple[str, list[Any]]] = []
    if event[0] == "draw":
        _, seat, tile, end = event
        found += [
            ("tile", ["draw", seat, other_tile(hand, tile), end]),
            ("end", ["draw", seat, tile, {"live": "tail", "tail": "live"}[end]]),
            *(("seat", ["draw", s, tile, end]) for s in range(players) if s != seat),
        ]
    elif event[0] == "discard":
        _, seat, tile = event
        found += [("seat", ["discard", s, tile]) for s in range(players) if s != seat]
        found += [("kong", ["kong", s, "open"]) for s in range(players)]
        found += [("kong", ["kong", seat, "added"])] * (not ponned(hand, index, seat))
        found += [("kong", ["kong", seat, "concealed"])] * (not has_four(hand, index, seat))
    elif event[0] in ("chi", "pon"):
        found += [("from", [event[0], event[1], s]) for s in range(players) if s != event[2]]
        found += [("kong", ["kong", event[1], "open"])] * (not has_three(hand, index))
    elif event[0] == "indicator":
        found.append(("indicator", ["indicator", other_tile(hand, event[1])]))
    elif event[0] == "win":
        _, seat, frm, lie_open, ura, changes = event
        found.append(("open", ["win", seat, frm, lie_open + 1, ura, changes]))
        for n, tile in enumerate(ura):
            wrong = [*ura[:n], other_tile(hand, tile), *ura[n + 1 :]]
            found.append(("ura", ["win", seat, frm, lie_open, wrong, changes]))
        found += [
            ("from", ["win", seat, s, lie_open, ura, changes]) for s in range(players) if s != frm
        ]
    return found


def dealt_to(hand: Hand, seat: int) -> list[str]:
    """The seat's dealt tiles, by hand: four at a time three times round, then one each."""
    players, wall = hand["players"], hand["wall"]
    at = (seat - hand["dealer"]) % players
    rounds = [wall[4 * (players * n + at) : 4 * (players * n + at) + 4] for n in range(3)]
    return [tile for four in rounds for tile in four] + [wall[12 * players + at]]


def own_kinds(hand: Hand, index: int, seat: int) -> Counter[str]:
    """Most tiles of each kind that the seat can hold before this event (calls not taken off)."""
    held = Counter(kind_of(tile) for tile in dealt_to(hand, seat))
    for event in hand["events"][:index]:
        if event[0] == "draw" and event[1] == seat:
            held[kind_of(event[2])] += 1
        elif event[0] == "discard" and event[1] == seat:
            held[kind_of(event[2])] -= 1
    return held


def kind_of(tile: str) -> str:
    return tile.replace("0", "5")[:2]


def ponned(hand: Hand, index: int, seat: int) -> bool:
    return any(event[:2] == ["pon", seat] for event in hand["events"][:index])


def has_four(hand: Hand, index: int, seat: int) -> bool:
    return max(own_kinds(hand, index, seat).values()) >= 4


def has_three(hand: Hand, index: int) -> bool:
    _, seat, _ = hand["events"][index]
    given = kind_of(hand["events"][index - 1][-1])
    return own_kinds(hand, index, seat)[given] >= 3


@pytest.mark.parametrize(("name", "hand"), OWN)
def test_every_altered_event_is_noticed_there(name, hand):
    moments = before_each(name, hand)
    for index in range(len(hand["events"])):
        for kind, event in alterations(hand, index):
            altered = [normal_event(part) for part in event]
            assert mismatch_at(moments[index], index, [altered]) == index, (kind, index, event)


def normal_event(part: Any) -> Any:
    if isinstance(part, list):
        return [normal_event(one) for one in part]
    return normal(part) if isinstance(part, str) and re.fullmatch("0[mps]", part) else part


@pytest.mark.parametrize(("name", "hand"), OWN)
def test_every_event_left_out_or_doubled(name, hand):
    """A doubled event is noticed at once, but for a north where the seat holds another one: that is
    noticed as its replacement is not drawn. One left out is noticed at the next, where there is one
    and it can be noticed at all: riichi shows only in who may see ura, an end is not missed."""
    moments = before_each(name, hand)
    events = [[normal_event(part) for part in event] for event in hand["events"]]
    for index, event in enumerate(events):
        doubled = mismatch_at(moments[index + 1], index + 1, [event, *events[index + 1 :]])
        second_north = event[0] == "kita" and doubled == index + 3
        assert doubled == index + 1 or second_north, (index, event)
        found = mismatch_at(moments[index], index, events[index + 1 :])
        skipped = "indicator" if event[0] == "draw" else ""
        following = [n for n, e in enumerate(events[index + 1 :], index) if e[0] != skipped]
        if event[0] == "riichi":
            assert found in (None, len(events) - 2)
        elif event[0] in ("win", "exhausted", "abort"):
            assert found is None
        elif event[0] == "indicator":
            assert found == noticed_without_indicator(events, index), (index, event)
        elif following and events[following[0] + 1][0] == "abort":
            assert found in (None, following[0])
        else:
            # An indicator may be turned before or after the kong's replacement is drawn; two norths
            # may be laid one after the other, and then the wrong replacement is drawn.
            tail = event[0] == "draw" and event[3] == "tail"
            norths = tail and events[following[0] + 1][0] == "kita"
            assert found in following[: 2 if norths else 1], (index, event)


def noticed_without_indicator(events: list[Any], index: int) -> int | None:
    """Where a missing indicator can first be noticed: after the discard that ends the kong's turn,
    at the next one turned or at the win; as an index of the events without it."""
    kong = max(n for n in range(index) if events[n][0] == "kong")
    discarded = False
    for n, event in enumerate(events[index + 1 :], start=index):
        if event[0] in ("win", "indicator", "exhausted", "abort"):
            return n if event[0] != "abort" else None
        discarded = discarded or any(e[0] == "discard" for e in events[kong : n + 1])
        if discarded and event[0] not in ("discard",):
            return n
    return None


@pytest.mark.parametrize(("name", "hand"), OWN)
def test_two_wall_tiles_swapped(name, hand):
    """Noticed when the first of the two places is drawn; tiles of the same face are not."""
    rng = random.Random(name + str(hand["dice"]))
    events, wall = hand["events"], hand["wall"]
    followed = places(name, hand)[0][0]
    draws = [n for n, event in enumerate(events) if event[0] == "draw"]
    drawn_at = dict(zip(followed, draws, strict=False))
    for _ in range(40):
        a, b = rng.sample(range(len(wall)), 2)
        swapped = list(wall)
        swapped[a], swapped[b] = swapped[b], swapped[a]
        found = report(name, hand | {"wall": swapped})["mismatch"]
        if wall[a] == wall[b]:
            assert found is None
            continue
        seen = [drawn_at[p] for p in (a, b) if p in drawn_at]
        if not seen:
            continue
        assert found is not None
        assert found["event"] <= min(seen)
        if all(p not in range(13 * hand["players"]) for p in (a, b)):
            shown = {"indicator", "win"}
            first = min(seen)
            assert found["event"] == first or events[found["event"]][0] in shown


def test_a_dealt_tile_swapped_is_noticed_when_it_cannot_be_held():
    """Both tiles in hands that were dealt: nothing is drawn there, what is discarded tells."""
    name, hand = own_hands()[0]
    wall = list(hand["wall"])
    # Seat 0 is dealt 1s at p = 3*… and discards it first; give it to seat 1 instead.
    mine = next(p for p in (0, 1, 2, 3, 16, 17, 18, 19, 32, 33, 34, 35, 48) if wall[p] == "1s")
    theirs = next(p for p in (4, 5, 6, 7) if wall[p] != "1s")
    held = dealt_to(hand, 0)
    wall[mine], wall[theirs] = wall[theirs], wall[mine]
    found = report(name, hand | {"wall": wall})["mismatch"]
    if held.count("1s") == 1:
        assert found["event"] == 1
    assert found is None or "possible hands" in found["why"]


@given(st.integers(0, 5_000))
def test_random_hands_of_random_rules(seed):
    """Every event of a possible hand fits; head, tail and what is left are those on paper."""
    rules, hand = played(seed)
    followed = Follow(rules, read_record(rules, hand.line))
    followed.begin()
    for index, (event, truth) in enumerate(zip(followed.record.events, hand.truth, strict=True)):
        followed.event(index, event)
        assert followed.mismatch is None, followed.mismatch
        there = plan_of(rules, followed.hand)
        seen = (there.head, there.tail, there.turned, there.drawable)
        assert seen == (truth.head, truth.tail, truth.turned, truth.drawable)


def test_a_hundred_rules_made_at_random():
    """Each is planned from a random throw, a random hand of it is replayed, and its facts fold."""
    for seed in range(100):
        rules = read_preset(random_preset_text(random.Random(seed)))
        _, hand = played(seed, rules)
        record = read_record(rules, hand.line)
        found = replay_hand(rules, record)
        assert found["ok"], (seed, found["mismatch"])
        state = fold_all({rules.digest: rules}, entries_of(rules, record))
        there = plan_of(rules, state.hand)
        asked = replace(inputs_of(state.hand), dice=record.dice)
        assert plan(rules, asked) == there
        assert (found["head"], found["tail"]) == (there.head, there.tail)
        assert there.drawable == hand.truth[-1].drawable, seed


@given(st.integers(0, 5_000))
def test_an_export_of_the_journal_replays_alike(seed):
    """Faces nobody saw are `?`; head, tail, what is left and the end are the record's."""
    rules, hand = played(seed)
    record = read_record(rules, hand.line)
    (exported,) = replay_lines(rules, map(encode_entry, entries_of(rules, record)))
    found = replay_hand(rules, record)
    for key in ("head", "tail", "drawable", "end", "ok"):
        assert exported[key] == found[key]
    for shown, lies in zip(exported["indicators"], found["indicators"], strict=True):
        assert shown in ("?", lies)


# ── bad input ───────────────────────────────────────────────────────────────────────────────────


def bad(change: Any) -> TablectlError:
    name, hand = own_hands()[0]
    rules = find_preset(name)
    changed = change(json.loads(json.dumps(hand)))
    line = changed if isinstance(changed, str) else json.dumps(changed)
    with pytest.raises(TablectlError) as caught:
        list(replay_lines(rules, ["", line]))
    assert caught.value.where == "line 2"
    assert caught.value.hint
    return caught.value


def changed(**about: Any) -> Any:
    return lambda hand: hand | about


def with_wall(change: Any) -> Any:
    return lambda hand: hand | {"wall": change(hand["wall"])}


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (lambda _: "{", "record.line", "line 1 column 2"),
        (lambda _: "[]", "record.line", "not an object"),
        (lambda hand: {k: v for k, v in hand.items() if k != "wall"}, "record.line", "no wall"),
        (changed(players=3), "record.line", "3 players"),
        (changed(dealer=7), "record.line", "dealer is 7"),
        (changed(dealer=True), "record.line", "dealer is True"),
        (changed(dice=[3]), "record.line", "1 dice"),
        (changed(dice=[3, 9]), "record.line", "pips"),
        (with_wall(lambda wall: [*wall, "1m"]), "record.wall_count", "137 tiles"),
        (with_wall(lambda wall: wall[1:]), "record.wall_count", "135 tiles"),
        (with_wall(lambda wall: ["1m" if t == "2m" else t for t in wall]), "record.wall_tiles",
         "1m too many (8 of 4)"),
        (with_wall(lambda wall: ["5pr" if t == "5p" else t for t in wall]), "record.wall_tiles",
         "5pr too many"),
        (with_wall(lambda wall: ["9x", *wall[1:]]), "tiles.code", "9x"),
        (with_wall(lambda wall: ["?", *wall[1:]]), "record.line", "unknown tiles"),
        (with_wall(lambda wall: 5), "record.line", "no list"),
        (changed(events=[["fly", 0]]), "record.event", "'fly' is unknown"),
        (changed(events=[["draw", 0, "1m"]]), "record.event", "2 values"),
        (changed(events=[["draw", 9, "1m", "live"]]), "record.event", "9 is no seat"),
        (changed(events=[["draw", 0, "1q", "live"]]), "record.event", "1q"),
        (changed(events=[["draw", 0, "1m", "head"]]), "record.event", "neither live nor tail"),
        (changed(events=[["kong", 0, "big"]]), "record.event", "neither open"),
        (changed(events=[["win", 0, 0, -1, [], []]]), "record.event", "no number"),
        (changed(events=[["win", 0, 0, 1, [], [1]]]), "record.event", "changes of 4"),
        (changed(events=[7]), "record.event", "7 is unknown"),
        (changed(events=5), "record.line", "no list"),
        (changed(seats=[0, 1]), "record.line", "sides of 4"),
        (changed(sides=[1, 2, 3, 4]), "record.line", "do not hold 136"),
    ],
)  # fmt: skip
def test_malformed_records(change, code, words):
    error = bad(change)
    assert error.code == code
    assert words in error.message


def test_hands_before_a_malformed_line_are_reported():
    name, hand = own_hands()[0]
    found = []
    with pytest.raises(TablectlError):
        for one in replay_lines(find_preset(name), [json.dumps(hand), "nonsense"]):
            found.append(one)
    assert [one["ok"] for one in found] == [True]


def test_a_record_may_end_early_and_tell_no_marks():
    name, hand = own_hands()[0]
    for cut in (0, 1, 10):
        assert report(name, hand | {"events": hand["events"][:cut]})["end"] is None
    plain = [tile.replace("0", "5") for tile in hand["wall"]]
    events = [
        [part.replace("0", "5") if isinstance(part, str) else part for part in event]
        for event in hand["events"]
        if event[0] != "win"
    ]
    assert report(name, hand | {"wall": plain, "events": events})["ok"]


def test_keys_that_are_not_known_are_kept():
    name, hand = own_hands()[0]
    record = read_record(find_preset(name), json.dumps(hand | {"honba": 2, "sticks": 1}))
    assert record.rest == {"honba": 2, "sticks": 1}


def test_a_hand_of_a_seeded_rule_is_the_same_again():
    rules = rules_of(3)
    assert played(3, rules)[1].line == played(3, rules)[1].line
