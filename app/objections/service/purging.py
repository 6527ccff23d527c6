"""What is personal in cases goes with the competition's personal data: files, texts, names; numbers and states stay."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, select, update

from app.commands import CommandContext
from app.documents.service.erasing import Erased, ErasedFile
from app.objections.models import Objection, ObjectionFile, ObjectionHearing, ObjectionRecusal, ObjectionStep
from app.objections.rules.states import OPEN, CaseState, StepKind
from app.objections.service.cases import note
from app.uploads import queries as uploads
from app.uploads import service as uploads_service

AT_ONCE = 50
KIND = "objection"

OF_THE_REPORTER = (StepKind.LODGED, StepKind.ADDED, StepKind.WITHDRAWN)
"""Steps of whoever objected: their rows forget who it was."""


def erase_of_competition(ctx: CommandContext, competition_id: int) -> Erased:
    """Delete the files of the next cases and blank what was written, ``AT_ONCE`` cases at most; nothing left: no rows.

    A case that is still open is closed by it: nobody could decide it any more. The caller asks whether it is time.
    """
    purged = select(ObjectionStep.objection_id).where(ObjectionStep.kind == StepKind.PURGED.value)
    wanted = ctx.session.scalars(
        select(Objection)
        .where(Objection.competition_id == competition_id, Objection.id.not_in(purged))
        .order_by(Objection.id)
        .limit(AT_ONCE)
        .with_for_update(key_share=True)
    ).all()
    if not wanted:
        return Erased({"objections": 0}, ())
    files = _erase_files(ctx, [row.id for row in wanted])
    for row in wanted:
        _blank(ctx, row)
    return Erased({"objections": len(wanted)}, files)


def _erase_files(ctx: CommandContext, ids: Sequence[int]) -> tuple[ErasedFile, ...]:
    upload_ids = ctx.session.scalars(
        select(ObjectionFile.upload_id).where(ObjectionFile.objection_id.in_(ids))
    ).all()
    kept = uploads.kept(upload_ids)
    ctx.session.execute(delete(ObjectionFile).where(ObjectionFile.objection_id.in_(ids)))
    uploads_service.erase(ctx, upload_ids)
    return tuple(ErasedFile(KIND, each.role, each.key, each.size, each.sha256) for each in kept)


def _blank(ctx: CommandContext, row: Objection) -> None:
    row.text = ""
    row.unit_name = row.reporter_name = row.reporter_phone = row.reporter_email = row.decision = None
    row.user_id = row.unit_id = None  # which unit objected would say who did
    ctx.session.execute(update(ObjectionStep).where(ObjectionStep.objection_id == row.id).values(text=None))
    ctx.session.execute(
        update(ObjectionStep)
        .where(
            ObjectionStep.objection_id == row.id,
            ObjectionStep.kind.in_([each.value for each in OF_THE_REPORTER]),
        )
        .values(user_id=None)
    )
    ctx.session.execute(
        update(ObjectionHearing)
        .where(ObjectionHearing.objection_id == row.id)
        .values(question="", answer=None)
    )
    ctx.session.execute(
        update(ObjectionRecusal).where(ObjectionRecusal.objection_id == row.id).values(reason="")
    )
    note(ctx, row, StepKind.PURGED, to=CaseState.WITHDRAWN if row.state in OPEN else None)
