"""What an act would change in an event (影响), computed by scoring its public file as it is and as it would be."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.queries import RoundView
from app.results.rules import Content
from app.standings import queries
from app.standings.rules.given import Adjustment
from app.standings.rules.impact import (
    SCORE_KEYS,
    CannotBeScoredError,
    Supposed,
    redrawn_tables,
    scores_compared,
    touched_rounds,
)
from app.standings.rules.impact_words import Lines, Names, drawn_line, score_lines
from scoring_engine import event_file
from scoring_engine.event_file import EventFileError
from scoring_engine.rules import ScoringRules
from scoring_engine.values import EntrantId


@dataclass(frozen=True, slots=True)
class Impact:
    """What would be otherwise. ``document`` is as ``rules.impact`` has it, for JSON; ``before`` and ``after`` are score documents.

    Of ``draws`` each has ``tables``: the numbers of the tables that would not be there. They stay as drawn.
    """

    document: Mapping[str, Any]
    before: Mapping[str, Any]
    after: Mapping[str, Any]

    @property
    def affects_nobody(self) -> bool:
        return not any(self.document[key] for key in SCORE_KEYS)

    def lines(self, names: Names) -> tuple[Lines, ...]:
        """Everything in sentences; empty where nothing changes."""
        return score_lines(self.document, names, drawn_line)


def impact(
    event_id: int,
    *,
    contents: Mapping[int, Content | None] | None = None,
    with_adjustments: Sequence[Adjustment] = (),
    without_adjustments: Collection[str] = (),
    expelled: Collection[EntrantId] = (),
    let_in: Collection[EntrantId] = (),
) -> Impact:
    """What would change if these tables (ids) said this, and these adjustments of the event file, or expulsions, came or went.

    A content of None takes a sheet out of the results; adjustments count where the offender's table is in force. Nothing is stored.
    Raises ``CannotBeScoredError`` where the results would be impossible.
    """
    event = competitions.event(event_id)
    rules = event.regulation.scoring_rules()
    supposed = Supposed(contents or {}, with_adjustments, without_adjustments, expelled, let_in)
    now = queries.event_file(event_id, supposed=Supposed())
    then = queries.event_file(event_id, supposed=supposed)
    before = event_file.score(now, rules)
    try:
        after = event_file.score(then, rules)
    except EventFileError as error:
        raise CannotBeScoredError(
            error.problems, [str(each["id"]) for each in then["adjustments"]], queries.naming(event_id)
        ) from error
    touched = touched_rounds(now, then)
    rounds = draws.rounds(event_id)
    first = next((place for place, each in enumerate(rounds) if (each.stage, each.number) in touched), None)
    later = () if first is None else rounds[first + 1 :]
    earlier = queries.earlier_rules(event)
    drawn = [
        {"stage": each.stage, "round": each.number, "tables": list(tables)}
        for each in later
        if (tables := _other_tables(each, now, then, rules, earlier))
    ]
    return Impact(scores_compared(before, after) | {"draws": drawn}, before, after)


def _other_tables(
    drawn: RoundView,
    now: Mapping[str, Any],
    then: Mapping[str, Any],
    rules: ScoringRules,
    earlier: Mapping[str, ScoringRules],
) -> Sequence[int]:
    """The tables of a round that its seed would not give again from other results, where it gives others than from these."""
    as_it_is, as_it_would_be = (
        redrawn_tables(event_file.verify_draw(each, rules, drawn.stage, drawn.number, earlier))
        for each in (now, then)
    )
    if as_it_would_be is None or as_it_would_be == as_it_is:
        return ()
    again = {frozenset(table) for table in as_it_would_be}
    return [
        number for number, table in enumerate(drawn.drawn.tables, start=1) if frozenset(table) not in again
    ]


def names(event_id: int) -> Names:
    """The names of an impact: who plays, and for which unit."""
    people = queries.people(event_id)
    units = {f"u{each.unit_id}": each.unit_name for each in people.values()}
    return Names(
        entrant=lambda each: people[each].name if each in people else each,
        team=lambda each: units.get(each, each),
    )
