"""A case is decided (决定): with reasons, after the other side was heard, and with what follows for the list, in one transaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from sqlalchemy import select

from app.commands import CommandContext
from app.competitions import service as competitions_service
from app.objections.models import Objection, ObjectionEntry, ObjectionHearing
from app.objections.queries import lists, people
from app.objections.rules.handling import (
    PUT_OUT,
    DecidedEntry,
    Decision,
    Heard,
    check_decision,
    require_way,
)
from app.objections.rules.refusals import ObjectionRefusedError
from app.objections.rules.states import CaseState, Outcome, StepKind
from app.objections.service import letters
from app.objections.service.cases import handled, note
from app.publications import queries as publication_queries
from app.publications import service as publications
from app.registrations import queries as registrations
from app.registrations import service as registrations_service
from app.registrations.rules import EntryId
from app.registrations.rules.identity import BadValueError
from app.registrations.service import changes


def decide(ctx: CommandContext, *, slug: str, number: str, revision: int, decision: Decision) -> None:
    """Uphold (成立) or dismiss (不成立) a case at the ``revision`` that was looked at.

    Upheld: entries are withdrawn or corrected, and their list is superseded, for the public summary, in the same
    transaction. Entries that another decision took from the list need nothing more. Both sides are told. Once the draw was
    made the list stays as it is: whoever loses his place plays no further round, and what was played is for the chief
    referee; ``decision.after_draw`` says that this is meant, rather than to take the round back first. Raises
    ``ObjectionRefusedError`` with every wrong place, ``CaseChangedError``, ``ConflictOfInterestError``.
    """
    row, standing, event = handled(ctx, slug, number, revision, with_event=True)
    clause = event.regulation.objections.clause
    to = CaseState.UPHELD if decision.upheld else CaseState.DISMISSED
    require_way(standing, to, clause)
    entries = _entries(row)
    outcomes = check_decision(
        decision,
        entries=entries,
        heard=_heard(ctx, row),
        identity=people.identity_of(row),
        now=ctx.now,
        clause=clause,
        drawn=event.entries_closed,
    )
    said = "\n\n".join(each for each in (decision.reasons.strip(), decision.unheard.strip()) if each)
    row.summary, row.decision = decision.summary.strip(), said
    row.decided_at, row.decided_by_id = ctx.now, ctx.actor.user_id
    for link in ctx.session.scalars(select(ObjectionEntry).where(ObjectionEntry.objection_id == row.id)):
        link.outcome = outcomes[EntryId(link.entry_id)].value
    ctx.session.flush()
    _correct(ctx, outcomes, decision.names)
    if event.entries_closed:
        _after_draw(ctx, row, outcomes)
    else:
        row.superseding_id = _supersede(ctx, row, outcomes)
    drawn = {"after_draw": True} if event.entries_closed and decision.upheld else {}
    note(
        ctx,
        row,
        StepKind.UPHELD if decision.upheld else StepKind.DISMISSED,
        to=to,
        text=said,
        details={"outcomes": {str(entry): outcome.value for entry, outcome in outcomes.items()}} | drawn,
        said={"entries": {str(entry): outcome.value for entry, outcome in outcomes.items()}} | drawn,
    )
    letters.decided(ctx, row, event)


def _entries(row: Objection) -> tuple[DecidedEntry, ...]:
    ids = people.entry_ids_of(row.id)
    named = registrations.named(ids)
    standing = lists.places(lists.in_force(row.event_id))
    return tuple(
        DecidedEntry(
            EntryId(each), named[EntryId(each)].players, named[EntryId(each)].unit_name, each in standing
        )
        for each in ids
    )


def _heard(ctx: CommandContext, row: Objection) -> tuple[Heard, ...]:
    asked = {
        hearing.unit_id: hearing
        for hearing in ctx.session.scalars(
            select(ObjectionHearing).where(ObjectionHearing.objection_id == row.id)
        )
    }
    return tuple(
        Heard(unit.unit_id, asked[unit.unit_id].due_at, asked[unit.unit_id].answered_at)
        if unit.unit_id in asked
        else Heard(unit.unit_id, None, None)
        for unit in people.concerned(row.id)
    )


def _correct(
    ctx: CommandContext,
    outcomes: Mapping[EntryId, Outcome],
    names: Mapping[EntryId, tuple[str, ...]],
) -> None:
    """Give the players of corrected entries their right names."""
    for entry_id, outcome in outcomes.items():
        if outcome is not Outcome.CORRECTED:
            continue
        try:
            registrations_service.correct_objected(ctx, entry_id, names=names[entry_id])
        except BadValueError as error:
            raise ObjectionRefusedError({f"outcomes.{entry_id}": error.text}) from error


def _after_draw(ctx: CommandContext, row: Objection, outcomes: Mapping[EntryId, Outcome]) -> None:
    """What the decision does once rounds were drawn from the list, which stays: no further round, and today's names."""
    places = lists.places(lists.in_force(row.event_id))
    for entry_id, outcome in sorted(outcomes.items()):
        if outcome is Outcome.WITHDRAWN and entry_id in places:
            changes.quits(ctx, row.event_id, entry_id, reason=PUT_OUT)
    if {Outcome.CORRECTED, Outcome.WITHDRAWN} & set(outcomes.values()):
        competitions_service.raise_results_version(ctx, row.event_id)


def _supersede(ctx: CommandContext, row: Objection, outcomes: Mapping[EntryId, Outcome]) -> int | None:
    """A corrected list in the place of each on which something changes; the id of the last, None where nothing does.

    Entries that lose their place lose their approval with it; one that stands on no list any more needs nothing.
    """
    places = lists.places(lists.in_force(row.event_id))
    left_out: dict[int, list[EntryId]] = defaultdict(list)
    for entry_id, outcome in sorted(outcomes.items()):
        if outcome is not Outcome.KEPT and entry_id in places:
            on_this = left_out[places[entry_id]]
            if outcome is Outcome.WITHDRAWN:
                on_this.append(entry_id)
    numbers = publication_queries.numbers(row.event_id)
    made: int | None = None
    for publication_id, entry_ids in sorted(left_out.items()):
        number = publications.supersede(
            ctx, row.event_id, numbers[publication_id], reason=row.summary or "", left_out=entry_ids
        )
        made = publication_queries.publication(row.event_id, number).id
    return made
