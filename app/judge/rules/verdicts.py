"""An answer of the engine in words (判牌结论): what holds in big words, the reason, the clauses it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.errors import InvalidError
from app.judge.rules import levels
from app.judge.rules.deal_words import DEFENDERS, DIG
from app.judge.rules.keypad import UNIT_SIGN
from app.judge.rules.plays import PlayJudge
from app.judge.rules.questions import OTHERS, PLAYERS, Question, Row
from app.judge.rules.tricks import TrickJudge
from app.regulations.rules import Bilingual, Regulation
from app.text import T
from scoring_engine.documents import DocumentError, Problem
from scoring_engine.landlord.cards import CardsError, cards
from scoring_engine.landlord.plays import NAMES
from scoring_engine.tractor.levels import level_of
from scoring_engine.tractor.tricks import Duty
from scoring_engine.values import Text

Values = Mapping[str, Any]
"""What was asked, by field, as the schema loads it; what was left empty is not there."""

YES, NO, SAYS = "yes", "no", "says"
"""Tone of a verdict: allowed, not allowed, or something said that is neither."""

_DUTIES = {
    Duty.CARD_COUNT: T("张数不符"),
    Duty.NOT_IN_HAND: T("手中没有这些牌"),
    Duty.FOLLOW_SUIT: T("有同花色未跟"),
    Duty.FOLLOW_TRIPLE_RUN: T("有连刻未跟"),
    Duty.FOLLOW_TRACTOR: T("有拖拉机未跟"),
    Duty.FOLLOW_TRIPLE: T("有三条未跟"),
    Duty.FOLLOW_PAIR: T("有对子未跟"),
    Duty.LEAD_ONE_SUIT: T("不是同一花色"),
    Duty.THROW_SINGLES: T("只可甩散张"),
    Duty.DECLARE_STRUCTURE: T("甩牌未说明结构"),
    Duty.DECLARED_STRUCTURE: T("说明的结构与牌不符"),
}
_NO_CARDS = T("请先点牌。")


@dataclass(frozen=True, slots=True)
class Verdict:
    """One answer. notes: further sentences, each with its clause, "" where `clauses` has it; answer: the same for a program."""

    question: str
    tone: str
    headline: T
    reason: T | None
    clauses: tuple[str, ...]
    answer: Mapping[str, Any]
    interpretation: str | None = None
    notes: tuple[tuple[T, str], ...] = field(default=())


def verdict(regulation: Regulation, question: Question, values: Values) -> Verdict:
    """The answer under one regulation. Raises InvalidError with a sentence for each field that cannot be judged."""
    if question.code == "levels":
        return _levels(regulation, values)
    if regulation.game == "landlord":
        return _play(regulation, values)
    return _trick(regulation, question, values)


def _refuse(fields: Mapping[str, T]) -> None:
    if fields:
        raise InvalidError(T("有内容需要修改，请看标出的地方。"), fields=fields)


def _both(text: Text) -> Bilingual:
    return Bilingual(text.zh, text.en)


def _play(regulation: Regulation, values: Values) -> Verdict:
    wrong: dict[str, T] = {} if "play" in values else {"play": _NO_CARDS}
    for name in ("play", "other"):
        try:
            cards(values.get(name, "3"))
        except CardsError as error:
            wrong[name] = _both(error.text)
    _refuse(wrong)
    play, other = values["play"], values.get("other")
    found = PlayJudge(regulation).answer(play, other)
    if not found.legal:
        tone, words = NO, T("不是合法牌型")
    elif found.illegal == "other":
        tone, words = NO, T("要管的牌不是合法牌型")
    else:
        assert found.kind is not None
        kind = _both(NAMES[found.kind])
        if found.beats is None:
            tone, words = YES, T("合法：%(kind)s", kind=kind)
        elif found.beats:
            tone, words = YES, T("管得上：%(kind)s", kind=kind)
        else:
            tone, words = NO, T("管不上")
    return Verdict(
        "play",
        tone,
        words,
        None if found.reason is None else _both(found.reason),
        () if found.clause is None else (found.clause,),
        found.to_json(play, other),
        found.interpretation,
    )


def _trick(regulation: Regulation, question: Question, values: Values) -> Verdict:
    asked = _asked(question, values)
    judge = TrickJudge(regulation)
    try:
        answer = judge.answer(asked)
    except DocumentError as error:
        raise _problems(error.problems) from error
    tone, words = _HEADLINES[answer["question"]](answer, regulation.game)
    reason: T | None = Bilingual(answer["reason"], answer["reason_en"])
    if words is None:  # what is owed is the headline itself
        words, reason = Bilingual(answer["reason"].rstrip("。"), answer["reason_en"].rstrip(".")), None
    return Verdict(
        question.code,
        tone,
        words,
        reason,
        tuple(dict.fromkeys(answer["clause"].split("、"))),
        answer,
        answer.get("interpretation"),
    )


def _asked(question: Question, values: Values) -> dict[str, Any]:
    """The question as the engine reads it. Raises InvalidError for what is missing."""
    missing = {row.name: _NO_CARDS for row in question.rows if not row.optional and row.name not in values}
    if "trump" not in values:
        missing["trump"] = T("请选主花色。")
    if "level" not in values:
        missing["level"] = T("请选打几。")
    given = [name for name in OTHERS if name in values]
    if question.code == "lead" and given:
        absent = T("要核对甩牌，三家的手牌都要点；不核对就都留空。")
        missing |= {name: absent for name in OTHERS if name not in values}
    last_trick = question.code == "trick" and ("bottom" in values or "banker" in values)
    if last_trick and "banker" not in values:
        missing["banker"] = T("请选谁是庄家。")
    if last_trick and "bottom" not in values:
        missing["bottom"] = _NO_CARDS
    lowered = "lowered" in values
    if lowered and question.code in ("duty", "follow") and "player" not in values:
        missing["player"] = T("请选问的是哪一家。")
    _refuse(missing)
    asked: dict[str, Any] = {"trump": values["trump"], "level": values["level"]}
    asked |= {
        row.name: _row(row, values[row.name])
        for row in question.rows
        if row.name not in OTHERS and row.name in values
    }
    if question.code == "trick" or given:
        key = "follows" if question.code == "trick" else "others"
        if question.code in ("trick", "lead"):
            asked[key] = [values[name] for name in OTHERS]
    if last_trick:
        asked["banker"] = values["banker"]
    if lowered:
        asked["lowered"] = values["lowered"]
        if question.code in ("duty", "follow"):
            asked["player"] = values["player"]
    return asked


def _row(row: Row, text: str) -> str | list[str]:
    if not row.structured or UNIT_SIGN not in text:
        return text
    return [unit.strip() for unit in text.split(UNIT_SIGN) if unit.strip()]


def _problems(problems: tuple[Problem, ...]) -> InvalidError:
    """What the engine finds wrong with a question, beside the field it is about."""
    fields: dict[str, T] = {}
    for problem in problems:
        key, _, place = problem.path.removeprefix("$").removeprefix(".").partition("[")
        if key in ("others", "follows"):
            key = OTHERS[int(place.rstrip("]"))]
        fields.setdefault(key, Bilingual(problem.zh, problem.en))
    whole = fields.pop("", None)
    return InvalidError(whole or T("有内容需要修改，请看标出的地方。"), fields=fields)


def _lead(answer: Mapping[str, Any], _game: str) -> tuple[str, T | None]:
    if "duty" in answer:
        return NO, T("不能领出：%(duty)s", duty=_DUTIES[Duty(answer["duty"])])
    if "stands" in answer:
        return (YES, T("甩牌成立")) if answer["stands"] else (NO, T("甩牌不成立"))
    return YES, T("可以甩出，三家未核对") if answer["throw"] else T("可以领出")


def _duty(_answer: Mapping[str, Any], _game: str) -> tuple[str, T | None]:
    return SAYS, None


def _follow(answer: Mapping[str, Any], _game: str) -> tuple[str, T | None]:
    if answer["legal"]:
        return YES, T("跟得对")
    return NO, T("跟错：%(duty)s", duty=_DUTIES[Duty(answer["duty"])])


def _won(answer: Mapping[str, Any], game: str) -> tuple[str, T | None]:
    who, bottom = PLAYERS[answer["winner"]], answer.get("bottom")
    if bottom is None:
        return SAYS, T("%(who)s大", who=who)
    if bottom["dug"] is None:
        return SAYS, T("%(who)s大，底牌不计", who=who)
    return SAYS, T(
        "%(who)s大，%(dig)s %(factor)s 倍：%(counts)s 分",
        who=who,
        dig=DIG[game],
        factor=bottom["factor"],
        counts=bottom["counts"],
    )


_HEADLINES = {"lead": _lead, "duty": _duty, "follow": _follow, "trick": _won}
"""What the engine calls a question -> tone and big words of its answer."""


def _levels(regulation: Regulation, values: Values) -> Verdict:
    rules, defenders = regulation.scoring_rules(), DEFENDERS[regulation.game]
    missing: dict[str, T] = {}
    if "banker_level" not in values:
        missing["banker_level"] = T("请选庄家一方打几。")
    if "defenders_level" not in values:
        missing["defenders_level"] = T("请选%(defenders)s打几。", defenders=defenders)
    if "points" not in values:
        missing["points"] = T("请填%(defenders)s得分。", defenders=defenders)
    _refuse(missing)
    bottom = levels.bottom_of(
        values.get("unit", levels.NO_BOTTOM), values.get("bottom_points"), values.get("size")
    )
    stands = [level_of(values[key]) for key in ("banker_level", "defenders_level")]
    judged = levels.judge_deal(
        levels.DealAsked(stands[0] or 0, stands[1] or 0, values["points"], bottom), rules
    )
    clauses = levels.clauses(judged, rules)
    told = levels.told(judged, rules, defenders)
    return Verdict(
        "levels",
        SAYS,
        levels.headline(judged, rules, defenders),
        levels.points_told(judged, rules),
        clauses,
        judged.to_json(),
        notes=tuple((text, "" if clause in clauses else clause) for text, clause in told),
    )
