"""What was accepted of somebody whose name or number was corrected since is looked at again."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from app.commands import CommandContext
from app.documents.models import Document
from app.documents.rules import DocumentState, Subject
from app.documents.rules.review import OTHER, TAKING_BACK, DecisionKind
from app.documents.rules.states import Reason
from app.documents.service.review import store_decision
from app.documents.service.revisions import hold_subjects
from app.registrations.rules import MemberId

CORRECTED = "姓名或证件号已更正，请重新核对。"
"""Kept with the decision as what a reviewer writes is: in Chinese."""


def review_again(ctx: CommandContext, member_ids: Sequence[int]) -> None:
    """Every accepted document of these members waits for review again, with the reason in its history.

    Whoever calls has asked for permission: the same command corrects the member.
    """
    hold_subjects(ctx, [Subject(member_id=MemberId(member_id)) for member_id in member_ids])
    documents = ctx.session.scalars(
        select(Document)
        .where(Document.member_id.in_(member_ids), Document.state == DocumentState.ACCEPTED.value)
        .order_by(Document.id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    ).all()
    for document in documents:
        store_decision(ctx, document, DecisionKind.TAKEN_BACK, {TAKING_BACK: Reason(OTHER, CORRECTED)})
