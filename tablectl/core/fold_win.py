"""Folding wins: what they are on, who stands where several say it, a kong that was robbed."""

from __future__ import annotations

from typing import Final

from tablectl.core import advance, bounds, facts, wins
from tablectl.core.chart import Odd
from tablectl.core.state import Source, Win
from tablectl.core.step import OddFact, Step
from tablectl.core.tiles import kind_code
from tablectl.core.turn import Turn
from tablectl.core.wins import Claim, Stage

_LAID: Final = ("aside", "kong", "concealed_kong")
_ON: Final[dict[str, Source]] = {"act": "draw", "window": "discard", "aside_window": "aside"}


def won(step: Step, fact: facts.Won) -> None:
    """A win; where there are others on the same tile, those stand that the rule puts first."""
    first = step.hand.life != "won"
    if first:
        advance.ensure_turns(step)
    advance.check_seat(step, fact.seat)
    advance.check_seat(step, fact.frm)
    hand, claim = step.hand, Claim(fact.seat, fact.frm, fact.way)
    stage = wins.opening_stage(step.rules, hand, step.ground.dealt_tiles)
    for why in (
        bounds.why_no_win(hand, claim.seat, own=claim.own),
        wins.why_not(step.rules, hand.dealer, stage, claim),
    ):
        if why:
            raise OddFact(why)
    if first:
        _first(step, claim, stage)
    else:
        _another(step, claim, stage)


# ── how ─────────────────────────────────────────────────────────────────────────────────────────


def _first(step: Step, claim: Claim, stage: Stage | None) -> None:
    """The first win on its tile."""
    before = step.hand.turn
    kind = wins.kind_of(claim, step.hand.dealer, stage)
    on = _tile_of(step, claim, before)
    if kind == "earthly" and on is None:
        on = "discard"
    _check_tile(step, claim, on)
    if kind is None:
        step.turn("won", seat=claim.seat, frm=claim.frm)
    else:
        if not claim.own and stage == "dealt":
            step.assume("the dealer's first discard was made")
        step.change_hand(turn=Turn("over", claim.frm, (claim.seat,)))
    if claim.own:
        advance.assume_replacements(step)
    elif on in _LAID:
        _robbed(step, claim.frm, on)
    advance.assume_turned_at_once(step)
    step.live("won")
    hand = step.hand
    win = Win(claim.seat, claim.frm, step.rules.indicators.start + hand.turned, claim.way, on)
    step.change_hand(wins=(*hand.wins, win), before=len(hand.wins), end="win")


def _another(step: Step, claim: Claim, stage: Stage | None) -> None:
    """One more says that it has won: beside the others, in their place, or not at all."""
    hand = step.hand
    same = hand.wins_here[0]
    on: Source | None = "draw" if claim.own else same.on if same.frm == claim.frm else None
    _check_tile(step, claim, on)
    new = Win(claim.seat, claim.frm, same.indicators, claim.way, on)
    found = wins.standing(step.rules, hand, stage, new)
    if isinstance(found, Odd):
        raise OddFact(found.sentence)
    if found.gave_way:
        step.assume(found.gave_way)
        winners = tuple(win.seat for win in found.wins)
        step.change_hand(turn=Turn("over", claim.frm, winners))
    else:
        step.turn("won", seat=claim.seat, frm=claim.frm)
    step.live("won", "more_wins")
    step.change_hand(wins=(*hand.wins[: hand.before], *found.wins))


def _tile_of(step: Step, claim: Claim, before: Turn) -> Source | None:
    """What a first win is on, None if nobody knows. Where it could be a tile laid down or a discard
    after the replacement that nobody told, what is assumed is said."""
    on, hand = _on(step, claim, before), step.hand
    owed = claim.frm in hand.owed and claim.frm not in hand.forgotten
    if claim.own:
        return on
    if claim.way == "robbing":
        return on if on in _LAID else _laid_down(step, claim, owed=owed)
    if on is None and owed:
        return _unfollowed(step, claim)
    untold = before == Turn("owed", claim.frm) and not hand.told
    if untold or not _can_be(step, claim, on):
        advance.assume_replacements(step)
        return "discard"
    return on


def _on(step: Step, claim: Claim, turn: Turn) -> Source | None:
    """What the win is on, where somebody follows the turn."""
    if claim.own:
        return "draw"
    if turn.seat != claim.frm:
        return None
    if turn.word == "kong_window":
        return "concealed_kong" if step.hand.melds[-1].kind == "concealed" else "kong"
    if turn.word == "owed" and step.hand.told and advance.gave_aside(step, claim.frm):
        return "aside"
    return _ON.get(turn.word) if turn.word != "act" else None


def _laid_down(step: Step, claim: Claim, *, owed: bool) -> Source | None:
    """The tile laid down on which somebody says to have won; None if that was not told. Such a tile
    is not replaced and such a kong is none, so that untold they change nothing."""
    laid = _laid(step, claim) if owed else None
    if laid is None and owed and advance.gave_aside(step, claim.frm):
        raise OddFact(f"seat {claim.seat} won, but this rule has no win on a tile set aside")
    if laid is None:
        step.assume(f"seat {claim.frm} laid down a tile that was not told")
    return laid


def _unfollowed(step: Step, claim: Claim) -> Source:
    """What the win is on where nobody follows the turn and who gave the tile is owed a replacement.
    Where draws are seen, it was not taken; else it was most likely, and a tile discarded."""
    laid = _laid(step, claim)
    if laid and (advance.followed(step) or claim.way == "kokushi"):
        return laid
    advance.assume_replacements(step)
    if laid:
        what = "the tile set aside" if laid == "aside" else "the tile of the kong"
        step.assume(
            f"seat {claim.seat} won on a discard, not on {what}; if it was that, say so (robbing)"
        )
    return "discard"


def _laid(step: Step, claim: Claim) -> Source | None:
    """What the giver of the tile was the last to lay down, if the rule lets others win on it."""
    hand, calls = step.hand, step.rules.calls
    if hand.owed[-1] != claim.frm:
        return None
    if advance.gave_aside(step, claim.frm):
        return "aside" if "ron" in calls.aside_claims else None
    last = hand.melds[-1] if hand.melds else None
    if last is None or last.seat != claim.frm or last.kind not in ("added", "concealed"):
        return None
    if last.kind == "added":
        return "kong"
    return "concealed_kong" if _may_rob(calls.rob_concealed, claim) else None


def _can_be(step: Step, claim: Claim, on: Source | None) -> bool:
    """Whether the win can be on that tile, as far as what was not told decides it."""
    calls, hand = step.rules.calls, step.hand
    if on == "aside":
        return hand.told or "ron" in calls.aside_claims
    return on != "concealed_kong" or advance.followed(step) or _may_rob(calls.rob_concealed, claim)


def _may_rob(rule: str, claim: Claim) -> bool:
    return rule == "any" or (rule == "kokushi" and claim.way == "kokushi")


def _check_tile(step: Step, claim: Claim, on: Source | None) -> None:
    """Raises OddFact for a win on a tile that nobody, or not this hand, may win on."""
    hand, rules = step.hand, step.rules
    if claim.own:
        # Only a tile that nothing replaces leaves the next seat to draw before it has.
        shown = hand.turn == Turn("draw_due", (claim.seat + 1) % rules.players)
        if shown and hand.life == "last_draws":
            raise OddFact(
                f"seat {claim.seat} won, but the tile it drew was set aside and nothing replaces"
                " it: such a tile does not win"
            )
        return
    if on in (None, "discard"):
        why = bounds.why_no_gold(rules, hand, hand.given if on else None)
        if why:
            raise OddFact(f"seat {claim.seat} won on a discard, but {why}")
    if on == "aside" and "ron" not in rules.calls.aside_claims:
        raise OddFact(f"seat {claim.seat} won, but this rule has no win on a tile set aside")
    if on == "concealed_kong":
        _check_concealed(step, claim)


def _check_concealed(step: Step, claim: Claim) -> None:
    rule = step.rules.calls.rob_concealed
    if _may_rob(rule, claim):
        return
    if rule == "kokushi":
        why = "only thirteen orphans win on the tile of a concealed kong; say so if it is that"
    else:
        why = "nobody can win on the tile of a concealed kong"
    raise OddFact(f"seat {claim.seat} won, but {why}")


def _robbed(step: Step, frm: int, on: Source) -> None:
    """The tile that was won on had been set aside or laid to a kong: nothing replaces it. A kong
    that was robbed is none: it turns no indicator, and one that was turned for it is put back."""
    if on == "aside":
        advance.aside_claimed(step, frm, None)
        return
    advance.not_owed(step, frm)
    hand = step.hand
    kong = hand.melds[-1]
    if advance.timing(step, kong.kind) != "never":
        if hand.due:
            step.change_hand(due=hand.due[:-1])
        elif hand.turned:
            _put_back(step)
    hand = step.hand
    face = facts.known(kong.tile)
    step.change_hand(
        seen=hand.seen if face is None else (*hand.seen, kind_code(face)),
        melds=hand.melds[:-1],
        open_kongs=hand.open_kongs - (kong.kind != "concealed"),
        concealed_kongs=hand.concealed_kongs - (kong.kind == "concealed"),
    )


def _put_back(step: Step) -> None:
    """The indicator turned last lies face down again."""
    last = step.plan.indicators[-1].place
    public = tuple(one for one in step.hand.public if one[0] != last)
    step.change_hand(turned=step.hand.turned - 1, public=public)
    step.assume("the indicator that was turned for the robbed kong is put back")
