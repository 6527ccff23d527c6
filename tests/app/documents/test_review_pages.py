"""The reviewers' pages without a script: queue, desk, decisions, batch and statistics."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.documents.models import DocumentPage, DocumentRevision
from app.documents.queries.desk import NotedFile, Picture, noted_files
from app.documents.service import review as service
from app.extensions import db
from app.files.cleaning import Note
from app.notifications.models import Message
from app.uploads.models import Upload
from tests.app.documents.visiting import QUEUE, Desk, path_of, words
from tests.conftest import NOON
from tests.factories import accounts, people, reviews
from tests.factories import registrations as make
from tests.html_forms import form_to

BORN = r"\d{6}(?:19|20)\d{2}[01]\d[0-3]\d\d{3}[\dX]"


@pytest.fixture
def desk(app: Flask, client: FlaskClient) -> Desk:
    return Desk(app, client)


@pytest.mark.parametrize(
    ("role", "status"),
    [
        (Role.COMMITTEE, 200),
        (Role.ORGANISER, 200),
        (Role.CHIEF_REFEREE, 403),
        (Role.REFEREE, 403),
        (None, 403),
    ],
)
def test_only_committee_and_organiser_open_the_desk(desk: Desk, role: Role | None, status: int) -> None:
    document = desk.document()
    with desk.app.app_context():
        beach = competitions.competition_id("beach")
        desk.sign_in(accounts.user(60, *([role] if role else []), competition_id=beach))
    for path in (QUEUE, path_of(document), f"{QUEUE}/batch", "/staff/c/beach/documents/statistics"):
        assert desk.client.get(path).status_code == status
    for path in (f"{QUEUE}/next", f"{path_of(document)}/claim", path_of(document), f"{QUEUE}/batch"):
        assert (desk.client.post(path).status_code == 403) == (status == 403)


def test_a_stranger_is_asked_to_sign_in(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        make.competition()
    answer = client.get(QUEUE)
    assert answer.status_code == 401
    assert "组委会或主办方" in answer.get_data(as_text=True)


def test_the_queue_lists_the_oldest_first_and_who_is_at_work(desk: Desk) -> None:
    younger = desk.document(member=0, at=NOON - timedelta(hours=2))
    desk.document("medical_certificate", {"issued_on": "2021-10-01"}, member=1, at=NOON - timedelta(days=3))
    desk.claim(desk.colleague, younger)
    page = words(desk.page(QUEUE))
    assert "最早的一份已等 3 天" in page
    assert "1 份正有人审核" in page
    assert page.index("有效体检证明 ") < page.index("等了 2 小时")
    number = people.phone(reviews.REVIEWER + 1)
    assert f"{number[:3]}****{number[-4:]} 在审" in page


def test_the_filter_narrows_the_list_and_is_kept(desk: Desk) -> None:
    desk.document(member=0)
    desk.document("medical_certificate", {"issued_on": "2021-10-01"}, member=1)
    page = desk.page(f"{QUEUE}?kind=medical_certificate")
    assert people.person_name(101) in page
    assert people.person_name(100) not in page
    taken = desk.send(form_to(page, f"{QUEUE}/next"))
    assert taken.status_code == 303
    assert taken.headers["Location"].endswith("?kind=medical_certificate")
    assert desk.client.get(f"{QUEUE}?kind=invented").status_code == 422


def test_a_long_queue_has_pages(desk: Desk) -> None:
    with desk.app.app_context():
        for unit in range(2, 13):
            leader = make.submitted(unit, members=5)
            for member in range(5):
                reviews.document(leader, member=member, pages=0)
    page = words(desk.page(QUEUE))
    assert "第 1 页，共 2 页" in page
    assert "第 2 页，共 2 页" in words(desk.page(f"{QUEUE}?page=2"))


def test_an_empty_queue_says_so(desk: Desk) -> None:
    page = words(desk.page(QUEUE))
    assert "现在没有等待审核的材料" in page
    assert "审核下一份" not in page


def test_the_desk_shows_typed_data_the_verdict_with_its_clause_and_no_id_number(desk: Desk) -> None:
    document = desk.document()
    page = desk.page(path_of(document))
    text = words(page)
    assert "采样日期 2021-11-28，报到 2021-12-02：相隔 4 天（须在 5 天内），符合" in text
    assert "规程 三(一)5" in text
    assert "阴性" in text
    assert not re.search(BORN, text)
    assert f"/c/beach/documents/{document}/files/1/0/1/preview" in page
    assert "开始审核" in text
    assert "不通过" not in text.replace("不通过：到第一处原因", "")  # nobody decides before he has it


def note(desk: Desk, document: int, position: int, *codes: str) -> None:
    """As if cleaning had changed that in one of the files."""
    with desk.app.app_context():
        upload = db.session.scalars(
            select(Upload)
            .join(DocumentPage, DocumentPage.upload_id == Upload.id)
            .join(DocumentRevision, DocumentRevision.id == DocumentPage.revision_id)
            .where(DocumentRevision.document_id == document, DocumentPage.position == position)
        ).one()
        upload.notes = list(codes)
        db.session.commit()


def test_the_desk_says_what_cleaning_changed_in_which_file(desk: Desk) -> None:
    alone, several = desk.document(member=0), desk.document(member=1, pages=3)
    assert "file-notes" not in desk.page(path_of(alone))
    note(desk, alone, 0, "scripts_removed", "links_removed")
    note(desk, several, 1, "first_picture")
    assert "<li>PDF 里的脚本和自动动作已去掉。PDF 里的链接已去掉。</li>" in desk.page(path_of(alone))
    assert "<li>第 2 页：文件里有多张图片或动画，只保留了第一张。</li>" in desk.page(path_of(several))
    english = words(desk.page(f"{path_of(several)}?lang=en"))
    assert "Page 2: The file holds several pictures or an animation; only the first was kept." in english


def test_the_pages_of_one_file_are_named_together() -> None:
    said = (Note.DECRYPTED.sentence,)
    pictures = [
        Picture(1, position, page, None, None, None, said if position == 1 else ())
        for position, page in [(0, 1), (1, 1), (1, 2), (1, 3), (2, 1)]
    ]
    assert noted_files(pictures) == (NotedFile(2, 4, said),)


def test_the_id_number_is_shown_on_demand_and_the_look_recorded(desk: Desk) -> None:
    document = desk.document()
    page = desk.page(path_of(document))
    shown = desk.send(form_to(page, f"{path_of(document)}/personal-data"))
    assert people.id_number(100) in shown.get_data(as_text=True)
    assert "no-store" in shown.headers["Cache-Control"]
    assert "personal_data.read" in desk.actions()


def test_from_the_queue_through_a_decision_to_the_next_without_a_script(desk: Desk) -> None:
    first = desk.document(member=0, at=NOON - timedelta(hours=2))
    second = desk.document(member=1, at=NOON - timedelta(hours=1))
    taken = desk.send(form_to(desk.page(QUEUE), f"{QUEUE}/next"))
    assert taken.headers["Location"] == path_of(first)
    form = form_to(desk.page(path_of(first)), path_of(first))
    assert {value for name, value in form.buttons if name == "decision"} == {
        "accepted",
        "needs_changes",
        "rejected",
    }
    sent = desk.send(
        form,
        decision="needs_changes",
        **{"reasons-pages-code": "unreadable", "reasons-sampled_on-text": "应为 30 日"},
    )
    assert sent.headers["Location"] == path_of(second)
    assert desk.state(first) == ("needs_changes", None)
    assert desk.state(second) == ("uploaded", desk.me.user_id)
    page = desk.page(path_of(second))
    assert "已退回补正" in page
    done = desk.send(form_to(page, path_of(second)), decision="accepted")
    assert done.headers["Location"] == QUEUE
    assert "没有可以接手的材料了" in desk.page(QUEUE)
    record = words(desk.page(path_of(first)))
    assert "照片或文件：看不清，请重新拍摄。" in record
    assert "采样日期：应为 30 日" in record


def test_a_refused_decision_keeps_what_was_typed(desk: Desk) -> None:
    document = desk.document()
    desk.claim(desk.me, document)
    form = form_to(desk.page(path_of(document)), path_of(document))
    nothing = desk.send(form, decision="needs_changes")
    assert nothing.status_code == 422
    assert "请至少在一处选择或写明原因" in nothing.get_data(as_text=True)
    both = desk.send(form, decision="accepted", **{"reasons-holder-text": "姓名差一个字"})
    assert both.status_code == 422
    assert (
        dict(form_to(both.get_data(as_text=True), path_of(document)).fields)["reasons-holder-text"]
        == "姓名差一个字"
    )
    unknown = desk.send(form, decision="invented")
    assert unknown.status_code == 422
    assert desk.state(document)[0] == "uploaded"


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"decision": "accepted"},
        {"decision": "accepted", "revision": "x"},
        {"decision": "accepted", "revision": "9" * 30},
        {"decision": "rejected", "revision": "1", "reasons-pages": "unreadable"},
        {"decision": "rejected", "revision": "1", "reasons-pages-code-x": "unreadable"},
        {"decision": "rejected", "revision": "1", "reasons-elsewhere-code": "unreadable"},
        {"decision": "rejected", "revision": "1", "reasons-pages-text": "字" * 201},
    ],
)
def test_a_broken_form_is_answered_with_the_page_and_changes_nothing(
    desk: Desk, sent: dict[str, str]
) -> None:
    document = desk.document()
    desk.claim(desk.me, document)
    answer = desk.client.post(path_of(document), data=sent)
    assert answer.status_code == 422
    assert "data-problem" in answer.get_data(as_text=True)
    assert desk.state(document) == ("uploaded", desk.me.user_id)


def test_who_lost_the_claim_is_told_and_takes_his_words_along(
    desk: Desk, travel: Callable[[datetime], None]
) -> None:
    document = desk.document()
    desk.claim(desk.me, document)
    form = form_to(desk.page(path_of(document)), path_of(document))
    travel(NOON + timedelta(minutes=11))
    desk.claim(desk.colleague, document)
    answer = desk.send(form, decision="rejected", **{"reasons-pages-text": "不是原件"})
    assert answer.status_code == 409
    page = answer.get_data(as_text=True)
    assert "已由另一位审核人接手" in page
    kept = form_to(page, path_of(document))
    assert dict(kept.fields)["reasons-pages-text"] == "不是原件"
    assert f'formaction="{path_of(document)}/claim"' in page
    # the colleague goes home; the claim runs out, and the same form takes it over with the words still in it
    travel(NOON + timedelta(minutes=30))
    again = desk.client.post(f"{path_of(document)}/claim", data=kept.sent())
    assert again.status_code == 200
    form = form_to(again.get_data(as_text=True), path_of(document))
    assert dict(form.fields)["reasons-pages-text"] == "不是原件"
    assert desk.send(form, decision="rejected").status_code == 303
    assert desk.state(document) == ("rejected", None)


def test_a_newer_revision_is_shown_with_the_reasons_still_there(desk: Desk) -> None:
    document = desk.document()
    desk.claim(desk.me, document)
    form = form_to(desk.page(path_of(document)), path_of(document))
    with desk.app.app_context():
        reviews.again(document, desk.leader, pages=2)
    answer = desk.send(form, decision="rejected", **{"reasons-pages-code": "no_seal"})
    assert answer.status_code == 409
    page = answer.get_data(as_text=True)
    assert "领队已重新提交这份材料（第 2 次，您看的是第 1 次）" in page
    fields = dict(form_to(page, path_of(document)).fields)
    assert (fields["revision"], fields["reasons-pages-code"]) == ("2", "no_seal")
    older = words(desk.page(f"{path_of(document)}?revision=1"))
    assert "这是第 1 次提交，领队后来又提交过" in older
    assert desk.client.get(f"{path_of(document)}?revision=9").status_code == 404


def test_a_colleagues_document_can_be_read_but_not_decided(desk: Desk) -> None:
    document = desk.document()
    desk.claim(desk.colleague, document)
    page = desk.page(path_of(document))
    assert "正在审核这份材料，2021年10月25日（周一）12:10 前由他处理" in words(page)
    assert 'name="decision"' not in page
    assert desk.client.post(f"{path_of(document)}/claim").status_code == 409
    assert desk.client.post(f"{path_of(document)}/renew").status_code == 409
    assert (
        desk.client.post(path_of(document), data={"decision": "accepted", "revision": "1"}).status_code == 409
    )
    assert desk.state(document) == ("uploaded", desk.colleague.user_id)


def test_a_reviewer_reads_his_own_units_documents_and_leaves_them_to_others(desk: Desk) -> None:
    document = desk.document()
    with desk.app.app_context():
        desk.sign_in(accounts.user(1, Role.COMMITTEE, competition_id=competitions.competition_id("beach")))
    assert "请由组委会的另一位成员审核" in desk.page(path_of(document))
    assert "本单位" in desk.page(QUEUE)
    assert desk.client.post(f"{path_of(document)}/claim").status_code == 409


def test_giving_back_and_skipping(desk: Desk) -> None:
    first, second = desk.document(member=0, at=NOON - timedelta(hours=1)), desk.document(member=1)
    desk.claim(desk.me, first)
    page = desk.page(path_of(first))
    skipped = desk.send(form_to(page, f"{QUEUE}/next"))
    assert skipped.headers["Location"] == path_of(second)
    assert desk.state(first) == ("uploaded", None)
    back = desk.send(form_to(desk.page(path_of(second)), f"{path_of(second)}/release"))
    assert back.headers["Location"] == QUEUE
    assert desk.state(second) == ("uploaded", None)


def test_a_decision_is_taken_back_on_the_page(desk: Desk) -> None:
    document = desk.document()
    desk.claim(desk.me, document)
    desk.send(form_to(desk.page(path_of(document)), path_of(document)), decision="accepted")
    form = form_to(desk.page(path_of(document)), f"{path_of(document)}/take-back")
    empty = desk.send(form)
    assert empty.status_code == 422
    assert "请写明撤回的原因" in empty.get_data(as_text=True)
    assert desk.send(form, reason="看错了人").status_code == 303
    assert desk.state(document)[0] == "uploaded"


def test_documents_are_looked_at_together_then_accepted_all_or_none(desk: Desk) -> None:
    ids = [desk.document(member=number, picture=reviews.photo(90, 120)) for number in range(2)]
    page = desk.page(f"{QUEUE}/batch?" + "&".join(f"document={each}" for each in ids))
    form = form_to(page, f"{QUEUE}/batch")
    beside = re.findall(r'<dl class="batch__typed">(.*?)</dl>', page, re.DOTALL)
    assert len(beside) == 2
    assert all("采样日期 2021-11-28" in words(each) and "阴性" in words(each) for each in beside)
    blind = desk.send(form)
    assert blind.status_code == 422
    assert blind.get_data(as_text=True).count("您还没有看过它的图片，不能通过。") == 2
    assert "一份也没有通过" in blind.get_data(as_text=True)
    for source in re.findall(r'<img src="([^"]+)"', page):
        assert desk.client.get(source).status_code == 200
    assert desk.send(form).status_code == 303
    assert [desk.state(each) for each in ids] == [("accepted", None)] * 2
    assert desk.page(f"{QUEUE}/batch")  # nothing chosen: a way back
    for nonsense in ("x", "9" * 12, "9" * 5000, "-1"):
        assert "没有选择材料" in desk.page(f"{QUEUE}/batch?document={nonsense}")


def test_only_what_may_be_accepted_can_be_ticked(desk: Desk) -> None:
    good, late, held = (
        desk.document(member=0),
        desk.document(values={"sampled_on": "2021-10-01", "result": "negative"}, member=1),
        desk.document(member=2),
    )
    desk.claim(desk.colleague, held)
    ticks = re.findall(r'name="document" value="(\d+)"', desk.page(QUEUE))
    assert ticks == [str(good)]
    assert "不符合" in words(desk.page(path_of(late)))


def test_the_statistics_count_what_is_missing_and_how_long_was_waited(desk: Desk) -> None:
    for number, hours in enumerate((1, 3, 10)):
        document = desk.document(member=number, at=NOON - timedelta(hours=hours))
        if number != 2:
            desk.claim(desk.me, document)
            with desk.app.app_context(), command(desk.me) as ctx:
                service.decide(
                    ctx,
                    slug="beach",
                    document_id=document,
                    kind=service.DecisionKind.ACCEPT,
                    revision=1,
                    reasons={},
                    address="-",
                )
    page = words(desk.page("/staff/c/beach/documents/statistics"))
    report = page[page.index("核酸检测阴性报告") :]
    assert re.match(r"核酸检测阴性报告 0 1 0 2 0 0 2 小时 10 小时", report.replace("—", "0")), report[:80]
    assert "有效体检证明 3" in page


def test_the_board_says_what_waits_and_for_how_long(desk: Desk) -> None:
    desk.document(at=NOON - timedelta(days=2))
    board = words(desk.page("/staff/c/beach"))
    assert "1 份材料等待审核（最早：2 天前）" in board


def test_the_message_leads_the_leader_to_just_what_was_flagged(
    desk: Desk, travel: Callable[[datetime], None]
) -> None:
    document = desk.document()
    desk.claim(desk.me, document)
    form = form_to(desk.page(path_of(document)), path_of(document))
    desk.send(form, decision="needs_changes", **{"reasons-sampled_on-code": "differs"})
    with desk.app.app_context():
        body = db.session.scalars(select(Message.body).order_by(Message.id.desc())).first() or ""
    address = re.search(r"http://localhost(\S+)", body)
    assert address
    assert desk.client.get(address[1]).status_code == 404  # it is the leader's page
    desk.sign_in(desk.leader)
    page = desk.page(address[1])
    assert "与照片上的不一致。" in words(page)
    assert 'name="values-sampled_on"' in page
    assert 'name="values-result"' not in page
    # the date alone is corrected: the document waits again, and the pictures of before still count
    travel(datetime(2021, 11, 30, 4, 0, tzinfo=UTC))
    corrected = desk.send(form_to(page, address[1]), **{"values-sampled_on": "2021-11-29"})
    assert corrected.status_code == 303
    desk.sign_in(desk.me)
    again = desk.page(path_of(document))
    assert "第 2 次" in words(again)
    assert "采样日期 2021-11-29" in words(again)
    assert f"/c/beach/documents/{document}/files/1/0/1/preview" in again


def test_the_pages_speak_english(desk: Desk) -> None:
    document = desk.document()
    desk.claim(desk.me, document)
    for path in (
        QUEUE,
        path_of(document),
        f"{QUEUE}/batch?document={document}",
        "/staff/c/beach/documents/statistics",
    ):
        answer = desk.client.get(path, query_string={"lang": "en"} if "?" not in path else None)
        text = words(answer.get_data(as_text=True))
        assert answer.status_code == 200
        left = [word for word in ("审核", "材料", "通过", "原因", "图片", "单位") if word in text]
        if "?" not in path:
            assert left == [], (path, left)
