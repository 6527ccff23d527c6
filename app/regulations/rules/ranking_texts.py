"""What a ranking criterion (名次依据) means, for a reader who does not know the term, and the chain in one sentence."""

from collections.abc import Mapping, Sequence

from app.regulations.rules.texts import Bilingual
from scoring_engine.tie_breaks import CRITERIA, HIGH

MEANINGS: Mapping[str, Bilingual] = {
    "total_points": Bilingual("各副得分与罚分之和", "the points of all deals, penalties included"),
    "deals_won": Bilingual("本方获胜的副数", "how many deals his side won"),
    "best_deals": Bilingual(
        "先比得分最高的一副，相同再比次高的一副，依次类推",
        "the best deal, then the second best, and so on",
    ),
    "round_reached": Bilingual("打到哪一阶段或哪一轮", "the stage or round that was reached"),
    "playoff": Bilingual("加赛的名次", "the placing in the play-off"),
    "match_points": Bilingual("各轮得分之和", "the points of all rounds"),
    "opponent_score": Bilingual("所遇全部对手的积分之和", "the points of all opponents met, added up"),
    "beaten_score": Bilingual("所胜对手的积分之和", "the points of the opponents beaten, added up"),
    "opponents_opponent_score": Bilingual("对手的对手分之和", "the opponents' own opponent scores, added up"),
    "progressive_cut": Bilingual(
        "从对手分中依次去掉最后一轮、最后两轮……的对手再比",
        "the opponents' points without the last round, then without the last two, and so on",
    ),
    "violations": Bilingual("违例、犯规的次数", "how often the rules were broken"),
    "head_to_head": Bilingual("同分者之间的胜负", "the result between those who are equal"),
    "level_difference": Bilingual("本方升级数减对方升级数", "levels gained less those of the opponents"),
    "levels": Bilingual("各轮升级数之和", "the levels gained in all rounds"),
    "wins": Bilingual("获胜的局数", "how many games were won"),
    "games_moving_second": Bilingual("后走的局数", "how many games were played moving second"),
    "wins_moving_second": Bilingual("后走而获胜的局数", "how many games were won moving second"),
    "previous_round_rank": Bilingual(
        "前一轮结束时的名次，相同再看更前一轮",
        "the placing after the round before, then after the one before that",
    ),
    "game_points": Bilingual("各轮桌上得分之和", "the points at the table in all rounds"),
    "rounds_won": Bilingual("在本桌排第一的轮数", "in how many rounds he was first at the table"),
    "highest_match_points": Bilingual(
        "得到最高场分的轮数，相同再比次高场分的轮数",
        "how many rounds gave the highest match points, then the next highest",
    ),
    "lots": Bilingual("由抽签决定先后", "the order is drawn by lot"),
}


def meaning(code: str) -> Bilingual:
    """One line under a link of the chain: what is counted, and which way."""
    said = MEANINGS[code]
    if code == "lots":
        return Bilingual(f"{said.zh}。", f"{said.en[0].upper()}{said.en[1:]}.")
    high = CRITERIA[code].direction == HIGH
    return Bilingual(
        f"{said.zh}；{'多' if high else '少'}者在前。"
        if code != "previous_round_rank"
        else f"{said.zh}；名次高者在前。",
        f"{said.en[0].upper()}{said.en[1:]}; {'more' if high else 'fewer'} stands ahead."
        if code != "previous_round_rank"
        else f"{said.en[0].upper()}{said.en[1:]}; the better one stands ahead.",
    )


def in_words(names: Sequence[Bilingual]) -> Bilingual:
    """The whole chain in one sentence."""
    first, rest = names[0], names[1:]
    zh = f"先比{first.zh}" + "".join(f"，相同的再比{name.zh}" for name in rest)
    en = f"First comes {first.en.lower()}" + "".join(f", then {name.en.lower()}" for name in rest)
    if rest and rest[-1].zh == "抽签":
        return Bilingual(f"{zh.replace('再比抽签', '由抽签决定')}。", f"{en}.")
    return Bilingual(
        f"{zh}；仍相同的名次并列，其后的名次空出。",
        f"{en}. Those still equal share a rank, and the ranks after it are left out.",
    )
