"""Games in a history: void hands, the end, another game, the dealer's stop, who sits out."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.histories import entry

from tablectl.core import facts
from tablectl.core.facts import AnyFact
from tablectl.core.fold import History, fold_all
from tablectl.core.game import ANOTHER, ENOUGH, PLAY_ON, STOP_HERE
from tablectl.core.preset import Preset
from tablectl.core.preset_file import builtin_presets, find_preset
from tablectl.core.state import Game, Hand, Waiting
from tablectl.core.view import view_of


class Evening:
    """Hands of one rule told to a history, from the first walls on."""

    def __init__(self, name: str, first: int = 0) -> None:
        self.rules: Preset = find_preset(name)
        self.history = History({self.rules.digest: self.rules})
        self.sets = 0
        self.say(
            facts.GameStarted(
                preset=self.rules.base,
                variant=self.rules.variant or None,
                digest=self.rules.digest,
                seats=tuple(range(self.rules.players)),
                points=self.rules.play.points,
                first_dealer=first,
            )
        )

    @property
    def game(self) -> Game:
        assert self.history.state.game is not None
        return self.history.state.game

    @property
    def hand(self) -> Hand:
        assert self.history.state.hand is not None
        return self.history.state.hand

    @property
    def next(self) -> tuple[int, int, int]:
        return self.game.dealer, self.game.round, self.game.repeats

    @property
    def seq(self) -> int:
        return len(self.history.entries)

    def say(self, *said: AnyFact, kind: str = "", after: int | None = None) -> str:
        text = ""
        for fact in said:
            self.history, verdict = self.history.append(entry(self.seq + 1, fact, after=after))
            text = verdict.text
            if kind:
                assert verdict.kind == kind, text
            else:
                assert verdict.kind != "odd", text
        return text

    def up(self) -> None:
        self.say(facts.Raised(set="ab"[self.sets % 2]))
        self.sets += 1

    def open(self) -> None:
        """Walls up, dice, dealt."""
        hand = self.history.state.hand
        if hand is None or hand.life != "raised":
            self.up()
        breaking = self.rules.breaking
        thrown = facts.Dice(pips=(2,) * breaking.dice)
        self.say(*[thrown] * breaking.throws, facts.Dealt())

    def play(self, *ends: AnyFact, points: tuple[int, ...] = ()) -> None:
        """One hand that ends like this, settled with these points."""
        self.open()
        self.say(*ends, facts.Settled(points=points))

    def asked(self, kind: str) -> list[str]:
        return [q.id for q in self.history.state.questions if q.id.startswith(f"{kind}:")]

    def agree(self, kind: str, choice: str, /, **about: Any) -> str:
        [question] = self.asked(kind)
        return self.say(facts.Agreed(question=question, choice=choice), **about)


def won(seat: int, frm: int | None = None) -> facts.Won:
    return facts.Won(seat=seat, frm=seat if frm is None else frm)


def last_hand(name: str) -> Evening:
    """An evening before its last hand: nobody has paid anything."""
    evening = Evening(name)
    rules = evening.rules
    for _ in range(rules.players * rules.game.rounds - 1):
        evening.play(won((evening.game.dealer + 1) % rules.players))
    assert evening.next == (rules.players - 1, rules.game.rounds - 1, 0)
    return evening


# ── rounds and repeats ──────────────────────────────────────────────────────────────────────────


def test_rounds_and_repeats_go_on_from_hand_to_hand() -> None:
    evening = Evening("vivace-4p", first=2)
    seen = []
    for end in (won(2), won(2), facts.Exhausted(tenpai=()), won(3), won(1), won(3), won(2)):
        evening.play(end)
        seen.append(evening.next)
    assert seen == [
        (2, 0, 1), (2, 0, 2), (3, 0, 3), (3, 0, 4), (0, 0, 0), (1, 0, 0), (2, 1, 0),
    ]  # fmt: skip


def test_the_hand_on_walls_that_came_up_early_has_its_dealer() -> None:
    evening = Evening("goto-sanma")
    evening.open()
    evening.say(facts.Exhausted())
    evening.say(facts.Settled())
    evening.up()
    assert (evening.hand.life, evening.hand.dealer) == ("raised", 0)
    evening.agree("dealer", "the next seat deals")
    assert (evening.hand.life, evening.hand.dealer) == ("raised", 1)


# ── void hands ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["goto-sanma", "vivace-sanma"])
def test_the_dealers_own_fault_passes_the_deal(name: str) -> None:
    evening = Evening(name)
    evening.play(won(0))
    evening.play(facts.Void(by=0))
    assert evening.next == (1, 0, 1)
    evening.play(facts.Void(by=0))
    assert evening.next == (1, 0, 1)
    assert not evening.asked("fault")


@pytest.mark.parametrize("name", ["vivace-a-league", "fuzhou-144", "vivace-4p"])
def test_where_fault_changes_nothing_nobody_is_asked(name: str) -> None:
    evening = Evening(name)
    evening.open()
    evening.say(facts.Void())
    assert not evening.asked("fault")
    evening.say(facts.Settled())
    assert evening.next == (0, 0, 0)


def test_who_is_at_fault_is_asked() -> None:
    evening = Evening("goto-sanma")
    evening.open()
    evening.say(facts.Void())
    [question] = evening.asked("fault")
    asked = next(q for q in evening.history.state.questions if q.id == question)
    assert asked.choices == ("nobody is", "seat 0", "seat 1", "seat 2")
    before = evening.history
    for choice, dealer in (("nobody is", 0), ("seat 0", 1), ("seat 2", 0)):
        # Before it is settled, after it, and with the next walls up.
        for late in range(3):
            evening.history, evening.sets = before, 1
            if late:
                evening.say(facts.Settled())
                assert evening.game.dealer == 0
            if late == 2:
                evening.up()
            evening.agree("fault", choice)
            if not late:
                evening.say(facts.Settled())
            assert evening.next == (dealer, 0, 0)
            assert not evening.asked("fault")
            if late == 2:
                assert evening.hand.dealer == dealer


def test_fault_told_while_the_next_hand_is_played_goes_to_its_place() -> None:
    evening = Evening("goto-sanma")
    evening.open()
    evening.say(facts.Void())
    void = evening.seq
    evening.say(facts.Settled())
    evening.open()
    assert f"after fact {void}" in evening.agree("fault", "seat 0", kind="odd")
    evening.agree("fault", "seat 0", after=void)
    assert evening.hand.dealer == 1


def test_a_seat_that_is_not_played_is_not_at_fault() -> None:
    evening = Evening("goto-sanma")
    evening.open()
    evening.say(facts.Void(by=3), kind="odd")


def test_few_points_at_the_fault_bust() -> None:
    """持ち点が10,000点以下でのチョンボ: what the seat had then, not what the fine leaves."""
    evening = Evening("goto-sanma")
    evening.play(won(1, 2), points=(0, 20_000, -20_000))
    evening.open()
    evening.say(facts.Void(by=2))
    evening.say(facts.Paid(frm=2, to=0, points=5_000), facts.Paid(frm=2, to=1, points=4_000))
    evening.say(facts.Settled())
    assert evening.game.over
    assert "10000 points" in evening.game.why
    rich = Evening("goto-sanma")
    rich.play(won(1, 2), points=(0, 19_000, -19_000))
    rich.open()
    rich.say(facts.Void(by=2))
    rich.say(facts.Paid(frm=2, to=0, points=5_000), facts.Paid(frm=2, to=1, points=5_000))
    rich.say(facts.Settled())
    assert not rich.game.over


def test_the_last_hand_is_played_again_when_it_is_void() -> None:
    evening = last_hand("goto-sanma")
    evening.play(facts.Void(by=2))
    assert not evening.game.over
    assert evening.next == (2, 0, 0)


# ── the end ─────────────────────────────────────────────────────────────────────────────────────


ROUNDS = [name for name in builtin_presets() if find_preset(name).game.rounds]


@pytest.mark.parametrize("name", ROUNDS)
def test_a_game_is_over_and_another_begins_on_the_walls_that_are_up(name: str) -> None:
    evening = last_hand(name)
    n, start = evening.rules.players, evening.rules.play.points
    most = (60_000 - start, *[0] * (n - 2), start - 60_000 + 0)
    evening.play(won(0), points=tuple(most))
    game = evening.game
    assert game.over
    assert game.why
    assert game.hands == n * evening.rules.game.rounds
    evening.up()
    assert evening.hand.life == "closed"
    evening.agree("game", ANOTHER)
    assert not evening.asked("game")
    assert evening.game.points == (start,) * n
    assert not evening.game.over
    assert evening.next == (0, 0, 0)
    assert (evening.hand.life, evening.hand.number) == ("raised", 1)
    evening.play(won(1))
    assert evening.game.hands == 1


def test_enough_leaves_it_over_and_a_game_can_be_started_then() -> None:
    evening = last_hand("goto-sanma")
    evening.play(won(0))
    evening.up()
    assert evening.hand.life == "closed"
    evening.agree("game", ENOUGH)
    assert evening.game.over
    assert not evening.asked("game")
    evening.say(facts.Raised(set="a"))
    assert evening.hand.life == "closed"
    rules = evening.rules
    evening.say(
        facts.GameStarted(preset=rules.name, digest=rules.digest, seats=(0, 1, 2), first_dealer=1)
    )
    assert not evening.game.over
    assert (evening.hand.life, evening.hand.dealer) == ("raised", 1)


def test_walls_that_came_up_before_the_end_are_played_in_the_next_game() -> None:
    """The answer that ends the game comes when the next hand's walls are up already."""
    evening = last_hand("goto-sanma")
    evening.play(facts.Exhausted())
    evening.up()
    assert evening.hand.life == "raised"
    evening.agree("dealer", "the next seat deals")
    assert evening.game.over
    assert evening.history.state.hand is None
    assert evening.game.hands == 3
    evening.agree("game", ANOTHER)
    assert (evening.hand.life, evening.hand.number) == ("raised", 1)


def test_a_bust_ends_it_and_a_correction_of_the_settlement_reopens_it() -> None:
    evening = Evening("vivace-4p")
    evening.play(won(1, 0), points=(-26_000, 26_000, 0, 0))
    settled = evening.seq
    assert evening.game.over
    assert evening.game.why == "seat 0 has -1000 points"
    evening.up()
    right = {"points": [-25_000, 25_000, 0, 0]}
    evening.say(facts.Replace(target=settled, fact=right))
    assert not evening.game.over
    assert not evening.asked("game")
    assert evening.next == (1, 0, 0)
    assert evening.hand.life == "raised"


def test_a_booked_difference_reopens_or_ends_it() -> None:
    evening = Evening("vivace-4p")
    evening.play(won(1, 0), points=(-26_000, 26_000, 0, 0))
    evening.say(facts.Paid(frm=1, to=0, points=1_000, why="difference"))
    assert not evening.game.over
    assert not evening.asked("game")
    evening.say(facts.Paid(frm=0, to=1, points=100))
    assert evening.game.over
    assert len(evening.asked("game")) == 1
    evening.agree("game", ENOUGH)
    evening.say(facts.Paid(frm=0, to=1, points=100))
    assert not evening.asked("game")


def test_a_game_that_another_followed_is_not_corrected() -> None:
    """As one that was ended; unless the answer is taken back. What follows it can be corrected."""
    evening = Evening("vivace-4p")
    evening.play(won(1, 0), points=(-26_000, 26_000, 0, 0))
    settled = evening.seq
    evening.agree("game", ANOTHER)
    agreed = evening.seq
    right = {"points": [-25_000, 25_000, 0, 0]}
    assert "has ended" in evening.say(facts.Replace(target=settled, fact=right), kind="odd")
    question = evening.history.entries[agreed - 1].fact.question
    evening.say(facts.Agreed(question=question, choice=ANOTHER), kind="odd")
    evening.play(won(1, 0), points=(-1_000, 1_000, 0, 0))
    other = {"points": [-2_000, 2_000, 0, 0]}
    evening.say(facts.Replace(target=evening.seq, fact=other))
    assert evening.game.points == (23_000, 27_000, 25_000, 25_000)
    evening.say(facts.Retract(target=agreed))
    evening.say(facts.Replace(target=settled, fact=right))
    assert evening.history.state.game.points[:2] != (23_000, 27_000)


def test_the_answer_can_be_taken_back() -> None:
    evening = last_hand("goto-sanma")
    evening.play(won(0))
    evening.agree("game", ANOTHER)
    assert not evening.game.over
    evening.say(facts.Retract(target=evening.seq))
    assert evening.game.over
    assert len(evening.asked("game")) == 1


def test_a_game_that_people_end_asks_nothing() -> None:
    evening = last_hand("goto-sanma")
    evening.play(won(0))
    evening.say(facts.GameEnded(why="late"))
    assert evening.game.over
    assert not evening.asked("game")
    evening.say(facts.Paid(frm=0, to=1, points=100), kind="odd")
    evening.say(facts.GameEnded(), kind="odd")


def test_return_east_goes_on_until_somebody_has_the_points() -> None:
    evening = last_hand("vivace-sanma")
    evening.play(won(0))
    assert evening.next == (0, 2, 0)
    evening.play(won(1, 0), points=(-4_900, 4_900, 0))
    assert evening.next == (1, 2, 0)
    view = view_of(evening.rules, evening.history.state).game
    assert view is not None
    assert view.words == "East 2 (played on)"
    assert view.last
    evening.play(won(1, 0), points=(-100, 100, 0))
    assert evening.game.over


# ── the dealer stops ────────────────────────────────────────────────────────────────────────────


def stopping() -> Evening:
    evening = last_hand("vivace-4p")
    evening.play(won(3, 0), points=(-8_000, 0, 0, 8_000))
    return evening


def test_the_dealer_may_stop_and_the_game_goes_on_until_he_does() -> None:
    evening = stopping()
    assert len(evening.asked("stop")) == 1
    assert not evening.game.over
    assert evening.next == (3, 1, 1)
    evening.up()
    assert evening.hand.life == "raised"
    evening.agree("stop", STOP_HERE)
    assert evening.game.over
    assert "stopped" in evening.game.why
    evening.agree("game", ANOTHER)
    assert evening.hand.life == "raised"


def test_who_plays_on_is_asked_after_the_next_hand_again() -> None:
    evening = stopping()
    evening.agree("stop", PLAY_ON)
    assert not evening.game.over
    assert not evening.asked("stop")
    evening.say(facts.Paid(frm=0, to=1, points=100))
    assert not evening.asked("stop")
    evening.play(won(3, 1))
    assert len(evening.asked("stop")) == 1
    assert evening.next == (3, 1, 2)


def test_stopping_while_the_next_hand_is_played_goes_to_its_place() -> None:
    evening = stopping()
    settled = evening.seq
    [question] = [q for q in evening.history.state.questions if q.id.startswith("stop:")]
    evening.open()
    assert not evening.asked("stop"), "who deals plays on"
    stop = facts.Agreed(question=question.id, choice=STOP_HERE)
    questions = evening.history.state.questions
    assert f"after fact {settled}" in evening.say(stop, kind="odd")
    assert evening.history.state.questions == questions, "it asks nothing"
    evening.say(stop, after=settled)
    assert evening.game.over


def test_the_first_answers_are_those_that_play_goes_on_with() -> None:
    evening = stopping()
    [question] = [q for q in evening.history.state.questions if q.id.startswith("stop:")]
    assert question.choices == (PLAY_ON, STOP_HERE)
    evening.agree("stop", STOP_HERE)
    [question] = [q for q in evening.history.state.questions if q.id.startswith("game:")]
    assert question.choices == (ANOTHER, ENOUGH)


# ── sitting out ─────────────────────────────────────────────────────────────────────────────────


def test_who_sits_out_comes_in_for_another_and_points_stay_with_people() -> None:
    evening = Evening("vivace-sanma")
    evening.say(facts.SeatsChanged(seats=(0, 1, 2), out=3))
    assert evening.game.waiting == Waiting(35_000, 0)
    evening.play(won(1, 0), points=(-8_000, 8_000, 0))
    evening.say(facts.SeatsChanged(seats=(3, 1, 2), out=0))
    assert evening.game.points == (35_000, 43_000, 35_000)
    assert evening.game.waiting == Waiting(27_000, 0)
    assert evening.game.out == 0
    evening.say(facts.SeatsChanged(seats=(3, 0, 2), out=1))
    assert evening.game.points == (35_000, 27_000, 35_000)
    assert evening.game.waiting == Waiting(43_000, 0)
    view = view_of(evening.rules, evening.history.state).game
    assert view is not None
    assert (view.out, view.waiting and view.waiting.points) == (1, 43_000)


def test_what_cannot_be_with_who_sits_out_is_refused() -> None:
    evening = Evening("vivace-sanma")
    evening.say(facts.SeatsChanged(seats=(0, 1, 2), out=2), kind="odd")
    evening.say(facts.SeatsChanged(seats=(0, 1, 2), out=3))
    text = evening.say(facts.SeatsChanged(seats=(1, 3, 2), out=0), kind="odd")
    assert "[3, 1, 2]" in text
    evening.say(facts.SeatsChanged(seats=(0, 1, 3)), kind="odd")
    evening.open()
    evening.say(facts.SeatsChanged(seats=(3, 1, 2), out=0), kind="odd")
    other = Evening("goto-sanma")
    assert "nobody sits out" in other.say(facts.SeatsChanged(seats=(0, 1, 2), out=3), kind="odd")


def test_walls_that_are_up_get_the_new_seats_and_another_game_keeps_them() -> None:
    evening = Evening("vivace-sanma")
    evening.say(facts.SeatsChanged(seats=(0, 1, 2), out=3))
    evening.up()
    evening.say(facts.SeatsChanged(seats=(3, 1, 2), out=0))
    assert evening.hand.seats == (3, 1, 2)
    evening.play(won(1, 0), points=(-35_000, 35_000, 0))
    assert evening.game.over
    evening.agree("game", ANOTHER)
    assert (evening.game.seats, evening.game.out) == ((3, 1, 2), 0)
    assert evening.game.waiting == Waiting(35_000, 0)


# ── whatever happens ────────────────────────────────────────────────────────────────────────────


@given(st.sampled_from(builtin_presets()), st.integers(0, 2**32))
def test_any_evening(name: str, seed: int) -> None:
    """Hands end at random: the game is over exactly when it must be, nothing of the points is
    lost, the deal goes round, and folding it all again gives the same."""
    rng = random.Random(seed)
    evening = Evening(name, first=rng.randrange(3))
    rules, n = evening.rules, evening.rules.players
    rule, whole = rules.game, rules.play.points * rules.players
    for _ in range(rng.randint(1, 14)):
        dealer, round_, repeats = evening.next
        points = [0] * n
        for _ in range(rng.randint(0, 3)):
            payer, payee = rng.sample(range(n), 2)
            paid = rules.score.unit * rng.randint(0, 9_000 // rules.score.unit)
            points[payer] -= paid
            points[payee] += paid
        fault = rng.randrange(n)
        ends: list[AnyFact] = [
            won(rng.randrange(n)),
            won((dealer + 1) % n),
            facts.Exhausted(tenpai=tuple(sorted(rng.sample(range(n), rng.randint(0, n))))),
            facts.Exhausted(),
            facts.Void(by=fault),
            *([facts.Aborted(why="x")] if rule.aborts else []),
        ]
        evening.play(end := rng.choice(ends), points=tuple(points))
        if not evening.game.over and evening.asked("dealer") and rng.random() < 0.5:
            evening.agree("dealer", rng.choice(["the dealer stays", "the next seat deals"]))
        if not evening.game.over and evening.asked("stop") and rng.random() < 0.5:
            evening.agree("stop", rng.choice([PLAY_ON, STOP_HERE]))
        game = evening.game
        assert sum(game.points) == whole
        passed = (dealer + 1) % n
        if game.over:
            assert (game.dealer, game.round, game.repeats) == (dealer, round_, repeats)
            assert len(evening.asked("game")) == 1
            busts = {"never": False, "below_zero": min(game.points) < 0}
            bust = busts.get(rule.bust, min(game.points) <= 0)
            last = (round_, passed) == (rule.rounds - 1, game.first_dealer)
            last = rule.rounds > 0 and (last or round_ >= rule.rounds)
            at_fault = isinstance(end, facts.Void) and "at fault" in game.why
            assert bust or last or at_fault, game.why
            evening.agree("game", ANOTHER)
            assert evening.next == (0, 0, 0)
            assert evening.game.points == (rules.play.points,) * n
            continue
        if rule.bust == "below_zero":
            assert min(game.points) >= 0
        if rule.bust == "zero":
            assert min(game.points) > 0
        assert game.dealer in (dealer, passed)
        assert game.round == round_ + (game.dealer != dealer and passed == game.first_dealer)
        assert game.repeats in (0, repeats, repeats + 1)
        if rule.extend == "none" and rule.rounds:
            assert game.round < rule.rounds
        elif game.round >= rule.rounds > 0:
            assert max(game.points) < rule.return_points
        assert not evening.asked("game")
    again = fold_all({rules.digest: rules}, evening.history.entries)
    assert again == evening.history.state
