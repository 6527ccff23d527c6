"""Deletion on request of a unit's own documents (报名表, 密封件): the same table, page, API, log and purge as for a member's."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from app.actors import Actor, Role
from app.clock import BEIJING
from app.commands import command
from app.competitions import queries as competitions
from app.documents.models import DeletionRequest, Document, PurgeReport
from app.documents.queries import deletions as queries
from app.documents.queries import privacy
from app.documents.rules import BeingReviewedError, UnknownDocumentError
from app.documents.rules.privacy import Answer, DeletionNotYetError, NoUnitError, OwnRequestError
from app.documents.service import deletions as service
from app.extensions import db
from app.registrations.models import Entry, Member, Unit
from app.registrations.queries import held
from app.uploads.models import StoredFile, Upload
from tasks import registrations as tasks
from tests.app.documents import reviewing
from tests.app.documents.visiting import words
from tests.factories import accounts, reviews
from tests.factories import registrations as make

Travel = Callable[[datetime], None]
AFTER_DEADLINE = datetime(2021, 11, 1, 9, tzinfo=BEIJING)
PURGE_NIGHT = datetime(2022, 3, 6, 3, 40, tzinfo=BEIJING)
API = "/api/v1/competitions/beach"


def nowhere(_event_id: int) -> Mapping[int, str]:
    return {}


def public(_event_id: int) -> Mapping[int, str]:
    return dict.fromkeys(db.session.scalars(select(Entry.id)), "in_publication")


def ask(person: Actor, document_id: int, published: Any = nowhere) -> Answer:
    with command(person) as ctx:
        return service.ask_of_unit(ctx, slug="beach", document_id=document_id, published=published)


def answer(person: Actor, request_id: int, *, grant: bool, reason: str = "") -> None:
    with command(person) as ctx:
        service.answer(
            ctx,
            slug="beach",
            request_id=request_id,
            grant=grant,
            reason=reason,
            address="http://localhost/c/beach/my/data",
            published=nowhere,
        )


def letter(leader: Actor) -> int:
    """The unit's entry form, with a picture in the store."""
    return reviews.document(leader, "entry_form", {}, member=None, picture=reviews.photo(90, 120))


def kept() -> tuple[int, int, int]:
    """How many documents, uploads, stored files there are."""
    db.session.expire_all()
    return tuple(  # type: ignore[return-value]  # three of them
        db.session.scalar(select(func.count()).select_from(table)) or 0
        for table in (Document, Upload, StoredFile)
    )


def the_request() -> DeletionRequest:
    db.session.expire_all()
    return db.session.scalars(select(DeletionRequest)).one()


@pytest.fixture
def leader(session: Any) -> Actor:
    make.competition()
    return make.submitted(1, members=2)


def test_while_entries_are_open_it_goes_at_once_and_the_looks_at_it_stay_in_the_log(leader: Actor) -> None:
    document, of_member = letter(leader), reviews.document(leader)
    reviewing.look_at(reviews.reviewer(), document, 0, 1)
    assert ask(leader, document) is Answer.AT_ONCE
    assert db.session.get(Document, document) is None
    assert db.session.get(Document, of_member) is not None
    unit = held.my_unit(competitions.competition("beach"), leader.require_signed_in())
    assert unit is not None
    assert [(each.action.value, each.kind, each.role) for each in privacy.access_log_of_unit(unit)] == [
        ("personal_data.deleted", "entry_form", "leader"),
        ("document.read", "entry_form", "committee"),
    ]


def test_after_the_deadline_the_committee_answers_once(leader: Actor, travel: Travel) -> None:
    document = letter(leader)
    travel(AFTER_DEADLINE)
    for _ in range(2):  # asked again it stays one request
        assert ask(leader, document) is Answer.ASKED
    [view] = queries.requests(competitions.competition("beach"))
    unit = db.session.scalars(select(Unit)).one()
    assert (view.member_id, view.unit_id, view.whose) == (None, unit.id, unit.name)
    assert (view.kind, view.answer_by) == ("entry_form", date(2021, 11, 22))
    answer(reviews.reviewer(), view.id, grant=False, reason="正式名单要盖章报名表")
    assert kept()[0] == 1
    assert "没有办理" in reviewing.messages()[-1]
    assert ask(leader, document) is Answer.ASKED
    [open_one] = [each for each in db.session.scalars(select(DeletionRequest)) if each.state == "open"]
    answer(reviews.reviewer(), open_one.id, grant=True)
    assert kept() == (0, 0, 0)
    states = [(row.state, row.document_id, row.kind) for row in db.session.scalars(select(DeletionRequest))]
    assert states == [("refused", None, "entry_form"), ("granted", None, "entry_form")]


def test_while_a_list_with_an_entry_of_the_unit_is_public_it_stays(leader: Actor, travel: Travel) -> None:
    document = letter(leader)
    travel(AFTER_DEADLINE)
    with pytest.raises(DeletionNotYetError) as refused:
        ask(leader, document, public)
    assert "公示期满后可以删除" in str(refused.value.text)
    assert kept()[0] == 1


def test_an_accepted_one_is_asked_for_and_one_at_the_desk_waits(leader: Actor) -> None:
    document = letter(leader)
    row = db.session.get_one(Document, document)
    row.state = "accepted"
    db.session.commit()
    assert ask(leader, document) is Answer.ASKED
    other = reviews.document(leader, "employment_proof", {}, member=None)
    reviewing.claim(reviews.reviewer(), other)
    with pytest.raises(BeingReviewedError):
        ask(leader, other)


def test_a_members_document_and_another_units_do_not_exist_here(leader: Actor) -> None:
    document, of_member = letter(leader), reviews.document(leader)
    other, unitless = make.submitted(2), make.leader(3, with_unit=False)
    for person, number in ((leader, of_member), (other, document), (leader, 10**12)):
        with pytest.raises(UnknownDocumentError):
            ask(person, number)
    with pytest.raises(NoUnitError):
        ask(unitless, document)
    assert kept()[0] == 2


def test_nobody_answers_the_request_of_his_own_unit(leader: Actor, travel: Travel) -> None:
    document = letter(leader)
    travel(AFTER_DEADLINE)
    ask(leader, document)
    both = accounts.user(1, Role.COMMITTEE, competition_id=competitions.competition_id("beach"))
    assert both.user_id == leader.user_id
    with pytest.raises(OwnRequestError):
        answer(both, the_request().id, grant=True)


def test_a_request_is_about_a_member_or_a_unit_never_both_or_none(leader: Actor) -> None:
    member, unit = db.session.scalars(select(Member.id)).first(), db.session.scalars(select(Unit.id)).one()
    facts = {
        "competition_id": competitions.competition_id("beach"),
        "asked_by_id": leader.user_id,
        "asked_at": AFTER_DEADLINE,
        "state": "open",
    }
    for of_member, of_unit in ((None, None), (member, unit)):
        db.session.add(DeletionRequest(member_id=of_member, unit_id=of_unit, **facts))
        with pytest.raises(IntegrityError):
            db.session.flush()
        db.session.rollback()


def test_the_purge_takes_request_and_answer_and_counts_them(leader: Actor, travel: Travel) -> None:
    document = letter(leader)
    travel(AFTER_DEADLINE)
    ask(leader, document)
    answer(reviews.reviewer(), the_request().id, grant=False, reason="审核要用")
    travel(PURGE_NIGHT)
    tasks.purge.run()
    assert kept() == (0, 0, 0)
    assert db.session.scalars(select(DeletionRequest)).all() == []
    report = json.loads(db.session.scalars(select(PurgeReport)).one().body)
    assert report["rows"]["deletion_requests"] == 1


def test_pages_say_it_before_it_is_asked_and_the_queue_answers(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        make.competition()
        leader = make.submitted(1)
        document = letter(leader)
        me = reviews.reviewer()
        name = db.session.scalars(select(Unit.name)).one()
    travel(AFTER_DEADLINE)
    accounts.sign_in(client, leader)
    place = "/c/beach/my/data/unit/delete"
    assert f"{place}?document_id={document}" in client.get("/c/beach/my/data/unit").get_data(as_text=True)
    shown = words(client.get(f"{place}?document_id={document}").get_data(as_text=True))
    assert name in shown
    assert "由组委会答复" in shown
    assert "第四十七条" in shown
    for query in ("", f"?document_id={document + 1}", "?document_id=x"):
        assert client.get(f"{place}{query}").status_code == 404
    assert client.post(place, data={"document_id": str(document)}).status_code == 303
    assert "等待答复" in client.get("/c/beach/my/data/unit").get_data(as_text=True)
    accounts.sign_in(client, me)
    assert "删除请求等待答复" in client.get("/staff/c/beach").get_data(as_text=True)
    with app.app_context():
        request = the_request().id
    assert name in client.get("/staff/c/beach/privacy").get_data(as_text=True)
    page = f"/staff/c/beach/privacy/requests/{request}"
    assert name in client.get(page).get_data(as_text=True)
    assert client.post(page, data={"grant": "1", "reason": ""}).status_code == 303
    with app.app_context():
        assert kept() == (0, 0, 0)
    accounts.sign_in(client, leader)
    shown = client.get("/c/beach/my/data/unit").get_data(as_text=True)
    assert "已删除" in shown
    archive = zipfile.ZipFile(io.BytesIO(client.post("/c/beach/my/data/unit/copy").data))
    [copied] = json.loads(archive.read("data.json"))["deletion_requests"]
    assert (copied["document"], copied["state"]) == ("entry_form", "granted")


def test_what_a_reviewer_holds_is_refused_on_the_page_with_the_sentence(
    app: Flask, client: FlaskClient
) -> None:
    with app.app_context():
        make.competition()
        leader = make.submitted(1)
        document = letter(leader)
        reviewing.claim(reviews.reviewer(), document)
    accounts.sign_in(client, leader)
    refused = client.post("/c/beach/my/data/unit/delete", data={"document_id": str(document)})
    assert refused.status_code == 409
    assert "立即删除" in refused.get_data(as_text=True)


def test_programs_ask_and_answer_alike(app: Flask, client: FlaskClient, travel: Travel) -> None:
    with app.app_context():
        make.competition()
        leader, stranger = make.submitted(1), make.submitted(2)
        document = letter(leader)
        me = reviews.reviewer()
        unit = db.session.scalars(select(Unit.id).order_by(Unit.id)).first()
    travel(AFTER_DEADLINE)
    mine, committee = accounts.bearer(app, leader), accounts.bearer(app, me)
    place = f"{API}/my/data/unit/deletions"
    foreign = client.post(place, json={"document_id": document}, headers=accounts.bearer(app, stranger))
    assert foreign.status_code == 404
    assert client.post(place, json={}, headers=mine).status_code == 422
    assert client.post(place, json={"document_id": document}, headers=mine).json == {"answer": "asked"}
    [line] = client.get(f"{API}/deletions", headers=committee).json
    assert (line["member_id"], line["unit_id"], line["kind"]) == (None, unit, "entry_form")
    answered = client.post(f"{API}/deletions/{line['id']}/answer", json={"grant": True}, headers=committee)
    assert answered.status_code == 204
    [line] = client.get(f"{API}/my/data/unit", headers=mine).json["deletion_requests"]
    assert line["state"] == "granted"
