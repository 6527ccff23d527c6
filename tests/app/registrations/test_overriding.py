"""特批: the committee approves somebody who does not meet a rule, with a reason that is nobody else's business."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any
from urllib.parse import unquote

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from app.actors import SYSTEM
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.extensions import db
from app.registrations import queries, service
from app.registrations.models import Entry, EntryMember
from app.registrations.rules import DecisionRefusedError, Eligibility
from app.text import BEIJING
from tests.app.registrations.overriding import decide, young_field
from tests.factories import accounts, publications, registrations

REASON = "组委会会议同意：年龄差一天。"


def review(entry_id: int) -> queries.ReviewView:
    (view,) = queries.review_list(competitions.competition("beach").event, [entry_id])
    return view


def test_an_ineligible_entry_is_approved_only_by_an_override_with_a_reason(session: Any) -> None:
    committee, entry_id = young_field()
    assert review(entry_id).eligibility is Eligibility.INELIGIBLE
    clause = review(entry_id).eligibility_clause
    with pytest.raises(DecisionRefusedError):
        decide(committee, entry_id)
    with pytest.raises(DecisionRefusedError) as missing:
        decide(committee, entry_id, override=True)
    assert "decisions.0.reason" in missing.value.fields
    decide(committee, entry_id, REASON, override=True)
    view = review(entry_id)
    assert (view.state, view.reason) == ("approved", None)
    assert (view.eligibility, view.override_clause, view.override_reason) == (
        Eligibility.OVERRIDDEN,
        clause,
        REASON,
    )
    entry = db.session.scalars(
        select(AuditEntry).where(AuditEntry.action == AuditAction.ENTRY_APPROVED.value)
    ).one()
    assert entry.details["override_clause"] == clause
    assert REASON not in str(entry.details)


@pytest.mark.parametrize("on_request", [False, True])
def test_the_reason_is_deleted_with_the_personal_data_and_the_clause_stays(
    session: Any, travel: Callable[[datetime], None], on_request: bool
) -> None:
    committee, entry_id = young_field()
    decide(committee, entry_id, REASON, override=True)
    clause, competition = review(entry_id).override_clause, competitions.competition("beach")
    member_id = db.session.scalars(
        select(EntryMember.member_id).where(EntryMember.entry_id == entry_id)
    ).one()
    travel(datetime(2022, 3, 6, 3, 40, tzinfo=BEIJING))
    with command(SYSTEM) as ctx:
        if on_request:
            service.erase_member(ctx, member_id)
            ctx.record(AuditAction.PERSONAL_DATA_DELETED, ("Member", member_id))
        else:
            service.erase_personal_data(ctx, competition.id, purge_days=90)
    view = review(entry_id)
    assert (view.state, view.override_clause, view.override_reason) == ("approved", clause, None)


def test_a_later_rejection_takes_the_override_back(session: Any) -> None:
    committee, entry_id = young_field()
    decide(committee, entry_id, REASON, override=True)
    registrations.decision(committee, entry_id, "reject", "复议不同意")
    view = review(entry_id)
    assert (view.override_clause, view.override_reason, view.reason) == (None, None, "复议不同意")
    assert view.eligibility is Eligibility.INELIGIBLE


def test_whoever_meets_every_rule_needs_no_override(session: Any) -> None:
    registrations.competition()
    registrations.submitted()
    entry_id = db.session.scalars(select(Entry.id)).one()
    assert review(entry_id).eligibility is Eligibility.PENDING
    with pytest.raises(DecisionRefusedError, match="不需要特批"):
        decide(registrations.committee(), entry_id, REASON, override=True)
    decide(registrations.committee(), entry_id)
    assert review(entry_id).eligibility is Eligibility.ELIGIBLE


def test_the_reason_is_read_by_the_committee_and_by_nobody_else(
    app: Flask, client: FlaskClient, travel: Any
) -> None:
    with app.app_context():
        committee, entry_id = young_field()
        leader = accounts.user(1)
    accounts.sign_in(client, committee)
    place = f"/staff/c/beach/entries/{entry_id}"
    page = client.get(place).text
    assert "特批通过" in page
    dialog = page.split('id="override"')[1].split("</dialog>")[0]
    assert "#clause-三(一)1" in unquote(dialog), "which rule is set aside, and where it stands"
    refused = client.post(place, data={"decision": "approve", "override": "1", "reason": ""})
    assert refused.status_code == 422
    assert "特批理由：请写明特批的理由" in re.sub(r"<[^>]+>", "", refused.text), "named as the field is"
    assert (
        client.post(place, data={"decision": "approve", "override": "1", "reason": REASON}).status_code == 303
    )
    assert REASON in client.get(place).text
    assert "特批" in client.get("/staff/c/beach/entries").text
    with app.app_context():
        publications.approve_all()
    travel(publications.AFTER_CLOSING)
    assert client.post("/staff/c/beach/publication").status_code == 303
    overview = client.get("/staff/c/beach/publication").text
    assert "<dt>特批</dt>" in overview
    for address in (
        "/c/beach/publications",
        "/c/beach/publications/1.json",
        "/api/v1/competitions/beach/publications/1",
    ):
        assert REASON not in client.get(address).text
    accounts.sign_in(client, leader)
    assert REASON not in client.get("/c/beach/my").text


def test_the_api_overrides_and_tells_the_eligibility(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        committee, entry_id = young_field()
        headers = accounts.bearer(app, committee)
    decisions = "/api/v1/competitions/beach/decisions"
    body = {"decisions": [{"entry_id": entry_id, "decision": "approve", "override": True, "reason": REASON}]}
    assert client.post(decisions, headers=headers, json=body).status_code in {200, 204}
    listed = client.get("/api/v1/competitions/beach/entries", headers=headers).get_json()["entries"]
    one = next(each for each in listed if each["entry_id"] == entry_id)
    assert (one["eligibility"], one["override_reason"]) == ("overridden", REASON)
    assert one["eligibility_clause"]
