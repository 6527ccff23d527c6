"""What a leader, or a player who entered himself, reads and copies of the data held of a member."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from flask import Flask, has_app_context
from flask.testing import FlaskClient
from sqlalchemy import select

from app.actors import Actor
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.documents import service as documents_service
from app.documents.models import DocumentPage
from app.documents.queries import privacy as queries
from app.documents.rules import DocumentId
from app.documents.rules.review import DecisionKind
from app.extensions import db
from app.files import store
from app.registrations import queries as registrations
from app.registrations import service as registrations_service
from app.registrations.models import Member
from app.registrations.queries import held
from app.registrations.rules import EntryId
from app.regulations.rules import DOCUMENT_KINDS
from app.uploads.models import StoredFile
from tests.app.documents import reviewing
from tests.app.documents.visiting import words
from tests.factories import accounts, people, purges, reviews
from tests.factories import registrations as make

API = "/api/v1/competitions/beach/my/data"


def first_member() -> int:
    return db.session.scalars(select(Member.id).order_by(Member.id)).first() or 0


def look(leader: Actor) -> tuple[DocumentId, Actor]:
    """A proof with a picture, a look of a reviewer at it and at the numbers, and a decision."""
    me = reviews.reviewer()
    document = reviews.document(leader, picture=reviews.photo(90, 120))
    reviewing.look_at(me, document, 0, 1)
    reviewing.claim(me, document)
    reviewing.decide(me, document, DecisionKind.ACCEPT)
    mine = registrations.my(leader.require_signed_in(), competitions.competition("beach"))
    with command(make.committee()) as ctx:
        registrations_service.read_personal_data(
            ctx, slug="beach", entry_id=EntryId(mine.entries[0].entry_id)
        )
    return document, me


def test_the_log_says_when_in_which_role_what_was_looked_at(session: Any) -> None:
    make.competition()
    leader = make.submitted(1, members=2)
    document, _ = look(leader)
    reviewing.look_at(leader, document, 0, 1)
    first, second = held.my_members(competitions.competition("beach"), leader.require_signed_in())
    log = queries.access_log(first)
    assert [(each.role, each.action.value, each.kind, each.page) for each in log] == [
        ("leader", "document.read", "nucleic_acid_report", 1),
        ("committee", "personal_data.read", None, None),
        ("committee", "document.accepted", "nucleic_acid_report", None),
        ("committee", "document.read", "nucleic_acid_report", 1),
    ]
    assert queries.access_log(second) == ()


def test_the_page_shows_the_log_and_names_no_reader(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        make.competition()
        leader = make.submitted(1, members=2)
        look(leader)
        member = first_member()
    accounts.sign_in(client, leader)
    assert f"/c/beach/my/data/{member}" in client.get("/c/beach/my/data").get_data(as_text=True)
    answer = client.get(f"/c/beach/my/data/{member}")
    shown = words(answer.get_data(as_text=True))
    assert "查阅身份证号和手机号" in shown
    assert "第 1 页" in shown
    assert "组委会" in shown
    assert "****9100" not in shown  # the reviewer's masked number
    assert people.id_number(100) not in shown
    assert answer.headers["Cache-Control"] == "no-store"


def test_somebody_elses_member_does_not_exist(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        make.competition()
        make.submitted(1)
        other = make.submitted(2)
        member = first_member()
    accounts.sign_in(client, other)
    headers = accounts.bearer(app, other)
    for number in (member, 10**12):
        assert client.get(f"/c/beach/my/data/{number}").status_code == 404
        assert client.post(f"/c/beach/my/data/{number}/copy").status_code == 404
        assert client.get(f"{API}/{number}", headers=headers).status_code == 404
        assert client.post(f"{API}/{number}/copy", headers=headers).status_code == 404
    assert [each["id"] for each in client.get(API, headers=headers).json] != [member]
    with app.app_context():
        committee = reviews.reviewer()
    assert client.get(f"{API}/{member}", headers=accounts.bearer(app, committee)).status_code == 404


def opened(answer: Any) -> zipfile.ZipFile:
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store, private"
    assert "attachment" in answer.headers["Content-Disposition"]
    found = zipfile.ZipFile(io.BytesIO(answer.get_data()))
    assert found.testzip() is None
    return found


def test_the_copy_holds_every_value_and_every_file_and_nobody_elses(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        make.competition()
        leader = purges.filled(members=2)
        member = first_member()
    archive = opened(client.post(f"{API}/{member}/copy", headers=accounts.bearer(app, leader)))
    data = json.loads(archive.read("data.json"))
    assert data["member"]["id_number"] == people.id_number(100)
    assert data["entries"][0]["state"] == "submitted"
    assert data["member"]["privacy_notice"]["agreed_at"]
    proof, waiver = data["documents"]
    assert proof["revisions"][0]["values"] == {"issuer": purges.TYPED}
    assert proof["revisions"][0]["decisions"][0]["reasons"]["issuer"]["text"] == purges.TYPED
    assert proof["revisions"][0]["text_check"] == purges.TYPED
    assert waiver["revisions"][0]["undertaking"]["text"] == purges.TYPED
    named = [file for each in data["documents"] for file in each["revisions"][0]["files"]]
    assert sorted(archive.namelist()) == sorted(["data.json", *(file["name"] for file in named)])
    assert archive.read("files/medical_certificate-1-2.jpg") == reviews.photo(90, 120)
    assert archive.read("files/waiver-1-signed.pdf") == b"%PDF signed"
    assert people.id_number(101) not in archive.read("data.json").decode()


def test_taking_a_copy_is_on_record_and_in_the_next_one(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        make.competition()
        leader = make.submitted(1)
        member = first_member()
    accounts.sign_in(client, leader)
    client.post(f"/c/beach/my/data/{member}/copy").get_data()
    archive = opened(client.post(f"/c/beach/my/data/{member}/copy"))
    log = json.loads(archive.read("data.json"))["access_log"]
    assert [each["action"] for each in log] == ["personal_data.exported"] * 2
    with app.app_context():
        entries = db.session.scalars(
            select(AuditEntry).where(AuditEntry.action == "personal_data.exported")
        ).all()
        assert {(each.subject_type, each.subject_id) for each in entries} == {("Member", str(member))}


def test_the_copy_is_sent_without_holding_the_database(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with app.app_context():
        make.competition()
        leader = purges.filled(members=1)
        member = first_member()
    accounts.sign_in(client, leader)
    held_then: list[bool] = []
    reads = store.read

    def reading(*args: Any) -> Any:
        held_then.append(has_app_context() and db.session().in_transaction())
        return reads(*args)

    monkeypatch.setattr(store, "read", reading)
    opened(client.post(f"/c/beach/my/data/{member}/copy"))
    assert held_then
    assert not any(held_then)


def test_a_file_that_went_meanwhile_is_named_and_the_rest_comes(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        make.competition()
        leader = purges.filled(members=1)
        member = first_member()
        page = db.session.scalars(select(DocumentPage).order_by(DocumentPage.id)).first()
        assert page is not None
        keys = db.session.scalars(select(StoredFile.key).where(StoredFile.key.endswith("-content"))).all()
        store.delete([sorted(keys)[0]])
    accounts.sign_in(client, leader)
    archive = opened(client.post(f"/c/beach/my/data/{member}/copy"))
    [missing] = archive.read("missing.txt").decode().splitlines()
    assert missing not in archive.namelist()
    assert "files/waiver-1-signed.pdf" in archive.namelist()


def test_a_file_that_is_damaged_further_on_is_named_and_the_rest_comes(
    app: Flask, client: FlaskClient
) -> None:
    with app.app_context():
        make.competition()
        leader = purges.filled(members=1)
        member = first_member()
        row = db.session.scalars(select(StoredFile).where(StoredFile.media_type == "application/pdf")).first()
        assert row is not None
        large = store.write(row.key, [bytes(3 * 1024 * 1024)])
        row.wrapped_key, row.size, row.sha256 = large.wrapped_key, large.size, large.sha256
        db.session.commit()
        [(key, whole)] = [each for each in purges.plant_copies().items() if each[0] == row.key]
        purges.put_back({key: whole[:-100] + bytes(100)})
    accounts.sign_in(client, leader)
    archive = opened(client.post(f"/c/beach/my/data/{member}/copy"))
    assert archive.read("missing.txt").decode().splitlines() == ["files/waiver-1-signed.pdf"]
    assert "data.json" in archive.namelist()


def test_a_link_to_sign_that_the_leader_gave_stands_in_the_log(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        make.competition()
        leader = make.submitted(1, members=2)
        member = first_member()
        with command(leader) as ctx:
            documents_service.note_link(ctx, slug="beach", subject=f"m{member}", kind="waiver")
        _, second = held.my_members(competitions.competition("beach"), leader.require_signed_in())
        assert queries.access_log(second) == ()
    accounts.sign_in(client, leader)
    shown = words(client.get(f"/c/beach/my/data/{member}").get_data(as_text=True))
    assert "给出签字链接：参赛免责和防疫承诺书" in shown
    assert "领队或本人" in shown
    [line] = client.get(f"{API}/{member}", headers=accounts.bearer(app, leader)).json["access_log"]
    assert (line["role"], line["action"], line["kind"]) == ("leader", "document.signing_link_made", "waiver")


def sealed_letter(leader: Actor) -> DocumentId:
    """A document of the unit itself, at which a reviewer looked."""
    document = reviews.document(
        leader, "sealed_letter", {"issuer": "密封件"}, member=None, picture=reviews.photo(90, 120)
    )
    reviewing.look_at(reviews.reviewer(), document, 0, 1)
    return document


def test_a_document_of_the_unit_itself_has_a_page_with_its_log(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        make.competition()
        leader = make.submitted(1)
        member = first_member()
        sealed_letter(leader)
    accounts.sign_in(client, leader)
    assert "/c/beach/my/data/unit" in client.get("/c/beach/my/data").get_data(as_text=True)
    answer = client.get("/c/beach/my/data/unit")
    shown = words(answer.get_data(as_text=True))
    assert f"查阅{DOCUMENT_KINDS['sealed_letter']}第 1 页" in shown
    assert people.phone(1) not in shown
    assert answer.headers["Cache-Control"] == "no-store"
    headers = accounts.bearer(app, leader)
    found = client.get(f"{API}/unit", headers=headers).json
    assert [(each["kind"], each["pages"]) for each in found["documents"]] == [("sealed_letter", 1)]
    [look] = found["access_log"]
    assert (look["role"], look["action"], look["kind"]) == ("committee", "document.read", "sealed_letter")
    assert found["contact_phone"] != people.phone(1)
    assert client.get(f"{API}/{member}", headers=headers).json["access_log"] == []


def test_the_copy_of_the_unit_holds_its_own_documents_only_and_is_on_record(
    app: Flask, client: FlaskClient
) -> None:
    with app.app_context():
        make.competition()
        leader = purges.filled(members=1)
        sealed_letter(leader)
        sealed_letter(make.submitted(2))
    accounts.sign_in(client, leader)
    archive = opened(client.post("/c/beach/my/data/unit/copy"))
    assert opened(client.post(f"{API}/unit/copy", headers=accounts.bearer(app, leader))).namelist()
    data = json.loads(archive.read("data.json"))
    assert data["unit"]["contact_phone"] == f"+86{people.phone(1)}"
    [document] = data["documents"]
    assert document["revisions"][0]["values"] == {"issuer": "密封件"}
    [file] = document["revisions"][0]["files"]
    assert archive.namelist() == ["data.json", file["name"]]
    assert archive.read(file["name"]) == reviews.photo(90, 120)
    assert people.id_number(100) not in archive.read("data.json").decode()
    log = client.get(f"{API}/unit", headers=accounts.bearer(app, leader)).json["access_log"]
    assert [each["action"] for each in log] == ["personal_data.exported"] * 2 + ["document.read"]


def test_who_leads_no_unit_has_no_data_of_one(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        make.competition()
        sealed_letter(make.submitted(1))
        other = make.leader(2, with_unit=False)
    accounts.sign_in(client, other)
    headers = accounts.bearer(app, other)
    assert client.get("/c/beach/my/data/unit").status_code == 404
    assert client.post("/c/beach/my/data/unit/copy").status_code == 404
    assert client.get(f"{API}/unit", headers=headers).status_code == 404
    assert client.post(f"{API}/unit/copy", headers=headers).status_code == 404
    assert "/my/data/unit" not in client.get("/c/beach/my/data").get_data(as_text=True)
