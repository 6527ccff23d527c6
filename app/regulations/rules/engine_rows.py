"""The rows of the rules page that say what the engine computes: stages, scoring, ranking, penalties, teams, prizes."""

from collections.abc import Callable, Iterator, Mapping

from app.regulations.rules.board_texts import board_scoring, swiss_stage
from app.regulations.rules.eligibility import listed
from app.regulations.rules.landlord_texts import first_bids, round_points, rounds_stage
from app.regulations.rules.rows import RuleRow
from app.regulations.rules.team_texts import team_result
from app.regulations.rules.texts import Bilingual
from app.regulations.rules.tractor_texts import (
    bracket_stage,
    match_scoring,
    match_tables,
    penalty_effect,
    prize_share,
    swiss_matches,
)
from app.text import T
from scoring_engine.penalties.effects import Effect
from scoring_engine.rules import (
    BoardRules,
    Criterion,
    LandlordRules,
    PenaltyRule,
    PrizeRule,
    ScoringRules,
    StageRule,
    TeamRule,
)
from scoring_engine.tie_breaks import CRITERIA
from scoring_engine.tractor.matches import MatchFormat

STAGE_NAMES = {
    "prelim": T("初赛"),
    "semifinal": T("复赛"),
    "final": T("决赛"),
    "swiss": Bilingual("积分编排", "Swiss system"),
    "knockout": Bilingual("单场淘汰", "Knock-out"),
}

DOUBLING_NAMES = {
    "rockets": T("火箭数"),
    "bombs": T("炸弹数"),
    "spring": T("春天数"),
    "anti_spring": T("反春数"),
}


def criterion_name(code: str) -> Bilingual:
    """The name of a ranking criterion (名次依据)."""
    name = CRITERIA[code].label
    return Bilingual(name.zh, name.en)


def link_name(link: Criterion) -> Bilingual:
    """The name of a link of the ranking chain: the text's own word where it has one."""
    return criterion_name(link.code) if link.label is None else Bilingual(link.label.zh, link.label.en)


def stage_rows(stage: StageRule, rules: ScoringRules) -> list[RuleRow]:
    """赛制: what is played in a stage."""
    name = STAGE_NAMES.get(stage.code, T("%(code)s", code=stage.code))
    if stage.kind == "swiss":
        sentences = SWISS_STAGES[type(rules.scoring)](stage)
        return [RuleRow(sentence, stage.clause, name) for sentence in sentences]
    if stage.kind == "bracket":
        return [RuleRow(sentence, stage.clause, name) for sentence in bracket_stage(stage)]
    if stage.kind == "drawn":
        text = T(
            "随机抽签分组，每组 3 人，剩余的 1 或 2 人直接进入下一阶段并占用名额；每组打 %(deals)s 副，"
            "按总得分排名，共 %(places)s 人进入下一阶段。",
            deals=stage.deals,
            places=stage.places,
        )
    elif stage.kind == "seeded":
        text = T(
            "按上一阶段排名分组，每组 3 人，每组打 %(deals)s 副，重新记分；按总得分排名，前 %(places)s 名进入下一阶段。",
            deals=stage.deals,
            places=stage.places,
        )
    else:
        text = T("共打 %(deals)s 副，重新记分，按总得分决出名次。", deals=stage.deals)
    rows = [RuleRow(text, stage.clause, name)]
    if stage.playoff_deals:
        tie = (
            T("名次相同的，加赛 %(deals)s 副。", deals=stage.playoff_deals)
            if stage.places is None
            else T(
                "末位并列导致超出名额的，后两名与已淘汰者中排名最高者加赛 %(deals)s 副，胜者进入下一阶段。",
                deals=stage.playoff_deals,
            )
        )
        rows.append(RuleRow(tie, stage.clause, name))
    return rows


SWISS_STAGES: Mapping[type, Callable[[StageRule], list[Bilingual]]] = {
    BoardRules: swiss_stage,
    LandlordRules: rounds_stage,
    MatchFormat: swiss_matches,
}
"""What is said of a Swiss stage, by the scoring of its game."""


def scoring_rows(rules: ScoringRules) -> list[RuleRow]:
    """计分: what a table is worth."""
    return SCORINGS[type(rules.scoring)](rules)


def _board_scoring(rules: ScoringRules) -> list[RuleRow]:
    return [RuleRow(sentence, rules.scoring_clause) for sentence in board_scoring(rules.board)]


def _match_scoring(rules: ScoringRules) -> list[RuleRow]:
    tables = {clause: table.title for table in match_tables(rules.match) for _, clause in table.rows}
    return [
        *(RuleRow(sentence, clause) for sentence, clause in match_scoring(rules.match)),
        *(
            RuleRow(Bilingual(f"见下面的{title.zh}。", f"See the table below: {title.en}."), clause)
            for clause, title in tables.items()
        ),
    ]


def _landlord_scoring(rules: ScoringRules) -> list[RuleRow]:
    bids = " / ".join(str(bid) for bid in (0, *rules.bids))
    doublings = listed([DOUBLING_NAMES[each] for each in rules.doublings]) if rules.doublings else T("0")
    clause = rules.scoring_clause
    return [
        RuleRow(T("叫分为 %(bids)s 分。", bids=bids), rules.clause_of("bid")),
        RuleRow(T("防守人得分 = 叫分 × 胜负系数（防守方获胜为 1，失败为 −1）× 2 的 n 次方。"), clause),
        RuleRow(T("庄家得分为两名防守人得分之和的相反数。"), clause),
        RuleRow(T("n 为本副牌打出的%(doublings)s之和。", doublings=doublings), rules.clause_of("rockets")),
        *(RuleRow(sentence, where or clause) for sentence, where in first_bids(rules.landlord)),
        *(RuleRow(sentence, where) for sentence, where in _rounds(rules.landlord)),
    ]


def _rounds(landlord: LandlordRules) -> Iterator[tuple[Bilingual, str]]:
    return iter(()) if landlord.rounds is None else round_points(landlord.rounds)


SCORINGS: Mapping[type, Callable[[ScoringRules], list[RuleRow]]] = {
    BoardRules: _board_scoring,
    LandlordRules: _landlord_scoring,
    MatchFormat: _match_scoring,
}
"""What is said of the scoring, by its kind."""


def team_rows(teams: TeamRule | None) -> list[RuleRow]:
    """团体名次: how team results are made; nothing where there are none."""
    if teams is None:
        return []
    return [RuleRow(sentence, teams.clause) for sentence in team_result(teams)]


def penalty_rows(rules: ScoringRules) -> list[RuleRow]:
    """判罚: what each penalty does."""
    if not isinstance(rules.scoring, MatchFormat):
        return [_penalty(each) for each in rules.penalties.values()]
    return [
        RuleRow(penalty_effect(each), each.clause, Bilingual(each.name.zh, each.name.en))
        for each in rules.scoring.penalties.rules.values()
    ]


def _penalty(penalty: PenaltyRule) -> RuleRow:
    points = abs(penalty.points)
    effects = {
        Effect.POINTS: T("每次扣 %(points)s 分", points=points),
        Effect.ZERO_DEAL: T("本副成绩记为零分"),
        Effect.ZERO_ROUND: T("本轮成绩记为零分"),
        Effect.WARNINGS: T("每 %(every)s 次扣 %(points)s 分", every=penalty.every, points=points),
        Effect.VIOLATION: Bilingual(
            "计入次数，名次比较时少者在前", "Counted; fewer stands ahead in the ranking"
        ),
        Effect.NONE: T("由裁判长处理，不影响得分"),
    }
    return RuleRow(effects[penalty.effect], penalty.clause, Bilingual(penalty.name.zh, penalty.name.en))


def prize_rows(rules: ScoringRules) -> list[RuleRow]:
    """奖励: who gets what."""
    rows = [_prize(each, rules) for each in rules.prizes]
    if rules.rewarded is not None:
        percent = rules.rewarded.percent
        text = Bilingual(
            f"获奖总数为参赛数的 {percent}%，向上取整。",
            f"In total {percent}% of the field is rewarded, rounded up.",
        )
        rows.append(RuleRow(text, rules.rewarded.clause))
    return rows


def _prize(prize: PrizeRule, rules: ScoringRules) -> RuleRow:
    label = Bilingual(prize.label.zh, prize.label.en)
    who: T
    if prize.share is not None:
        who = prize_share(prize.share, rules.stages[0].rounds)
    elif prize.chosen is not None:
        who = T("由主办方评选 %(count)s 名", count=prize.chosen)
    elif prize.first_rank == prize.last_rank:
        who = T("第 %(first)s 名", first=prize.first_rank)
    else:
        who = T("第 %(first)s 至 %(last)s 名", first=prize.first_rank, last=prize.last_rank)
    if prize.amount is not None:
        worth = Bilingual(f"{prize.amount} 元奖品", f"goods worth {prize.amount} yuan")
        who = (
            T("%(who)s，%(worth)s", who=who, worth=worth)
            if prize.goods
            else T("%(who)s，奖金 %(amount)s 元", who=who, amount=str(prize.amount))
        )
    return RuleRow(who, prize.clause, label)
