"""What is done with an announcement: it is written, changed, withdrawn. It goes public by the clock alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, select

from app.announcements import rules
from app.announcements.models import Announcement, AnnouncementFile
from app.announcements.rules import (
    PURPOSE,
    AnnouncementId,
    AnnouncementState,
    AnnouncementText,
    KeyUsedError,
    UnknownAnnouncementError,
)
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.database import lock_name
from app.uploads import queries as uploads
from app.uploads import service as uploads_service


def announce(
    ctx: CommandContext,
    slug: str,
    text: AnnouncementText,
    *,
    idempotency_key: str,
    publish_at: datetime | None = None,
    pinned: bool = False,
    tokens: Sequence[str] = (),
    phones_public: bool = False,
) -> AnnouncementId:
    """Write one that goes public at ``publish_at``, at once without it. The same key and text again: the same one.

    ``tokens``: uploads of the writer, in order. Raises what refuses time, text and files.
    """
    competition_id, user_id = _require_writer(ctx, slug)
    text = text.tidy()
    lock_name(ctx.session, f"announcements of {competition_id}")
    known: Announcement | None = ctx.session.scalar(
        select(Announcement).where(
            Announcement.competition_id == competition_id, Announcement.idempotency_key == idempotency_key
        )
    )
    if known is not None:
        if known.revision == 1 and _text_of(known) != text:
            raise KeyUsedError
        return AnnouncementId(known.id)
    names = _sent_names(user_id, tokens)
    rules.require_publishable(text, names, ctx.now, phones=phones_public)
    row = Announcement(
        competition_id=competition_id,
        idempotency_key=idempotency_key,
        title=text.title,
        body=text.body,
        title_en=text.title_en,
        body_en=text.body_en,
        pinned=pinned,
        revision=1,
        created_at=ctx.now,
        created_by_id=user_id,
        publish_at=rules.publication_time(publish_at, ctx.now),
    )
    ctx.session.add(row)
    ctx.session.flush()
    files = _attach(ctx, row, tokens, user_id)
    ctx.record(
        AuditAction.ANNOUNCEMENT_MADE,
        row,
        publish_at=row.publish_at.isoformat(),
        pinned=pinned,
        sha256=_sha256(text),
        files=files,
    )
    return AnnouncementId(row.id)


def change(
    ctx: CommandContext,
    slug: str,
    announcement_id: int,
    text: AnnouncementText,
    *,
    base_revision: int,
    publish_at: datetime | None = None,
    pinned: bool = False,
    tokens: Sequence[str] = (),
    removed: Sequence[int] = (),
    phones_public: bool = False,
) -> None:
    """Save another text, place and files. A scheduled one without ``publish_at`` goes public at once; a published one says
    when it was changed. ``removed``: upload ids of attachments that go. What changes nothing leaves no trace.

    Raises ``UnknownAnnouncementError``, ``AnnouncementWithdrawnError``, ``AnnouncementChangedError``, and what refuses time, text
    and files.
    """
    competition_id, user_id = _require_writer(ctx, slug)
    row = _locked(ctx, competition_id, announcement_id)
    found = rules.require_changeable(
        revision=row.revision,
        base_revision=base_revision,
        publish_at=row.publish_at,
        withdrawn_at=row.withdrawn_at,
        now=ctx.now,
    )
    text = text.tidy()
    kept = [each for each in _files(ctx, row) if each.upload_id not in set(removed)]
    names = [each.name for each in kept] + _sent_names(user_id, tokens)
    rules.require_publishable(text, names, ctx.now, phones=phones_public)
    changed = [name for name in _TEXTS if getattr(row, name) != getattr(text, name)]
    if found is AnnouncementState.SCHEDULED:
        wanted = rules.publication_time(publish_at, ctx.now)
        changed += ["publish_at"] if wanted != row.publish_at else []
        row.publish_at = wanted
    else:
        rules.unchanged_time(publish_at, row.publish_at)
    changed += ["pinned"] if pinned != row.pinned else []
    gone = _detach(ctx, row, removed)
    added = _attach(ctx, row, tokens, user_id)
    changed += ["files"] if gone or added else []
    if not changed:
        return
    row.title, row.body, row.title_en, row.body_en = text.title, text.body, text.title_en, text.body_en
    row.pinned = pinned
    row.revision += 1
    if found is AnnouncementState.PUBLISHED and changed != ["pinned"]:
        row.changed_at = ctx.now
    ctx.session.flush()
    ctx.record(
        AuditAction.ANNOUNCEMENT_CHANGED,
        row,
        revision=row.revision,
        changed=changed,
        publish_at=row.publish_at.isoformat(),
        sha256=_sha256(text),
        files=added,
        removed=gone,
    )


def withdraw(ctx: CommandContext, slug: str, announcement_id: int, *, reason: str) -> None:
    """Nobody reads it any more; where it was public its address says that it was withdrawn, and why. Again: nothing happens."""
    competition_id, _ = _require_writer(ctx, slug)
    row = _locked(ctx, competition_id, announcement_id)
    if row.withdrawn_at is not None:
        return
    row.withdrawn_reason = rules.require_reason(reason, ctx.now)
    row.withdrawn_at = ctx.now
    ctx.session.flush()
    was_public = rules.was_public(row.publish_at, row.withdrawn_at, ctx.now)
    ctx.record(AuditAction.ANNOUNCEMENT_WITHDRAWN, row, revision=row.revision, was_public=was_public)


_TEXTS = ("title", "body", "title_en", "body_en")


def _require_writer(ctx: CommandContext, slug: str) -> tuple[int, int]:
    competition_id = competitions.competition_id(slug)
    ctx.actor.require(competition_id, *rules.WRITERS)
    return competition_id, ctx.actor.require_signed_in()


def _locked(ctx: CommandContext, competition_id: int, announcement_id: int) -> Announcement:
    row: Announcement | None = ctx.session.scalar(
        select(Announcement)
        .where(Announcement.id == announcement_id, Announcement.competition_id == competition_id)
        .with_for_update(key_share=True)
    )
    if row is None:
        raise UnknownAnnouncementError
    return row


def _text_of(row: Announcement) -> AnnouncementText:
    return AnnouncementText(row.title, row.body, row.title_en, row.body_en)


def _files(ctx: CommandContext, row: Announcement) -> list[AnnouncementFile]:
    return list(
        ctx.session.scalars(
            select(AnnouncementFile)
            .where(AnnouncementFile.announcement_id == row.id)
            .order_by(AnnouncementFile.position)
        )
    )


def _sent_names(user_id: int, tokens: Sequence[str]) -> list[str]:
    return [each.name for each in uploads.some_of_mine(user_id, tokens)]


def _attach(ctx: CommandContext, row: Announcement, tokens: Sequence[str], user_id: int) -> list[int]:
    """Claim these uploads as attachments after those that are there; their ids."""
    tokens = list(dict.fromkeys(tokens))
    if not tokens:
        return []
    there = _files(ctx, row)
    rules.require_files(len(there) + len(tokens))
    sent = {each.id: each for each in uploads.some_of_mine(user_id, tokens)}
    claimed = uploads_service.claim(
        ctx, tokens=tokens, user_id=user_id, competition_id=row.competition_id, purpose=PURPOSE
    )
    first = max((each.position for each in there), default=0) + 1
    for position, upload_id in enumerate(claimed, first):
        name = rules.file_name(sent[upload_id].name, sent[upload_id].media_type or "", position)
        ctx.session.add(
            AnnouncementFile(announcement_id=row.id, upload_id=upload_id, position=position, name=name)
        )
    ctx.session.flush()
    return list(claimed)


def _detach(ctx: CommandContext, row: Announcement, removed: Sequence[int]) -> list[int]:
    """Delete attachments for good, files included; those of them that were there."""
    there = {each.upload_id for each in _files(ctx, row)}
    gone = [upload_id for upload_id in dict.fromkeys(removed) if upload_id in there]
    if gone:
        ctx.session.execute(
            delete(AnnouncementFile).where(
                AnnouncementFile.announcement_id == row.id, AnnouncementFile.upload_id.in_(gone)
            )
        )
        uploads_service.erase(ctx, gone)
    return gone


def _sha256(text: AnnouncementText) -> str:
    """Which words stood there, for the audit chain."""
    canonical = json.dumps(text.parts(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
