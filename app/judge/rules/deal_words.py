"""What one deal of 升级 brought, in words: the engine's numbers, nothing computed here (升降级, 坐庄)."""

from __future__ import annotations

from collections.abc import Mapping

from app.text import T
from scoring_engine.rules import ScoringRules
from scoring_engine.tractor.levels import Side, level_name
from scoring_engine.tractor.matches import DealScore, Ended
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


def level_words(deal: DealScore, names: Mapping[EntrantId, T | str], rules: ScoringRules) -> T:
    """Who went up, or took the bank; what a 必打 level held back is said with its clause."""
    if deal.ended is Ended.REPLAYED:
        return T("本副重打，不计")
    if deal.ended is Ended.UNFINISHED:
        return T("时间到没有打完，作废")
    banker = deal.banker
    winner = _winner(deal)
    name: T | str = "" if winner is None else names[winner]
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
        if held_back(deal, rules):
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


def next_banker_words(name: T | str, *, kept: bool, rules: ScoringRules) -> T:
    """Which player banks the next deal, and why he. name: his side; kept: it banked this deal too."""
    if not kept:
        return T("下一副由%(name)s坐庄：庄家的下家", name=name)
    if rules.match.banker_rotation == "partner":
        return T("下一副由%(name)s坐庄：庄家的对家接庄", name=name)
    return T("下一副由%(name)s坐庄：同一人连庄", name=name)


def _winner(deal: DealScore) -> EntrantId | None:
    """The side that went up, or has the bank now."""
    if deal.up is Side.BANKER:
        return deal.banker
    return deal.bank


def held_back(deal: DealScore, rules: ScoringRules) -> bool:
    """Whether the table gave the defenders levels that a 必打 level held back (I-D-2)."""
    points = deal.defenders_points
    return points is not None and rules.match.levels.result(points).levels > 0
