"""What is personal in appeals goes with the competition's personal data: files, texts, references; numbers, states and sums stay."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, select, update

from app.appeals.models import Appeal, AppealFile, AppealRecusal, AppealStep, FeeEntry
from app.appeals.rules.states import OPEN, AppealState, StepKind
from app.appeals.service.cases import note
from app.commands import CommandContext
from app.documents.service.erasing import Erased, ErasedFile
from app.uploads import queries as uploads
from app.uploads import service as uploads_service

AT_ONCE = 50
KIND = "appeal"

OF_WHO_APPEALS = (StepKind.WRITTEN, StepKind.ADDED, StepKind.WITHDRAWN)
"""Steps of who appeals: their rows forget who it was."""


def erase_of_competition(ctx: CommandContext, competition_id: int) -> Erased:
    """Delete the files of the next appeals and blank what was written, ``AT_ONCE`` at most; nothing left: no rows.

    One that is still open is closed by it: nobody could decide it any more. The ledger keeps numbers, amounts and dates, and
    loses the references of transfers. The caller asks whether it is time.
    """
    purged = select(AppealStep.appeal_id).where(AppealStep.kind == StepKind.PURGED.value)
    wanted = ctx.session.scalars(
        select(Appeal)
        .where(Appeal.competition_id == competition_id, Appeal.id.not_in(purged))
        .order_by(Appeal.id)
        .limit(AT_ONCE)
        .with_for_update(key_share=True)
    ).all()
    if not wanted:
        return Erased({"appeals": 0}, ())
    files = _erase_files(ctx, [row.id for row in wanted])
    for row in wanted:
        _blank(ctx, row)
    return Erased({"appeals": len(wanted)}, files)


def _erase_files(ctx: CommandContext, ids: Sequence[int]) -> tuple[ErasedFile, ...]:
    upload_ids = ctx.session.scalars(select(AppealFile.upload_id).where(AppealFile.appeal_id.in_(ids))).all()
    kept = uploads.kept(upload_ids)
    ctx.session.execute(delete(AppealFile).where(AppealFile.appeal_id.in_(ids)))
    uploads_service.erase(ctx, upload_ids)
    return tuple(ErasedFile(KIND, each.role, each.key, each.size, each.sha256) for each in kept)


def _blank(ctx: CommandContext, row: Appeal) -> None:
    row.text = row.minutes = row.decision = row.user_id = None
    if row.outcome and "measure" in row.outcome:
        row.outcome = {key: value for key, value in row.outcome.items() if key != "measure"}
    own = AppealStep.appeal_id == row.id
    for step in ctx.session.scalars(select(AppealStep).where(own, AppealStep.details.is_not(None))):
        step.details = {key: value for key, value in (step.details or {}).items() if key == "files"} or None
    ctx.session.execute(update(AppealStep).where(own).values(text=None))
    ctx.session.execute(
        update(AppealStep)
        .where(own, AppealStep.kind.in_([each.value for each in OF_WHO_APPEALS]))
        .values(user_id=None)
    )
    ctx.session.execute(update(AppealRecusal).where(AppealRecusal.appeal_id == row.id).values(reason=""))
    ctx.session.execute(update(FeeEntry).where(FeeEntry.appeal_id == row.id).values(reference=None))
    note(ctx, row, StepKind.PURGED, to=AppealState.WITHDRAWN if row.state in OPEN else None)
