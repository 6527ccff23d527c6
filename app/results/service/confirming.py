"""A handed-in sheet is confirmed (确认) by its sides or by a second referee, or disputed (争议) until the chief referee decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.documents.rules.undertaking import packed, read_strokes
from app.errors import SaishiError
from app.floor import queries as floor_queries
from app.floor import service as floor
from app.floor.rules import CallKind
from app.results import queries
from app.results.models import BlindEntry, SheetConfirmation
from app.results.queries import SheetView
from app.results.rules import (
    Content,
    Outcome,
    SheetAct,
    SheetClosedError,
    SheetState,
    moved,
    require_may_record,
)
from app.results.rules.confirming import (
    AlreadyDecidedError,
    AlreadyPublicError,
    AwaitsSecondRefereeError,
    Decision,
    DisputeNoteMissingError,
    NoSecondRefereeError,
    NotAtTableError,
    OutdatedWordError,
    ReasonMissingError,
    Said,
    Way,
    WordKeyUsedError,
    differing,
    missing_sides,
    require_another_person,
    require_may_decide,
    require_may_sign_for,
    require_words,
)
from app.results.service.checks import checked_content, require_complete
from app.results.service.revising import (
    Locked,
    Saved,
    Sent,
    conflict,
    correction_clause,
    locked_with_event,
    revise,
    settle,
)
from app.text import T


@dataclass(frozen=True, slots=True)
class Voice:
    """Who speaks for a side of a table, and what shows it: the player's ``card``, or for ``entry_id`` his ``pin``, or a finger
    ``signature`` (strokes as JSON) on a referee's phone. A referee may also log a dispute that he was told, without any of them.
    """

    card: str | None = None
    entry_id: int | None = None
    pin: str | None = None
    signature: str | None = None


@dataclass(frozen=True, slots=True)
class Spoken:
    """The answer to a word on a sheet. ``refused``: a wrong PIN, which is counted and so committed: raise it after the command."""

    state: SheetState
    revision: int
    repeated: bool = False
    refused: SaishiError | None = None

    def require(self) -> Spoken:
        """Itself. Raises ``refused``."""
        if self.refused is not None:
            raise self.refused
        return self


@dataclass(frozen=True, slots=True)
class _Word:
    """One word before it is stored."""

    entry_id: int | None
    said: Said
    way: Way
    note: str | None = None
    signature: str | None = None


def confirm(
    ctx: CommandContext, token: str, *, voice: Voice, revision: int, key: str, device: str | None = None
) -> Spoken:
    """A side says that the handed-in ``revision`` is right; with the last side the sheet is confirmed.

    Raises ``NotAtTableError``, ``OutdatedWordError``, ``SheetClosedError``, ``AwaitsSecondRefereeError``,
    ``floor.rules.UnknownPlayerKeyError``, ``documents.rules.UnsignedError``.
    """
    locked = _handed_in(ctx, token, SheetAct.CONFIRM)
    word = _spoken_by(ctx, locked.view, voice, Said.CONFIRMED)
    if isinstance(word, SaishiError):
        return Spoken(locked.view.state, locked.view.revision, refused=word)
    done = _said_before(ctx, locked, word, revision, key)
    if done is not None:
        return done
    moved(locked.view.state, SheetAct.CONFIRM, clause=correction_clause(locked.view))
    if locked.view.awaits_second:
        raise AwaitsSecondRefereeError
    _keep(ctx, locked, word, key=key, device=device)
    return _after_words(ctx, locked, word.entry_id)


def confirm_for(
    ctx: CommandContext,
    token: str,
    *,
    entry_id: int | None,
    reason: str,
    revision: int,
    key: str,
    device: str | None = None,
) -> Spoken:
    """The chief referee confirms for a side that is away; without ``entry_id`` the whole sheet, which he did not write himself.

    Raises ``ReasonMissingError``, ``NotAtTableError``, ``SamePersonError``, ``OutdatedWordError``, ``SheetClosedError``.
    """
    require_may_decide(ctx.actor, queries.sheet(token).event.competition_id)
    note = require_words(reason, ReasonMissingError)
    locked = _handed_in(ctx, token, SheetAct.CONFIRM)
    if entry_id is not None:
        _require_seated(locked.view, entry_id)
    word = _Word(entry_id, Said.DECIDED if entry_id is None else Said.CONFIRMED, Way.RULING, note)
    done = _said_before(ctx, locked, word, revision, key)
    if done is not None:
        return done
    moved(locked.view.state, SheetAct.CONFIRM, clause=correction_clause(locked.view))
    if entry_id is None:
        require_another_person(ctx.actor.user_id, queries.writers(locked.view))
    elif locked.view.awaits_second:
        raise AwaitsSecondRefereeError
    _keep(ctx, locked, word, key=key, device=device)
    if entry_id is None:
        settle(ctx, locked.row, locked.view)
        return _now(locked)
    return _after_words(ctx, locked, entry_id)


def dispute(
    ctx: CommandContext,
    token: str,
    *,
    voice: Voice,
    note: str,
    revision: int,
    key: str,
    device: str | None = None,
) -> Spoken:
    """A side says that the handed-in ``revision`` is wrong: it is not published, and the chief referee is called.

    Raises as ``confirm`` does, ``DisputeNoteMissingError``, and ``AlreadyPublicError`` once it is public,
    ``AlreadyDecidedError`` once the chief referee decided.
    """
    said = require_words(note, DisputeNoteMissingError)
    locked = _handed_in(ctx, token, SheetAct.DISPUTE)
    word = _spoken_by(ctx, locked.view, voice, Said.DISPUTED, note=said)
    if isinstance(word, SaishiError):
        return Spoken(locked.view.state, locked.view.revision, refused=word)
    done = _said_before(ctx, locked, word, revision, key)
    if done is not None:
        return done
    if locked.view.in_force:
        raise AlreadyPublicError(clause=correction_clause(locked.view))
    if any(each.said is Said.DECIDED for each in locked.view.words):
        raise AlreadyDecidedError(clause=correction_clause(locked.view))
    _dispute(ctx, locked, word, key, device)
    return _now(locked)


def decide_dispute(ctx: CommandContext, token: str, *, decision: Decision, reason: str, sent: Sent) -> Spoken:
    """The chief referee decides a dispute: the sheet stands and is confirmed, or goes back to the table to be mended.

    Raises ``ReasonMissingError``, ``SheetClosedError``, ``SheetConflictError``.
    """
    require_may_decide(ctx.actor, queries.sheet(token).event.competition_id)
    note = require_words(reason, ReasonMissingError)
    locked = _handed_in(ctx, token, SheetAct.UPHOLD)
    if decision is Decision.SEND_BACK:
        saved = _send_back(ctx, locked, note, sent)
        return Spoken(saved.state, saved.revision, saved.repeated)
    word = _Word(None, Said.DECIDED, Way.RULING, note)
    before = _stored(ctx, locked, sent.idempotency_key)
    if before is not None:
        return _repeated(locked, before, word, sent.base_revision)
    if sent.base_revision != locked.view.revision:
        raise conflict(locked.view, sent, {"decision": decision.value})
    clause = correction_clause(locked.view)
    locked.row.state = moved(locked.view.state, SheetAct.UPHOLD, clause=clause).value
    _keep(
        ctx,
        locked,
        word,
        key=sent.idempotency_key,
        device=sent.device,
        audit=AuditAction.SHEET_DISPUTE_DECIDED,
    )
    settle(ctx, locked.row, locked.view)
    floor.close_disputes(ctx, locked.view.table.id, outcome=note)
    return _now(locked)


def enter_blind(
    ctx: CommandContext,
    token: str,
    *,
    sent: Sent,
    deals: Sequence[Mapping[str, Any]] = (),
    outcome: Outcome | None = None,
) -> Spoken:
    """Enter a handed-in sheet a second time without seeing it (盲录复核), by another person: equal, it is confirmed; else the chief
    referee is called as for a dispute. What the first said is in no refusal.

    Raises ``NoSecondRefereeError``, ``SamePersonError``, ``OutdatedWordError``, ``SheetClosedError`` and as ``record_sheet`` does.
    """
    require_may_record(ctx.actor, queries.sheet(token).event.competition_id)
    locked = _handed_in(ctx, token, SheetAct.CONFIRM)
    row, sheet = locked.row, locked.view
    before = ctx.session.scalar(
        select(BlindEntry).where(
            BlindEntry.sheet_id == row.id, BlindEntry.idempotency_key == sent.idempotency_key
        )
    )
    if before is not None:
        return replace(_now(locked), repeated=True)
    if sent.base_revision != sheet.revision:
        raise OutdatedWordError(seen=sent.base_revision, revision=sheet.revision)
    moved(sheet.state, SheetAct.CONFIRM, clause=correction_clause(sheet))
    if not sheet.awaits_second:
        raise NoSecondRefereeError
    require_another_person(ctx.actor.user_id, queries.writers(sheet))
    content = checked_content(sheet, deals, outcome)
    require_complete(sheet, content)
    places = differing(sheet.content, content, sheet.names, sheet.rules)
    ctx.session.add(
        BlindEntry(
            sheet_id=row.id,
            revision=sheet.revision,
            deals=list(content.deals),
            outcome=content.outcome,
            equal=not places,
            entered_by_id=ctx.actor.user_id,
            entered_at=ctx.now,
            device=sent.device,
            client_time=sent.client_time,
            idempotency_key=sent.idempotency_key,
        )
    )
    ctx.record(
        AuditAction.SHEET_ENTERED_BLIND, row, table_id=row.table_id, revision=row.revision, equal=not places
    )
    if places:
        text = T("两次录入不一致：%(places)s。", places="、".join(map(str, places)))
        word = _Word(None, Said.DISPUTED, Way.REFEREE, str(text))
        _dispute(ctx, locked, word, sent.idempotency_key, sent.device)
    else:
        settle(ctx, row, sheet)
    return _now(locked)


def _send_back(ctx: CommandContext, locked: Locked, reason: str, sent: Sent) -> Saved:
    sheet = locked.view

    def content_after() -> Content:
        moved(sheet.state, SheetAct.SEND_BACK, clause=correction_clause(sheet))
        return sheet.content

    request = {"act": "send_back", "reason": reason}
    return revise(ctx, locked, sent, request, content_after, act=SheetAct.SEND_BACK, reason=reason)


def _handed_in(ctx: CommandContext, token: str, act: SheetAct) -> Locked:
    """The sheet and its event, locked. A table where nothing was recorded has none, and gets none by being asked."""
    if queries.sheet(token).revision == 0:
        raise SheetClosedError(SheetState.OPEN, act, clause=None)
    return locked_with_event(ctx, token)


def _require_seated(sheet: SheetView, entry_id: int) -> None:
    if entry_id not in {seat.entry_id for seat in sheet.table.seats}:
        raise NotAtTableError


def _spoken_by(
    ctx: CommandContext, sheet: SheetView, voice: Voice, said: Said, note: str | None = None
) -> _Word | SaishiError:
    """The word of a side, shown to be its own; or why the PIN is not taken."""
    if voice.card is not None:
        player = floor_queries.player_by_token(voice.card)
        _require_seated(sheet, player.entry_id)
        return _Word(player.entry_id, said, Way.CARD, note)
    if voice.entry_id is None:
        raise NotAtTableError
    _require_seated(sheet, voice.entry_id)
    if voice.pin is not None:
        refused = floor.check_pin(ctx, voice.entry_id, voice.pin)
        return refused if refused is not None else _Word(voice.entry_id, said, Way.PIN, note)
    require_may_sign_for(ctx.actor, sheet.event.competition_id)
    if said is Said.DISPUTED and voice.signature is None:
        return _Word(voice.entry_id, said, Way.REFEREE, note)
    strokes = packed(read_strokes(voice.signature or ""))
    return _Word(voice.entry_id, said, Way.SIGNATURE, note, strokes)


def _stored(ctx: CommandContext, locked: Locked, key: str) -> SheetConfirmation | None:
    return ctx.session.scalar(
        select(SheetConfirmation).where(
            SheetConfirmation.sheet_id == locked.row.id, SheetConfirmation.idempotency_key == key
        )
    )


def _repeated(locked: Locked, before: SheetConfirmation, word: _Word, revision: int) -> Spoken:
    same = (before.entry_id, before.said, before.revision) == (word.entry_id, word.said.value, revision)
    if not same:
        raise WordKeyUsedError
    return replace(_now(locked), repeated=True)


def _said_before(ctx: CommandContext, locked: Locked, word: _Word, revision: int, key: str) -> Spoken | None:
    """The answer to a word that was stored before. Raises ``WordKeyUsedError``, ``OutdatedWordError``."""
    before = _stored(ctx, locked, key)
    if before is not None:
        return _repeated(locked, before, word, revision)
    if revision != locked.view.revision:
        raise OutdatedWordError(seen=revision, revision=locked.view.revision)
    stands = word.said is not Said.DISPUTED or locked.view.state is SheetState.DISPUTED
    said = [(each.entry_id, each.said) for each in locked.view.words]
    if stands and word.entry_id is not None and (word.entry_id, word.said) in said:
        return replace(_now(locked), repeated=True)  # from another phone, or the page was opened again
    return None


def _keep(
    ctx: CommandContext,
    locked: Locked,
    word: _Word,
    *,
    key: str,
    device: str | None,
    audit: AuditAction = AuditAction.SHEET_SAID,
) -> None:
    row = locked.row
    ctx.session.add(
        SheetConfirmation(
            sheet_id=row.id,
            revision=row.revision,
            entry_id=word.entry_id,
            said=word.said.value,
            way=word.way.value,
            note=word.note,
            signature=word.signature,
            said_at=ctx.now,
            recorded_by_id=ctx.actor.user_id,
            device=device,
            idempotency_key=key,
        )
    )
    ctx.record(
        audit,
        row,
        table_id=row.table_id,
        revision=row.revision,
        entry_id=word.entry_id,
        said=word.said.value,
        way=word.way.value,
    )
    ctx.session.flush()


def _dispute(ctx: CommandContext, locked: Locked, word: _Word, key: str, device: str | None) -> None:
    row, sheet = locked.row, locked.view
    row.state = moved(sheet.state, SheetAct.DISPUTE, clause=correction_clause(sheet)).value
    # what was confirmed and never public is not confirmed any more
    row.confirmed_revision = row.published_revision
    _keep(ctx, locked, word, key=key, device=device, audit=AuditAction.SHEET_DISPUTED)
    floor.call_referee(
        ctx,
        sheet.table.id,
        kind=CallKind.DISPUTE,
        note=word.note,
        caller_entry_id=word.entry_id,
        key=key,
    )


def _after_words(ctx: CommandContext, locked: Locked, entry_id: int | None) -> Spoken:
    """Confirm the sheet once no side is missing."""
    sheet = locked.view
    heard = [each.entry_id for each in sheet.confirmations if each.entry_id is not None]
    missing = missing_sides(
        sheet.state,
        sheet.terms.confirmation,
        [seat.entry_id for seat in sheet.table.seats],
        sheet.forfeited,
        [*heard, *([entry_id] if entry_id is not None else [])],
    )
    if not missing:
        settle(ctx, locked.row, sheet)
    return _now(locked)


def _now(locked: Locked) -> Spoken:
    return Spoken(SheetState(locked.row.state), locked.row.revision)
