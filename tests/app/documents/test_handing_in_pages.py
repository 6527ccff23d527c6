"""The leader's pages of documents: what is missing, handing in, what stays after a refusal, only the flagged fields."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from app.actors import Actor
from app.audit.actions import AuditAction
from app.commands import command
from app.documents.reviewing import leader_address
from app.documents.rules import Subject
from app.registrations.models import Consent
from app.text import BEIJING
from tests.app.files.corpus.photos import animated
from tests.factories import accounts, documents, registrations, uploads

LIST = "/c/beach/my/documents"


class Way:
    """A leader in a browser, with two members; entries are open."""

    def __init__(self, app: Flask, client: FlaskClient, folder: Path) -> None:
        self.app, self.client, self.folder = app, client, folder
        with app.app_context():
            registrations.competition()
            self.leader = registrations.submitted(members=2)
            self.subject = str(Subject(member_id=documents.first_member(self.leader)))
            accounts.sign_in(client, self.leader)

    def address(self, kind: str) -> str:
        return f"{LIST}/{self.subject}/{kind}"

    def photo(self, serial: int = 1) -> str:
        with self.app.app_context():
            return uploads.ready(self.leader, "beach", self.folder, uploads.photo(serial)).token

    def hand_in(self, kind: str, token: str | None, **values: str) -> Any:
        form: dict[str, Any] = {f"values-{name}": value for name, value in values.items()}
        if token:
            form["upload"] = token
        return self.client.post(self.address(kind), data={"idempotency_key": "key-00000001"} | form)


@pytest.fixture
def way(app: Flask, client: FlaskClient, tmp_path: Path) -> Way:
    return Way(app, client, tmp_path)


def test_the_checklist_names_each_members_documents_and_leads_to_the_first(way: Way) -> None:
    page = way.client.get(LIST).text
    assert page.count("有效体检证明") >= 2
    assert "须在 2021年11月27日（周六）及以后采样" in page
    assert "下一份：" in page
    assert way.address("medical_certificate") in page


def test_before_the_upload_the_page_says_why_who_sees_it_and_when_it_is_deleted(way: Way) -> None:
    page = way.client.get(way.address("medical_certificate")).text
    told, upload = page.index("提交之前请了解"), page.index("data-upload")
    assert told < upload
    said = page[told:upload]
    assert "健康信息是敏感个人信息" in said
    assert "只有您和本次比赛的组委会能看到" in said
    assert "2022年3月6日（周日）自动删除" in said  # play ends on 5 December, 90 whole days stay


def test_every_sentence_before_the_upload_has_its_english(way: Way) -> None:
    page = way.client.get(way.address("medical_certificate"), query_string={"lang": "en"}).text
    assert "sensitive personal information" in page
    assert "Only you and the committee of this competition can see it" in page


def test_a_document_is_handed_in_and_waits_for_review(way: Way) -> None:
    answer = way.hand_in("medical_certificate", way.photo(), issued_on="2021-10-20")
    assert (answer.status_code, answer.location) == (303, LIST)
    assert "待审核" in way.client.get(way.address("medical_certificate")).text


def test_after_a_refusal_what_was_typed_and_the_files_are_still_there(way: Way) -> None:
    token = way.photo()
    answer = way.hand_in(
        "accident_insurance", token, issuer="示例保险", valid_from="2021-12-03", valid_to="2021-12-05"
    )
    assert answer.status_code == 422
    assert 'value="示例保险"' in answer.text
    assert 'value="2021-12-03"' in answer.text
    assert f'value="{token}"' in answer.text
    assert "须在2021年12月2日已经生效。（规程 三(一)4）" in answer.text
    assert 'id="f-values-valid_from-error"' in answer.text


def test_enter_in_a_field_sends_the_form_and_deletes_no_file(way: Way) -> None:
    answer = way.hand_in("medical_certificate", way.photo(), issued_on="tomorrow")
    form = answer.text[answer.text.index("multipart/form-data") :]
    first, *others = re.findall(r'<button[^>]*type="submit"[^>]*>', form)  # a browser presses the first one
    assert "delete-upload" not in first
    assert any("delete-upload" in each for each in others)


def test_deleting_a_file_without_our_script_keeps_what_was_typed_and_the_other_files(way: Way) -> None:
    unwanted, kept = way.photo(1), way.photo(2)
    form = {"upload": [unwanted, kept], "delete-upload": unwanted, "values-issued_on": "2021-10-20"}
    answer = way.client.post(
        way.address("medical_certificate"), data=form | {"idempotency_key": "key-00000001"}
    )
    assert answer.status_code == 200
    assert 'value="2021-10-20"' in answer.text
    assert f'value="{kept}"' in answer.text
    assert unwanted not in answer.text
    assert way.client.get(f"/c/beach/uploads/{unwanted}").status_code == 404
    assert "缺" in way.client.get(way.address("medical_certificate")).text  # nothing was handed in


def test_what_cleaning_changed_stands_beside_the_file_before_and_after_it_is_handed_in(way: Way) -> None:
    with way.app.app_context():
        moving = uploads.ready(way.leader, "beach", way.folder, animated("PNG"), name="证明.png").token
    told = "只保留了第一张"
    refused = way.hand_in("medical_certificate", moving, issued_on="tomorrow")
    assert refused.status_code == 422
    assert told in refused.text
    assert way.hand_in("medical_certificate", moving, issued_on="2021-10-20").status_code == 303
    page = way.client.get(way.address("medical_certificate")).text
    assert f"<li>文件里有多张图片或动画，{told}。</li>" in page


def test_what_is_typed_is_kept_on_the_phone_until_it_was_handed_in(way: Way) -> None:
    page = way.client.get(way.address("medical_certificate")).text
    assert f'data-keep="document-{way.subject}-medical_certificate-0"' in page
    way.hand_in("medical_certificate", way.photo(), issued_on="2021-10-20")
    assert f'data-keep="document-{way.subject}-medical_certificate-1"' in way.client.get(
        way.address("medical_certificate")
    ).text  # fmt: skip


def test_a_document_that_cannot_exist_yet_says_from_which_day_on(way: Way) -> None:
    assert (
        "2021年11月27日（周六）及以后采样的，现在提交不了"
        in way.client.get(way.address("nucleic_acid_report")).text
    )
    assert "现在提交不了" not in way.client.get(way.address("medical_certificate")).text


def test_too_much_at_once_says_how_much_a_form_may_have(way: Way) -> None:
    answer = way.client.post(
        way.address("medical_certificate"),
        content_type="multipart/form-data; boundary=x",
        environ_overrides={"CONTENT_LENGTH": str(65 * 1024 * 1024)},
    )
    assert answer.status_code == 413
    assert "一次最多发送 64 MB：请少选几个文件，分几次提交。" in answer.text


def test_a_form_without_files_says_so_beside_the_files(way: Way) -> None:
    answer = way.hand_in("medical_certificate", None, issued_on="2021-10-20")
    assert answer.status_code == 422
    assert "请先拍照或选择文件。" in answer.text


def test_only_the_flagged_fields_are_open_and_the_rest_is_read_only(
    way: Way, travel: Callable[[datetime], None]
) -> None:
    with way.app.app_context():
        reasons = {"valid_to": {"code": "differs", "text": "照片上是 11 月 30 日"}}
        documents.stored(way.leader, "accident_insurance", state="needs_changes", reasons=reasons)
    travel(datetime(2021, 11, 10, 12, 0, tzinfo=BEIJING))
    page = way.client.get(way.address("accident_insurance")).text
    assert "与照片上的不一致。照片上是 11 月 30 日" in page
    assert 'name="values-valid_to"' in page
    assert 'name="values-valid_from"' not in page
    assert "data-upload" not in page
    assert "2021-11-01" in page
    assert way.hand_in("accident_insurance", None, valid_to="2021-12-10").status_code == 303
    assert "需补正" not in way.client.get(way.address("accident_insurance")).text


def test_an_undecided_document_is_taken_back_on_its_page(way: Way) -> None:
    way.hand_in("medical_certificate", way.photo(), issued_on="2021-10-20")
    assert way.client.post(f"{way.address('medical_certificate')}/withdraw").status_code == 303
    page = way.client.get(way.address("medical_certificate")).text
    assert "2021-10-20" not in page
    assert way.client.post(f"{way.address('medical_certificate')}/withdraw").status_code == 409


def test_once_its_time_is_over_the_page_says_whom_to_ask(
    way: Way, travel: Callable[[datetime], None]
) -> None:
    travel(datetime(2021, 11, 10, 12, 0, tzinfo=BEIJING))
    page = way.client.get(way.address("medical_certificate")).text
    assert "这份材料的提交时间已过" in page
    assert "data-upload" not in page


@pytest.mark.parametrize("place", ["m999999/medical_certificate", "u1/medical_certificate", "x/y"])
def test_documents_of_others_are_not_found(way: Way, place: str) -> None:
    assert way.client.get(f"{LIST}/{place}").status_code == 404
    assert way.client.post(f"{LIST}/{place}", data={"idempotency_key": "key-00000001"}).status_code == 404


def test_the_page_of_the_entry_counts_documents_and_leads_to_the_next(way: Way) -> None:
    with way.app.app_context():
        documents.stored(way.leader, "medical_certificate")
    page = way.client.get("/c/beach/my").text
    assert "1 / 6" in page
    assert "0 / 6" in page
    assert way.address("accident_insurance") in page


def test_the_way_to_enter_has_the_step_of_documents_where_the_text_asks_for_some(way: Way) -> None:
    assert LIST in way.client.get("/c/beach/enter/members").text


def test_who_has_no_unit_is_led_to_the_entry(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        registrations.competition()
        accounts.sign_in(client, registrations.leader(with_unit=False))
    assert client.get(LIST).location == "/c/beach/my"


@pytest.fixture
def due(app: Flask, client: FlaskClient) -> Actor:
    with app.app_context():
        documents.competition()
        leader = registrations.leader()
        registrations.member(leader, 101)
        accounts.sign_in(client, leader)
    return leader


def test_the_last_step_lists_what_is_due_with_the_entry_with_links(client: FlaskClient, due: Actor) -> None:
    page = client.get("/c/beach/enter/check").text
    assert "报名时应提交，还缺" in page
    assert f"{LIST}/u" in page
    assert "去提交材料" in page
    refused = client.post("/c/beach/enter/check", data={"idempotency_key": "key-00000001"})
    assert refused.status_code == 409
    assert "还缺 2 份报名时应提交的材料" in refused.text
    assert f"{LIST}/m" in refused.text


def test_the_list_of_members_leads_to_the_documents_that_are_due(client: FlaskClient, due: Actor) -> None:
    assert "下一步：材料" in client.get("/c/beach/enter/members").text


def test_the_committee_asks_on_its_page_and_the_leader_sees_the_day(
    way: Way, travel: Callable[[datetime], None]
) -> None:
    with way.app.app_context():
        accounts.sign_in(way.client, registrations.committee())
    page = "/staff/c/beach/documents/requests"
    refused = way.client.post(page, data={"kind": "waiver", "until": "2021-12-06"})
    assert refused.status_code == 422
    assert "应在2021年10月25日（周一）至2021年12月5日（周日）之间。" in refused.text
    assert way.client.post(page, data={"kind": "waiver", "until": "2021-11-30"}).status_code == 303
    assert "参赛免责和防疫承诺书" in way.client.get(page).text
    accounts.sign_in(way.client, way.leader)
    travel(datetime(2021, 11, 10, 12, 0, tzinfo=BEIJING))
    assert "2021年11月30日（周二）24:00前提交" in way.client.get(LIST).text


def test_only_reviewers_open_the_page_that_asks(way: Way) -> None:
    assert way.client.get("/staff/c/beach/documents/requests").status_code == 403


def test_the_pictures_that_were_handed_in_are_shown_to_the_leader(way: Way) -> None:
    way.hand_in("medical_certificate", way.photo(), issued_on="2021-10-20")
    page = way.client.get(way.address("medical_certificate")).text
    found = re.search(r'src="(/c/beach/documents/\d+/files/1/0/1/thumbnail)"', page)
    assert found
    assert way.client.get(found.group(1)).mimetype == "image/jpeg"


def test_a_newer_privacy_notice_is_agreed_to_before_anything_is_shown_even_after_the_deadline(
    way: Way, travel: Callable[[datetime], None]
) -> None:
    with way.app.app_context(), command(way.leader) as ctx:
        consent = ctx.session.scalars(select(Consent)).one()
        consent.notice_version = "older"
        ctx.record(AuditAction.PRIVACY_NOTICE_AGREED, consent)
    travel(datetime(2021, 11, 10, 12, 0, tzinfo=BEIJING))
    assert way.client.get(LIST).location == "/c/beach/enter/notice"
    assert "健康信息和证件照片是敏感个人信息" in way.client.get("/c/beach/enter/notice").text
    assert way.client.post("/c/beach/enter/notice", data={"agreed": "1"}).status_code == 303
    assert way.client.get(LIST).status_code == 200


def test_the_message_of_the_review_leads_to_the_page_of_the_document(way: Way) -> None:
    with way.app.app_context():
        made = documents.stored(way.leader, "waiver")
    with way.app.test_request_context():
        assert leader_address("beach", made).endswith(way.address("waiver"))
