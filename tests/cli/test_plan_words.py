"""What a plan says in words of wareme, dora and a reserve that shrinks."""

from __future__ import annotations

from dataclasses import replace

from tablectl.cli import drawing
from tablectl.core.geometry import Inputs, plan
from tablectl.core.preset import Preset
from tablectl.core.preset_file import find_preset

WIDE = 1000


def said(rules: Preset, faces: dict[int, str] | None = None, **about: object) -> dict[str, str]:
    """The facts by label."""
    found = plan(rules, Inputs(**({"dice": (3, 4)} | about)))
    lines = drawing.words(rules, found, faces=faces, width=WIDE)
    return {line[:16].strip(): line[16:] for line in lines}


def test_who_sits_at_the_opened_wall():
    rules = find_preset("ramen-jiro+wareme-3")
    assert said(rules)["wareme"] == (
        "side 2 (West): what this seat pays and receives is taken 3 times"
    )
    assert said(rules, dice=(4, 4))["wareme"].startswith("nobody's")
    assert "wareme" not in said(find_preset("ramen-jiro"))


def test_dora_is_told_where_faces_are_known():
    ramen, goto = find_preset("ramen-jiro"), find_preset("goto-sanma")
    assert "dora" not in said(ramen)
    assert said(ramen, {102: "5mr"})["dora"] == "6m"
    assert "ura dora" not in said(ramen, {102: "5mr"})
    both = said(ramen, {102: "9p", 103: "7zx"})
    assert (both["dora"], both["ura dora"]) == ("1p", "中")
    flowers = said(goto, {98: "4f", 96: "9m"})
    assert flowers["dora"] == "none of 冬, which acts for everybody, 1m"
    assert "dora" not in said(ramen, {102: "?"})
    ura = plan(goto, Inputs(dice=(3, 4))).ura[0].p
    assert said(goto, {ura: "4f"})["ura dora"] == "none of 冬"


def test_a_reserve_that_shrinks():
    rules = find_preset("vivace-sanma")
    shrinking = replace(rules, reserve=replace(rules.reserve, policy="shrinking"))
    assert said(rules, tail=1)["reserve"] == "14 tiles stay"
    assert said(shrinking, tail=1)["reserve"] == "13 tiles stay, filled up after a kong alone"
