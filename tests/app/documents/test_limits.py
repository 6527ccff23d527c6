"""The limits of one kind of document: held when a file is announced, when it is checked, and when it is handed in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.commands import command
from app.competitions import queries as competitions
from app.documents import service
from app.documents.rules import DocumentRefusedError, Subject
from app.errors import SaishiError
from app.uploads import queries, rules
from app.uploads.rules import UploadState, refusals
from tests.app.files.corpus.documents import pdf
from tests.app.uploads.looking import claim, send_form
from tests.factories import accounts, documents, registrations, uploads

KIND, OTHER = "medical_certificate", "waiver"
MIB = 1024 * 1024
ANNOUNCED = "/api/v1/competitions/beach/uploads"


class Sender:
    """A leader whose certificates may have 1 MB and 2 pages."""

    def __init__(self, app: Flask, client: FlaskClient) -> None:
        self.app, self.client = app, client
        with app.app_context():
            documents.competition({KIND: {"max_megabytes": 1, "max_pages": 2}})
            self.leader, other = registrations.submitted(), registrations.submitted(2)
            self.subject = str(Subject(member_id=documents.first_member(self.leader)))
            self.foreign = str(Subject(member_id=documents.first_member(other)))
            self.bearer = accounts.bearer(app, self.leader)

    def announce(self, size: int, key: str = "key-00000001", **changes: Any) -> Any:
        body = {"purpose": "proof", "size": size, "name": "a.jpg", "idempotency_key": key}
        meant = {"subject": self.subject, "kind": KIND}
        return self.client.post(ANNOUNCED, json=body | meant | changes, headers=self.bearer)


@pytest.fixture
def sender(app: Flask, client: FlaskClient) -> Sender:
    return Sender(app, client)


def test_an_announced_file_is_held_to_the_limit_of_its_kind(sender: Sender) -> None:
    refused = sender.announce(MIB + 1)
    assert (refused.status_code, refused.json["code"]) == (422, "file_too_large")
    assert refused.json["most_bytes"] == MIB
    assert "超过了 1 MB 的上限" in refused.json["detail"]
    assert "每张不超过 1 MB" in refused.json["next_step"]
    assert "不超过 1 MB、2 页" in refused.json["next_step"]
    assert sender.announce(MIB).status_code == 201
    assert sender.announce(MIB + 1, "key-00000002", kind=OTHER).status_code == 201


def test_a_file_for_somebody_elses_document_or_one_nobody_asks_for_is_not_begun(sender: Sender) -> None:
    for changes in ({"subject": sender.foreign}, {"kind": "identity_card"}, {"subject": "no"}):
        assert sender.announce(MIB, **changes).status_code == 404


def test_other_purposes_have_their_own_limits_whatever_document_is_named(sender: Sender) -> None:
    assert sender.announce(MIB + 1, purpose="evidence").status_code == 201


def test_the_checklist_says_the_limits_of_each_kind_to_programs(sender: Sender) -> None:
    place = f"/api/v1/competitions/beach/my/documents/{sender.subject}/{KIND}"
    row = sender.client.get(place, headers=sender.bearer).json["row"]
    assert (row["max_files"], row["max_megabytes"]) == (2, 1)


def test_the_page_names_the_document_to_the_script_and_a_plain_form_is_held_to_it(sender: Sender) -> None:
    accounts.sign_in(sender.client, sender.leader)
    place = f"/c/beach/my/documents/{sender.subject}/{KIND}"
    page = sender.client.get(place).text
    assert f'data-subject="{sender.subject}" data-kind="{KIND}"' in page
    assert f'data-picture-bytes="{MIB}" data-pdf-bytes="{MIB}"' in page
    large = uploads.photo(1, 3600, 2700, 98)
    assert len(large) > MIB
    sent = send_form(sender.client, place, [(uploads.photo(), "a.jpg"), (large, "b.jpg")])
    assert sent.status_code == 422
    assert "超过了 1 MB 的上限" in sent.text
    with sender.app.app_context():
        place_id = competitions.competition_id("beach")
        assert queries.unclaimed(sender.leader.require_signed_in(), place_id) == (), "nothing is kept of it"


def test_a_pdf_of_more_pages_than_the_kind_may_have_is_refused_by_the_worker(
    sender: Sender, tmp_path: Path
) -> None:
    content = pdf(pages=3)
    token = sender.announce(len(content), name="a.pdf").json["token"]
    with sender.app.app_context():
        for start, part in uploads.pieces(content):
            uploads.send(sender.leader, token, start, part)
        uploads.finish(sender.leader, token)
        uploads.check(queries.mine(sender.leader.require_signed_in(), token), tmp_path)
        seen = queries.mine(sender.leader.require_signed_in(), token)
    assert seen.state is UploadState.REFUSED
    assert "3 页" in str(seen.sentence)
    assert "2 页" in str(seen.sentence)


def test_what_was_announced_for_nothing_in_particular_is_held_to_the_kind_when_it_is_handed_in(
    sender: Sender, tmp_path: Path
) -> None:
    with sender.app.app_context():
        large = uploads.ready(sender.leader, "beach", tmp_path, uploads.photo(1, 3600, 2700, 98)).token
        long = uploads.ready(sender.leader, "beach", tmp_path, pdf(pages=3), name="a.pdf").token
        for token, error, said in (
            (large, DocumentRefusedError, "每个文件不能超过 1 MB。"),
            (long, refusals.TooManyPagesError, "一共 3 页，最多 2 页。"),
        ):
            with pytest.raises(error) as refused:
                hand_in(sender, token)
            assert said in str([refused.value.text, *refused.value.fields.values()])
        assert isinstance(refused.value, SaishiError)
        assert "每张不超过 1 MB" in str(refused.value.next_step)


def test_a_claim_by_itself_holds_the_limits_that_the_form_names(sender: Sender, tmp_path: Path) -> None:
    with sender.app.app_context():
        large = uploads.ready(sender.leader, "beach", tmp_path, uploads.photo(1, 3600, 2700, 98)).token
        narrow = rules.purpose("proof").within(megabytes=1, pages=2)
        with pytest.raises(refusals.TooLargeError) as refused:
            claim(sender.leader, "beach", large, wanted=narrow)
        assert "每张不超过 1 MB" in str(refused.value.next_step)


def hand_in(sender: Sender, token: str) -> None:
    with command(sender.leader) as ctx:
        service.hand_in(
            ctx,
            slug="beach",
            subject=sender.subject,
            kind=KIND,
            tokens=[token],
            values={"issued_on": "2021-10-20"},
            idempotency_key="key-00000001",
        )
