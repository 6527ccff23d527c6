"""What each deal of a match of 升级 brought, in words: the engine's numbers, nothing computed here (升降级, 坐庄)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.regulations.rules import Bilingual
from app.results.rules.content import Names
from app.text import T
from scoring_engine.rules import ScoringRules
from scoring_engine.tractor.levels import Side, level_name
from scoring_engine.tractor.matches import DealScore, DecidedBy, Ended, MatchScore
from scoring_engine.tractor.units import UnitKind
from scoring_engine.values import EntrantId

DEFENDERS = {"tractor": T("防家"), "eighty": T("旁家")}
"""What each text calls the side that does not bank."""

DIG = {"tractor": T("抠底"), "eighty": T("挖底")}
"""What each text calls winning the last trick."""


UNIT_NAMES = {
    UnitKind.SINGLE: T("单张"),
    UnitKind.PAIR: T("对子"),
    UnitKind.TRIPLE: T("三张"),
    UnitKind.PAIR_RUN: T("连对"),
    UnitKind.TRIPLE_RUN: T("连刻"),
}


@dataclass(frozen=True, slots=True)
class DealWords:
    """One deal that was scored, in words."""

    deal: DealScore
    banker: str | None
    points: T | None
    level: T
    penalties: tuple[Bilingual, ...]


@dataclass(frozen=True, slots=True)
class MatchWords:
    """A match in words, as far as it could be scored. ``levels`` by entrant, e.g. ``9``; ``notes``: what to look at."""

    deals: tuple[DealWords, ...]
    levels: Mapping[EntrantId, str]
    bank: str | None
    bank_words: T | None
    bank_clause: str | None
    result: T | None
    ruling: Bilingual | None
    notes: tuple[Bilingual, ...]


def match_words(score: MatchScore | None, names: Names, rules: ScoringRules) -> MatchWords:
    """A match in words; None is one of which nothing is known."""
    if score is None:
        start = level_name(rules.match.start)
        return MatchWords((), dict.fromkeys(names, start), None, None, None, None, None, ())
    deals = tuple(
        DealWords(
            deal,
            None if deal.banker is None else names[deal.banker],
            points_words(deal, rules),
            level_words(deal, names, rules),
            tuple(Bilingual(line.text.zh, line.text.en) for line in deal.penalties),
        )
        for deal in score.deals
    )
    ruling = score.ruling
    return MatchWords(
        deals=deals,
        levels={side: level_name(level) for side, level in score.levels.items()},
        bank=score.bank,
        bank_words=bank_words(score, names, rules),
        bank_clause=rules.match.clause_of("banker_rotation"),
        result=result_words(score, names),
        ruling=None if ruling is None else Bilingual(ruling.reason.zh, ruling.reason.en),
        notes=tuple(Bilingual(note.reason.zh, note.reason.en) for note in score.notes),
    )


def points_words(deal: DealScore, rules: ScoringRules) -> T | None:
    """The defenders' points, with the bottom and the penalties in them; None where the deal has none."""
    if deal.defenders_points is None:
        return None
    defenders, total = DEFENDERS[rules.game], deal.defenders_points
    shown = str(total).replace("-", "−")
    penalties = sum(line.defenders for line in deal.penalties)
    if not deal.dug and not penalties:
        return T("%(defenders)s %(total)s 分", defenders=defenders, total=shown)
    parts: T | str = str(total - deal.dug - penalties).replace("-", "−")
    if deal.dug:
        points = f"+{deal.dug}"
        parts = T("%(parts)s，%(dig)s %(points)s", parts=parts, dig=DIG[rules.game], points=points)
    if penalties:
        points = f"{penalties:+d}".replace("-", "−")
        parts = T("%(parts)s，判罚 %(points)s", parts=parts, points=points)
    return T("%(defenders)s %(total)s 分（%(parts)s）", defenders=defenders, total=shown, parts=parts)


def level_words(deal: DealScore, names: Names, rules: ScoringRules) -> T:
    """Who went up, or took the bank; what a 必打 level held back is said with its clause."""
    if deal.ended is Ended.REPLAYED:
        return T("本副重打，不计")
    if deal.ended is Ended.UNFINISHED:
        return T("时间到没有打完，作废")
    banker = deal.banker
    winner = _winner(deal)
    name = "" if winner is None else names[winner]
    if deal.ended is Ended.GIVEN_UP and winner is not None:
        return T(
            "对方放弃本副，%(name)s升 %(levels)s 级，打 %(level)s",
            name=name,
            levels=deal.levels,
            level=level_name(deal.standing[winner]),
        )
    if deal.ended is Ended.BANK_LOST:
        return T("庄家自动下庄，%(name)s上台，不升级", name=name)
    if winner is None:
        return T("没有人升级")
    level = level_name(deal.standing[winner])
    if deal.up is None:
        if _held(deal, rules):
            return T(
                "%(name)s上台；%(level)s 为必打，须坐庄打过才能升级，本副不升（规程 %(clause)s）",
                name=name,
                level=level,
                clause=rules.match.clause_of("must_play"),
            )
        return T("%(name)s上台，不升级", name=name)
    if winner == banker:
        return T("庄家%(name)s升 %(levels)s 级，打 %(level)s", name=name, levels=deal.levels, level=level)
    return T("%(name)s上台，升 %(levels)s 级，打 %(level)s", name=name, levels=deal.levels, level=level)


def bank_words(score: MatchScore, names: Names, rules: ScoringRules) -> T | None:
    """Who banks the next deal, and why he; None before the first and once A is passed."""
    if score.bank is None or (score.outcome is not None and score.outcome.decided_by is DecidedBy.PAST_A):
        return None
    name = names[score.bank]
    last = next((deal for deal in reversed(score.deals) if deal.ended is not Ended.REPLAYED), None)
    if last is None or last.banker is None:
        return T("下一副由%(name)s坐庄", name=name)
    if last.banker != score.bank:
        return T("下一副由%(name)s坐庄：庄家的下家", name=name)
    if rules.match.banker_rotation == "partner":
        return T("下一副由%(name)s坐庄：庄家的对家接庄", name=name)
    return T("下一副由%(name)s坐庄：同一人连庄", name=name)


def result_words(score: MatchScore, names: Names) -> T | None:
    """Who wins the match as it stands; None before anything is known, and where the committee has to rule."""
    outcome = score.outcome
    if outcome is None:
        return None
    one, other = names
    levels = {"one": level_name(score.levels[one]), "other": level_name(score.levels[other])}
    if outcome.winner is None:
        if outcome.decided_by is DecidedBy.FORFEIT:
            return T("双方弃权")
        return T("平局：级数 %(one)s 比 %(other)s", **levels)
    name = names[outcome.winner]
    if outcome.winner == other:
        levels = {"one": levels["other"], "other": levels["one"]}
    match outcome.decided_by:
        case DecidedBy.PAST_A:
            return T("%(name)s胜：打过 A", name=name)
        case DecidedBy.FORFEIT:
            return T("%(name)s胜：对方弃权", name=name)
        case DecidedBy.BANK:
            return T("%(name)s胜：级数同为 %(one)s，在位坐庄", name=name, one=levels["one"])
        case _:
            return T("%(name)s胜：级数 %(one)s 比 %(other)s", name=name, **levels)


def _winner(deal: DealScore) -> EntrantId | None:
    """The side that went up, or has the bank now."""
    if deal.up is Side.BANKER:
        return deal.banker
    return deal.bank


def _held(deal: DealScore, rules: ScoringRules) -> bool:
    """Whether the table gave the defenders levels that a 必打 level held back (I-D-2)."""
    points = deal.defenders_points
    return points is not None and rules.match.levels.result(points).levels > 0
