from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import cast

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from app.accounts import service as accounts
from app.actors import Role
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions.models import Competition, Event
from app.competitions.rules import (
    CalendarRefusedError,
    SlugTakenError,
    UnknownCompetitionError,
    require_days_of_play,
    require_list_days,
    require_may_create,
    require_new_competition,
    require_not_closed,
    require_revision,
    require_runs_here,
    require_slug,
    require_time_for_the_list,
)
from app.errors import InvalidError
from app.jobs import Job
from app.regulations import library
from app.regulations import queries as regulation_queries
from app.regulations import service as regulations
from app.regulations.rules import Regulation
from app.workdays import queries as workdays


def create_competition(
    ctx: CommandContext,
    *,
    regulation: str | Regulation,
    place: str,
    name: str | None = None,
    slug: str | None = None,
    calendar: Mapping[str, date | datetime | str] | None = None,
    options: Mapping[str, bool | int | str] | None = None,
    rehearsal: bool = False,
) -> int:
    """Create a competition (赛事) from a shipped regulation's id, or a whole one, with its own dates and options.

    A ``rehearsal`` (演练) says so on every page, and its organiser can delete it whole.
    The regulation with these changes is frozen as a version. The creator becomes its organiser and committee.
    Raises ``InvalidError`` (unknown regulation, a format not held here, dates out of order or past, days of publication
    in a year without a calendar, option not allowed, address taken).
    """
    require_may_create(ctx.actor)
    try:
        chosen = library.load(regulation) if isinstance(regulation, str) else regulation
    except library.UnknownRegulationError as error:
        raise InvalidError(
            error.text, fields={"regulation": error.text}, next_step=error.next_step
        ) from error
    require_runs_here(chosen)
    chosen = chosen.with_changes(calendar=calendar or {}, options=options or {})
    require_days_of_play(chosen)
    require_not_closed(chosen, ctx.now)
    window = require_list_days(chosen, workdays.calendar())
    if window is not None:
        require_time_for_the_list(chosen, window)
    address = require_slug(slug) if slug else _free_slug(ctx, chosen.id)
    if ctx.session.scalar(select(Competition.id).where(Competition.slug == address)) is not None:
        raise SlugTakenError
    competition = Competition(
        slug=address,
        name=name or chosen.name("zh"),
        place=place,
        created_at=ctx.now,
        created_by_id=ctx.actor.user_id,
        rehearsal=rehearsal,
    )
    try:
        with ctx.session.begin_nested():
            ctx.session.add(competition)
    except IntegrityError as error:
        raise SlugTakenError from error  # somebody else took the address this very moment
    version_id = regulations.freeze(ctx, chosen)
    event = Event(
        competition_id=competition.id,
        code=chosen.id,
        name=chosen.event.zh,
        regulation_version_id=version_id,
    )
    ctx.session.add(event)
    if ctx.actor.user_id is not None:
        for role in (Role.ORGANISER, Role.COMMITTEE):
            accounts.give_role(ctx, user_id=ctx.actor.user_id, role=role, competition_id=competition.id)
    ctx.session.flush()
    regulations.begin_chain(ctx, event_id=event.id, competition_id=competition.id, version_id=version_id)
    ctx.record(
        AuditAction.COMPETITION_CREATED,
        competition,
        regulation=chosen.id,
        sha256=chosen.sha256,
        **({"rehearsal": True} if rehearsal else {}),
    )
    return competition.id


def publish_draft(
    ctx: CommandContext,
    draft_id: int,
    *,
    base_revision: int,
    place: str,
    name: str | None = None,
    slug: str | None = None,
    rehearsal: bool = False,
) -> int:
    """Publish a draft (公布草稿) that belongs to no event as a new competition; the draft is closed by it.

    ``base_revision`` is the revision that was read: what somebody saved since is not published unseen. Raises
    ``DraftClosedError``, ``RegulationFileError`` with everything that is wrong in the draft, and what ``create_competition`` raises.
    """
    # whoever publishes, saves or gives it up meanwhile waits: what is read here is what is published
    regulations.lock_draft(ctx, draft_id)
    draft = regulation_queries.draft_for(ctx.actor, draft_id)
    require_new_competition(draft.event_id)
    require_revision(base_revision, draft.revision)
    regulation = library.parse_document(draft.document, name or draft.document.get("id", ""))
    try:
        competition_id = create_competition(
            ctx, regulation=regulation, place=place, name=name, slug=slug, rehearsal=rehearsal
        )
    except CalendarRefusedError as error:
        # the clause stands in the draft; a text that is not shipped has no page in the library
        error.extra = {"draft": draft_id}
        raise
    regulations.close_draft(ctx, draft_id)
    return competition_id


def lock_event(ctx: CommandContext, event_id: int) -> Event:
    """The event's row as it is now; results, draws, lists and decisions of this event wait until this command ends.

    ``FOR NO KEY UPDATE``: rows that only refer to the event (a sheet's first deal, a seat) need not wait, and two of
    them that then raise the results version cannot block each other. Raises ``UnknownCompetitionError`` where a rehearsal was
    deleted meanwhile.
    """
    if event_id in ctx.held:
        return cast("Event", ctx.held[event_id])
    row = ctx.session.get(Event, event_id, with_for_update={"key_share": True}, populate_existing=True)
    if row is None:
        raise UnknownCompetitionError
    ctx.held[event_id] = row
    return row


def raise_results_version(ctx: CommandContext, event_id: int) -> int:
    """Say that what the event file holds changed, in the same transaction; the standings are recomputed after it."""
    event = lock_event(ctx, event_id)
    event.results_version += 1
    ctx.after_commit(Job.RECOMPUTE_STANDINGS, event_id=event_id)
    return event.results_version


def close_entries(ctx: CommandContext, event_id: int) -> None:
    """The first draw was made: entries can no longer be decided (报名审核结束)."""
    event = lock_event(ctx, event_id)
    event.entries_closed_at = event.entries_closed_at or ctx.now


def reopen_entries(ctx: CommandContext, event_id: int) -> None:
    """No drawn round stands any more: entries can be decided again until the next draw."""
    lock_event(ctx, event_id).entries_closed_at = None


def _free_slug(ctx: CommandContext, wanted: str) -> str:
    """``wanted``, or ``wanted-2``, ``wanted-3`` … if it is taken."""
    taken = set(ctx.session.scalars(select(Competition.slug).where(Competition.slug.startswith(wanted))))
    number, address = 1, wanted
    while address in taken:
        number += 1
        address = f"{wanted}-{number}"
    return address
