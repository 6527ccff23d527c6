"""An objection comes in, is completed, taken back, or runs out of time."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from app.accounts import queries as accounts
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.queries import EventView
from app.objections.models import Objection, ObjectionEntry, ObjectionFile, ObjectionStep
from app.objections.queries import lists, people
from app.objections.queries.lists import ListInForce
from app.objections.rules import lodging as rules
from app.objections.rules.handling import require_open
from app.objections.rules.refusals import (
    CaseStateError,
    NoListError,
    NotAdmittedError,
    NothingAddedError,
    UnknownObjectionError,
)
from app.objections.rules.states import (
    PURPOSES,
    CaseState,
    Channel,
    FileRole,
    ObjectionId,
    Requirement,
    StepKind,
    case_number,
)
from app.objections.service import letters
from app.objections.service.cases import note, relocked
from app.objections.service.dates import due_of
from app.publications import service as publications
from app.registrations import queries as registrations
from app.registrations.rules import EntryId
from app.text import T
from app.uploads import service as uploads
from app.uploads.rules import UploadId


@dataclass(frozen=True, slots=True)
class Files:
    """Tokens of uploads, as a form names them."""

    letters: Sequence[str] = ()
    evidence: Sequence[str] = ()

    def by_role(self) -> Mapping[FileRole, Sequence[str]]:
        named = {FileRole.LETTER: self.letters, FileRole.EVIDENCE: self.evidence}
        return {role: tokens for role, tokens in named.items() if tokens}


def lodge(
    ctx: CommandContext,
    *,
    slug: str,
    list_number: int | None,
    entries: Sequence[int],
    text: str,
    reporter_name: str,
    files: Files,
    idempotency_key: str,
    language: str,
) -> ObjectionId:
    """Object to entries of a published list (提出异议). The same key again, at any time, is the same case.

    What lacks a seal or evidence is kept and may be completed while the window runs. Raises ``NoObjectionsError``,
    ``NoStandingError``, ``NoListError``, ``WindowClosedError`` and ``ObjectionRefusedError`` with every wrong place.
    """
    user_id = ctx.actor.require_signed_in()
    competition = competitions.competition(slug)
    event = competition.event
    terms = rules.terms_of(event.regulation)
    competitions_service.lock_event(ctx, event.id)  # a list that is superseded and this wait for each other
    key = key_of(f"user {user_id}", idempotency_key)
    repeated = ctx.session.scalar(
        select(Objection.id).where(
            Objection.competition_id == competition.id, Objection.idempotency_key == key
        )
    )
    if repeated is not None:
        return ObjectionId(repeated)
    lodger = people.lodger_of(user_id, competition.id, event.id)
    rules.require_standing(terms, lodger)
    against = list_of(ctx, event, list_number, entries)
    problems = {
        **rules.check_texts(text=text, reporter_name=reporter_name),
        **problems_of_entries(event, against, entries, lodger.unit_id),
    }
    rules.require_no_problems(problems, terms.clause)
    lacking = rules.lacking_of(
        terms, files=files.by_role().keys(), reporter_name=reporter_name, standing=True
    )
    row = new_case(
        ctx,
        event,
        against,
        channel=Channel.WEB,
        key=key,
        language=language,
        text=text.strip(),
        lacking=lacking,
        entries=entries,
    )
    row.unit_id, row.unit_name, row.user_id = lodger.unit_id, lodger.unit_name, user_id
    row.reporter_name, row.reporter_phone = reporter_name.strip(), accounts.user_phone(user_id)
    _claim(ctx, row, files)
    publications.reopen(ctx, against.id)
    note(
        ctx,
        row,
        StepKind.LODGED,
        said={"channel": row.channel, "lacking": row.lacking, "entries": len(set(entries))},
    )
    letters.received(ctx, row, event)
    return ObjectionId(row.id)


def note_turned_away(ctx: CommandContext, *, slug: str, refusal: NotAdmittedError) -> None:
    """Log that an objection was not taken in, and for what: no text, no entry, no unit."""
    ctx.record(
        AuditAction.OBJECTION_TURNED_AWAY,
        ("Competition", competitions.competition_id(slug)),
        requirement=refusal.requirement.value,
        clause=refusal.clause,
    )


def complete(
    ctx: CommandContext, *, slug: str, token: str, text: str, files: Files, idempotency_key: str
) -> ObjectionId:
    """Add what was lacking, or more evidence while the case is open (补齐材料), by whoever lodged it.

    What lacks something may be completed while the window runs; then ``WindowClosedError``. Raises ``NothingAddedError``.
    """
    row = own(ctx, slug, token)
    event = competitions.event(row.event_id)
    clause = event.regulation.objections.clause
    given = files.by_role()
    key = key_of("added", idempotency_key)
    if any(step.details and step.details.get("key") == key for step in steps_of(ctx, row, StepKind.ADDED)):
        return ObjectionId(row.id)
    require_open(people.standing_of(row), clause)
    if row.state == CaseState.INCOMPLETE:
        require_in_time(ctx, row, event)
    if not given and not text.strip():
        raise NothingAddedError
    _claim(ctx, row, files)
    add(ctx, row, event, given=set(given), text=text, details={"key": key})
    return ObjectionId(row.id)


def add(
    ctx: CommandContext,
    row: Objection,
    event: EventView,
    *,
    given: set[FileRole],
    text: str = "",
    details: Mapping[str, Any] | None = None,
    incoming_id: int | None = None,
) -> None:
    """Note what came for a case, and bring it before the committee once nothing is lacking."""
    came = {
        Requirement.SEAL: bool(given & {FileRole.LETTER, FileRole.ATTACHED}),
        Requirement.EVIDENCE: bool(given & {FileRole.EVIDENCE, FileRole.ATTACHED}),
    }
    lacked = bool(row.lacking)
    row.lacking = [each for each in row.lacking if not came.get(Requirement(each), False)]
    to = CaseState.RECEIVED if row.state == CaseState.INCOMPLETE and not row.lacking else None
    note(
        ctx,
        row,
        StepKind.ADDED,
        to=to,
        text=text.strip(),
        details={**(details or {}), "files": sorted(role.value for role in given)},
        incoming_id=incoming_id,
        said={"lacking": row.lacking},
    )
    if to is not None or not lacked:
        letters.to_committee(ctx, row, event)
    letters.received(ctx, row, event, again=True)


def withdraw(ctx: CommandContext, *, slug: str, token: str, reason: str = "") -> None:
    """Take an objection back (撤回), by whoever lodged it, while it is open. Again: nothing more happens."""
    row = own(ctx, slug, token)
    if row.state == CaseState.WITHDRAWN:
        return
    event = competitions.event(row.event_id)
    require_open(people.standing_of(row), event.regulation.objections.clause)
    note(ctx, row, StepKind.WITHDRAWN, to=CaseState.WITHDRAWN, text=reason.strip())
    letters.withdrawn(ctx, row, event)


def expire(ctx: CommandContext, limit: int = 50) -> int:
    """Refuse what was not completed within its window (公示期满未补齐), with the clause. Safe to run twice. How many.

    A minute late: whoever completed it in the last second may still wait for a lock.
    """
    ids = ctx.session.scalars(
        select(Objection.id).where(Objection.state == CaseState.INCOMPLETE.value).order_by(Objection.id)
    ).all()
    refused = 0
    for objection_id in ids:
        row = ctx.session.get_one(Objection, objection_id)
        if row.publication_id is None or refused >= limit:
            continue
        against = lists.current(row.event_id, row.publication_id)
        if ctx.now < against.view.ends_at + rules.COMMANDS_END:
            continue
        if not against.final and against.view.mail:
            continue  # what was lacking may be in mail of the window that nobody has looked at
        row = relocked(ctx, objection_id)
        if row.state != CaseState.INCOMPLETE:
            continue
        event = competitions.event(row.event_id)
        row.clause = event.regulation.objections.clause
        note(
            ctx,
            row,
            StepKind.EXPIRED,
            to=CaseState.REFUSED,
            details={"lacking": list(row.lacking)},
            said={"clause": row.clause, "lacking": row.lacking},
        )
        letters.refused(ctx, row, event)
        refused += 1
    return refused


def list_of(ctx: CommandContext, event: EventView, number: int | None, entries: Sequence[int]) -> ListInForce:
    """The list the entries are objected to on, in its window. Raises ``NoListError`` and ``WindowClosedError``.

    A form that was opened before its list was superseded is about the list that took its place.
    """
    found = lists.in_force(event.id)
    if not found:
        raise NoListError(event.regulation.objections.clause)
    standing = lists.places(found)
    on = [each for each in found if each.id in {standing.get(entry) for entry in entries}]
    named = [each for each in found if each.number == number]
    running = [each for each in found if each.open_at(ctx.now)]
    against = (on or named or running or list(found))[0]
    rules.require_window(
        event.regulation,
        against=against.view,
        number=against.number,
        final=against.final,
        now=ctx.now,
    )
    return against


def problems_of_entries(
    event: EventView, against: ListInForce, entries: Sequence[int], own_unit: int | None
) -> Mapping[str, T]:
    known = registrations.entrants(event.id)
    units = people.units_of_entries([each for each in entries if each in known])
    standing = lists.places(lists.in_force(event.id))
    listed = [
        rules.ListedEntry(each, units[each].unit_id, standing.get(each)) if each in units else None
        for each in dict.fromkeys(entries)
    ]
    return rules.entry_problems(
        listed,
        names={each: known[EntryId(each)].name for each in units},
        number=against.number,
        publication_id=against.id,
        own_unit=own_unit,
    )


def new_case(
    ctx: CommandContext,
    event: EventView,
    against: ListInForce,
    *,
    channel: Channel,
    key: str,
    language: str,
    text: str,
    lacking: Sequence[Requirement],
    entries: Sequence[int],
) -> Objection:
    """The row of a case with its number, which is made of its id and so never given again."""
    token = secrets.token_urlsafe(32)
    row = Objection(
        competition_id=event.competition_id,
        event_id=event.id,
        publication_id=against.id,
        number=token[:20],
        token=token,
        idempotency_key=key,
        channel=channel.value,
        state=rules.first_state(lacking).value,
        language=language,
        text=text,
        lacking=[each.value for each in lacking],
        received_at=ctx.now,
        due_at=due_of(event, ctx.now),
    )
    ctx.session.add(row)
    ctx.session.flush()
    row.number = case_number(row.id, ctx.now)
    for entry_id in dict.fromkeys(entries):
        ctx.session.add(ObjectionEntry(objection_id=row.id, entry_id=entry_id))
    ctx.session.flush()
    return row


def require_in_time(ctx: CommandContext, row: Objection, event: EventView) -> None:
    """While the window of its list runs. Raises ``WindowClosedError``."""
    if row.publication_id is None:
        raise CaseStateError(CaseState(row.state))
    against = lists.current(row.event_id, row.publication_id)
    rules.require_window(
        event.regulation,
        against=against.view,
        number=against.number,
        final=against.final,
        now=ctx.now,
    )


def own(ctx: CommandContext, slug: str, token: str) -> Objection:
    """The case behind a receipt, for whoever lodged it or leads the unit that did. For others there is none."""
    user_id = ctx.actor.require_signed_in()
    found = ctx.session.scalar(
        select(Objection.id).where(
            Objection.token == token, Objection.competition_id == competitions.competition_id(slug)
        )
    )
    if found is None:
        raise UnknownObjectionError
    row = relocked(ctx, found)
    if not people.is_lodger(user_id, row):
        raise UnknownObjectionError
    return row


def steps_of(ctx: CommandContext, row: Objection, kind: StepKind) -> Sequence[ObjectionStep]:
    return ctx.session.scalars(
        select(ObjectionStep).where(ObjectionStep.objection_id == row.id, ObjectionStep.kind == kind.value)
    ).all()


def attach(
    ctx: CommandContext,
    row: Objection,
    upload_ids: Sequence[UploadId],
    role: FileRole,
    hearing_id: int | None = None,
) -> None:
    """Make uploads files of the case."""
    for upload_id in upload_ids:
        ctx.session.add(
            ObjectionFile(objection_id=row.id, upload_id=upload_id, role=role.value, hearing_id=hearing_id)
        )
    ctx.session.flush()


def key_of(whose: str, key: str) -> str:
    """A key of a form, apart from everybody else's keys; 64 hex digits."""
    return hashlib.sha256(f"{whose} {key}".encode()).hexdigest()


def _claim(ctx: CommandContext, row: Objection, files: Files) -> None:
    for role, tokens in files.by_role().items():
        claimed = uploads.claim(
            ctx,
            tokens=tokens,
            user_id=ctx.actor.require_signed_in(),
            competition_id=row.competition_id,
            purpose=PURPOSES[role],
        )
        attach(ctx, row, claimed, role)
