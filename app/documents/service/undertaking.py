"""Signing an undertaking (签署承诺书) on the phone: by the leader's list, or by a link that he gave the member."""

from __future__ import annotations

from app.audit.actions import AuditAction
from app.clock import beijing_date
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.documents import queries
from app.documents.models import Document, Signature
from app.documents.rules import (
    DocumentId,
    DocumentState,
    Role,
    Subject,
    require_open,
)
from app.documents.rules.refusals import LinkUsedError, NotSignableError
from app.documents.rules.undertaking import (
    NOTHING,
    Over,
    packed,
    read_strokes,
    require_same,
    wording_sha256,
)
from app.documents.service.revisions import repeated, revise, row_of, stored_of
from app.jobs import Job
from app.registrations import service as registrations


def sign(
    ctx: CommandContext,
    *,
    slug: str,
    subject: str,
    kind: str,
    language: str,
    text: str,
    strokes: str,
    idempotency_key: str,
    leader_user_id: int | None = None,
    over: Over = NOTHING,
) -> DocumentId:
    """Sign an undertaking: ``text`` is what stood on the screen, ``strokes`` what was drawn under it (JSON).

    ``leader_user_id`` is given by a link, by which nobody has to be signed in; else the leader himself holds out his
    phone. A link is for one signature: over what stood when it was made, and over nothing else.
    The same key again changes nothing. Raises ``LinkUsedError``, ``TextChangedError`` where the text is another one by now,
    ``UnsignedError``, ``NotSignableError``, ``HandInClosedError``, ``UnknownDocumentError``.
    """
    user_id = leader_user_id or registrations.require_consent(ctx, slug)
    competition = competitions.competition(slug)
    whose = Subject.parse(subject)
    stored = stored_of(ctx, whose, kind)
    unit, row = row_of(ctx, competition, user_id, whose, kind)
    if stored is not None and repeated(ctx, stored, idempotency_key):
        return DocumentId(stored.id)
    if not row.signable:
        raise NotSignableError
    require_open(row)
    if leader_user_id is not None and over != _over(stored, whose, kind):
        raise LinkUsedError
    texts = queries.to_sign(competition, row.demands, whose, unit.list_of(whose).name, unit.unit_name)
    now = texts[language]
    drawn = read_strokes(strokes)
    require_same(text, now)
    values = {each.name: beijing_date(ctx.now).isoformat() for each in row.fields if each.role is Role.ISSUED}
    was = stored.state if stored is not None else None
    stored, revision = revise(
        ctx,
        stored,
        competition=competition,
        unit=unit,
        whose=whose,
        row=row,
        user_id=user_id,
        idempotency_key=idempotency_key,
        values=values,
        wording_sha256=wording_sha256(texts.values()),
    )
    if all(each.rule.after_signing == "accept" for each in row.demands):
        stored.state, stored.decided_at = DocumentState.ACCEPTED.value, ctx.now
    ctx.session.add(
        Signature(
            revision_id=revision.id,
            text=now.text,
            text_sha256=now.sha256,
            strokes=packed(drawn),
            signed_at=ctx.now,
        )
    )
    ctx.session.flush()
    ctx.record(
        AuditAction.DOCUMENT_SIGNED,
        stored,
        kind=kind,
        revision=stored.revision,
        was=was,
        text_sha256=now.sha256,
        by_link=leader_user_id is not None,
        accepted=stored.state == DocumentState.ACCEPTED,
        regulation_version_id=revision.regulation_version_id,
    )
    ctx.after_commit(Job.MAKE_SIGNED_SHEET, revision_id=revision.id)
    return DocumentId(stored.id)


def note_link(ctx: CommandContext, *, slug: str, subject: str, kind: str) -> tuple[int, Over]:
    """Let the leader give a member a link of his own, on record: the leader's id and what it signs over, for the link."""
    user_id = registrations.require_consent(ctx, slug)
    competition = competitions.competition(slug)
    whose = Subject.parse(subject)
    stored = stored_of(ctx, whose, kind)
    _, row = row_of(ctx, competition, user_id, whose, kind)
    if not row.signable:
        raise NotSignableError
    require_open(row)
    ctx.record(AuditAction.DOCUMENT_LINK_MADE, ("Member", whose.member_id), kind=kind)
    return user_id, _over(stored, whose, kind)


def _over(stored: Document | None, whose: Subject, kind: str) -> Over:
    return Over(stored.revision if stored is not None else 0, queries.deletions_of(whose, kind))
