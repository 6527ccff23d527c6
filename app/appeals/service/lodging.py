"""An appeal comes in: said and logged by the clerk, handed in in writing, completed, taken back, or out of time."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.appeals.models import Appeal, AppealFile, AppealStep
from app.appeals.queries import people, rounds
from app.appeals.queries.rounds import RoundClock
from app.appeals.rules import clocks as rules
from app.appeals.rules.handling import CLERKS, LONGEST_TEXT, require_open, require_texts, require_way
from app.appeals.rules.refusals import (
    AlreadyAppealedError,
    AppealInvalidError,
    NotPlayingError,
    NotTakenError,
    NotYoursError,
    UnknownAppealError,
)
from app.appeals.rules.states import (
    OPEN,
    UPLOADED_FOR,
    AppealId,
    AppealState,
    Paper,
    StepKind,
    Subject,
    case_number,
)
from app.appeals.service import fees, letters
from app.appeals.service.cases import Case, clerked, locked, note
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.queries import EventView
from app.floor.models import PlayerKey
from app.registrations.models import Entry
from app.registrations.rules.entries import MAX_ID
from app.rulings.models import Ruling
from app.text import T
from app.uploads import service as uploads
from app.uploads.rules.refusals import StillCheckedError, StillReceivedError


@dataclass(frozen=True, slots=True)
class Matter:
    """What is appealed against: who, in which round, what; ``ruling_id`` the ruling it is about, if it is one of the site's."""

    stage: str
    round_number: int
    entry_id: int
    subject: Subject
    ruling_id: int | None = None


@dataclass(frozen=True, slots=True)
class HandedIn:
    """``pending``: the evidence was still being checked; the appeal counts, and the files are to be added to it."""

    appeal_id: AppealId
    pending: bool = False


def log_oral(
    ctx: CommandContext,
    *,
    slug: str,
    matter: Matter,
    said_at: datetime,
    text: str,
    idempotency_key: str,
    language: str = "zh",
) -> AppealId:
    """Log an oral appeal (口头申诉), by a clerk, with the time it was said; that time decides whether it is in time.

    The same key again is the same case; a written one that claimed an oral appeal is confirmed by it. Raises
    ``RoundRunningError``, ``AppealLateError``, ``NotPlayingError``, ``AlreadyAppealedError``.
    """
    ctx.actor.require(competitions.competition_id(slug), *CLERKS)
    event = _locked_event(ctx, slug)
    key = key_of("clerk", idempotency_key)
    if (repeated := _repeated(ctx, event, key)) is not None:
        return repeated
    round_ = rounds.of_round(event, matter.stage, matter.round_number)
    table_id = _table(event, round_, matter)
    _require_ruling(ctx, round_, matter)
    rules.require_said_in_time(round_.clocks, said_at, ctx.now, remains=_remains(round_, table_id, ctx.now))
    if len(text) > LONGEST_TEXT:
        require_texts(round_.clocks.terms.clause, text=(text, LONGEST_TEXT))
    row = _open_case(ctx, round_, matter)
    if row is not None and row.oral_at is not None:
        raise AlreadyAppealedError(row.number)
    first = row is None
    row = row or _new(
        ctx, event, round_, matter, table_id=table_id, key=key, language=language, state=AppealState.ORAL
    )
    row.oral_at, row.oral_logged_by_id = said_at, ctx.actor.user_id
    note(
        ctx,
        row,
        StepKind.ORAL_LOGGED,
        text=text.strip(),
        details={"said_at": said_at.isoformat()},
        said={"said_at": said_at.isoformat()},
        first=first,
    )
    if first:
        letters.logged(ctx, row, event)
    return AppealId(row.id)


def hand_in(
    ctx: CommandContext,
    *,
    slug: str,
    matter: Matter,
    text: str,
    oral_at: datetime | None = None,
    evidence: Sequence[str] = (),
    idempotency_key: str,
    language: str,
    card: str | None = None,
) -> HandedIn:
    """Hand in a written appeal (书面申诉), by the leader of who appeals, or by the holder of his ``card``.

    An oral one that was logged for the same matter becomes this one; else ``oral_at`` says when it was made, for the clerk
    to confirm. The same key again is the same case. Raises ``AppealLateError``, ``OralMissingError``, ``NotYoursError``,
    ``NotPlayingError``, ``AlreadyAppealedError``, ``AppealInvalidError``.
    """
    event = _locked_event(ctx, slug)
    terms = rules.terms_of(event.regulation)
    if card is None:
        user_id = ctx.actor.require_signed_in()
        whose = f"user {user_id}"
        may = people.leads(user_id, matter.entry_id)
    else:
        whose = f"card {card}"
        may = entry_of_card(ctx, card) == matter.entry_id
    key = key_of(whose, idempotency_key)
    if (repeated := _repeated(ctx, event, key)) is not None:
        return HandedIn(repeated)
    round_ = rounds.of_round(event, matter.stage, matter.round_number)
    table_id = _table(event, round_, matter)
    if not may:
        raise NotYoursError(terms.clause)
    _require_ruling(ctx, round_, matter)
    rules.require_written_in_time(
        round_.clocks, ctx.now, ctx.now, remains=_remains(round_, table_id, ctx.now)
    )
    row = _open_case(ctx, round_, matter)
    if row is not None and row.state != AppealState.ORAL:
        if _key_of_step(ctx, row) == key:
            return HandedIn(AppealId(row.id))
        raise AlreadyAppealedError(row.number)
    rules.require_oral(round_.clocks, row.oral_at if row else None, oral_at)
    require_texts(terms.clause, text=(text, LONGEST_TEXT))
    first = row is None
    row = row or _new(
        ctx, event, round_, matter, table_id=table_id, key=key, language=language, state=AppealState.RECEIVED
    )
    if card is None:
        row.user_id = ctx.actor.user_id
    row.ruling_id = row.ruling_id or matter.ruling_id
    return _write(
        ctx, row, event, text, handed_at=ctx.now, files=evidence, key=key, claimed=oral_at, first=first
    )


def hand_in_for(
    ctx: CommandContext,
    *,
    slug: str,
    token: str,
    text: str,
    evidence: Sequence[str] = (),
    idempotency_key: str,
) -> HandedIn:
    """As ``hand_in``, for an oral appeal that was logged, by whoever its receipt was given to."""
    case = own(ctx, slug, token)
    key = key_of("receipt", idempotency_key)
    if case.standing.state is not AppealState.ORAL and _key_of_step(ctx, case.row) == key:
        return HandedIn(AppealId(case.row.id))
    require_way(case.standing, AppealState.RECEIVED, case.terms.clause)
    remains = rules.what_remains(case.clocks, rounds.published_at(case.row.table_id), ctx.now)
    rules.require_written_in_time(case.clocks, ctx.now, ctx.now, remains=remains)
    require_texts(case.terms.clause, text=(text, LONGEST_TEXT))
    return _write(ctx, case.row, case.event, text, handed_at=ctx.now, files=evidence, key=key)


def log_written(
    ctx: CommandContext,
    *,
    slug: str,
    number: str,
    handed_at: datetime,
    text: str,
    papers: Sequence[str] = (),
) -> None:
    """Log a written appeal on paper (书面申诉材料), by a clerk, with the time it was handed over and its pictures.

    Raises ``AppealLateError`` where it was handed over too late, ``AppealStateError`` where no oral one waits for it.
    """
    case = clerked(ctx, slug, number)
    require_way(case.standing, AppealState.RECEIVED, case.terms.clause)
    remains = rules.what_remains(case.clocks, rounds.published_at(case.row.table_id), ctx.now)
    rules.require_written_in_time(case.clocks, handed_at, ctx.now, remains=remains)
    if not papers:
        require_texts(case.terms.clause, text=(text, LONGEST_TEXT))
    _write(ctx, case.row, case.event, text, handed_at=handed_at, files=papers, role=Paper.WRITTEN)


def add(ctx: CommandContext, *, slug: str, token: str, text: str, evidence: Sequence[str] = ()) -> None:
    """Add evidence (补充证据) while the appeal is not decided, by whoever appeals."""
    _add(ctx, own(ctx, slug, token), text, evidence)


def add_for(ctx: CommandContext, *, slug: str, number: str, text: str, evidence: Sequence[str] = ()) -> None:
    """The same by a clerk, who was given it on paper."""
    _add(ctx, clerked(ctx, slug, number), text, evidence)


def withdraw(ctx: CommandContext, *, slug: str, token: str, reason: str = "") -> None:
    """Take an appeal back (撤回), by whoever appeals, until it is decided. Again: nothing more happens."""
    case = own(ctx, slug, token)
    if case.standing.state is AppealState.WITHDRAWN:
        return
    require_way(case.standing, AppealState.WITHDRAWN, case.terms.clause)
    note(ctx, case.row, StepKind.WITHDRAWN, to=AppealState.WITHDRAWN, text=reason.strip())
    fees.settle(ctx, case)
    letters.ended(ctx, case.row, case.event)


def lapse(ctx: CommandContext, limit: int = 50) -> int:
    """End oral appeals that no written one followed in time (逾期), with the clause. Safe to run twice. How many."""
    ids = ctx.session.scalars(
        select(Appeal.id).where(Appeal.state == AppealState.ORAL.value).order_by(Appeal.id)
    ).all()
    ended = 0
    for appeal_id in ids:
        row = ctx.session.get_one(Appeal, appeal_id)
        event = competitions.event(row.event_id)
        if ended >= limit or not rounds.clocks_of(rules.terms_of(event.regulation), row.round_id).lapsed(
            ctx.now
        ):
            continue
        case = locked(ctx, row, with_event=True)
        if case.standing.state is not AppealState.ORAL:
            continue
        case.row.clause = case.terms.written.clause
        note(ctx, case.row, StepKind.LAPSED, to=AppealState.LAPSED, said={"clause": case.row.clause})
        fees.settle(ctx, case)
        letters.ended(ctx, case.row, case.event)
        ended += 1
    return ended


def note_turned_away(ctx: CommandContext, *, slug: str, refusal: NotTakenError) -> None:
    """Log that an appeal was not taken in, and for what: no text, no entry, no person."""
    ctx.record(
        AuditAction.APPEAL_TURNED_AWAY,
        ("Competition", competitions.competition_id(slug)),
        lacked=refusal.lacked,
        clause=refusal.clause,
    )


def own(ctx: CommandContext, slug: str, token: str) -> Case:
    """The appeal behind a receipt, for whoever appeals. One that was lodged without an account is whoever's holds the receipt."""
    row = ctx.session.scalar(
        select(Appeal).where(
            Appeal.token == token, Appeal.competition_id == competitions.competition_id(slug)
        )
    )
    if row is None:
        raise UnknownAppealError
    if row.user_id is not None and not people.is_appellant(ctx.actor.require_signed_in(), row):
        raise UnknownAppealError
    return locked(ctx, row, with_event=True)


def entry_of_card(ctx: CommandContext, card: str) -> int | None:
    """Whose card (选手卡) this is."""
    return ctx.session.scalar(select(PlayerKey.entry_id).where(PlayerKey.token == card))


def key_of(whose: str, key: str) -> str:
    """A key of a form, apart from everybody else's keys; 64 hex digits."""
    return hashlib.sha256(f"{whose} {key}".encode()).hexdigest()


def _locked_event(ctx: CommandContext, slug: str) -> EventView:
    """Appeals of one event come in one after another: their numbers and their matters are each there once."""
    event = competitions.competition(slug).event
    rules.terms_of(event.regulation)
    competitions_service.lock_event(ctx, event.id)
    return event


def _repeated(ctx: CommandContext, event: EventView, key: str) -> AppealId | None:
    found = ctx.session.scalar(
        select(Appeal.id).where(Appeal.event_id == event.id, Appeal.idempotency_key == key)
    )
    return AppealId(found) if found is not None else None


def _table(event: EventView, round_: RoundClock, matter: Matter) -> int | None:
    """The table where the entry sat in the round, None with a bye. Raises ``NotPlayingError``."""
    place = rounds.place_of(round_.head, min(matter.entry_id, MAX_ID))
    if place is None:
        raise NotPlayingError(round_.clocks.terms.clause)
    return place.table_id


def _require_ruling(ctx: CommandContext, round_: RoundClock, matter: Matter) -> None:
    """A ruling that is named is one of this round, and about this entrant or his table."""
    if matter.ruling_id is None:
        return
    ruling = ctx.session.get(Ruling, min(matter.ruling_id, MAX_ID))
    place = rounds.place_of(round_.head, matter.entry_id)
    if (
        ruling is None
        or ruling.round_id != round_.id
        or (ruling.entry_id != matter.entry_id and (place is None or ruling.table_id != place.table_id))
    ):
        raise AppealInvalidError({"ruling_id": T("请选择这一轮本桌的判罚。")}, round_.clocks.terms.clause)


def _remains(round_: RoundClock, table_id: int | None, now: datetime) -> T:
    return rules.what_remains(round_.clocks, rounds.published_at(table_id), now)


def _open_case(ctx: CommandContext, round_: RoundClock, matter: Matter) -> Appeal | None:
    """The open appeal about the same matter, which this one continues, locked."""
    found = ctx.session.scalars(
        select(Appeal)
        .where(
            Appeal.round_id == round_.id,
            Appeal.entry_id == matter.entry_id,
            Appeal.state.in_([each.value for each in OPEN]),
            Appeal.subject == matter.subject.value,
        )
        .order_by(Appeal.id)
        .with_for_update(key_share=True)
    ).all()
    same = [each for each in found if matter.ruling_id in (None, each.ruling_id) or each.ruling_id is None]
    return same[0] if same else None


def _new(
    ctx: CommandContext,
    event: EventView,
    round_: RoundClock,
    matter: Matter,
    *,
    table_id: int | None,
    key: str,
    language: str,
    state: AppealState,
) -> Appeal:
    """The row of an appeal with its number, which is made of its id and so never given again."""
    entry = ctx.session.get_one(Entry, matter.entry_id)
    token = secrets.token_urlsafe(32)
    row = Appeal(
        competition_id=event.competition_id,
        event_id=event.id,
        round_id=round_.id,
        table_id=table_id,
        entry_id=entry.id,
        number=token[:20],
        token=token,
        idempotency_key=key,
        state=state.value,
        language=language,
        subject=matter.subject.value,
        ruling_id=matter.ruling_id,
        ended_at=rules.require_ended(round_.clocks),
    )
    ctx.session.add(row)
    ctx.session.flush()
    row.number = case_number(row.id, ctx.now)
    ctx.session.flush()
    return row


def _write(
    ctx: CommandContext,
    row: Appeal,
    event: EventView,
    text: str,
    *,
    handed_at: datetime,
    files: Sequence[str],
    role: Paper = Paper.EVIDENCE,
    key: str | None = None,
    claimed: datetime | None = None,
    first: bool = False,
) -> HandedIn:
    row.text, row.written_at = text.strip(), handed_at
    pending = False
    try:
        taken = _attach(ctx, row, files, role)
    except (StillCheckedError, StillReceivedError):
        taken, pending = 0, True  # minutes count, and the pictures can follow
    details = {"key": key, "handed_at": handed_at.isoformat(), "files": taken}
    if claimed is not None and row.oral_at is None:
        details["oral_claimed_at"] = claimed.isoformat()
    note(
        ctx,
        row,
        StepKind.WRITTEN,
        to=AppealState.RECEIVED,
        details=details,
        said={"handed_at": handed_at.isoformat(), "files": taken},
        first=first,
    )
    letters.received(ctx, row, event)
    return HandedIn(AppealId(row.id), pending)


def _add(ctx: CommandContext, case: Case, text: str, evidence: Sequence[str]) -> None:
    require_open(case.standing, case.terms.clause)
    if not evidence:
        require_texts(case.terms.clause, text=(text, LONGEST_TEXT))
    taken = _attach(ctx, case.row, evidence, Paper.EVIDENCE)
    note(ctx, case.row, StepKind.ADDED, text=text.strip(), details={"files": taken}, said={"files": taken})


def _attach(ctx: CommandContext, row: Appeal, tokens: Sequence[str], role: Paper) -> int:
    """Claim uploads of whoever is signed in, as files of the appeal. How many."""
    if not tokens:
        return 0
    claimed = uploads.claim(
        ctx,
        tokens=tokens,
        user_id=ctx.actor.require_signed_in(),
        competition_id=row.competition_id,
        purpose=UPLOADED_FOR,
    )
    for upload_id in claimed:
        ctx.session.add(AppealFile(appeal_id=row.id, upload_id=upload_id, role=role.value))
    ctx.session.flush()
    return len(claimed)


def _key_of_step(ctx: CommandContext, row: Appeal) -> str | None:
    """Under which key of a form the written appeal came."""
    step = ctx.session.scalars(
        select(AppealStep).where(AppealStep.appeal_id == row.id, AppealStep.kind == StepKind.WRITTEN.value)
    ).first()
    return str(step.details.get("key")) if step and step.details else None
