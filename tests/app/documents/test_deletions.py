"""Deletion on request: the table of what goes when, done at once or answered by the committee, and who may ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from types import MappingProxyType
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select

from app.actors import Actor, Role
from app.clock import BEIJING
from app.commands import command
from app.competitions import queries as competitions
from app.documents.models import DeletionRequest, Document
from app.documents.queries import deletions as queries
from app.documents.queries import privacy
from app.documents.rules import BeingReviewedError, UnknownDocumentError
from app.documents.rules.privacy import (
    DELETIONS,
    Answer,
    AnsweredError,
    DeletionNotYetError,
    NothingToDeleteError,
    OwnRequestError,
    ReasonMissingError,
    RequestState,
    Scope,
    Stage,
    UnknownRequestError,
    answer_by,
    rule_for,
    stage_of,
)
from app.documents.service import deletions as service
from app.extensions import db
from app.files import store
from app.registrations import service as registrations_service
from app.registrations.models import Entry, Member
from app.registrations.queries import held
from app.registrations.rules import EntryState, MemberId, UnknownMemberError
from app.uploads.models import StoredFile, Upload
from app.workdays.official import official_calendar
from app.workdays.rules import WorkdayCalendar
from tests.app.documents import reviewing
from tests.app.documents.visiting import words
from tests.factories import accounts, reviews
from tests.factories import registrations as make

Travel = Callable[[datetime], None]
AFTER_DEADLINE = datetime(2021, 11, 1, 9, tzinfo=BEIJING)
AFTER_PLAY = datetime(2021, 12, 6, 9, tzinfo=BEIJING)


def nowhere(_event_id: int) -> Mapping[int, str]:
    return {}


def listed(state: str) -> Callable[[int], Mapping[int, str]]:
    """Every entry is on a list in this state."""

    def published(_event_id: int) -> Mapping[int, str]:
        return dict.fromkeys(db.session.scalars(select(Entry.id)), state)

    return published


def ask(person: Actor, member_id: int, document_id: int | None = None, published: Any = nowhere) -> Answer:
    with command(person) as ctx:
        return service.ask(
            ctx, slug="beach", member_id=member_id, document_id=document_id, published=published
        )


def answer(
    person: Actor, request_id: int, *, grant: bool, reason: str = "", published: Any = nowhere
) -> None:
    with command(person) as ctx:
        service.answer(
            ctx,
            slug="beach",
            request_id=request_id,
            grant=grant,
            reason=reason,
            address="http://localhost/c/beach/my/data",
            published=published,
        )


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


@pytest.fixture
def member(leader: Actor) -> int:
    return db.session.scalars(select(Member.id).order_by(Member.id)).first() or 0


STAGES = [
    ({"states": [EntryState.DRAFT]}, Stage.DRAFT),
    ({"entries_open": True}, Stage.OPEN),
    ({}, Stage.REVIEW),
    ({"published": ["in_publication"]}, Stage.LISTED),
    ({"published": ["in_publication"], "entries_open": True}, Stage.LISTED),
    ({"published": ["confirmed"]}, Stage.PLAYING),
    ({"closed": True}, Stage.PLAYING),
    ({"published": ["confirmed"], "over": True}, Stage.OVER),
    ({"over": True, "held": True}, Stage.HELD),
    ({"states": [EntryState.DRAFT, EntryState.SUBMITTED]}, Stage.REVIEW),
    ({"states": []}, Stage.REVIEW),
]


@pytest.mark.parametrize(("given", "stage"), STAGES)
def test_where_a_member_stands(given: dict[str, Any], stage: Stage) -> None:
    facts: dict[str, Any] = {
        "states": [EntryState.APPROVED],
        "published": [],
        "entries_open": False,
        "closed": False,
        "over": False,
        "held": False,
    }
    facts |= given
    assert stage_of(facts.pop("states"), **facts) is stage


def test_the_table_is_whole_and_each_field_says_what_stays() -> None:
    assert set(DELETIONS) == {(stage, scope) for stage in Stage for scope in Scope}
    for stage in (Stage.LISTED, Stage.PLAYING, Stage.OVER):
        assert "姓名作为公开记录保留" in str(DELETIONS[stage, Scope.MEMBER].sentence)
    assert rule_for(Stage.OPEN, Scope.DOCUMENT).answer is Answer.AT_ONCE
    assert rule_for(Stage.OPEN, Scope.DOCUMENT, accepted=True).answer is Answer.ASKED


def test_a_request_is_answered_within_fifteen_working_days() -> None:
    # 25 October 2021, a Monday: no holiday follows, so three weeks
    assert answer_by(date(2021, 10, 25), official_calendar()) == date(2021, 11, 15)
    # 24 September 2021: 26 September and 9 October are worked, 1 to 7 October are not
    assert answer_by(date(2021, 9, 24), official_calendar()) == date(2021, 10, 20)
    unknown = WorkdayCalendar(MappingProxyType({}))
    assert answer_by(date(2021, 10, 25), unknown) == date(2021, 11, 15)


def test_while_entries_are_open_a_document_goes_at_once_with_its_files(leader: Actor, member: int) -> None:
    for key, _ in list(store.keys()):
        store.delete([key])
    document = reviews.document(leader, picture=reviews.photo(90, 120), pages=2)
    other = reviews.document(leader, member=1)
    before = kept()
    assert ask(leader, member, document) is Answer.AT_ONCE
    assert kept() == (before[0] - 1, before[1] - 2, before[2] - 6)
    assert db.session.get(Document, other) is not None
    found = held.my_member(competitions.competition("beach"), leader.require_signed_in(), member)
    log = privacy.access_log(found)
    assert [(each.action.value, each.kind) for each in log] == [
        ("personal_data.deleted", "nucleic_acid_report")
    ]


def test_looks_at_a_document_stay_in_the_log_after_it_is_deleted(leader: Actor, member: int) -> None:
    document = reviews.document(leader)
    reviewing.look_at(reviews.reviewer(), document, 0, 1)
    ask(leader, member, document)
    found = held.my_member(competitions.competition("beach"), leader.require_signed_in(), member)
    assert [(each.action.value, each.kind) for each in privacy.access_log(found)] == [
        ("personal_data.deleted", "nucleic_acid_report"),
        ("document.read", "nucleic_acid_report"),
    ]


def test_while_entries_are_open_a_member_is_withdrawn_and_everything_but_the_name_goes(
    leader: Actor, member: int
) -> None:
    reviews.document(leader)
    assert ask(leader, member) is Answer.AT_ONCE
    row = db.session.get_one(Member, member)
    assert (row.id_number, row.phone) == (None, None)
    assert row.name
    assert set(db.session.scalars(select(Entry.state))) == {"withdrawn", "submitted"}
    assert kept() == (0, 0, 0)
    with pytest.raises(NothingToDeleteError):
        ask(leader, member)


def test_a_draft_goes_without_a_trace_with_its_documents(session: Any) -> None:
    make.competition()
    leader = make.leader(1)
    member = make.member(leader)
    reviews.document(leader)
    assert ask(leader, member) is Answer.AT_ONCE
    assert db.session.scalars(select(Member)).all() == []
    assert kept() == (0, 0, 0)


def test_removing_a_member_takes_his_documents_along(session: Any) -> None:
    """Also of a draft, whose row goes: a document that still pointed at it would stand in the way."""
    make.competition()
    drafted, handed_in = make.leader(1), make.submitted(2)
    make.member(drafted)
    for leader in (drafted, handed_in):
        reviews.document(leader)
        found = held.my_members(competitions.competition("beach"), leader.require_signed_in())
        with command(leader) as ctx:
            registrations_service.remove_member(ctx, slug="beach", member_id=MemberId(found[0].id))
    assert kept() == (0, 0, 0)


def test_after_the_deadline_the_committee_answers_and_the_leader_is_told(
    leader: Actor, member: int, travel: Travel
) -> None:
    document = reviews.document(leader)
    travel(AFTER_DEADLINE)
    for _ in range(2):  # asked again it stays one request
        assert ask(leader, member, document) is Answer.ASKED
    assert kept()[0] == 1
    [view] = queries.requests(competitions.competition("beach"))
    assert (view.kind, view.state, view.answer_by) == (
        "nucleic_acid_report",
        RequestState.OPEN,
        date(2021, 11, 22),
    )
    me = reviews.reviewer()
    with pytest.raises(ReasonMissingError):
        answer(me, view.id, grant=False, reason="  ")
    answer(me, view.id, grant=False, reason="检录还要用")
    assert kept()[0] == 1
    assert the_request().answer == "检录还要用"
    assert "检录" not in reviewing.messages()[-1]
    assert "没有办理" in reviewing.messages()[-1]
    with pytest.raises(AnsweredError):
        answer(me, view.id, grant=True)


def test_a_granted_request_deletes_the_document_and_is_kept_with_its_kind(
    leader: Actor, member: int, travel: Travel
) -> None:
    document = reviews.document(leader)
    travel(AFTER_DEADLINE)
    ask(leader, member, document)
    answer(reviews.reviewer(), the_request().id, grant=True)
    assert kept() == (0, 0, 0)
    row = the_request()
    assert (row.state, row.document_id, row.kind) == ("granted", None, "nucleic_acid_report")


def test_a_granted_request_for_a_member_withdraws_him_before_the_list(
    leader: Actor, member: int, travel: Travel
) -> None:
    reviews.document(leader)
    travel(AFTER_DEADLINE)
    assert ask(leader, member) is Answer.ASKED
    answer(reviews.reviewer(), the_request().id, grant=True)
    assert db.session.get_one(Member, member).id_number is None
    assert set(db.session.scalars(select(Entry.state))) == {"withdrawn", "submitted"}
    assert the_request().state == "granted"


def test_while_the_list_is_public_nothing_goes_and_the_sentence_says_when(
    leader: Actor, member: int, travel: Travel
) -> None:
    document = reviews.document(leader)
    travel(AFTER_DEADLINE)
    public = listed("in_publication")
    for chosen in (document, None):
        with pytest.raises(DeletionNotYetError) as refused:
            ask(leader, member, chosen, public)
        assert "公示期满后可以删除" in str(refused.value.text)
    ask(leader, member, document)
    with pytest.raises(DeletionNotYetError):
        answer(reviews.reviewer(), the_request().id, grant=True, published=public)
    assert kept()[0] == 1


def test_after_the_list_a_granted_request_keeps_entry_and_name(
    leader: Actor, member: int, travel: Travel
) -> None:
    reviews.document(leader)
    travel(AFTER_DEADLINE)
    assert ask(leader, member, published=listed("confirmed")) is Answer.ASKED
    answer(reviews.reviewer(), the_request().id, grant=True, published=listed("confirmed"))
    assert set(db.session.scalars(select(Entry.state))) == {"submitted"}
    row = db.session.get_one(Member, member)
    assert (row.id_number, bool(row.name)) == (None, True)
    assert kept() == (0, 0, 0)


def test_once_the_event_is_over_it_goes_at_once_unless_held(
    leader: Actor, member: int, travel: Travel
) -> None:
    document = reviews.document(leader)
    travel(AFTER_PLAY)
    organiser = accounts.user(9, Role.ORGANISER)
    with command(organiser) as ctx:
        registrations_service.hold(ctx, slug="beach", reason="申诉尚未答复", until=date(2021, 12, 20))
    with pytest.raises(DeletionNotYetError):
        ask(leader, member, document, listed("confirmed"))
    with command(organiser) as ctx:
        registrations_service.release_hold(ctx, slug="beach")
    assert ask(leader, member, None, listed("confirmed")) is Answer.AT_ONCE
    assert kept() == (0, 0, 0)
    assert set(db.session.scalars(select(Entry.state))) == {"submitted"}


def test_what_a_reviewer_holds_is_not_taken_from_under_his_eyes(leader: Actor, member: int) -> None:
    document = reviews.document(leader)
    reviewing.claim(reviews.reviewer(), document)
    with pytest.raises(BeingReviewedError):
        ask(leader, member, document)


def test_nor_by_the_answer_of_a_colleague(leader: Actor, member: int, travel: Travel) -> None:
    document = reviews.document(leader)
    travel(AFTER_DEADLINE)
    ask(leader, member, document)
    me, colleague = reviews.reviewer(0), reviews.reviewer(1)
    reviewing.claim(me, document)
    with pytest.raises(BeingReviewedError):
        answer(colleague, the_request().id, grant=True)
    assert kept()[0] == 1
    answer(me, the_request().id, grant=True)
    assert kept()[0] == 0


def test_somebody_elses_member_document_and_request_do_not_exist(
    leader: Actor, member: int, travel: Travel
) -> None:
    document = reviews.document(leader)
    other = make.submitted(2)
    foreign = db.session.scalars(select(Member.id).order_by(Member.id.desc())).first() or 0
    with pytest.raises(UnknownMemberError):
        ask(other, member)
    with pytest.raises(UnknownDocumentError):
        ask(other, foreign, document)
    with pytest.raises(UnknownDocumentError):
        ask(leader, member, 10**12)
    for number in (1, 10**12):
        with pytest.raises(UnknownRequestError):
            answer(reviews.reviewer(), number, grant=True)


def test_nobody_answers_his_own_request(leader: Actor, member: int, travel: Travel) -> None:
    travel(AFTER_DEADLINE)
    ask(leader, member)
    both = accounts.user(1, Role.COMMITTEE, competition_id=competitions.competition_id("beach"))
    assert both.user_id == leader.user_id
    with pytest.raises(OwnRequestError):
        answer(both, the_request().id, grant=True)


def test_pages_say_it_before_it_is_asked_and_the_queue_answers(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        make.competition()
        leader = make.submitted(1)
        document = reviews.document(leader)
        me = reviews.reviewer()
        member = db.session.scalars(select(Member.id)).one()
    travel(AFTER_DEADLINE)
    accounts.sign_in(client, leader)
    place = f"/c/beach/my/data/{member}/delete"
    shown = words(client.get(f"{place}?document_id={document}").get_data(as_text=True))
    assert "由组委会答复" in shown
    assert "第四十七条" in shown
    assert "15 个工作日" in shown
    assert client.get(f"{place}?document_id={document + 1}").status_code == 404
    assert client.post(place, data={"document_id": str(document)}).status_code == 303
    assert "等待答复" in client.get(f"/c/beach/my/data/{member}").get_data(as_text=True)
    accounts.sign_in(client, me)
    assert "删除请求等待答复" in client.get("/staff/c/beach").get_data(as_text=True)
    with app.app_context():
        request = the_request().id
    queue = client.get("/staff/c/beach/privacy").get_data(as_text=True)
    assert f"/staff/c/beach/privacy/requests/{request}" in queue
    refused = client.post(f"/staff/c/beach/privacy/requests/{request}", data={"grant": "0", "reason": ""})
    assert refused.status_code == 422
    assert "请写明理由" in refused.get_data(as_text=True)
    done = client.post(f"/staff/c/beach/privacy/requests/{request}", data={"grant": "1", "reason": ""})
    assert done.status_code == 303
    with app.app_context():
        assert kept() == (0, 0, 0)


def test_programs_ask_and_answer_alike(app: Flask, client: FlaskClient, travel: Travel) -> None:
    with app.app_context():
        make.competition()
        leader, stranger = make.submitted(1), make.submitted(2)
        document = reviews.document(leader)
        me = reviews.reviewer()
        member = db.session.scalars(select(Member.id).order_by(Member.id)).first()
    travel(AFTER_DEADLINE)
    api = "/api/v1/competitions/beach"
    mine, committee = accounts.bearer(app, leader), accounts.bearer(app, me)
    place = f"{api}/my/data/{member}/deletions"
    foreign = client.post(place, json={}, headers=accounts.bearer(app, stranger))
    assert foreign.status_code == 404
    assert client.post(place, json={"document_id": document}, headers=mine).json == {"answer": "asked"}
    assert client.get(f"{api}/deletions", headers=mine).status_code == 403
    [line] = client.get(f"{api}/deletions", headers=committee).json
    assert (line["kind"], line["answer_by"]) == ("nucleic_acid_report", "2021-11-22")
    place = f"{api}/deletions/{line['id']}/answer"
    assert client.post(place, json={"grant": True}, headers=mine).status_code == 403
    assert client.post(place, json={"grant": True}, headers=committee).status_code == 204
    [line] = client.get(f"{api}/my/data/{member}", headers=mine).json["deletion_requests"]
    assert line["state"] == "granted"
