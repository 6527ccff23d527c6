"""What a regulation lets a referee give (罚则): each with its clause, its amount, and its effect in words.

| what | where it stands |
|---|---|
| penalties and warnings of 二打一 and of boards | ``penalties`` of the regulation: kept as adjustments |
| penalties of 升级 (拖拉机, 八十分) | ``penalties`` of the regulation: written on the score sheet, which has to stay possible with them |
| lateness in tiers (C 十(二), 附件4八(六)1) | on the score sheet, in minutes |
| forfeits (弃权), where the game has them | on the score sheet |
| 取消参赛资格 | out of the rounds that are paired later; what was played stays |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.regulations.rules import Bilingual, Regulation
from app.results.rules import Game, game_of
from app.rulings.rules import (
    EXPULSION,
    FORFEIT,
    LATE,
    MOST_MINUTES,
    ParameterError,
    RulingKind,
    UnknownChoiceError,
    Wanted,
)
from app.rulings.rules.tiers import late_words
from app.text import T
from scoring_engine.penalties.effects import Effect
from scoring_engine.rules import PLAYOFF, Format, PenaltyRule, ScoringRules
from scoring_engine.rules.model import BoardRules, LandlordRules
from scoring_engine.stages.expulsion import reading
from scoring_engine.tractor import penalties as match_penalties
from scoring_engine.tractor.levels import Side
from scoring_engine.tractor.matches import MatchFormat
from scoring_engine.tractor.penalties import OUTCOMES
from scoring_engine.tractor.penalties import Effect as MatchEffect
from scoring_engine.values import points_text

MOST_TIMES = 99

PER: Mapping[str, T] = {"time": T("次"), "card": T("张"), "pair": T("对")}
OUTCOME_WORDS: Mapping[str, T] = {
    "warning": T("警告"),
    "points": T("罚分"),
    "deal_lost": T("本副判负"),
    "round_lost": T("本轮判负"),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that can be given. ``needs`` and ``may`` are the parameters it has to have, and can have.

    ``chief_only`` says why a referee may not give it. ``open_question`` is what the text leaves open, and whom to ask.
    ``on_sheet``: it stands on the score sheet, and is no adjustment of its own. ``counts_points``: it can change points.
    """

    code: str
    kind: RulingKind
    name: T
    clause: str
    effect: T
    needs: frozenset[str] = frozenset()
    may: frozenset[str] = frozenset()
    per: str = "time"
    most: int = MOST_TIMES
    chief_only: T | None = None
    open_question: T | None = None
    on_sheet: bool = False
    counts_warnings: bool = False
    counts_points: bool = True

    @property
    def parameters(self) -> frozenset[str]:
        return self.needs | self.may


def choices(regulation: Regulation, stage: str | None = None) -> tuple[Choice, ...]:
    """Everything that can be given by this regulation, in its order; ``stage`` sets how many deals there are."""
    rules = regulation.scoring_rules()
    found: list[Choice] = []
    if isinstance(rules.scoring, MatchFormat):
        found += [_match_choice(rule) for rule in rules.scoring.penalties.rules.values()]
    else:
        found += [_sheet_choice(rule, rules) for rule in rules.penalties.values()]
    found += _late(rules)
    found += _forfeit(rules, game_of(rules))
    if found:
        found.append(_expulsion(rules))
    return tuple(found)


def choice(regulation: Regulation, code: str) -> Choice:
    """Raises ``UnknownChoiceError``."""
    for each in choices(regulation):
        if each.code == code:
            return each
    raise UnknownChoiceError(regulation.scoring_rules().scoring_clause)


def checked(wanted: Wanted, chosen: Choice, rules: ScoringRules, stage: str) -> None:
    """Whether a ruling has what it needs and nothing else. Raises ``ParameterError``."""
    given = {
        "deal": wanted.deal is not None,
        "count": wanted.count != 1,
        "points": wanted.points is not None,
        "outcome": wanted.outcome is not None,
        "insisted": wanted.insisted,
        "minutes": wanted.minutes is not None,
        "rule": wanted.rule is not None,
    }
    for name in sorted(chosen.needs - {"count"}):
        if not given[name]:
            raise ParameterError(name, _MISSING[name], chosen.clause)
    for name, there in given.items():
        if there and name not in chosen.parameters:
            raise ParameterError(name, T("“%(name)s”没有这一项。", name=chosen.name), chosen.clause)
    if not 1 <= wanted.count <= chosen.most:
        text = T("%(per)s数应为 1 到 %(most)s。", per=PER[chosen.per], most=chosen.most)
        raise ParameterError("count", text, chosen.clause)
    limit = _deals(rules, stage)
    if wanted.deal is not None and not 1 <= wanted.deal <= limit:
        text = T("请写明第几副：1 到 %(limit)s。", limit=limit)
        raise ParameterError("deal", text, chosen.clause)
    if wanted.minutes is not None and not 0 < wanted.minutes <= MOST_MINUTES:
        text = T("迟到分钟数应为大于 0、不超过 %(most)s 的数。", most=MOST_MINUTES)
        raise ParameterError("minutes", text, chosen.clause)


_MISSING: Mapping[str, T] = {
    "deal": T("请写明第几副。"),
    "points": T("请写明分数。"),
    "outcome": T("请选择怎样处罚。"),
    "insisted": T("请写明旁家是否坚持要打。"),
    "minutes": T("请写明迟到几分钟。"),
    "rule": T("请选择依据的罚则。"),
}


def chief_only_for(wanted: Wanted, chosen: Choice) -> T | None:
    """Why a referee may not give this by himself, None where he may."""
    if chosen.chief_only is not None:
        return chosen.chief_only
    if wanted.points is not None:
        return T("自定的分数由裁判长决定。")
    if wanted.outcome in ("deal_lost", "round_lost"):
        return T("判负由裁判长决定。")
    return None


def _deals(rules: ScoringRules, code: str) -> int:
    """The highest number a deal can have; of a match there is none."""
    if not isinstance(rules.scoring, LandlordRules):
        return MOST_TIMES
    stage = rules.stage(code)
    limit = max(each.playoff_deals for each in rules.stages) if stage is None else stage.deals
    # a passed-out deal that is replayed (I-A-2) is one more
    return MOST_TIMES if rules.options.get("passed_out") == "replay" and code != PLAYOFF else limit


def _sheet_choice(rule: PenaltyRule, rules: ScoringRules) -> Choice:
    per_deal = rules.options.get("warnings_per", "deal") == "deal"
    needs: dict[Effect, set[str]] = {
        Effect.ZERO_DEAL: {"deal"},
        Effect.WARNINGS: {"deal"} if per_deal else set(),
    }
    may: dict[Effect, set[str]] = {
        Effect.POINTS: {"deal", "count"},
        Effect.ZERO_DEAL: {"points"},
        Effect.ZERO_ROUND: {"points"},
        Effect.WARNINGS: {"count"} if per_deal else {"count", "deal"},
        Effect.VIOLATION: {"count"},
        Effect.NONE: {"deal"} if isinstance(rules.scoring, LandlordRules) else set(),
    }
    return Choice(
        code=rule.id,
        kind=RulingKind.PENALTY,
        name=Bilingual(rule.name.zh, rule.name.en),
        clause=rule.clause,
        effect=_sheet_effect(rule, rules),
        needs=frozenset(needs.get(rule.effect, ())),
        may=frozenset(may[rule.effect]),
        chief_only=T("整轮记为零分由裁判长决定。") if rule.effect is Effect.ZERO_ROUND else None,
        counts_warnings=rule.effect is Effect.WARNINGS,
        counts_points=rule.effect not in (Effect.NONE, Effect.VIOLATION),
    )


def _sheet_effect(rule: PenaltyRule, rules: ScoringRules) -> T:
    match rule.effect:
        case Effect.POINTS:
            return T("每次扣 %(points)s 分", points=-rule.points)
        case Effect.ZERO_DEAL:
            return T("这一副记为零分；裁判长可以另定分数")
        case Effect.ZERO_ROUND:
            return T("本轮记为零分；裁判长可以另定分数")
        case Effect.WARNINGS:
            within = T("一副") if rules.options.get("warnings_per", "deal") == "deal" else T("一轮")
            if rules.options.get("warnings_repeat") == "once":
                return T(
                    "警告；%(within)s之内满 %(every)s 次扣 %(points)s 分，只扣一次",
                    within=within,
                    every=rule.every,
                    points=-rule.points,
                )
            return T(
                "警告；%(within)s之内每满 %(every)s 次扣 %(points)s 分",
                within=within,
                every=rule.every,
                points=-rule.points,
            )
        case Effect.VIOLATION:
            return T("记一次%(name)s，计入名次；得分不变", name=Bilingual(rule.name.zh, rule.name.en))
        case Effect.NONE:
            return T("记录在案，得分不变")


def _match_choice(rule: match_penalties.PenaltyRule) -> Choice:
    needs, may = {"deal"}, set[str]()
    if rule.effect in (MatchEffect.POINTS, MatchEffect.AFTER_WARNING):
        may.add("count")
    if rule.effect is MatchEffect.BANK_LOST:
        may.add("insisted")
    if rule.effect is MatchEffect.REFEREE:
        needs, may = {"outcome"}, {"deal", "points"}
    return Choice(
        code=rule.id,
        kind=RulingKind.PENALTY,
        name=Bilingual(rule.name.zh, rule.name.en),
        clause=rule.clause,
        effect=_match_effect(rule),
        needs=frozenset(needs),
        may=frozenset(may),
        per=rule.per,
        most=min(rule.most, MOST_TIMES),
        on_sheet=True,
        counts_warnings=rule.effect is MatchEffect.AFTER_WARNING,
    )


def _match_effect(rule: match_penalties.PenaltyRule) -> T:
    per, points = PER[rule.per], -rule.points
    match rule.effect:
        case MatchEffect.POINTS if rule.by is Side.BANKER:
            return T("每%(per)s罚 %(points)s 分：防家得分加 %(points)s", per=per, points=points)
        case MatchEffect.POINTS if rule.by is Side.DEFENDERS:
            return T("每%(per)s罚 %(points)s 分：防家得分减 %(points)s", per=per, points=points)
        case MatchEffect.POINTS:
            return T(
                "每%(per)s罚 %(points)s 分：防家犯规，防家得分减 %(points)s；庄家一方犯规，防家得分加 %(points)s",
                per=per,
                points=points,
            )
        case MatchEffect.AFTER_WARNING:
            return T("第一次警告，以后每次罚 %(points)s 分", points=points)
        case MatchEffect.BANK_LOST if rule.insisted:
            return T("庄家自动下庄；旁家坚持要打的照打，并罚庄家 %(points)s 分", points=-rule.insisted)
        case MatchEffect.BANK_LOST:
            return T("庄家自动下庄；旁家坚持要打的照打")
        case MatchEffect.REPLAY:
            return T("这一副重新比赛")
        case MatchEffect.DEAL_LOST:
            return T("本副判负，对方升级上台")
        case MatchEffect.ROUND_LOST:
            return T("本轮判负")
        case MatchEffect.WARNING:
            return T("警告，得分不变")
        case MatchEffect.REFEREE:
            words = T(
                "%(left)s、%(right)s", left=OUTCOME_WORDS[OUTCOMES[0]], right=OUTCOME_WORDS[OUTCOMES[1]]
            )
            return T("视情节：%(lighter)s；本副或本轮判负由裁判长决定", lighter=words)


def _late(rules: ScoringRules) -> list[Choice]:
    words = late_words(rules)
    if words is None:
        return []
    return [
        Choice(
            code=LATE,
            kind=RulingKind.LATENESS,
            name=T("迟到"),
            clause=words[1],
            effect=words[0],
            needs=frozenset({"minutes"}),
            on_sheet=True,
        )
    ]


def _forfeit(rules: ScoringRules, game: Game) -> list[Choice]:
    if "forfeits" not in game.keys:
        return []
    effect, clause = _forfeit_words(rules)
    return [
        Choice(
            code=FORFEIT,
            kind=RulingKind.FORFEIT,
            name=T("判弃权"),
            clause=clause,
            effect=effect,
            chief_only=T("弃权由裁判长判定；没有到场的，裁判员可以直接记在记分表上。"),
            on_sheet=True,
        )
    ]


def _forfeit_words(rules: ScoringRules) -> tuple[T, str]:
    if isinstance(rules.scoring, MatchFormat):
        clause = rules.scoring.clauses.get("forfeit", rules.scoring.clause)
        return T("本轮判负，对方得胜；双方都弃权的，双方都不得分"), clause
    if isinstance(rules.scoring, BoardRules):
        board = rules.scoring
        both = T(
            "弃权方得 %(lost)s 分，对方得 %(won)s 分；双方都弃权的各得 %(lost)s 分",
            lost=points_text(board.forfeit_loss),
            won=points_text(board.forfeit_win),
        )
        no_show = rules.interpretations.get("no_show")
        return both, no_show.clause if no_show else rules.scoring_clause
    worth = rules.rounds.forfeits
    words = T(
        "弃权方得 %(none)s 场分、%(nothing)s 小分；其他人各得 %(match)s 场分、%(game)s 小分",
        none=points_text(worth.offender.match_points),
        nothing=points_text(worth.offender.game_points),
        match=points_text(worth.others.match_points),
        game=points_text(worth.others.game_points),
    )
    return words, worth.clause


EXPELLED_PLACE = {
    "next_up": T("以后各阶段不再编排，已取得的名额由名次在后的依次递补"),
    "ruling": T("以后各阶段不再编排，空出的名额由组委会裁定由谁递补"),
    "empty": T("以后各轮不再编排，已取得的位置空着"),
    "opponent": T("以后各轮不再编排，由刚被淘汰的对手递补"),
}
"""By option ``expelled_place`` (I-A-27, I-D-36)."""
EXPELLED_RANK = {"none": T("不排名次、不得奖"), "kept": T("按已有的成绩排名次")}
"""By option ``expelled_rank`` (I-A-28, I-D-37)."""


def _expulsion(rules: ScoringRules) -> Choice:
    by_points = rules.format is Format.SWISS
    clause = rules.stages[0].clause
    effect = (
        T("以后各轮不再编排，已有的成绩保留；通知参赛单位")
        if by_points
        else T(
            "%(place)s；%(rank)s；通知参赛单位",
            place=EXPELLED_PLACE[reading(rules, "expelled_place")],
            rank=EXPELLED_RANK[reading(rules, "expelled_rank")],
        )
    )
    return Choice(
        code=EXPULSION,
        kind=RulingKind.EXPULSION,
        name=T("取消参赛资格"),
        clause=clause,
        effect=effect,
        needs=frozenset({"rule"}),
        chief_only=T("取消参赛资格由裁判长决定。"),
        open_question=None
        if by_points
        else T("规程没有写没有打完的一桌怎样计分：请组委会裁定后再编排下一阶段。"),
    )
