"""The pages on which an undertaking is read and signed: in the leader's list, by a link, on paper; and the API beside them."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pypdfium2
import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import clock
from app.commands import command
from app.documents.models import Document, Signature
from app.documents.rules import DocumentState, Subject
from app.documents.service import deletions
from app.extensions import db
from tests.app.documents.test_deletions import nowhere
from tests.factories import accounts, documents, people, registrations, reviews
from tests.factories import undertakings as make
from tests.html_forms import Form, forms

API = "/api/v1/competitions/beach"


class Way:
    """A leader with two members, signed in; entries are open."""

    def __init__(self, app: Flask, client: FlaskClient) -> None:
        self.app, self.client = app, client
        with app.app_context():
            registrations.competition()
            self.leader = registrations.submitted(members=2)
            self.subject = str(Subject(member_id=documents.first_member(self.leader)))
            self.text = make.text_of(self.leader)
            self.bearer = accounts.bearer(app, self.leader)
            accounts.sign_in(client, self.leader)
        self.one = f"/c/beach/my/documents/{self.subject}/waiver"

    def link(self) -> str:
        """The member's own link, as the leader's page makes it; then nobody is signed in."""
        answer = self.client.post(f"{self.one}/sign/link", follow_redirects=True)
        address = re.search(r'data-copy="([^"]+)"', answer.text)
        assert address, answer.text
        with self.client.session_transaction() as cookies:
            cookies.clear()
        parts = urlsplit(html.unescape(address[1]))
        return f"{parts.path}?{parts.query}"

    def signatures(self) -> int:
        with self.app.app_context():
            return db.session.query(Signature).count()


@pytest.fixture
def way(app: Flask, client: FlaskClient) -> Way:
    return Way(app, client)


def form_of(page: str) -> Form:
    return next(form for form in forms(page) if any(name == "strokes" for name, _ in form.fields))


def test_the_leader_holds_out_his_phone_and_the_member_signs_what_stands_there(way: Way) -> None:
    assert f"{way.one}/sign" in way.client.get(way.one).text
    page = way.client.get(f"{way.one}/sign").text
    shown = html.unescape(page)
    for line in way.text.lines:
        assert line in shown
    form = form_of(page)
    answer = way.client.post(form.action, data=form.sent(strokes=make.STROKES))
    assert (answer.status_code, answer.location) == (303, way.one)
    assert way.signatures() == 1
    assert "已于" in way.client.get(f"{way.one}/sign").text
    assert "data-sign-field" not in way.client.get(f"{way.one}/sign").text


def test_without_strokes_the_page_says_so_and_nothing_is_signed(way: Way) -> None:
    form = form_of(way.client.get(f"{way.one}/sign").text)
    answer = way.client.post(form.action, data=form.sent())
    assert answer.status_code == 422
    assert "请用手指在方框里签名" in answer.text
    assert way.signatures() == 0


def test_a_text_that_changed_meanwhile_is_shown_with_what_changed_and_the_strokes_stay(way: Way) -> None:
    form = form_of(way.client.get(f"{way.one}/sign").text)
    answer = way.client.post(
        form.action, data=form.sent(strokes=make.STROKES, text=way.text.text.replace("三亚", "海口"))
    )
    assert answer.status_code == 409
    assert "<del>地点：海口</del>" in answer.text
    assert "<ins>地点：三亚</ins>" in answer.text
    again = form_of(answer.text)
    assert ("strokes", make.STROKES) in again.fields
    assert way.client.post(again.action, data=again.sent()).status_code == 303
    assert way.signatures() == 1


def test_a_link_opens_the_text_and_nothing_else_without_signing_in(way: Way) -> None:
    link = way.link()
    page = way.client.get(link).text
    assert way.text.name in page
    with way.app.app_context():
        hidden = [people.phone(100), people.id_number(100), people.phone(1), people.credit_code(1)]
        other = people.person_name(101)
    for secret in (*hidden, other):
        assert secret not in page
    assert way.client.get(way.one).status_code == 401
    form = form_of(page)
    assert way.client.post(form.action, data=form.sent(strokes=make.STROKES)).status_code == 303
    assert "可以关闭这个页面了" in way.client.get(link).text
    assert way.signatures() == 1


def test_a_link_runs_out_and_an_altered_one_opens_nothing(
    way: Way, travel: Callable[[datetime], None]
) -> None:
    link = way.link()
    assert way.client.get(link[:-3] + "abc").status_code == 410
    assert way.client.get("/c/beach/undertaking").status_code == 410
    with way.app.app_context():
        registrations.competition("other")
    assert way.client.get(link.replace("/beach/", "/other/")).status_code == 410
    travel(clock.now() + timedelta(days=3, seconds=1))
    assert way.client.get(link).status_code == 410
    assert way.client.post(link, data={"strokes": make.STROKES}).status_code == 410
    assert way.signatures() == 0


def by_link(link: str, way: Way) -> dict[str, list[str]]:
    """What the page behind a link sends when somebody signs."""
    return form_of(way.client.get(link).text).sent(strokes=make.STROKES)


def test_a_link_signs_once_and_whoever_it_was_passed_on_to_signs_over_nothing(way: Way) -> None:
    link = way.link()
    first, second = by_link(link, way), by_link(link, way)  # two people have it open
    assert way.client.post(link, data=first).status_code == 303
    assert way.client.post(link, data=first).status_code == 303  # a second tap
    refused = way.client.post(link, data=second)
    assert refused.status_code == 409
    assert "已经用过" in refused.text
    assert "data-sign-field" not in refused.text + way.client.get(link).text
    assert way.signatures() == 1
    key = parse_qs(urlsplit(link).query)["key"][0]
    shown = way.client.get(f"{API}/undertaking", query_string={"key": key}).json
    assert (shown["open"], shown["signed"]) == (False, True)
    sent = {name: second[name][0] for name in ("language", "text", "strokes")} | {
        "idempotency_key": "key-00000009"
    }
    again = way.client.post(f"{API}/undertaking", query_string={"key": key}, json=sent)
    assert (again.status_code, again.json["code"]) == (409, "signing_link_used")
    assert again.json["next_step"]
    assert way.signatures() == 1


def test_what_the_leader_handed_in_since_is_not_signed_over_by_an_older_link(way: Way) -> None:
    link = way.link()
    sent = by_link(link, way)
    with way.app.app_context():
        reviews.document(way.leader, "waiver", {"issued_on": "2021-10-22"})
    assert way.client.post(link, data=sent).status_code == 409
    assert way.signatures() == 0
    with way.app.app_context():
        accounts.sign_in(way.client, way.leader)
    newer = way.link()  # the leader wants it signed all the same
    assert way.client.post(newer, data=by_link(newer, way)).status_code == 303
    assert way.signatures() == 1


def test_a_link_does_not_sign_again_what_was_deleted_on_request(way: Way) -> None:
    with way.app.app_context():
        accounts.sign_in(way.client, way.leader)
    link = way.link()
    assert way.client.post(link, data=by_link(link, way)).status_code == 303
    with way.app.app_context(), command(way.leader) as ctx:
        signed = db.session.query(Document).one()
        member_id = int(way.subject[1:])
        deletions.ask(ctx, slug="beach", member_id=member_id, document_id=signed.id, published=nowhere)
    assert way.signatures() == 0
    assert "data-sign-field" not in way.client.get(link).text
    sent = {
        "language": "zh",
        "text": way.text.text,
        "strokes": make.STROKES,
        "idempotency_key": "key-00000009",
    }
    key = parse_qs(urlsplit(link).query)["key"][0]
    again = way.client.post(f"{API}/undertaking", query_string={"key": key}, json=sent)
    assert (again.status_code, again.json["code"]) == (409, "signing_link_used")
    assert way.signatures() == 0
    with way.app.app_context():
        accounts.sign_in(way.client, way.leader)
    newer = way.link()
    assert way.client.post(newer, data=by_link(newer, way)).status_code == 303
    assert way.signatures() == 1


@pytest.mark.parametrize("decision", [DocumentState.REJECTED, DocumentState.NEEDS_CHANGES])
def test_a_signature_that_the_committee_turned_down_is_not_called_one_that_counts(
    way: Way, decision: DocumentState
) -> None:
    with way.app.app_context():
        signed = make.sign(way.leader)
        db.session.get_one(Document, signed.id).state = decision.value
        db.session.commit()
    query = {"fingerprint": way.text.sha256}
    assert "组委会没有通过，须重新签署" in way.client.get("/undertakings", query_string=query).text
    told = way.client.get(f"/api/v1/undertakings/{way.text.sha256}").json
    assert (told["known"], told["newest"], told["returned"]) == (True, True, True)


def test_checking_nothing_says_so_beside_the_field(way: Way) -> None:
    empty = way.client.get("/undertakings", query_string={"fingerprint": " "})
    assert (empty.status_code, 'id="f-fingerprint-error"' in empty.text) == (422, True)
    for sent in ({}, {"file": (io.BytesIO(b""), "a.pdf")}):
        nothing = way.client.post("/undertakings", data=sent)
        assert (nothing.status_code, 'id="f-file-error"' in nothing.text) == (422, True)
    assert "field__error" not in way.client.get("/undertakings").text


def test_a_link_of_another_leader_is_not_shown_as_ones_own(way: Way) -> None:
    key = parse_qs(urlsplit(way.link()).query)["key"][0]
    with way.app.app_context():
        other = registrations.submitted(5)
        accounts.sign_in(way.client, other)
    assert way.client.get(f"{way.one}/sign/link", query_string={"key": key}).status_code == 404
    assert way.client.post(f"{way.one}/sign/link").status_code == 404


def test_the_key_of_a_link_stands_in_the_query_which_no_log_holds(way: Way) -> None:
    parts = urlsplit(way.link())
    assert parts.path == "/c/beach/undertaking"
    key = parse_qs(parts.query)["key"][0]
    assert way.text.name not in key


def test_blank_undertakings_of_all_members_are_one_file_with_a_page_each(way: Way) -> None:
    answer = way.client.get("/c/beach/my/undertakings.pdf")
    assert answer.mimetype == "application/pdf"
    assert "no-store" in answer.headers["Cache-Control"]
    printed = pypdfium2.PdfDocument(answer.data)
    assert len(printed) == 2
    assert way.text.name in printed[0].get_textpage().get_text_bounded()
    one = way.client.get("/c/beach/my/undertakings.pdf", query_string={"subject": way.subject})
    assert len(pypdfium2.PdfDocument(one.data)) == 1
    with way.app.app_context():
        accounts.sign_in(way.client, accounts.user(77))
    assert way.client.get("/c/beach/my/undertakings.pdf").status_code == 404


def test_anybody_checks_a_fingerprint_or_a_file_and_reads_no_name(way: Way, tmp_path: Any) -> None:
    with way.app.app_context():
        document = make.sign(way.leader)
        make.make_sheet(document, tmp_path)
    with way.client.session_transaction() as cookies:
        cookies.clear()
    known = way.client.get("/undertakings", query_string={"fingerprint": way.text.sha256})
    assert "是本站签署的承诺书" in known.text
    assert way.text.name not in known.text
    assert "没有签署过" in way.client.get("/undertakings", query_string={"fingerprint": "0" * 64}).text
    wrong = way.client.post("/undertakings", data={"file": (io.BytesIO(b"%PDF-1.7 other"), "a.pdf")})
    assert "没有签署过" in wrong.text


@pytest.mark.parametrize("language", ["zh", "en"])
def test_programs_read_and_sign_the_same_text(way: Way, language: str) -> None:
    address = f"{API}/my/documents/{way.subject}/waiver/undertaking"
    headers = way.bearer | {"Accept-Language": language}
    shown = way.client.get(address, headers=headers).json
    assert (shown["language"], shown["open"], shown["signed"]) == (language, True, False)
    sent = {
        "idempotency_key": "key-00000001",
        "language": language,
        "text": shown["text"],
        "strokes": make.STROKES,
    }
    assert way.client.post(address, json=sent | {"strokes": "[]"}, headers=headers).status_code == 422
    changed = way.client.post(address, json=sent | {"text": shown["text"] + "x"}, headers=headers)
    assert (changed.status_code, changed.json["code"]) == (409, "text_changed")
    assert changed.json["new"]
    signed = way.client.post(address, json=sent, headers=headers)
    assert (signed.status_code, signed.json["signed"]) == (201, True)
    checked = way.client.get(f"/api/v1/undertakings/{shown['sha256']}").json
    assert (checked["known"], checked["slug"], checked["newest"]) == (True, "beach", True)
    assert way.client.get(f"/api/v1/undertakings/{'0' * 64}").json["known"] is False


def test_programs_make_a_link_and_sign_by_it(way: Way) -> None:
    made = way.client.post(f"{API}/my/documents/{way.subject}/waiver/undertaking/link", headers=way.bearer)
    assert made.status_code == 201
    key = parse_qs(urlsplit(made.json["address"]).query)["key"][0]
    with way.client.session_transaction() as cookies:
        cookies.clear()
    shown = way.client.get(f"{API}/undertaking", query_string={"key": key}).json
    assert shown["name"] == way.text.name
    sent = {
        "idempotency_key": "key-00000001",
        "language": shown["language"],
        "text": shown["text"],
        "strokes": make.STROKES,
    }
    signed = way.client.post(f"{API}/undertaking", query_string={"key": key}, json=sent)
    assert (signed.status_code, signed.json["signed"]) == (201, True)
    assert way.client.get(f"{API}/undertaking", query_string={"key": "x"}).status_code == 410
