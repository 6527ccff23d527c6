"""What each deal of a match of 升级 brought, in words: the engine's numbers, nothing computed here (升降级, 坐庄)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.judge.rules.deal_words import level_words, next_banker_words, points_words
from app.regulations.rules import Bilingual
from app.results.rules.content import Names
from app.text import T
from scoring_engine.rules import ScoringRules
from scoring_engine.tractor.levels import level_name
from scoring_engine.tractor.matches import DealScore, DecidedBy, Ended, MatchScore
from scoring_engine.values import EntrantId


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


def bank_words(score: MatchScore, names: Names, rules: ScoringRules) -> T | None:
    """Who banks the next deal, and why he; None before the first and once A is passed."""
    if score.bank is None or (score.outcome is not None and score.outcome.decided_by is DecidedBy.PAST_A):
        return None
    name = names[score.bank]
    last = next((deal for deal in reversed(score.deals) if deal.ended is not Ended.REPLAYED), None)
    if last is None or last.banker is None:
        return T("下一副由%(name)s坐庄", name=name)
    return next_banker_words(name, kept=last.banker == score.bank, rules=rules)


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
