"""The pages: the form with preview, refusals and conflicts, what readers see in their language, attachments in ranges."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor, Role
from app.announcements import queries, rules
from app.announcements.queries import AnnouncementView
from app.competitions import queries as competitions
from tests.conftest import NOON
from tests.factories import accounts, announcements, people
from tests.factories import uploads as upload_factory

Travel = Callable[[datetime], None]
SLUG = "beach-2021"
STAFF = f"/staff/c/{SLUG}/announcements"
PUBLIC = f"/c/{SLUG}/announcements"
TOMORROW = NOON + timedelta(days=1)
FORM = {"title": "赛前须知", "body": "请提前到场。", "idempotency_key": "key-of-a-form"}


@pytest.fixture
def committee(app: Flask) -> Actor:
    with app.app_context():
        announcements.place(SLUG)
        return announcements.committee(SLUG)


@pytest.fixture
def writer(client: FlaskClient, committee: Actor) -> FlaskClient:
    accounts.sign_in(client, committee)
    return client


@pytest.fixture
def written(app: Flask, committee: Actor) -> Callable[..., AnnouncementView]:
    def write(**changes: object) -> AnnouncementView:
        with app.app_context():
            return announcements.announce(committee, SLUG, **changes)  # type: ignore[arg-type]  # as the factory takes them

    return write


def kept(app: Flask) -> list[AnnouncementView]:
    with app.app_context():
        return list(queries.for_staff(competitions.competition_id(SLUG)))


def test_the_form_publishes_and_the_page_shows_paragraphs_and_links(writer: FlaskClient, app: Flask) -> None:
    assert 'name="idempotency_key" value="' in writer.get(f"{STAFF}/new").text
    body = "第一段 <b>\r\n第二行\r\n\r\n见 https://example.org/a?b=1&c=2。"
    answer = writer.post(f"{STAFF}/new", data=FORM | {"body": body})
    assert (answer.status_code, answer.location) == (303, STAFF)
    page = writer.get(f"{PUBLIC}/{kept(app)[0].id}").text
    assert "<p>第一段 &lt;b&gt;<br>第二行</p>" in page
    link = '<a href="https://example.org/a?b=1&amp;c=2" rel="nofollow noopener noreferrer">'
    assert link in page
    assert "2021年10月25日（周一）12:00 发布" in page


def test_a_form_sent_twice_makes_one(writer: FlaskClient, app: Flask) -> None:
    for _ in range(2):
        assert writer.post(f"{STAFF}/new", data=FORM).status_code == 303
    assert len(kept(app)) == 1


def test_the_publication_time_of_the_form_is_beijing_time(
    writer: FlaskClient, app: Flask, travel: Travel
) -> None:
    writer.post(f"{STAFF}/new", data=FORM | {"publish_at": "2021-10-26T12:00"})
    view = kept(app)[0]
    assert view.publish_at == TOMORROW
    assert 'value="2021-10-26T12:00"' in writer.get(f"{STAFF}/{view.id}").text
    assert "待发布" in writer.get(STAFF).text
    assert "1 条公告待发布" in writer.get(f"/staff/c/{SLUG}").text
    reader = app.test_client()
    assert reader.get(f"{PUBLIC}/{view.id}").status_code == 404
    assert view.text.title not in reader.get(PUBLIC).text
    assert view.text.title not in reader.get(f"/c/{SLUG}").text
    travel(TOMORROW)
    assert reader.get(f"{PUBLIC}/{view.id}").status_code == 200
    assert view.text.title in reader.get(PUBLIC).text
    assert view.text.title in reader.get(f"/c/{SLUG}").text


def test_a_preview_shows_the_text_and_saves_nothing(writer: FlaskClient, app: Flask) -> None:
    english = {"title_en": "Before the games", "body_en": "Come early."}
    page = writer.post(f"{STAFF}/new", data=FORM | english | {"preview": "1"})
    assert page.status_code == 200
    preview = page.text.partition('id="preview"')[2].partition("<form")[0]
    assert "<p>请提前到场。</p>" in preview
    assert "<p>Come early.</p>" in preview
    assert 'value="赛前须知"' in page.text
    assert 'value="key-of-a-form"' in page.text
    assert kept(app) == []


def test_a_refusal_stands_beside_its_field_and_what_was_typed_stays(writer: FlaskClient, app: Flask) -> None:
    data = FORM | {"body": f"证件 {people.id_number(3)}", "pinned": "1", "publish_at": "2021-10-30T08:00"}
    page = writer.post(f"{STAFF}/new", data=data)
    assert page.status_code == 422
    assert 'id="f-body-error"' in page.text
    assert "不能写身份证号" in page.text
    assert data["body"] in page.text
    assert 'value="2021-10-30T08:00"' in page.text
    assert re.search(r'name="pinned"[^>]* checked', page.text)
    assert 'name="phones_public"' not in page.text
    assert kept(app) == []


def test_a_mobile_number_is_asked_about_and_published_once_confirmed(writer: FlaskClient, app: Flask) -> None:
    data = FORM | {"body": f"联系 {people.phone(5)}"}
    page = writer.post(f"{STAFF}/new", data=data)
    assert page.status_code == 422
    assert 'name="phones_public"' in page.text
    assert "对外公布的联系电话" in page.text
    assert writer.post(f"{STAFF}/new", data=data | {"phones_public": "1"}).status_code == 303
    assert len(kept(app)) == 1


def test_a_conflict_keeps_what_was_typed_and_shows_what_stands_now(
    writer: FlaskClient, app: Flask, committee: Actor, written: Callable[..., AnnouncementView]
) -> None:
    view = written()
    with app.app_context():
        announcements.change(committee, SLUG, view, body="甲改的。")
    data = {"title": "乙的标题", "body": "乙改的。", "base_revision": "1"}
    page = writer.post(f"{STAFF}/{view.id}", data=data)
    assert page.status_code == 409
    assert "乙改的。" in page.text
    assert "甲改的。" in page.text.partition('id="current"')[2].partition("</section>")[0]
    assert 'name="base_revision" value="2"' in page.text
    assert writer.post(f"{STAFF}/{view.id}", data=data | {"base_revision": "2"}).status_code == 303
    assert kept(app)[0].text.title == "乙的标题"


def test_an_unticked_box_stays_unticked_when_the_form_is_shown_again(
    writer: FlaskClient, written: Callable[..., AnnouncementView]
) -> None:
    view = written(pinned=True)
    assert re.search(r'name="pinned"[^>]* checked', writer.get(f"{STAFF}/{view.id}").text)
    page = writer.post(f"{STAFF}/{view.id}", data={"title": "", "body": "x", "base_revision": "1"})
    assert page.status_code == 422
    assert not re.search(r'name="pinned"[^>]* checked', page.text)


def test_a_change_says_when_on_page_and_lists(
    writer: FlaskClient, written: Callable[..., AnnouncementView], travel: Travel
) -> None:
    view = written()
    travel(NOON + timedelta(hours=1))
    writer.post(f"{STAFF}/{view.id}", data={"title": "新标题", "body": "x", "base_revision": "1"})
    for page in (f"{PUBLIC}/{view.id}", PUBLIC, f"/c/{SLUG}"):
        assert "2021年10月25日（周一）13:00 更改" in writer.get(page).text


def test_a_withdrawal_leaves_its_address_and_says_why(
    writer: FlaskClient, app: Flask, written: Callable[..., AnnouncementView]
) -> None:
    view = written()
    empty = writer.post(f"{STAFF}/{view.id}/withdraw", data={"reason": ""})
    assert empty.status_code == 422
    assert 'id="f-reason-error"' in empty.text
    assert writer.post(f"{STAFF}/{view.id}/withdraw", data={"reason": "时间写错了"}).status_code == 303
    page = app.test_client().get(f"{PUBLIC}/{view.id}")
    assert page.status_code == 200
    assert "时间写错了" in page.text
    assert view.text.title not in page.text
    assert "请提前一小时到场" not in page.text
    assert view.text.title not in app.test_client().get(PUBLIC).text
    assert "不能再改" in writer.get(f"{STAFF}/{view.id}").text
    assert "修改或撤回" not in writer.get(f"{PUBLIC}/{view.id}").text
    late = writer.post(f"{STAFF}/{view.id}", data={"title": "a", "body": "b", "base_revision": "1"})
    assert late.status_code == 409


def test_english_readers_read_english_or_chinese_that_says_it_is(
    client: FlaskClient, written: Callable[..., AnnouncementView]
) -> None:
    both = written(title_en=announcements.TITLE_EN, body_en=announcements.BODY_EN)
    chinese = written(title="只有中文")
    client.get("/?lang=en")
    page = client.get(f"{PUBLIC}/{both.id}").text
    assert announcements.TITLE_EN in page
    assert announcements.TITLE not in page
    page = client.get(f"{PUBLIC}/{chinese.id}").text
    assert '<span lang="zh">只有中文</span>' in page
    assert '<div class="prose announcement" lang="zh">' in page
    assert '<span lang="zh">只有中文</span>' in client.get(f"/c/{SLUG}").text
    assert 'lang="zh">只有中文' not in client.get(f"{PUBLIC}/{chinese.id}?lang=zh").text


def test_attachments_come_with_the_form_and_are_served_in_ranges(
    writer: FlaskClient, app: Flask, committee: Actor, tmp_path: Path, travel: Travel
) -> None:
    with app.app_context():
        upload = announcements.attachment(committee, SLUG, tmp_path, "赛程 安排.jpg")
    page = writer.post(f"{STAFF}/new", data=FORM | {"upload": upload.token, "preview": "1"})
    assert upload.token in page.text
    writer.post(f"{STAFF}/new", data=FORM | {"upload": upload.token, "publish_at": "2021-10-26T12:00"})
    view = kept(app)[0]
    path = f"{PUBLIC}/{view.id}/files/{upload.id}"
    reader = app.test_client()
    assert reader.get(path).status_code == 404
    assert writer.get(path).status_code == 200
    travel(TOMORROW)
    assert path in reader.get(f"{PUBLIC}/{view.id}").text
    whole = reader.get(path)
    assert whole.mimetype == "image/jpeg"
    assert whole.headers["Content-Disposition"] == (
        "inline; filename=\"file.jpg\"; filename*=UTF-8''%E8%B5%9B%E7%A8%8B%20%E5%AE%89%E6%8E%92.jpg"
    )
    assert whole.headers["Cache-Control"] == "no-cache"
    assert "sandbox" in whole.headers["Content-Security-Policy"]
    assert whole.data != upload_factory.photo()
    part = reader.get(path, headers={"Range": "bytes=10-19"})
    assert (part.status_code, part.data) == (206, whole.data[10:20])
    assert reader.get(path, headers={"Range": "bytes=99999999-"}).status_code == 416
    writer.post(f"{STAFF}/{view.id}/withdraw", data={"reason": "撤"})
    assert reader.get(path).status_code == 404
    assert (
        reader.get(f"/api/v1/competitions/{SLUG}/announcements/{view.id}/attachments/{upload.id}").status_code
        == 404
    )


def test_an_attachment_is_removed_by_its_box(
    writer: FlaskClient, app: Flask, committee: Actor, tmp_path: Path
) -> None:
    with app.app_context():
        upload = announcements.attachment(committee, SLUG, tmp_path)
        view = announcements.announce(committee, SLUG, tokens=[upload.token])
    assert f'name="removed" value="{upload.id}"' in writer.get(f"{STAFF}/{view.id}").text
    data = {"title": "a", "body": "b", "base_revision": "1", "removed": str(upload.id)}
    assert writer.post(f"{STAFF}/{view.id}", data=data).status_code == 303
    assert kept(app)[0].attachments == ()
    assert app.test_client().get(f"{PUBLIC}/{view.id}/files/{upload.id}").status_code == 404


def test_files_of_a_plain_form_wait_for_their_check_and_nothing_is_lost(
    writer: FlaskClient, app: Flask
) -> None:
    files = (io.BytesIO(upload_factory.photo()), "a.jpg")
    page = writer.post(f"{STAFF}/new", data=FORM | {"files": files}, content_type="multipart/form-data")
    assert page.status_code == 409
    assert "还在检查" in page.text
    assert 'value="赛前须知"' in page.text
    token = re.search(r'name="upload" value="([^"]+)"', page.text)
    assert token is not None
    deleted = writer.post(f"{STAFF}/new", data=FORM | {"upload": token[1], "delete-upload": token[1]})
    assert deleted.status_code == 200
    assert token[1] not in deleted.text
    assert 'value="赛前须知"' in deleted.text
    assert kept(app) == []


def test_only_writers_open_the_staff_pages(app: Flask, committee: Actor, client: FlaskClient) -> None:
    assert client.get(STAFF).status_code == 401
    with app.app_context():
        scope = competitions.competition_id(SLUG)
        referee = accounts.user(5, Role.REFEREE, Role.CHIEF_REFEREE, competition_id=scope)
    accounts.sign_in(client, referee)
    for page in (STAFF, f"{STAFF}/new"):
        assert client.get(page).status_code == 403
    assert client.post(f"{STAFF}/new", data=FORM).status_code == 403


def test_pages_lead_to_the_feeds(client: FlaskClient, written: Callable[..., AnnouncementView]) -> None:
    view = written()
    for page in (f"/c/{SLUG}", PUBLIC, f"{PUBLIC}/{view.id}"):
        text = client.get(page).text
        assert 'type="application/atom+xml" title="' in text
        assert f'href="{PUBLIC}.atom"' in text
        assert f'href="{PUBLIC}.rss"' in text


def test_a_long_list_comes_in_pages_in_one_order_and_every_one_stands_once(
    written: Callable[..., AnnouncementView], writer: FlaskClient, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "ON_A_PAGE", 3)
    for number in range(8):
        written(title=f"通知 {number} 号", pinned=number == 2)
    reader = app.test_client()
    pages = [reader.get(f"{PUBLIC}?page={number}").text for number in (1, 2, 3)]
    seen = [re.findall(r"通知 (\d) 号", page) for page in pages]
    assert seen == [["2", "7", "6"], ["5", "4", "3"], ["1", "0"]], "pinned ones first, then the newest"
    assert "第 2 页，共 3 页" in pages[1]
    assert f'rel="prev" href="{PUBLIC}?page=1"' in pages[1]
    assert f'rel="next" href="{PUBLIC}?page=3"' in pages[1]
    assert 'rel="next"' not in pages[2]
    for odd in ("0", "-1", "x", "", "99999999999999999999"):
        assert reader.get(f"{PUBLIC}?page={odd}").status_code == 200, odd
    assert re.findall(r"通知 (\d) 号", writer.get(f"{STAFF}?page=3").text) == ["1", "0"]
    assert 'class="pages"' not in reader.get(f"/c/{SLUG}").text
    home = reader.get(f"/c/{SLUG}").text
    assert re.findall(r"通知 (\d) 号", home) == ["2", "7", "6", "5"]


def test_a_short_list_has_no_pages(written: Callable[..., AnnouncementView], client: FlaskClient) -> None:
    written()
    assert 'class="pages"' not in client.get(PUBLIC).text
