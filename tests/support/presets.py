"""Preset files made at random, valid by construction; none is a rule that anyone plays."""

from __future__ import annotations

import random

OPENING = ["heavenly", "three_gold", "child_robbing", "dealer_robbing", "earthly"]
_SUITED = ["1m-9m", "1p-9p", "1s-9s"]


def random_preset_text(rng: random.Random, *, name: str = "made-up") -> str:
    """A valid preset file with random counts, walls, reserve, indicators and replacements."""
    players = rng.choice((3, 3, 4, 4, 2))
    policy = rng.choice(("kept", "shrinking", "neighbour", "growing"))
    kongs = rng.choice((2, 3, 4))
    counts = dict.fromkeys(_SUITED, 4)
    honours = rng.sample([f"{n}z" for n in range(1, 8)], rng.randint(0, 7))
    counts |= dict.fromkeys(honours, 4)
    if rng.random() < 0.3:
        counts["1f-8f"] = 1
    aside = [kind for kind in honours if rng.random() < 0.3]
    if policy == "growing" and "1f-8f" in counts:
        aside += [f"{n}f" for n in range(1, 9)]
    total = 108 + 4 * len(honours) + (8 if "1f-8f" in counts else 0)
    called = sum(4 if kind[1] == "z" else 1 for kind in aside)
    rounds, last = rng.choice((([4, 4, 4], "sequence"), ([4, 4, 4], "adjacent"),
                               ([4, 4, 4], "skip"), ([4, 4, 4, 4], "none"), ([4, 4], "sequence"),
                               ([3, 3, 4], "sequence"), ([5, 5], "skip")))  # fmt: skip
    each = sum(rounds) + (last != "none")
    start = rng.choice((1, 1, 2))
    replacements = kongs + called + rng.choice((0, 0, 1, 2))
    column = (replacements + 1) // 2 + 1 + rng.choice((0, 0, 1))
    turning = rng.choice(("never", "at_once", "after_discard"))
    reserve = 2 * (column - 1 + start) + rng.choice((0, 2, 4)) + kongs * (turning != "never")
    if policy == "growing":
        start, replacements, column, turning = 0, 0, 1, "never"
        reserve = rng.choice((12, 14, 18))
    elif start + kongs * (turning != "never") + column - 1 > total // 4:
        turning = "never"
    kinds = [*(f"{n}{suit}" for suit in "mps" for n in range(1, 10)), *honours]
    turned = rng.sample(kinds, 3) if start else []
    golden, fever = policy == "growing", rng.random() < 0.3
    take_back = rng.choice(("never", "next_discard", "uncalled", "any"))
    open_riichi = rng.random() < 0.5
    rounds_played = rng.choice((0, 1, 2))
    stays = 2 * (column - 1 + start) if policy == "neighbour" else reserve
    while players * each + 1 + stays + 12 > total:
        rounds = rounds[1:]
        each = sum(rounds) + (last != "none")
    fields = {
        "players": {"count": players},
        "tiles": {
            "counts": counts,
            "total": total,
            "red": {"5mr": rng.randint(1, 2)},
            "galaxy": {"7px": 1} if rng.random() < 0.3 else {},
        },
        "walls": {"four": _walls(rng, total // 2)},
        "break": {"dice": 2, "throws": rng.choice((1, 1, 2)),
                  "second": rng.choice(("alone", "total")),
                  "count": rng.choice(("walls", "sides", "seats"))},
        "dealing": {"rounds": rounds, "last": last if rounds else "sequence",
                    "first_draw": rng.choice(("dealt", "drawn"))},
        "reserve": {"policy": policy, "tiles": 0 if policy == "neighbour" else reserve}
        | ({"open_kong": 1, "concealed_kong": 2, "flower_quad": rng.choice((0, 2)),
            "final": rng.choice((3, 4, 5)), "gold_counts": rng.random() < 0.4,
            "marker": rng.choice(("reserved", "boundary")),
            "final_flower": rng.choice(("kept", "replaced"))} if golden else {}),
        "replacements": {"count": replacements, "first": rng.choice(("upper", "upper", "lower"))},
        "indicators": {"start": start, "column": column, "ura": start > 0 and rng.random() < 0.7,
                       "kong_ura": rng.random() < 0.6, "itself": turned[:1], "effect": turned[1:],
                       "open_kong": turning, "concealed_kong": turning},
        "calls": {"chi": rng.random() < 0.7, "kongs": kongs,
                  "kong_unturned": rng.choice(("refused", "allowed")), "aside": aside,
                  "aside_claims": rng.choice(([], ["ron"], ["pon", "ron"])) if aside else [],
                  "aside_river": not aside or rng.random() < 0.5,
                  "rob_concealed": rng.choice(("none", "kokushi", "any")),
                  "final_claims": rng.choice(("ron", "all")),
                  "open_riichi": open_riichi, "fever": fever},
        "riichi": {"least_points": rng.choice((0, 1000)), "least_draws": rng.choice((0, 1, 4)),
                   "third_open": open_riichi and rng.random() < 0.5, "take_back": take_back}
        | ({"fever_kind": 7} if fever else {})
        | ({"take_back_points": rng.choice((0, 1000)),
            "after_take_back": rng.choice(("self_draw", "riichi", "free"))}
           if take_back != "never" else {}),
        "gold": {"turned": "tail" if golden else "none"}
        | ({"discarder": rng.choice(("self_draw", "free")), "claims": rng.choice(("none", "all"))}
           if golden else {}),
        "opening": {"wins": rng.sample(OPENING, rng.randint(0, 5)) if golden else []},
        "reveal": {"kind": rng.choice(("none", "tulip", "alice")),
                   "rows": rng.choice(("upper", "both")), "after": rng.choice(("riichi", "any"))},
        "winning": {"together": rng.randint(1, 3),
                    "gold_pair_first": golden and rng.random() < 0.5},
        "wareme": {"factor": rng.choice((1, 2, 3)),
                   "side": rng.choice(("opened", "counted", "indicator")[: 2 + (start > 0)])},
        "play": {"points": 25000},
        "game": {"dealer_stays": rng.sample(["win", "abort", "void"], rng.randint(0, 3))
                 + rng.choice(([], ["tenpai"], ["exhausted"])),
                 "void_passes": rng.choice(("never", "dealer")),
                 "repeats": rng.sample(["win", "abort"], rng.randint(0, 2))
                 + rng.choice(([], ["tenpai"], ["exhausted"])),
                 "rounds": rounds_played, "return_points": 30000,
                 "extend": rng.choice(("none", "east")) if rounds_played else "none",
                 "stop_win": rng.choice(("none", "top", "any")) if rounds_played else "none",
                 "stop_tenpai": rng.choice(("none", "top", "any")) if rounds_played else "none",
                 "bust": rng.choice(("never", "below_zero", "zero")),
                 "bust_void": rng.choice((0, 10000)),
                 "ties": rng.choice(("first_dealer", "split"))},
    }  # fmt: skip
    lines = ["schema = 1", f'name = "{name}"', 'title = "made up"']
    for section, values in fields.items():
        lines += ["", f"[{section}]"]
        lines += [
            f'{key} = {{ value = {_toml(value)}, convention = "made up for a test" }}'
            for key, value in values.items()
        ]
    return "\n".join(lines) + "\n"


def _walls(rng: random.Random, columns: int) -> list[int]:
    """Four walls of so many columns in all, equal or not."""
    sides = [columns // 4] * 4
    for i in range(columns % 4):
        sides[(i * 2) % 4 + (i > 1)] += 1
    if rng.random() < 0.5:
        a, b = rng.sample(range(4), 2)
        n = rng.randint(0, 4)
        sides[a] += n
        sides[b] -= n
    return sides


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        inner = ", ".join(f"{key} = {_toml(one)}" for key, one in value.items())
        return "{ " + inner + " }" if inner else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
