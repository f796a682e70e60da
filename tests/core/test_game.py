"""Who deals the next hand: by the rule, by what was told, by what people answer."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.histories import entry, rules_of
from support.preset_texts import FOUR, RAMEN, TEXTS, THREE

from tablectl.core import facts
from tablectl.core.entry import Entry
from tablectl.core.facts import AnyFact
from tablectl.core.fold import History, fold_all
from tablectl.core.game import PASSES, STAYS, Next, course, ended_of, next_dealer
from tablectl.core.preset import Preset
from tablectl.core.preset_file import find_preset, with_value
from tablectl.core.state import Ended, Game, Hand, Win

WORDS = st.sampled_from(["win", "abort", "void"])
STAY = st.tuples(st.sets(WORDS), st.sampled_from([(), ("tenpai",), ("exhausted",)])).map(
    lambda both: (*sorted(both[0]), *both[1])
)


def rule(name: str, *stays: str) -> Preset:
    return with_value(TEXTS[name], "game.dealer_stays", list(stays))


def ended(rules: Preset, dealer: int, **about: object) -> Ended:
    """A hand that has ended."""
    hand = Hand(1, tuple(range(rules.players)), dealer, None, riichi=(None,) * rules.players)
    hand = replace(hand, life="settling", **about)  # type: ignore[arg-type]
    game = Game("x", "y", hand.seats, (0,) * rules.players, (0,) * rules.players, dealer)
    return ended_of(game, hand, 1)


def wins(*seats: int) -> tuple[Win, ...]:
    return tuple(Win(seat, seat, 1) for seat in seats)


def deals_after(rules: Preset, hand: Ended) -> Next:
    """Who deals next in a game whose first dealer was seat 0, far from its last hand."""
    return next_dealer(rules, 0, hand)


# ── the rule ────────────────────────────────────────────────────────────────────────────────────


@given(STAY, st.sampled_from([FOUR, THREE]), st.integers(0, 2), st.data())
def test_each_word_is_for_its_own_end(stays, name, dealer, data) -> None:
    rules = rule(name, *stays)
    seats = st.sets(st.integers(0, rules.players - 1))
    end = data.draw(st.sampled_from(["win", "exhausted", "abort", "void"]))
    some = tuple(sorted(data.draw(seats)))
    told: dict[str, object] = {"end": end}
    if end == "win":
        told["wins"] = wins(*(some or (0,)))
        kept = "win" in stays and dealer in (some or (0,))
    elif end == "exhausted":
        told["tenpai"] = some
        kept = "exhausted" in stays or ("tenpai" in stays and dealer in some)
    else:
        kept = end in stays
    found = deals_after(rules, ended(rules, dealer, **told))
    assert found.sure
    assert found.seat == (dealer if kept else (dealer + 1) % rules.players)
    assert f"seat {found.seat} deals {'again' if kept else 'next'}" in found.why


def test_under_fever_one_win_of_the_dealer_is_enough() -> None:
    rules = find_preset(RAMEN)
    for seats in ((1, 1, 2, 1), (0, 0, 0), (1, 0, 1)):
        for end in ("win", "exhausted"):
            found = deals_after(rules, ended(rules, 0, end=end, wins=wins(*seats), tenpai=(1,)))
            assert found.seat == (0 if 0 in seats else 1)


def test_who_was_ready_is_asked_only_where_it_matters() -> None:
    rules = rule(FOUR, "win", "tenpai")
    unknown = deals_after(rules, ended(rules, 2, end="exhausted"))
    assert (unknown.seat, unknown.sure) == (2, False)
    assert deals_after(rule(FOUR, "win"), ended(rules, 2, end="exhausted")).sure
    assert deals_after(rule(FOUR, "exhausted"), ended(rules, 2, end="exhausted")).sure
    in_riichi = ended(rules, 2, end="exhausted", riichi=(None, None, "plain", None))
    found = deals_after(rules, in_riichi)
    assert (found.seat, found.sure) == (2, True)
    assert "riichi" in found.assumed
    assert deals_after(rules, in_riichi._replace(ready=False)) == Next(
        3, "the dealer was not ready: seat 3 deals next"
    )


@pytest.mark.parametrize(("file", "name"), [("riichi-4p", FOUR), ("sanma-3p", THREE)])
def test_the_recorded_games_go_on_so(file, name, shared) -> None:
    """Of two records that follow each other in one game, the second says who dealt."""
    rules = find_preset(name)
    text = (shared / "data" / "hands" / f"{file}.jsonl").read_text("utf-8")
    records = [json.loads(line) for line in text.splitlines()]
    seen = 0
    for before, then in itertools.pairwise(records):
        ends = [e for e in before["events"] if e[0] in ("win", "exhausted", "abort")]
        if before["go"] != then["go"] or not ends:
            continue
        if ends[0][0] == "abort":
            changes = [[0] * 4]
        else:
            changes = [e[5] if e[0] == "win" else e[1] for e in ends]
        score = [sum(column) for column in zip(before["score0"], *changes, strict=True)]
        sticks = {e[1]: 10 for e in before["events"] if e[0] == "riichi"}
        nearly = [n - sticks.get(seat, 0) for seat, n in enumerate(score)]
        if then["score0"] not in (score, nearly):
            continue  # hands between them are not recorded
        dealer = before["dealer"]
        about: dict[str, object] = {"end": ends[0][0]}
        if ends[0][0] == "win":
            about["wins"] = wins(*(event[1] for event in ends))
        elif ends[0][0] == "exhausted":
            if not any(changes[0]):
                continue  # all were ready or none
            about["tenpai"] = tuple(seat for seat, n in enumerate(changes[0]) if n > 0)
        assert deals_after(rules, ended(rules, dealer, **about)).seat == then["dealer"], before
        seen += 1
    assert seen >= (100 if name == FOUR else 2), seen


# ── in a history ────────────────────────────────────────────────────────────────────────────────


def begin(rules: Preset, first: int = 0) -> History:
    seats = tuple(range(rules.players))
    started = facts.GameStarted(
        preset=rules.name, digest=rules.digest, seats=seats, first_dealer=first
    )
    return say(History({rules.digest: rules}), started)


def say(history: History, *said: AnyFact, after: int | None = None) -> History:
    for fact in said:
        seq = len(history.entries) + 1
        history, verdict = history.append(entry(seq, fact, after=after))
        assert verdict.kind != "odd", verdict.text
    return history


def up(which: str = "a") -> facts.Raised:
    return facts.Raised(set=which)


def dealer_of(history: History) -> int:
    assert history.state.game is not None
    return history.state.game.dealer


def asked(history: History) -> list[str]:
    return [one.id for one in history.state.questions if one.id.startswith("dealer:")]


ENDS = {
    "the dealer wins": lambda dealer, n: (facts.Won(seat=dealer, frm=dealer),),
    "another wins": lambda dealer, n: (facts.Won(seat=(dealer + 1) % n, frm=dealer),),
    "ready": lambda dealer, n: (facts.Exhausted(tenpai=(dealer,)),),
    "not ready": lambda dealer, n: (facts.Exhausted(tenpai=()),),
    "aborted": lambda dealer, n: (facts.Aborted(why="x"),),
    "void": lambda dealer, n: (facts.Void(),),
}


@given(st.integers(0, 10_000), st.lists(st.sampled_from(list(ENDS)), min_size=1, max_size=4))
def test_the_next_hand_is_dealt_by_who_is_next(seed, ends) -> None:
    """Settled with the next walls already up or not: the hand that opens has the next dealer."""
    rules = rules_of(seed)
    dealer = seed % rules.players
    history = begin(rules, dealer)
    for n, end in enumerate(ends):
        history = say(history, up("ab"[n % 2]))
        assert history.state.hand is not None
        assert history.state.hand.dealer == dealer
        history = say(history, *opened_by(rules))
        said = "void" if end == "aborted" and not rules.game.aborts else end
        history = say(history, *ENDS[said](dealer, rules.players))
        before, game = history.state.hand, history.state.game
        assert before is not None
        assert game is not None
        history = say(history, facts.Settled())
        found = course(rules, game, ended_of(game, before, 1))
        dealer = found.dealer
        assert dealer_of(history) == dealer
        assert not asked(history)
        if found.over:
            return


def opened_by(rules: Preset) -> tuple[AnyFact, ...]:
    thrown = facts.Dice(pips=(2,) * rules.breaking.dice)
    return (*[thrown] * rules.breaking.throws, facts.Dealt(), facts.Drawn(seat=0))


def unsaid() -> tuple[Preset, History]:
    """A hand of four that is exhausted; nobody says who was ready. Seat 1 deals."""
    rules = find_preset(FOUR)
    history = say(begin(rules, 1), up(), *opened_by(rules), facts.Exhausted(), facts.Settled())
    return rules, history


def test_people_are_asked_and_the_dealer_stays_until_they_answer() -> None:
    _, history = unsaid()
    [question] = asked(history)
    assert dealer_of(history) == 1
    stays = say(history, facts.Agreed(question=question, choice=STAYS))
    assert dealer_of(stays) == 1
    passes = say(history, facts.Agreed(question=question, choice=PASSES))
    assert dealer_of(passes) == 2
    assert not asked(stays)
    assert not asked(passes)


def test_an_answer_reaches_the_walls_that_are_up_already() -> None:
    _, history = unsaid()
    [question] = asked(history)
    history = say(history, up("b"))
    assert history.state.hand is not None
    assert (history.state.hand.life, history.state.hand.dealer) == ("raised", 1)
    history = say(history, facts.Agreed(question=question, choice=PASSES))
    assert (history.state.hand.dealer, dealer_of(history)) == (2, 2)


def test_an_answer_while_the_next_hand_is_played_has_to_be_put_in_its_place() -> None:
    rules, history = unsaid()
    [question] = asked(history)
    settled = len(history.entries)
    history = say(history, up("b"), *opened_by(rules))
    late = facts.Agreed(question=question, choice=PASSES)
    seq = len(history.entries) + 1
    odd, verdict = history.append(entry(seq, late))
    assert verdict.kind == "odd"
    assert f"after fact {settled}" in verdict.text
    assert asked(odd) == [question]
    assert odd.state.hand == history.state.hand
    said = say(history, late, after=settled)
    assert said.state.hand is not None
    assert (said.state.hand.dealer, dealer_of(said)) == (2, 2)
    assert not asked(said)
    # The same as if it had been said in time.
    known: list[Entry] = list(history.entries)
    in_time = [*known[:settled], entry(settled, late), *known[settled:]]
    renumbered = [entry(n, one.fact) for n, one in enumerate(in_time, start=1)]
    book = {rules.digest: rules}
    assert fold_all(book, renumbered).hand == said.state.hand
    # That he stays can be said at any time.
    stays = say(history, facts.Agreed(question=question, choice=STAYS))
    assert not asked(stays)
    assert dealer_of(stays) == 1


def test_saying_who_was_ready_answers_too() -> None:
    _, history = unsaid()
    exhausted = next(e.seq for e in history.entries if isinstance(e.fact, facts.Exhausted))
    history = say(history, facts.Replace(target=exhausted, fact={"tenpai": [0]}))
    assert not asked(history)
    assert dealer_of(history) == 2


def test_the_question_goes_with_the_hand_after_it_and_with_the_game() -> None:
    rules, history = unsaid()
    [question] = asked(history)
    after = say(history, up("b"), *opened_by(rules), facts.Aborted(why="x"), facts.Settled())
    assert not asked(after)
    again = say(history, up("b"), *opened_by(rules), facts.Exhausted(), facts.Settled())
    assert len(asked(again)) == 1
    assert asked(again) != [question]
    assert not asked(say(history, facts.GameEnded()))


def test_riichi_of_the_dealer_is_assumed_to_be_ready() -> None:
    rules = find_preset(FOUR)
    history = say(begin(rules, 0), up(), *opened_by(rules), facts.Riichi(seat=0))
    history = say(history, facts.Exhausted())
    history, verdict = history.append(entry(len(history.entries) + 1, facts.Settled()))
    assert verdict.kind == "assumed"
    assert "in riichi" in verdict.text
    assert dealer_of(history) == 0
    assert not asked(history)
