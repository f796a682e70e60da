"""The course of a hand by any rule: who draws, calls, kongs, sets aside, declares, wins.

Random but possible: people do what they may, as often as their habits say. Whether a hand is
really a winning one nobody looks.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from tablectl.core.preset import Preset
from tablectl.people.deeds import OVER, Deeds, Next
from tablectl.people.habits import WHOLE, Habits
from tablectl.people.log import Played
from tablectl.people.mishap import aborts

__all__ = ["WHOLE", "Habits", "play"]

FEVER_WINS: Final = 10
"""How many times likelier a seat under fever wins."""
RUNS: Final = ((-2, -1), (-1, 1), (1, 2))
RICH: Final = 1_000_000


def play(
    rules: Preset,
    wall: Sequence[str],
    dealer: int,
    rng: random.Random,
    habits: Habits | None = None,
    hands: Sequence[Sequence[str]] | None = None,
    points: Sequence[int] | None = None,
) -> Played:
    """One hand decided at random. `wall` in drawing order from the break; `hands` by seat where
    the table has dealt by itself; `points` by seat where the rule asks for some."""
    have = points or (RICH,) * rules.players
    course = _Course(rules, wall, dealer, rng, habits or Habits(), hands, have)
    course.play()
    return course.played()


class _Course(Deeds):
    """A hand that players decide as they go."""

    first = True
    """Nobody has discarded or declared a kong yet."""
    gold_thrown = False

    # ── from the first draw to the last ──

    def play(self) -> None:
        """Play to the end."""
        drawn: str | None = self.draw(self.dealer, "live")
        going = None
        if self.rules.gold.turned != "none":
            self.opening()
            going = self.opening_win()
        going = going or self.act(self.dealer, drawn)
        while going.draws != "over":
            drawn = None
            if going.draws == "live":
                if self.row.drawable <= 0:
                    self.exhaust()
                    return
                self.final = 0 < self.row.drawable <= self.rules.reserve.final
                if self.seats[going.seat].owed and self.rng.random() < 0.5:
                    self.make_good(going.seat)
                drawn = self.draw(going.seat, "live")
            elif going.draws == "tail":
                drawn = self.draw(going.seat, "tail")
            going = self.act(going.seat, drawn)

    def after(self, seat: int) -> Next:
        """The next seat draws."""
        return Next((seat + 1) % self.rules.players, "live")

    def opening_win(self) -> Next | None:
        """A win with the hands as they were dealt, the best that anybody claims."""
        for way in self.rules.opening.wins:
            if way == "heavenly" and self.chance(self.habits.opening):
                return self.wins(self.dealer, [self.dealer], way="heavenly")
            for seat in self.others(self.dealer) if way == "child_robbing" else ():
                if self.chance(self.habits.opening):
                    return self.wins(seat, [seat], way="robbing_gold")
        return None

    def wins(
        self, frm: int, winners: Sequence[int], *, way: str | None = None, owed: bool = False
    ) -> Next:
        """They win, and the hand is over unless one of them plays on under fever. `owed`: on a tile
        that would have been replaced."""
        for winner in winners:
            self.win(winner, frm, way=way, owed=owed)
        if all(self.seats[winner].riichi != "fever" for winner in winners):
            return OVER
        self.turn_due()
        return self.after(frm)

    # ── one turn ──

    def act(self, seat: int, drawn: str | None) -> Next:
        """The seat has drawn, or has called where `drawn` is None: what it does until its discard
        is passed or taken."""
        one, fresh, called = self.seats[seat], True, drawn is None
        if not called:
            self.make_good(seat)
        while drawn is not None:
            if fresh and one.may_draw_win and self.wins_with(seat, 1.0):
                going = self.wins(seat, [seat], way=self.own_way())
                if going != OVER:
                    # Under fever the hand goes on: the winning tile is laid aside.
                    self.hands[seat].remove(drawn)
                return going
            if self.ends(seat):
                return OVER
            flower = self.flower(seat, drawn)
            kong = self.may_kong(seat) if flower is None else False
            done: str | Next | None = None
            if flower is not None:
                done = self.sets_aside(seat, flower)
                fresh = done is not None
            elif kong:
                done = self.kong(seat, drawn)
            if done is None:
                break
            if isinstance(done, Next):
                return done
            drawn = done
        if self.final:
            return self.after(seat)
        declares = not called and self.declares(seat)
        if declares:
            self.declare(seat)
        kept = drawn in self.hands[seat] and one.riichi is not None and not declares
        tile = drawn if kept and drawn is not None else self.choose(seat)
        self.discard(seat, tile)
        wins = self.won
        going = self.after_discard(seat, tile)
        if declares and self.won == wins:
            self.regrets(seat, going)
        return going

    def wins_with(self, seat: int, share: float) -> bool:
        riichi = self.seats[seat].riichi
        factor = FEVER_WINS if riichi == "fever" else share
        if riichi in ("plain", "open"):
            factor *= self.habits.ready
        if self.final:
            factor *= self.habits.late
        return self.rng.random() < self.habits.wins * factor

    def own_way(self) -> str | None:
        """What is special about a self-draw: three golds in the hand, which need no shape."""
        three = "three_gold" in self.rules.opening.wins and not self.gold_thrown
        return "three_gold" if three and self.chance(4 * self.habits.opening) else None

    def ends(self, seat: int) -> bool:
        """Whether the hand ends without a winner here; a hand of its own may be dead from here."""
        if aborts(self.rules) and self.rng.random() < self.habits.aborts:
            self.note("abort", "nine kinds", pending=self.pending)
            return True
        one = self.seats[seat]
        if one.riichi is None and not one.dead and self.chance(self.habits.dead):
            one.dead = True
            self.note("dead", seat, pending=self.pending)
        return False

    def flower(self, seat: int, drawn: str) -> str | None:
        """A tile that the seat sets aside; in riichi only the one that it drew."""
        tile = next((t for t in self.hands[seat] if t[:2] in self.rules.calls.aside), None)
        if tile is None:
            return None
        if not self.row.may_replace(final=self.final) and self.rules.reserve.policy != "growing":
            return None
        return tile if self.seats[seat].riichi is None or tile == drawn else None

    def sets_aside(self, seat: int, tile: str) -> str | Next | None:
        """The tile is laid aside: claimed by others, or replaced by the tile that it gives; None
        if it is not replaced yet. Where nothing replaces it the turn is over with it."""
        fours = self.row.fours(self.aside[seat], tile)
        if not self.row.may_replace(final=self.final, grows=fours):
            self.lay_aside(seat, tile, replaced=False)
            return self.after(seat)
        self.lay_aside(seat, tile)
        claimed = self.claim_aside(seat, tile)
        if claimed is not None:
            return claimed
        may_forget = self.seats[seat].riichi is None and self.rules.replacements.source == "tail"
        if may_forget and self.chance(self.habits.forgets):
            self.seats[seat].owed += 1
            return None
        return self.draw(seat, "tail")

    def choose(self, seat: int) -> str:
        """A tile to discard; what is only set aside goes to no river while there is another."""
        calls, hand = self.rules.calls, self.hands[seat]
        may = [tile for tile in hand if calls.aside_river or tile[:2] not in calls.aside]
        return self.rng.choice(may or hand)

    # ── riichi ──

    def declares(self, seat: int) -> bool:
        """Whether the seat declares riichi."""
        one, rule = self.seats[seat], self.rules.riichi
        if (
            not rule.played
            or one.opened
            or one.riichi is not None
            or one.dead
            or one.limit == "self_draw"
        ):
            return False
        if self.row.drawable < rule.least_draws or self.points[seat] < rule.least_points:
            return False
        if self.rules.gold.turned != "none":
            return False  # where gold stands for any tile nobody declares
        if rule.third_open and self.riichis() >= 2 and not self.habits.opens:
            return False
        return self.rng.random() < self.habits.riichi

    def regrets(self, seat: int, going: Next) -> None:
        """The riichi is taken back before the next discard, where the rule lets people."""
        when, one = self.rules.riichi.take_back, self.seats[seat]
        uncalled = going.draws == "live"
        may = when in ("next_discard", "any") or (when == "uncalled" and uncalled)
        if may and one.riichi in ("plain", "open") and self.chance(self.habits.takes_back):
            self.take_back(seat)

    # ── discards and calls ──

    def after_discard(self, seat: int, tile: str) -> Next:
        first, self.first = self.first, False
        gold = tile[:2] == self.gold and self.rules.gold.claims == "none"
        self.gold_thrown |= tile[:2] == self.gold
        robbing = first and "dealer_robbing" in self.rules.opening.wins
        if robbing and self.seats[seat].may_draw_win and self.chance(self.habits.opening):
            return self.wins(seat, [seat], way="robbing_gold")
        going = None if gold else self.ron(seat, first=first)
        if going is not None:
            return going
        self.turn_due()
        if gold or "x" in tile or not self.may_claim():
            return self.after(seat)
        return self.calls(seat, tile) or self.after(seat)

    def may_claim(self) -> bool:
        """Whether the last discard can be called: a draw is left, and not the last ones only."""
        left, rules = self.row.drawable, self.rules
        last = left <= rules.reserve.final and rules.calls.final_claims == "ron"
        return left > 0 and not last

    def ron(self, seat: int, *, first: bool) -> Next | None:
        """Who wins on a discard: as many as the rule lets, nearest first."""
        rules = self.rules
        winners = [s for s in self.others(seat) if self.seats[s].may_ron and self.wins_with(s, 0.5)]
        way = "earthly" if first and "earthly" in rules.opening.wins else None
        pairs = rules.winning.gold_pair_first and way is None and bool(winners)
        if pairs and self.chance(4 * self.habits.opening):
            return self.wins(seat, winners[-1:], way="gold_pair")
        winners = winners[: rules.winning.together]
        return self.wins(seat, winners, way=way) if winners else None

    def calls(self, seat: int, tile: str) -> Next | None:
        for other in self.others(seat):
            if not self.seats[other].may_call or len(self.hands[other]) < 5:
                continue
            if self.rng.random() > self.habits.calls:
                continue
            same = [t for t in self.hands[other] if t[:2] == tile[:2] and "x" not in t]
            kongs = len(same) >= 3 and self.row.may_kong(0, final=self.final)
            if kongs and self.rng.random() < self.habits.kongs:
                self.lay_down(other, same[:3])
                timing = self.row.count_kong("open")
                self.note("kong", other, "open", pending=True)
                self.turn_for(timing)
                return Next(other, "tail")
            if len(same) >= 2:
                self.pon(other, seat, same[:2])
                return Next(other, None)
            own = self.run(other, tile) if other == (seat + 1) % self.rules.players else []
            if own:
                self.lay_down(other, own)
                self.note("chi", other, seat)
                return Next(other, None)
        return None

    def run(self, seat: int, tile: str) -> list[str]:
        """The seat's own tiles of a chi with this one, none if it has no such."""
        if not self.rules.calls.chi or tile[1] not in "mps":
            return []
        for offsets in RUNS:
            kinds = [f"{int(tile[0]) + offset}{tile[1]}" for offset in offsets]
            own = [next((t for t in self.hands[seat] if t[:2] == kind), "") for kind in kinds]
            if all(own):
                return own
        return []

    def claim_aside(self, seat: int, tile: str) -> Next | None:
        """Others pon a tile set aside or win on it, before it is replaced."""
        claims = self.rules.calls.aside_claims
        if "ron" in claims:
            winners = [
                s for s in self.others(seat) if self.seats[s].may_ron and self.wins_with(s, 0.5)
            ]
            if winners:
                self.row.uncount_aside(self.aside[seat], tile)
                return self.wins(seat, winners[: self.rules.winning.together], owed=True)
        for other in self.others(seat) if "pon" in claims and self.row.drawable > 0 else ():
            same = [t for t in self.hands[other] if t[:2] == tile[:2] and "x" not in t]
            may = len(same) >= 2 and len(self.hands[other]) >= 5
            if may and self.seats[other].may_call and self.rng.random() < self.habits.calls:
                self.turn_due()
                self.row.uncount_aside(self.aside[seat], tile)
                self.pon(other, seat, same[:2])
                return Next(other, None)
        return None

    # ── kongs ──

    def may_kong(self, seat: int) -> bool:
        if self.seats[seat].dead or self.seats[seat].limit == "riichi":
            return False
        if len(self.hands[seat]) < 6 or not self.row.may_kong(self.due, final=self.final):
            return False
        return self.rng.random() <= self.habits.kongs

    def kong(self, seat: int, drawn: str) -> str | Next | None:
        """A kong of the seat's own tiles: robbed, or its replacement drawn; None without one."""
        kind = self.own_kong(seat, drawn)
        if kind is None:
            return None
        self.first = False
        timing = self.row.count_kong(kind)
        self.note("kong", seat, kind, pending=True)
        robbers = self.robbers(seat, kind)
        if robbers:
            self.row.uncount_kong(kind)
            kokushi = kind == "concealed" and self.rules.calls.rob_concealed == "kokushi"
            return self.wins(seat, robbers, way="kokushi" if kokushi else None, owed=True)
        self.turn_for(timing)
        return self.draw(seat, "tail")

    def robbers(self, seat: int, kind: str) -> list[int]:
        """Who wins on the tile of a kong; a concealed one only by what the rule says."""
        rule = self.rules.calls.rob_concealed if kind == "concealed" else "any"
        found = []
        for other in self.others(seat) if rule != "none" else ():
            one = self.seats[other]
            closed = not one.opened and one.riichi != "fever"
            if one.may_ron and (closed or rule == "any") and self.chance(self.habits.robs):
                found.append(other)
        return found[: self.rules.winning.together]
