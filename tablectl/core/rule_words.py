"""A rule in the field's words, English and Japanese: of each value, word, topic and group.

`SAID` has a sentence for each field with `{}` for its value; `WORDS` the whole sentence for each
word (or true and false) of a field; None where there is nothing to say. `NAMES` are the words of
lists. The order of `GROUPS` is that in which people are told.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Both(NamedTuple):
    """The same in both languages."""

    en: str
    ja: str


SAID: Final[dict[str, Both]] = {
    "players.count": Both("{} players", "{}人打ち"),
    "tiles.total": Both("{} tiles", "{}枚"),
    "tiles.counts": Both("{}", "{}"),
    "tiles.red": Both("red {}", "赤 {}"),
    "tiles.gold": Both("gold {}", "金 {}"),
    "tiles.galaxy": Both("galaxy {}", "銀河 {}"),
    "tiles.white_diamond": Both("white diamond {}", "白ダイヤ {}"),
    "walls.four": Both("four walls of {} columns", "四面 {}幢"),
    "walls.three": Both("three of {}", "三面 {}幢"),
    "break.dice": Both("{} dice", "サイコロ{}つ"),
    "break.throws": Both("{} throws", "{}度振り"),
    "dealing.rounds": Both("{} tiles each", "配牌 {}枚"),
    "dealing.machine": Both("{} if the table deals", "自動配牌は{}枚"),
    "reserve.tiles": Both("{} tiles stay", "{}枚残し"),
    "reserve.open_kong": Both("+{} for an open kong", "明槓ごとに+{}枚"),
    "reserve.concealed_kong": Both("+{} for a concealed kong", "暗槓ごとに+{}枚"),
    "reserve.flower_quad": Both("+{} for four like flowers", "同じ花牌4枚で+{}枚"),
    "reserve.final": Both(
        "with {} usable tiles left only draws",
        "使える牌が残り{}枚になったらツモるだけで捨てない",
    ),
    "replacements.count": Both("{} replacement tiles", "嶺上牌{}枚"),
    "indicators.start": Both("{} indicators", "ドラ表示牌{}枚"),
    "indicators.column": Both("from column {} counted from the end", "後ろから{}列目"),
    "indicators.itself": Both("{} turned are dora themselves", "{}が捲れたらそれ自身がドラ"),
    "indicators.effect": Both(
        "{} turned act for all, no dora", "{}が出たら全員に効果、ドラにはならない"
    ),
    "calls.kongs": Both("at most {} kongs a hand", "カンは合計{}回まで"),
    "calls.aside": Both("{}, replaced", "{}を抜いて（さらして）補充"),
    "calls.aside_claims": Both("others may {} one set aside", "抜かれた牌は{}できる"),
    "calls.like_fours": Both("{} are four like flowers too", "{}も同じ花牌"),
    "riichi.least_points": Both("needs {} points", "{}点持ちからリーチ可"),
    "riichi.least_draws": Both("needs {} tiles left to draw", "残りツモ{}枚以上でリーチ可"),
    "riichi.take_back_points": Both("for {} points laid down", "供託{}点で取り消し"),
    "riichi.fever_kind": Both(
        "fever by a triplet of {}, no kong of that one", "フィーバーは{}の暗刻、その{}の槓は不可"
    ),
    "opening.wins": Both("{}, the first beats the others", "{}の順に優先"),
    "wareme.factor": Both("wareme ×{}", "割れ目 ×{}"),
    "score.base": Both("base {}", "底 {}点"),
    "score.unit": Both("paid in points of {}", "{}点単位"),
    "game.dealer_stays": Both("dealer again after {}", "連荘: {}"),
    "game.repeats": Both("honba grows after {}", "本場が増える: {}"),
    "game.rounds": Both("{} winds", "{}場"),
    "game.return_points": Both("counted from {}", "{}点返し"),
    "game.bust_void": Both("chombo with {} or less is a bust", "{}点以下でのチョンボはトビ"),
    "play.points": Both("{} points to start with", "{}点持ち"),
    "play.table_number": Both("remembered as game number {}", "ゲーム番号は{}番"),
    "table.needs": Both("the table needs {}", "卓に必要: {}"),
}

ZERO: Final[dict[str, Both | None]] = {
    "dealing.machine": None,
    "reserve.tiles": None,
    "reserve.open_kong": None,
    "reserve.concealed_kong": None,
    "reserve.flower_quad": None,
    "reserve.final": None,
    "replacements.count": Both("replacements while tiles are usable", "補充は使える牌がある限り"),
    "indicators.start": None,
    "calls.kongs": Both("no kongs", "カンなし"),
    "riichi.least_points": None,
    "riichi.least_draws": Both("riichi without a draw left is allowed", "ツモ番なしリーチOK"),
    "riichi.take_back_points": Both("without a deposit", "取り消しに供託なし"),
    "riichi.fever_kind": None,
    "score.base": None,
    "game.rounds": Both("until people end it", "終わりは決めない"),
    "game.return_points": None,
    "game.bust_void": None,
    "play.points": Both("no points to start with", "持ち点なし"),
    "play.table_number": None,
}
"""Numbers with 0: another sentence, or none."""

ONE: Final[dict[str, Both | None]] = {
    "break.throws": Both("one throw", "1度振り"),
    "indicators.start": Both("one indicator", "ドラ表示牌1枚"),
    "indicators.column": Both("in the last column", "一番後ろの列"),
    "wareme.factor": None,
    "game.rounds": Both("east only", "東風戦"),
}
"""Numbers with 1."""

EMPTY: Final[dict[str, Both | None]] = {
    "walls.three": None,
    "calls.aside_claims": Both("nobody claims one set aside", "抜かれた牌は空気（ポン・ロン不可）"),
    "game.dealer_stays": Both("the deal always passes", "連荘なし"),
    "game.repeats": Both("no honba", "本場なし"),
}
"""Lists without anything in them; the others say nothing then."""

_STOP_WIN: Final = "stop after winning the last hand"
_STOP_TENPAI: Final = "stop when tenpai in the last hand"

WORDS: Final[dict[str, dict[str | bool, Both | None]]] = {
    "walls.stand": {
        "four": Both("four come up", "四面で上がる"),
        "three": Both("three come up", "三面で上がる"),
    },
    "break.second": {
        "alone": Both("the second gives the columns", "2度目の目で幢を数える"),
        "total": Both("both give the columns", "2度の合計で幢を数える"),
    },
    "break.count": {
        "walls": Both("walls counted from the dealer as 1", "親を1として反時計回りに山を数える"),
        "sides": Both("all four sides counted from the dealer as 1", "親を1として四方を数える"),
        "seats": Both("players counted from the dealer as 1", "親を1として人を数える"),
    },
    "dealing.last": {
        "sequence": Both("then one each in order", "最後は1枚ずつ順に（チョンチョン）"),
        "adjacent": Both(
            "the dealer's last are two upper tiles side by side", "最後は親が隣り合う上山2枚"
        ),
        "skip": Both(
            "the dealer's last are two upper tiles, one column between", "最後は親が一つ飛ばし"
        ),
        "none": None,
    },
    "dealing.first_draw": {
        "dealt": Both("dealer one more", "親はもう1枚"),
        "drawn": Both("dealer's first tile is a draw", "親の第1ツモは普通のツモ"),
    },
    "reserve.policy": {
        "kept": Both("dead wall, always as many", "王牌は常に同じ枚数"),
        "shrinking": Both(
            "dead wall, filled up after kongs only", "王牌はカンだけ補充、抜きでは減る"
        ),
        "neighbour": Both(
            "no dead wall: drawn up to the indicator's neighbour", "ドラ表示牌の隣まで取り切り"
        ),
        "growing": Both("a reserve that grows", "残す牌は増える"),
    },
    "reserve.gold_counts": {
        True: Both("the gold counts as one of them", "金牌表示牌も残す枚数に入る"),
        False: Both("the gold is not one of them", "金牌表示牌は残す枚数に入らない"),
    },
    "reserve.marker": {
        "reserved": Both(
            "gold on the first column that wholly stays", "金牌は全部残る最初の列の上"
        ),
        "boundary": Both("gold on the column of the boundary", "金牌は境目の列の上"),
    },
    "reserve.final_flower": {
        "kept": Both("a flower among them is not replaced", "最後のツモの花牌は補充しない"),
        "replaced": Both("a flower among them is replaced", "最後のツモの花牌も補充する"),
    },
    "replacements.source": {
        "tail": Both("from the wall's end", "末尾から補充"),
        "head": Both("the next draw", "次のツモ牌から補充"),
    },
    "replacements.first": {
        "upper": Both("upper tile first", "上山から"),
        "lower": Both("lower tile first", "下山から"),
    },
    "indicators.ura": {True: Both("ura", "裏ドラあり"), False: Both("no ura", "裏ドラなし")},
    "indicators.kong_ura": {
        True: Both("ura of kong dora", "カン裏ドラあり"),
        False: Both("no ura of kong dora", "カン裏ドラなし"),
    },
    "indicators.open_kong": {
        "never": Both("none for an open kong", "明槓のカンドラなし"),
        "at_once": Both("open kong turns one at once", "明槓のカンドラは即めくり"),
        "after_discard": Both("open kong turns one after the discard", "明槓のカンドラは打牌後"),
    },
    "indicators.concealed_kong": {
        "never": Both("none for a concealed kong", "暗槓のカンドラなし"),
        "at_once": Both("concealed kong turns one at once", "暗槓のカンドラは即めくり"),
        "after_discard": Both(
            "concealed kong turns one after the discard", "暗槓のカンドラは打牌後"
        ),
    },
    "calls.chi": {True: Both("chi", "チーあり"), False: Both("no chi", "チーなし")},
    "calls.kong_unturned": {
        "refused": Both("only with an indicator to turn", "ドラ表示牌がめくれないカンは不可"),
        "allowed": None,
    },
    "calls.aside_river": {
        True: Both("they may be discarded too", "河に切ってもよい"),
        False: Both("never discarded", "河に切れない"),
    },
    "calls.rob_concealed": {
        "none": Both("a concealed kong is not robbed", "暗槓の槍槓なし"),
        "kokushi": Both("only kokushi robs a concealed kong", "国士無双のみ暗槓の槍槓あり"),
        "any": Both("a concealed kong can be robbed", "暗槓の槍槓あり"),
    },
    "calls.final_claims": {
        "ron": Both("the last discard can only be won on", "最後の捨て牌はロンのみ"),
        "all": Both("the last discard can be called too", "最後の捨て牌は鳴ける"),
    },
    "riichi.played": {True: None, False: Both("no riichi", "リーチなし")},
    "calls.open_riichi": {True: Both("open riichi", "オープンリーチあり"), False: None},
    "calls.fever": {True: Both("fever riichi", "フィーバーリーチあり"), False: None},
    "riichi.third_open": {True: Both("third must be open", "3件目は強制オープン"), False: None},
    "riichi.take_back": {
        "never": Both("never taken back", "リーチの取り消し不可"),
        "next_discard": Both("taken back until the next discard", "下家の打牌前まで取り消し可"),
        "uncalled": Both(
            "taken back until the next discard unless called",
            "打牌が鳴かれなければ下家の打牌前まで取り消し可",
        ),
        "any": Both("taken back at any time", "いつでも取り消し可"),
    },
    "riichi.after_take_back": {
        "self_draw": Both("then only self-draw", "その後はツモ専"),
        "riichi": Both("then only after another riichi", "その後はリーチのかけ直しのみ"),
        "free": None,
    },
    "gold.turned": {
        "none": None,
        "tail": Both(
            "after the flowers the next tile of the end is turned",
            "補花のあと末尾の牌をめくり金牌に",
        ),
    },
    "gold.discarder": {
        "self_draw": Both("who discards gold wins by self-draw only", "金牌を捨てた人は自摸のみ"),
        "free": Both("who discards gold wins as before", "金牌を捨てても制限なし"),
    },
    "gold.claims": {
        "none": Both("discarded gold is nobody's", "捨てられた金牌は鳴けず上がれない"),
        "all": Both("discarded gold can be claimed", "捨てられた金牌も鳴ける"),
    },
    "reveal.kind": {
        "none": None,
        "tulip": Both("tulip", "チューリップ"),
        "alice": Both("Alice", "アリス"),
    },
    "reveal.rows": {
        "upper": Both("upper row only", "上山のみ"),
        "both": Both("both rows", "上山と下山"),
    },
    "reveal.after": {
        "riichi": Both("after a riichi win", "リーチの和了で"),
        "any": Both("open hands too", "面前でなくともよい"),
    },
    "winning.gold_pair_first": {
        True: Both("gold pair beats head bump", "金雀は頭ハネに勝つ"),
        False: None,
    },
    "wareme.side": {
        "opened": Both("of the wall opened", "開門した山の席"),
        "counted": Both("of the wall counted", "出目の席"),
        "indicator": Both("of the indicator's wall", "ドラ表示牌の山の席"),
    },
    "score.tsumo_loss": {
        True: Both("tsumo loss", "ツモ損あり"),
        False: Both("no tsumo loss", "ツモ損なし"),
    },
    "score.open_chips": {True: Both("chips for open hands too", "鳴き祝儀"), False: None},
    "score.gold_dragon": {
        True: Both("gold dragon", "金龍あり"),
        False: Both("no gold dragon", "金龍なし"),
    },
    "game.first_dealer": {
        "agreed": None,
        "dice": Both(
            "a temporary dealer's two dice choose the first dealer", "起家は仮親のサイコロで決める"
        ),
    },
    "game.void_passes": {
        "never": None,
        "dealer": Both("his chombo passes it", "親のチョンボは親流れ"),
    },
    "game.extend": {
        "none": None,
        "east": Both("if nobody has so many, east goes on", "誰も届かなければ返り東"),
    },
    "game.stop_win": {
        "none": Both(f"no {_STOP_WIN}", "オーラスのアガリ止めなし"),
        "top": Both(f"the top may {_STOP_WIN}", "アガリ止めあり（トップのみ）"),
        "any": Both(f"dealer may {_STOP_WIN}", "オーラスのアガリ止めあり"),
    },
    "game.stop_tenpai": {
        "none": Both(f"no {_STOP_TENPAI}", "テンパイ止めなし"),
        "top": Both(f"the top may {_STOP_TENPAI}", "テンパイ止めあり（トップのみ）"),
        "any": Both(f"dealer may {_STOP_TENPAI}", "オーラスのテンパイ止めあり"),
    },
    "game.bust": {
        "never": Both("no bust", "トビなし"),
        "below_zero": Both("bust below zero ends it", "マイナスで終了（0点は継続）"),
        "zero": Both("bust at zero ends it", "0点以下で終了"),
    },
    "game.ties": {
        "first_dealer": Both("ties: nearer to the first dealer", "同点は起家に近い順"),
        "split": Both("ties split the places", "同点は順位を分け合う"),
    },
    "game.void_last": {
        "passes": None,
        "again": Both("in the last hand it is played again", "オーラスのチョンボは続行"),
    },
    "game.aborts": {
        True: Both("abortive draws exist", "途中流局あり"),
        False: Both("no abortive draws", "途中流局なし"),
    },
    "game.sits_out": {True: Both("a fourth sits out in turn", "抜け番あり"), False: None},
}

COUNTED: Final[dict[str, dict[int, Both]]] = {
    "winning.together": {
        1: Both("one winner on a discard, the nearest (head bump)", "頭ハネ（ダブロンなし）"),
        2: Both("two may win on a discard", "ダブロンあり"),
        3: Both("three may win on a discard", "トリプルロンあり"),
    },
    "game.rounds": {
        2: Both("east and south", "東南戦"),
        3: Both("east, south, west", "東南西戦"),
        4: Both("all four winds", "一荘戦"),
    },
}
"""Numbers whose every value is a sentence of its own."""

NAMES: Final[dict[str, dict[str, Both]]] = {
    "calls.aside_claims": {"pon": Both("pon", "ポン"), "ron": Both("win on", "ロン")},
    "opening.wins": {
        "heavenly": Both("heavenly", "天胡"),
        "three_gold": Both("three golds", "三金倒"),
        "child_robbing": Both("child robbing the gold", "子の搶金"),
        "dealer_robbing": Both("dealer robbing it", "親の搶金"),
        "earthly": Both("earthly", "地胡"),
    },
    "game.dealer_stays": {
        "win": Both("his win", "和了"),
        "tenpai": Both("his tenpai", "聴牌"),
        "exhausted": Both("every drawn hand", "流局"),
        "abort": Both("an abortive draw", "途中流局"),
        "void": Both("a void hand", "ノーゲーム"),
    },
    "game.repeats": {
        "win": Both("the dealer's win", "親の和了"),
        "tenpai": Both("his tenpai", "親の聴牌"),
        "exhausted": Both("every drawn hand", "流局"),
        "abort": Both("an abortive draw", "途中流局"),
    },
    "table.needs": {
        "dice": Both("dice", "サイコロの読み取り"),
        "counts_at_raise": Both("counts as walls rise", "上昇時の枚数"),
        "counts_live": Both("live counts", "枚数の常時検知"),
        "presence_live": Both("live places", "牌の有無の常時検知"),
        "faces_when_shown": Both("faces of open tiles", "表牌の読み取り"),
        "faces_when_stacked": Both("faces while stacking", "積み込み時の読み取り"),
        "points": Both("points", "点数表示"),
        "riichi_tray": Both("riichi trays", "リーチ棒の検知"),
        "auto_deal": Both("automatic deal", "自動配牌"),
        "select_number": Both("selecting a number", "ゲーム番号の選択"),
        "press_buttons": Both("pressing buttons", "ボタン操作"),
    },
}

TOPIC_NAMES: Final[dict[str, Both]] = {
    "tiles": Both("Tiles", "牌"),
    "walls": Both("Walls", "山"),
    "deal": Both("Deal", "配牌"),
    "turn": Both("Turn", "進行"),
    "riichi": Both("Riichi", "リーチ"),
    "win": Both("Wins", "和了・点数・祝儀"),
    "reveal": Both("Flipping", "めくり"),
    "game": Both("Game", "ゲーム"),
    "conduct": Both("Conduct", "アガリ放棄・チョンボ・マナー"),
}

GROUPS: Final[tuple[tuple[Both, tuple[str, ...]], ...]] = (
    (
        Both("Tiles", "牌"),
        (
            "players.count", "tiles.total", "tiles.counts", "tiles.red", "tiles.gold",
            "tiles.galaxy", "tiles.white_diamond",
        ),
    ),
    (
        Both("Walls", "山と配牌"),
        (
            "walls.four", "walls.three", "walls.stand", "break.dice", "break.throws",
            "break.second", "break.count", "dealing.rounds", "dealing.last", "dealing.first_draw",
            "dealing.machine",
        ),
    ),
    (
        Both("Reserve", "王牌・残し"),
        (
            "reserve.policy", "reserve.tiles", "reserve.open_kong", "reserve.concealed_kong",
            "reserve.flower_quad", "reserve.gold_counts", "reserve.final", "reserve.final_flower",
            "replacements.count", "replacements.source", "replacements.first",
        ),
    ),
    (
        Both("Dora", "ドラ"),
        (
            "indicators.start", "indicators.column", "indicators.ura", "indicators.kong_ura",
            "indicators.open_kong", "indicators.concealed_kong", "indicators.itself",
            "indicators.effect",
        ),
    ),
    (
        Both("Calls", "鳴き・カン"),
        (
            "calls.chi", "calls.kongs", "calls.kong_unturned", "calls.rob_concealed",
            "calls.final_claims",
        ),
    ),
    (
        Both("Riichi", "リーチ"),
        (
            "riichi.played", "calls.open_riichi", "calls.fever", "riichi.fever_kind",
            "riichi.least_points", "riichi.least_draws", "riichi.third_open", "riichi.take_back",
            "riichi.take_back_points", "riichi.after_take_back",
        ),
    ),
    (
        Both("Set aside", "抜き"),
        ("calls.aside", "calls.aside_claims", "calls.aside_river", "calls.like_fours"),
    ),
    (
        Both("Gold", "金牌"),
        ("gold.turned", "reserve.marker", "gold.discarder", "gold.claims", "opening.wins"),
    ),
    (
        Both("Wins", "和了"),
        (
            "winning.together", "winning.gold_pair_first", "reveal.kind", "reveal.rows",
            "reveal.after", "wareme.factor", "wareme.side", "score.base", "score.unit",
            "score.tsumo_loss", "score.open_chips", "score.gold_dragon",
        ),
    ),
    (
        Both("Game", "ゲーム"),
        (
            "play.points", "game.rounds", "game.return_points", "game.extend",
            "game.first_dealer", "game.dealer_stays", "game.void_passes", "game.void_last",
            "game.repeats",
            "game.aborts", "game.stop_win", "game.stop_tenpai", "game.bust", "game.bust_void",
            "game.ties", "game.sits_out", "play.table_number", "table.needs",
        ),
    ),
)  # fmt: skip

TOPPINGS: Final = Both("Toppings", "トッピング")
KEPT: Final = Both("Kept and paid by people", "人が守り、人が払う")
CHOSEN: Final = Both(
    "° chosen where the text is open; --sources tells what else can be set",
    "° 原文にないため選んだ値（他の値は --sources で表示）",
)
NONE_ON: Final = Both("off unless asked for, as {}", "指定したときのみ（{}）")
ON: Final = Both("on", "適用中")

SUITS: Final[dict[str, Both]] = {
    "m": Both("m", "萬"),
    "p": Both("p", "筒"),
    "s": Both("s", "索"),
}
HONOURS: Final[tuple[Both, ...]] = (
    Both("east", "東"), Both("south", "南"), Both("west", "西"), Both("north", "北"),
    Both("white", "白"), Both("green", "發"), Both("red", "中"),
)  # fmt: skip
FLOWERS: Final[tuple[Both, ...]] = (
    Both("spring", "春"), Both("summer", "夏"), Both("autumn", "秋"), Both("winter", "冬"),
    Both("plum", "梅"), Both("orchid", "蘭"), Both("bamboo", "竹"), Both("chrysanthemum", "菊"),
)  # fmt: skip

RUNS: Final[dict[tuple[str, str], Both]] = {
    ("1z", "7z"): Both("honours", "東南西北白發中"),
    ("1z", "4z"): Both("winds", "東南西北"),
    ("5z", "7z"): Both("dragons", "白發中"),
    ("1f", "8f"): Both("flowers", "春夏秋冬梅蘭菊竹"),
    ("1f", "4f"): Both("seasons", "春夏秋冬"),
    ("5f", "8f"): Both("plants", "梅蘭菊竹"),
}
"""First and last kind of runs that have a name."""
