"""The three charts against tables written here once more, and whole turns seat by seat."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tablectl.core.chart import Arrow, Chart, Odd
from tablectl.core.hand import HAND, LIVES, life_step
from tablectl.core.mechanism import MECHANISM, SetState, advance
from tablectl.core.turn import TURN, Turn, move

ROOT = Path(__file__).resolve().parents[2]
CHARTS = (MECHANISM, HAND, TURN)

# --- what is expected: (state, trigger) → {guard or None: end} -------------------------------

SETS = (
    "unknown",
    "dropping",
    "mixing",
    "stacking",
    "ready",
    "raising",
    "up",
    "paused",
    "blocked",
)
MECHANISM_TABLE = {
    **{(word, "seen"): {seen: seen for seen in SETS} for word in SETS},
    **{(word, "trouble"): {None: "blocked"} for word in SETS},
    ("up", "hatch_opened"): {None: "dropping"},
    ("dropping", "hatch_closed"): {None: "mixing"},
    ("mixing", "stack_begun"): {None: "stacking"},
    ("stacking", "stack_done"): {None: "ready"},
    ("ready", "rise"): {None: "raising"},
    ("raising", "raised"): {None: "up"},
    ("ready", "raised"): {None: "up"},
    ("unknown", "raised"): {None: "up"},
    ("up", "lowered"): {"ready": "ready", "unknown": "unknown"},
    ("mixing", "paused"): {None: "paused"},
    ("stacking", "paused"): {None: "paused"},
    ("paused", "resumed"): {"was_mixing": "mixing", "was_stacking": "stacking", None: "unknown"},
    ("blocked", "cleared"): {
        "rebooted": "unknown",
        "was_dropping": "dropping",
        "was_mixing": "mixing",
        "was_stacking": "stacking",
        "was_ready": "ready",
        "was_raising": "raising",
        "was_up": "up",
        "was_paused": "paused",
        None: "unknown",
    },
    ("mixing", "overdue"): {None: "mixing"},
    ("stacking", "overdue"): {None: "stacking"},
}

OPENED = ("opened", "dealt", "flowering", "playing", "last_draws")
BEFORE_SETTLING = ("raised", *OPENED, "won", "revealing")
HAND_TABLE = {
    ("none", "bind"): {"fits": "raised"},
    ("raised", "dice"): {None: "raised"},
    ("raised", "opened"): {None: "opened"},
    ("opened", "dealt"): {None: "dealt"},
    ("raised", "dealt"): {"dice_known": "dealt"},
    ("dealt", "flowers_begin"): {None: "flowering"},
    ("flowering", "gold"): {"flower": "flowering", None: "playing"},
    ("dealt", "play"): {None: "playing"},
    ("playing", "final"): {"final_rule": "last_draws"},
    **{(life, "won"): {None: "won"} for life in OPENED},
    ("won", "won"): {"more_wins": "won"},
    ("won", "reveal"): {"reveals": "revealing"},
    ("revealing", "flip"): {None: "revealing"},
    ("revealing", "reveal_over"): {"fever": "playing", None: "settling"},
    ("won", "no_reveal"): {"fever": "playing", None: "settling"},
    ("playing", "exhausted"): {None: "settling"},
    ("last_draws", "exhausted"): {None: "settling"},
    **{(life, "aborted"): {None: "settling"} for life in BEFORE_SETTLING},
    **{(life, "void"): {None: "settling"} for life in BEFORE_SETTLING},
    ("settling", "settled"): {None: "closed"},
    **{(life, "deal_down"): {None: life} for life in (*BEFORE_SETTLING, "settling", "closed")},
}

TURN_TABLE = {
    ("untracked", "dealt"): {"first_tile": "act", None: "draw_due"},
    ("untracked", "drawn"): {None: "act"},
    ("untracked", "discarded"): {None: "window"},
    ("untracked", "won"): {None: "over"},
    ("draw_due", "drawn"): {"due": "act"},
    ("act", "discarded"): {"own_discard": "window"},
    ("act", "set_aside"): {"unreplaced": "draw_due", "claims": "aside_window", "own_turn": "owed"},
    ("act", "kong"): {"own_kong": "kong_window"},
    ("act", "riichi"): {"own_turn": "act"},
    ("act", "won"): {"self_draw": "over"},
    ("act", "pass"): {"last_draws": "draw_due"},
    ("window", "drawn"): {"next": "act"},
    ("window", "called_chi"): {"chi": "act"},
    ("window", "called_pon"): {"pon": "act"},
    ("window", "kong"): {"open_kong": "owed"},
    ("window", "won"): {"ron": "over"},
    ("aside_window", "called_pon"): {"aside_pon": "act"},
    ("aside_window", "pass"): {None: "owed"},
    **{
        (word, "set_aside"): {"claims": "aside_window", "own_turn": "owed"}
        for word in ("aside_window", "kong_window", "owed")
    },
    ("aside_window", "won"): {"aside_ron": "over"},
    ("kong_window", "pass"): {None: "owed"},
    ("kong_window", "won"): {"ron": "over"},
    ("owed", "drawn"): {"more_owed": "owed", "replacement": "act"},
    ("over", "won"): {"same_tile": "over"},
    ("over", "fever_on"): {None: "draw_due"},
}

TABLES = ((MECHANISM, MECHANISM_TABLE), (HAND, HAND_TABLE), (TURN, TURN_TABLE))
PAIRS = [
    pytest.param(chart, state, trigger, table.get((state, trigger)), id=f"{state}-{trigger}")
    for chart, table in TABLES
    for state in chart.states
    for trigger in chart.triggers
]


@pytest.mark.parametrize(("chart", "state", "trigger", "ends"), PAIRS)
def test_every_pair_is_listed_or_odd(chart, state, trigger, ends):
    if ends is None:
        step = chart.next(state, trigger, set(chart.guards))
        assert isinstance(step, Odd)
        assert step.sentence == (
            f"{chart.triggers[trigger]}, but {chart.states[state]}: that cannot follow"
        )
        return
    assert dict(chart.ways(state, trigger)) == ends
    for guard, end in ends.items():
        assert chart.next(state, trigger, () if guard is None else (guard,)) == end
    if None not in ends:
        step = chart.next(state, trigger, set(chart.guards) - set(ends))
        assert isinstance(step, Odd)
        for guard in ends:
            assert chart.guards[guard] in step.sentence


@pytest.mark.parametrize(("chart", "table"), TABLES, ids=lambda value: getattr(value, "name", ""))
def test_the_tables_here_name_nothing_else(chart, table):
    assert {state for state, _ in table} <= set(chart.states)
    assert {trigger for _, trigger in table} == set(chart.triggers)


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.name)
def test_every_state_is_reachable(chart):
    assert _reachable(chart) == set(chart.states)


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.name)
def test_mermaid_names_every_state_trigger_and_guard(chart):
    text = chart.mermaid()
    assert text.startswith(f"stateDiagram-v2\n    [*] --> {chart.initial}\n")
    words = set(text.replace(",", " ").replace("(", " ").split())
    assert set(chart.states) <= words
    assert set(chart.triggers) <= words
    assert {f"[{guard}]" for guard in chart.guards} <= words


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.name)
def test_the_machine_has_no_model_and_no_triggers_of_its_own(chart):
    assert set(chart.machine.events) == set(chart.triggers)
    assert not chart.machine.models


def test_unknown_words_are_odd_and_not_an_error():
    for state, trigger in (("nowhere", "won"), ("playing", "sneezed"), ("", "")):
        step = HAND.next(state, trigger)
        assert isinstance(step, Odd)
        assert "cannot follow" in step.sentence


def test_sentences():
    assert MECHANISM.next("mixing", "hatch_opened") == Odd(
        "the hatch opened, but the tiles are being mixed: that cannot follow"
    )
    assert life_step("won", "reveal") == Odd(
        "flipping began, and a win was declared: "
        "that can follow only if the rule flips tiles after such a win"
    )


@pytest.mark.parametrize(
    ("arrows", "wrong"),
    [
        ((Arrow("go", ("a",), "c"),), "states"),
        ((Arrow("go", ("a",), "b"), Arrow("run", ("a",), "b")), "triggers"),
        ((Arrow("go", ("a",), "b", "rain"),), "guards"),
        ((Arrow("go", ("a",), "="),), "states"),
    ],
)
def test_a_chart_with_a_slip_is_refused(arrows, wrong):
    with pytest.raises(ValueError, match=wrong):
        Chart("x", {"a": "a is", "b": "b is"}, {"go": "it went"}, arrows, "a")


def test_arrows_are_tried_in_their_order():
    arrows = (
        Arrow("go", ("a",), "b", "dry"),
        Arrow("go", ("*",), "c"),
        Arrow("stay", ("a", "b"), "="),
    )
    chart = Chart(
        "x",
        {"a": "a is", "b": "b is", "c": "c is"},
        {"go": "it went", "stay": "it stayed"},
        arrows,
        "a",
        {"dry": "it is dry"},
    )
    assert chart.next("a", "go", ("dry",)) == "b"
    assert chart.next("a", "go") == "c"
    assert chart.next("c", "go", ("dry",)) == "c"
    assert chart.next("b", "stay") == "b"
    assert isinstance(chart.next("c", "stay"), Odd)
    assert "any --> c : go" in chart.mermaid()


# --- mechanism ------------------------------------------------------------------------------


def test_two_sets_go_round():
    first, second = SetState(), SetState("ready", active=7)
    first, second = told(first, second, "raised")
    assert first.word == "up"
    first, second = told(first, second, "hatch_opened")
    first = SetState(first.word, active=5, pending=9)
    first, second = told(first, second, "hatch_closed")
    assert (first.word, second.word) == ("mixing", "raising")
    assert (first.active, first.pending) == (5, 9)
    first, second = told(first, second, "stack_begun")
    assert first == SetState("stacking", active=9)
    second, first = told(second, first, "raised")
    assert second == SetState("up", active=7)
    first, second = told(first, second, "overdue")
    assert first == SetState("stacking", active=9)
    first, second = told(first, second, "stack_done")
    assert first.word == "ready"
    assert isinstance(advance(first, second, "rise"), Odd)


def test_stacking_without_a_selection_keeps_the_number():
    assert told(SetState("mixing", active=5), None, "stack_begun")[0] == SetState(
        "stacking", active=5
    )


@pytest.mark.parametrize("word", ["unknown", "mixing", "stacking", "paused", "blocked"])
def test_a_set_that_is_not_ready_does_not_rise(word):
    assert told(SetState("dropping"), SetState(word), "hatch_closed")[1] == SetState(word)


def test_a_table_with_one_set():
    assert advance(SetState("dropping"), None, "hatch_closed") == (SetState("mixing"), None)


@pytest.mark.parametrize("theirs", ["raising", "up", "dropping"])
@pytest.mark.parametrize(
    ("word", "trigger", "to"),
    [
        ("ready", "rise", None),
        ("ready", "raised", None),
        ("unknown", "raised", None),
        ("mixing", "seen", "raising"),
        ("mixing", "seen", "up"),
        ("unknown", "seen", "dropping"),
    ],
)
def test_only_one_set_is_on_the_table(word, trigger, to, theirs):
    for other in (SetState(theirs), SetState("blocked", theirs)):
        step = advance(SetState(word), other, trigger, to)
        assert isinstance(step, Odd)
        assert "only one set" in step.sentence
    assert not isinstance(advance(SetState(word), SetState("mixing"), trigger, to), Odd)


@pytest.mark.parametrize("word", ["mixing", "stacking"])
def test_paused_and_resumed(word):
    state, _ = told(SetState(word, active=1, pending=2), None, "paused")
    assert state == SetState("paused", word, 1, 2)
    assert told(state, None, "resumed")[0] == SetState(word, active=1, pending=2)


@pytest.mark.parametrize("word", [word for word in SETS if word != "blocked"])
def test_trouble_and_cleared(word):
    before = SetState(word, active=1)
    blocked, _ = told(before, None, "trouble")
    assert (blocked.word, blocked.before) == ("blocked", word)
    assert told(blocked, None, "trouble")[0] == blocked
    assert told(blocked, None, "cleared")[0] == before
    assert advance(blocked, None, "cleared", guards=("rebooted",)) == (
        SetState("unknown", active=1),
        None,
    )
    assert told(blocked, None, "seen", "up")[0] == SetState("up", active=1)


def test_trouble_in_a_pause_ends_in_the_pause():
    state = SetState("mixing")
    for trigger, word in (
        ("paused", "paused"),
        ("trouble", "blocked"),
        ("cleared", "paused"),
        ("resumed", "mixing"),
    ):
        state, _ = told(state, None, trigger)
        assert state.word == word
    assert state == SetState("mixing")


def test_a_pause_or_trouble_that_is_only_seen():
    paused, _ = told(SetState(), None, "seen", "paused")
    assert told(paused, None, "resumed")[0] == SetState()
    paused, _ = told(SetState("stacking"), None, "seen", "paused")
    assert told(paused, None, "seen", "paused")[0] == paused
    assert told(paused, None, "resumed")[0] == SetState("stacking")
    assert told(SetState("blocked"), None, "cleared")[0] == SetState()
    blocked, _ = told(SetState("ready"), None, "seen", "blocked")
    assert told(blocked, None, "cleared")[0] == SetState("ready")


def test_lowered():
    up, other = SetState("up", active=3), SetState("stacking")
    assert advance(up, other, "lowered") == (SetState("unknown", active=3), other)
    assert advance(up, other, "lowered", "ready") == (SetState("ready", active=3), other)
    assert isinstance(advance(up, other, "lowered", "mixing"), Odd)


@pytest.mark.parametrize("to", [None, "asleep"])
def test_seen_as_something_else(to):
    assert isinstance(advance(SetState(), None, "seen", to), Odd)


# --- hand -----------------------------------------------------------------------------------


TAPS = (
    "bind",
    "opened",
    "dealt",
    "gold",
    "play",
    "won",
    "reveal",
    "reveal_over",
    "no_reveal",
    "exhausted",
    "settled",
    "aborted",
    "void",
)
"""Triggers that people can bring about by what they say, in the order they are offered."""


def towards_closed(life: str) -> tuple[str, ...]:
    """The taps that can lead on from this life towards `closed`; at least one unless it is that."""
    order = list(LIVES)
    return tuple(
        tap
        for tap in TAPS
        if any(order.index(to) > order.index(life) for _, to in HAND.ways(life, tap))
    )


@pytest.mark.parametrize("life", LIVES)
def test_a_tap_leads_towards_closed(life):
    taps = towards_closed(life)
    assert bool(taps) == (life != "closed")
    order = list(LIVES)
    for tap in taps:
        assert tap in TAPS
        ends = HAND_TABLE[life, tap].values()
        assert any(order.index(end) > order.index(life) for end in ends)


@pytest.mark.parametrize("life", LIVES)
def test_taps_alone_close_every_hand(life):
    for _ in LIVES:
        if life == "closed":
            break
        # The last tap offered, with none of the conditions but the one that it cannot do without.
        tap = towards_closed(life)[-1]
        guards = () if None in HAND_TABLE[life, tap] else tuple(HAND_TABLE[life, tap])
        life = life_step(life, tap, guards)
    assert life == "closed"


def test_a_hand_under_fever():
    life = "none"
    for trigger, guards, expected in (
        ("bind", {"fits"}, "raised"),
        ("dice", (), "raised"),
        ("dealt", {"dice_known"}, "dealt"),
        ("play", (), "playing"),
        ("won", (), "won"),
        ("reveal", {"reveals"}, "revealing"),
        ("flip", (), "revealing"),
        ("reveal_over", {"fever"}, "playing"),
        ("won", (), "won"),
        ("won", {"more_wins"}, "won"),
        ("no_reveal", (), "settling"),
        ("deal_down", (), "settling"),
        ("settled", (), "closed"),
    ):
        life = life_step(life, trigger, guards)
        assert life == expected


# --- turn -----------------------------------------------------------------------------------


def test_rounds_of_four():
    turn = play(4, [("dealt", 2)])
    assert turn == Turn("draw_due", 2)
    for seat in (2, 3, 0, 1, 2, 3):
        turn = play(4, [("drawn", seat, {"end": "live"})], turn)
        assert turn == Turn("act", seat)
        turn = play(4, [("discarded", seat)], turn)
        assert turn == Turn("window", seat)


def test_rounds_of_three_from_a_dealer_with_the_first_tile():
    turn = play(3, [("dealt", 2, {"first_tile": True})])
    assert turn == Turn("act", 2)
    turn = play(3, [("discarded", 2)], turn)
    for seat in (0, 1, 2, 0):
        turn = play(3, [("drawn", seat), ("riichi", seat), ("discarded", seat)], turn)
    assert turn == Turn("window", 0)


def test_picked_up_in_the_middle():
    assert play(4, [("drawn", 3, {"end": "tail"})]) == Turn("act", 3)
    assert play(4, [("discarded", 3), ("drawn", 0)]) == Turn("act", 0)
    assert play(4, [("won", 1, {"frm": 2})]) == Turn("over", 2, (1,))
    for trigger in ("called_chi", "called_pon", "kong", "set_aside", "riichi", "fever_on", "pass"):
        assert odd(Turn(), trigger, 1, frm=0)


def test_pon_and_chi():
    window = play(4, [("drawn", 0), ("discarded", 0)])
    assert play(4, [("called_pon", 2, {"frm": 0})], window) == Turn("act", 2)
    turn = play(4, [("called_chi", 1, {"frm": 0})], window)
    assert turn == Turn("act", 1)
    assert play(4, [("discarded", 1), ("drawn", 2)], turn) == Turn("act", 2)
    assert "only seat 1 can" in odd(window, "called_chi", 2, frm=0)
    assert "no chi" in odd(window, "called_chi", 1, frm=0, chi_allowed=False)
    assert "not said from whom" in odd(window, "called_pon", 1)
    assert "seat 0 has discarded" in odd(window, "called_pon", 1, frm=3)
    assert "its own" in odd(window, "called_pon", 0, frm=0)
    last = play(3, [("discarded", 2)])
    assert play(3, [("called_chi", 0, {"frm": 2})], last) == Turn("act", 0)


def test_open_kong():
    window = play(4, [("drawn", 0), ("discarded", 0)])
    for told_ in ({"frm": 0, "kong": "open"}, {"kong": "open"}, {"frm": 0}):
        assert play(4, [("kong", 3, told_)], window) == Turn("owed", 3)
    turn = play(4, [("kong", 3, {"frm": 0, "kong": "open"})], window)
    assert "forgotten" in odd(turn, "drawn", 3, end="live")
    assert "forgotten" in odd(turn, "discarded", 3)
    assert "seat 3 is owed" in odd(turn, "drawn", 0)
    assert "seat 3 is owed" in odd(turn, "discarded", 0)
    assert play(4, [("drawn", 3, {"end": "tail"}), ("discarded", 3)], turn) == Turn("window", 3)
    assert odd(window, "kong", 3, frm=0, kong="added")
    assert odd(window, "kong", 0, kong="open")
    assert odd(window, "kong", 3, frm=2, kong="open")


@pytest.mark.parametrize("kind", ["added", "concealed"])
def test_own_kong_and_its_robbing(kind):
    turn = play(4, [("drawn", 1), ("kong", 1, {"kong": kind})])
    assert turn == Turn("kong_window", 1)
    assert play(4, [("won", 3, {"frm": 1})], turn) == Turn("over", 1, (3,))
    for end in ("tail", None):
        assert play(4, [("drawn", 1, {"end": end})], turn) == Turn("act", 1)
    assert play(4, [("pass", None)], turn) == Turn("owed", 1)
    assert "forgotten" in odd(turn, "drawn", 1, end="live")
    assert "forgotten" in odd(turn, "discarded", 1)
    assert odd(turn, "drawn", 2)
    assert odd(turn, "called_pon", 2, frm=1)
    act = Turn("act", 1)
    assert "nothing is discarded" in odd(act, "kong", 1, kong="open")
    assert odd(act, "kong", 2, kong=kind) == "seat 2 declared a kong, but seat 1 has the turn"


def test_two_kongs_in_one_turn():
    kong = {"kong": "concealed"}
    tail = {"end": "tail"}
    turn = play(4, [("drawn", 1), ("kong", 1, kong), ("drawn", 1, tail), ("kong", 1, kong)])
    assert play(4, [("drawn", 1, tail), ("won", 1, {"frm": 1})], turn) == Turn("over", 1, (1,))


def test_set_aside():
    claims = {"aside_claims": ("pon", "ron")}
    turn = play(3, [("drawn", 1), ("set_aside", 1, claims)])
    assert turn == Turn("aside_window", 1)
    pon = play(3, [("called_pon", 0, {"frm": 1, **claims})], turn)
    assert pon == Turn("act", 0)
    assert play(3, [("discarded", 0), ("drawn", 1)], pon) == Turn("act", 1)
    assert play(3, [("won", 2, {"frm": 1, **claims})], turn) == Turn("over", 1, (2,))
    assert play(3, [("drawn", 1, {"end": "tail"})], turn) == Turn("act", 1)
    assert play(3, [("pass", None)], turn) == Turn("owed", 1)
    assert "for a kong" in odd(turn, "kong", 0, players=3, frm=1, kong="open", **claims)
    assert "for a chi" in odd(turn, "called_chi", 2, players=3, frm=1, **claims)
    assert "no pon" in odd(turn, "called_pon", 0, players=3, frm=1, aside_claims=("ron",))
    assert "no win" in odd(turn, "won", 0, players=3, frm=1, aside_claims=("pon",))
    assert odd(Turn("act", 1), "set_aside", 2) == (
        "seat 2 set a tile aside, but seat 1 has the turn"
    )
    assert odd(turn, "set_aside", 2, players=3)
    again = play(3, [("set_aside", 1, claims)], turn)
    assert again == turn, "one after the other: the window is for the last one"
    more = play(3, [("drawn", 1, {"end": "tail", "more_owed": True})], again)
    assert more == Turn("owed", 1)
    assert play(3, [("drawn", 1, {"end": "tail"})], more) == Turn("act", 1)
    for word in ("owed", "kong_window"):
        assert play(3, [("set_aside", 1, claims)], Turn(word, 1)) == turn


def test_set_aside_where_nobody_may_claim_it():
    turn = play(3, [("drawn", 1), ("set_aside", 1)])
    assert turn == Turn("owed", 1)
    assert play(3, [("drawn", 1, {"end": "tail"})], turn) == Turn("act", 1)


def test_double_ron():
    window = play(4, [("drawn", 0), ("discarded", 0)])
    turn = play(4, [("won", 1, {"frm": 0}), ("won", 3, {"frm": 0})], window)
    assert turn == Turn("over", 0, (1, 3))
    assert "already" in odd(turn, "won", 1, frm=0)
    assert "from seat 0" in odd(turn, "won", 2, frm=1)
    assert "from seat 0" in odd(turn, "won", 2, frm=2)
    assert odd(turn, "won", 0, frm=0)
    assert odd(window, "won", 1, frm=2)
    assert "self-draw" in odd(window, "won", 1, frm=1)
    assert "not said" in odd(window, "won", 1)


def test_self_draw():
    turn = play(4, [("drawn", 0), ("won", 0, {"frm": 0})])
    assert turn == Turn("over", 0, (0,))
    assert "self-draw" in odd(turn, "won", 1, frm=0)
    assert odd(Turn("act", 0), "won", 1, frm=1)
    assert odd(Turn("act", 0), "won", 1, frm=0)
    assert odd(Turn("act", 0), "won", 0)
    for word in ("draw_due", "owed"):
        assert odd(Turn(word, 0), "won", 0, frm=0)


def test_fever_goes_on():
    turn = play(3, [("drawn", 0), ("discarded", 0), ("won", 2, {"frm": 0}), ("fever_on", 1)])
    assert turn == Turn("draw_due", 1)
    turn = play(3, [("drawn", 1), ("discarded", 1), ("won", 2, {"frm": 1})], turn)
    assert turn == Turn("over", 1, (2,))


def test_last_draws():
    last = {"last_draws": True}
    turn = play(4, [("discarded", 3)])
    for seat in (0, 1, 2, 3):
        turn = play(4, [("drawn", seat, last)], turn)
        assert turn == Turn("act", seat)
    assert odd(turn, "drawn", 1, **last)
    assert "yet to discard" in odd(turn, "drawn", 3, **last)
    assert "nobody discards" in odd(turn, "discarded", 3, **last)
    assert "no kong" in odd(turn, "kong", 3, kong="concealed", **last)
    kept = {"replaced": False, **last}
    assert play(4, [("set_aside", 3, kept)], turn) == Turn("draw_due", 0), "it is over with that"
    assert play(4, [("set_aside", 3, last), ("drawn", 3, last)], turn) == turn
    assert odd(turn, "set_aside", 2, **last)
    assert odd(turn, "set_aside", 2, **kept)
    assert play(4, [("pass", None, last)], turn) == Turn("draw_due", 0)
    assert play(4, [("won", 3, {"frm": 3, **last})], turn) == Turn("over", 3, (3,))
    assert "only be won on" in odd(Turn("window", 1), "called_pon", 3, frm=1, **last)
    assert "only be won on" in odd(Turn("window", 1), "called_chi", 2, frm=1, **last)
    assert play(4, [("won", 3, {"frm": 1, **last})], Turn("window", 1)).word == "over"
    assert odd(turn, "drawn", 0) == "seat 0 drew, but seat 3 has the turn: that cannot follow"
    assert odd(turn, "pass", None)


@pytest.mark.parametrize(
    ("turn", "trigger", "seat", "sentence"),
    [
        (Turn("draw_due", 1), "drawn", 2, "seat 2 drew, but seat 1 is due to draw"),
        (Turn("window", 0), "drawn", 2, "seat 2 drew, but seat 1 is due to draw"),
        (Turn("window", 3), "drawn", 3, "seat 3 drew, but seat 0 is due to draw"),
        (Turn("act", 1), "discarded", 2, "seat 2 discarded, but seat 1 has the turn"),
        (Turn("act", 1), "riichi", 2, "seat 2 declared riichi, but seat 1 has the turn"),
        (
            Turn("window", 1),
            "discarded",
            1,
            "seat 1 discarded, but has discarded already: that cannot follow",
        ),
        (
            Turn("draw_due", 1),
            "riichi",
            1,
            "seat 1 declared riichi, but is due to draw: that cannot follow",
        ),
        (Turn("act", 1), "drawn", 4, "seat 4 drew, but there is no seat 4 among 4 players"),
        (Turn("act", 1), "drawn", None, "somebody drew, but no seat is named among 4 players"),
    ],
)
def test_wrong_seats(turn, trigger, seat, sentence):
    assert odd(turn, trigger, seat) == sentence


def test_a_replacement_that_nobody_is_owed():
    assert "owed none" in odd(Turn("draw_due", 1), "drawn", 1, end="tail")
    assert "owed none" in odd(Turn("window", 0), "drawn", 1, end="tail")


def test_no_move_raises_or_leaves_the_chart():
    turns = [Turn(word, seat) for word in TURN.states for seat in (None, 0, 2)]
    for turn in [*turns, Turn("over", 0, (1,)), Turn("lost", 1)]:
        for trigger in (*TURN.triggers, "{sneezed}"):
            for seat in (None, -1, 0, 1, 2, 3):
                for frm in (None, 0, 2, 9):
                    step = move(turn, trigger, seat=seat, players=3, frm=frm)
                    if isinstance(step, Odd):
                        assert step.sentence
                        assert "{" not in step.sentence.replace("{sneezed}", "")
                    else:
                        assert step.word in TURN.states


# --- the diagrams ---------------------------------------------------------------------------


def test_the_tool_writes_the_diagrams(tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text(
        "a\n<!-- charts:begin -->\nyesterday\n<!-- charts:end -->\nb\n", encoding="utf-8"
    )
    assert tool("--check", readme).returncode == 1
    assert tool(readme).returncode == 0
    text = readme.read_text(encoding="utf-8")
    assert text.startswith("a\n<!-- charts:begin -->\n")
    assert text.endswith("<!-- charts:end -->\nb\n")
    assert "yesterday" not in text
    for chart in CHARTS:
        assert f"```mermaid\n{chart.mermaid()}```" in text
    assert tool("--check", readme).returncode == 0
    assert tool(readme).returncode == 0
    assert readme.read_text(encoding="utf-8") == text


def test_the_tool_says_what_is_missing(tmp_path):
    readme = tmp_path / "README.md"
    assert tool(readme).returncode == 2
    readme.write_text("nothing\n", encoding="utf-8")
    done = tool(readme)
    assert done.returncode == 2
    assert "<!-- charts:begin -->" in done.stderr
    assert readme.read_text(encoding="utf-8") == "nothing\n"
    assert tool("--wrong").returncode == 2


# --- helpers --------------------------------------------------------------------------------


def told(state, other, trigger, to=None):
    step = advance(state, other, trigger, to)
    assert not isinstance(step, Odd), step
    return step


def play(players, told_, turn=Turn()):  # noqa: B008 - frozen
    for trigger, seat, *more in told_:
        turn = move(turn, trigger, seat=seat, players=players, **(more[0] if more else {}))
        assert isinstance(turn, Turn), turn
    return turn


def odd(turn, trigger, seat, *, players=4, **more):
    step = move(turn, trigger, seat=seat, players=players, **more)
    assert isinstance(step, Odd), step
    assert step.sentence
    return step.sentence


def tool(*arguments):
    return subprocess.run(
        [sys.executable, str(ROOT / "tools" / "charts"), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )


def _reachable(chart):
    found, todo = {chart.initial}, [chart.initial]
    while todo:
        state = todo.pop()
        ends = {to for trigger in chart.triggers for _, to in chart.ways(state, trigger)}
        todo += ends - found
        found |= ends
    return found
