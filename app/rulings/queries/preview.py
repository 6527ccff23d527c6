"""A ruling before it is given: what it costs, which warning it is, and what it would change in the standings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.competitions import queries as competitions
from app.regulations.rules import Bilingual
from app.results.queries import SheetView
from app.results.rules import Content, Kind, match_sheet
from app.rulings import queries
from app.rulings.queries import RulingView
from app.rulings.queries.undoing import undone
from app.rulings.rules import NotAtThisTableError, RulingKind, Wanted
from app.rulings.rules.choices import Choice, checked, choice
from app.rulings.rules.contents import Played, penalty_json, with_ruling
from app.rulings.rules.tiers import effect_of
from app.standings.queries.impact import Impact, impact
from app.text import T
from scoring_engine.penalties.assessment import RoundPoints, assess_round
from scoring_engine.penalties.effects import Effect
from scoring_engine.records import Adjustment
from scoring_engine.rules import Format, PenaltyRule
from scoring_engine.tractor.matches import MatchScore
from scoring_engine.values import EntrantId, StageCode

PREVIEWED = "preview"


@dataclass(frozen=True, slots=True)
class Warned:
    """Warnings (警告) counted where they count together. ``before`` are those given already, ``after`` with this ruling."""

    before: int
    after: int
    every: int

    @property
    def left(self) -> int:
        """How many more bring the next deduction."""
        return self.every - self.after % self.every


@dataclass(frozen=True, slots=True)
class Cost:
    """What a ruling costs one entrant. ``points`` is signed; None where it is no matter of points, or is not known yet."""

    entrant: EntrantId
    name: str
    points: int | None
    warned: Warned | None


@dataclass(frozen=True, slots=True)
class Preview:
    """``told`` says what it does. ``content`` is the sheet with it, None where it is no matter of the sheet; ``adjustments`` are
    those it adds. ``impact`` is None where the table does not count yet."""

    choice: Choice
    told: T
    costs: tuple[Cost, ...]
    content: Content | None
    adjustments: tuple[dict[str, Any], ...]
    in_force: bool
    impact: Impact | None

    @property
    def cost(self) -> str:
        """The costs as one text, which is compared with what was previewed when the ruling is given."""
        return " ".join("—" if each.points is None else f"{each.points:+d}" for each in self.costs)


def preview(
    view: SheetView, entrants: Sequence[EntrantId], wanted: Wanted, *, compare: bool = True
) -> Preview:
    """A ruling about these entrants of a table. Without ``compare`` the standings are not scored.

    Raises ``UnknownChoiceError``, ``NotAtThisTableError``, ``ParameterError``, ``standings.rules.impact.CannotBeScoredError``.
    """
    chosen = choice(view.event.regulation, wanted.code)
    if not entrants or any(each not in view.seats for each in entrants):
        raise NotAtThisTableError("、".join(view.names.values()))
    checked(wanted, chosen, view.rules, view.table.stage)
    in_force = view.published_revision is not None
    content, adjustments = None, list[dict[str, Any]]()
    if chosen.on_sheet:
        played = Played(view.names, view.rules)
        content = with_ruling(view.content, wanted, entrants, played, chosen.clause)
    elif chosen.kind is RulingKind.PENALTY:
        adjustments = [
            {"id": f"{PREVIEWED}-{place}", **penalty_json(wanted, entrant)}
            | {"stage": view.table.stage, "round": view.table.round_number}
            for place, entrant in enumerate(entrants, start=1)
        ]
    costs = tuple(_cost(view, entrant, wanted, chosen) for entrant in entrants)
    expelled = chosen.kind is RulingKind.EXPULSION and view.rules.format is not Format.SWISS
    return Preview(
        choice=chosen,
        told=_told(view, wanted, chosen, costs, content),
        costs=costs,
        content=content,
        adjustments=tuple(adjustments),
        in_force=in_force,
        impact=impact(
            view.event.id,
            contents={} if content is None else {view.table.id: content},
            with_adjustments=adjustments,
            expelled=entrants if expelled else (),
        )
        if compare and (expelled or (in_force and (content is not None or adjustments)))
        else None,
    )


def withdrawal(given: RulingView) -> Impact | None:
    """What withdrawing a ruling would change; None where nothing that counts depends on it.

    Raises ``SheetMovedError``, ``NothingPlayedError``.
    """
    if given.kind is RulingKind.EXPULSION and given.stands:
        rules = competitions.event(given.event_id).regulation.scoring_rules()
        return None if rules.format is Format.SWISS else impact(given.event_id, let_in=[given.entrant])
    view = queries.sheet_of(given)
    if view is None or view.published_revision is None or not given.stands:
        return None
    if given.on_sheet:
        return impact(given.event_id, contents={view.table.id: undone(view, given)})
    if given.kind is RulingKind.PENALTY:
        return impact(given.event_id, without_adjustments=[given.adjustment_id])
    return None


def _cost(view: SheetView, entrant: EntrantId, wanted: Wanted, chosen: Choice) -> Cost:
    name = view.names[entrant]
    if view.game.kind is Kind.MATCH or chosen.kind is not RulingKind.PENALTY:
        return Cost(entrant, name, None, _match_warned(view, entrant, wanted, chosen))
    rule = view.rules.penalties[wanted.code]
    earlier = [
        _adjustment(each.adjustment_id, each.wanted, entrant, view)
        for each in queries.of_table(view.table.id)
        if each.stands and each.kind is RulingKind.PENALTY and each.entrant == entrant
    ]
    mine = _adjustment(PREVIEWED, wanted, entrant, view)
    return Cost(entrant, name, _points(view, entrant, earlier, mine), _warned(rule, earlier, mine, view))


def _points(
    view: SheetView, entrant: EntrantId, earlier: Sequence[Adjustment], mine: Adjustment
) -> int | None:
    """What the entrant's points of the round change by; None while a deal that is set to zero has not been played."""
    rules = view.rules
    if rules.penalties[mine.rule].effect in (Effect.VIOLATION, Effect.NONE):
        return None
    deals = tuple(int(each[entrant]) for each in view.scores)

    def unplayed(given: Adjustment) -> bool:
        zeroes = rules.penalties[given.rule].effect is Effect.ZERO_DEAL and given.points is None
        return zeroes and given.deal is not None and given.deal > len(deals)

    if unplayed(mine):
        return None
    counted = [each for each in earlier if not unplayed(each)]
    before = RoundPoints(sum(deals), deals)
    costs = [
        sum(each.points for each in assess_round(given, before, rules))
        for given in (counted, [*counted, mine])
    ]
    return costs[1] - costs[0]


def _warned(
    rule: PenaltyRule, earlier: Sequence[Adjustment], mine: Adjustment, view: SheetView
) -> Warned | None:
    if rule.effect is not Effect.WARNINGS:
        return None
    per_deal = view.rules.option("warnings_per") == "deal"
    before = sum(
        each.count for each in earlier if each.rule == rule.id and (not per_deal or each.deal == mine.deal)
    )
    return Warned(before, before + mine.count, rule.every)


def _match_warned(view: SheetView, entrant: EntrantId, wanted: Wanted, chosen: Choice) -> Warned | None:
    if not chosen.counts_warnings:
        return None
    rule = view.rules.match.penalties.rules[wanted.code]
    before = sum(
        each.get("count", 1)
        for each in (view.outcome or {}).get("penalties", ())
        if (each["rule"], each["entrant"]) == (rule.id, entrant)
        and (rule.warned_per == "round" or each.get("deal") == wanted.deal)
    )
    return Warned(before, before + wanted.count, 1)


def _adjustment(name: str, wanted: Wanted, entrant: EntrantId, view: SheetView) -> Adjustment:
    return Adjustment(
        name,
        wanted.code,
        entrant,
        StageCode(view.table.stage),
        view.table.round_number,
        wanted.deal,
        wanted.count,
        wanted.points,
    )


def _told(
    view: SheetView, wanted: Wanted, chosen: Choice, costs: Sequence[Cost], content: Content | None
) -> T:
    """What this ruling does, in words."""
    if chosen.kind is RulingKind.LATENESS:
        assert wanted.minutes is not None
        return effect_of(wanted.minutes, view.rules)
    if view.game.kind is Kind.MATCH and chosen.kind is RulingKind.PENALTY:
        return _match_told(view, wanted, chosen, costs[0].warned, content)
    warned, points = costs[0].warned, costs[0].points
    if warned is not None and points:
        return T("本副第 %(count)s 次警告，扣 %(points)s 分", count=warned.after, points=-points)
    if warned is not None:
        return T("第 %(count)s 次警告；再有 %(left)s 次扣分", count=warned.after, left=warned.left)
    if points is not None and len(costs) == 1:
        return T("得分 %(points)s", points=f"{points:+d}".replace("-", "−"))
    return chosen.effect


def _match_told(
    view: SheetView, wanted: Wanted, chosen: Choice, warned: Warned | None, content: Content | None
) -> T:
    """The line the engine has for the last penalty of its deal, once that deal was played."""
    score: MatchScore | None = None
    if content is not None:
        score = match_sheet(content, view.names, view.rules).score
    deal = next((each for each in (score.deals if score else ()) if each.number == wanted.deal), None)
    if deal is not None and deal.penalties:
        line = next((each for each in reversed(deal.penalties) if each.rule == wanted.code), None)
        if line is not None:
            return Bilingual(line.text.zh, line.text.en)
    if warned is not None and not warned.before and wanted.count == 1:
        return T("第一次，警告")
    return chosen.effect
