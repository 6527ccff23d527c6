"""The feeds by what RFC 4287 and RSS 2.0 demand, ids that stay, and readers who have the newest already."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor
from app.announcements.feeds import stable_id
from tests.conftest import NOON
from tests.factories import announcements

Travel = Callable[[datetime], None]
SLUG = "beach-2021"
PUBLIC = f"/c/{SLUG}/announcements"
ATOM = "{http://www.w3.org/2005/Atom}"
LANG = "{http://www.w3.org/XML/1998/namespace}lang"


@pytest.fixture
def committee(app: Flask) -> Actor:
    with app.app_context():
        announcements.place(SLUG)
        return announcements.committee(SLUG)


def tree(client: FlaskClient, path: str) -> ET.Element:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.data.startswith(b"<?xml version='1.0' encoding='utf-8'?>")
    return ET.fromstring(answer.data)  # our own answer


def one(parent: ET.Element, name: str) -> str:
    """The text of the one child of this name."""
    found = parent.findall(name)
    assert len(found) == 1, name
    assert found[0].text, name
    return found[0].text


def entries(client: FlaskClient, path: str = f"{PUBLIC}.atom") -> list[ET.Element]:
    return tree(client, path).findall(f"{ATOM}entry")


def is_whole(address: str) -> bool:
    place = urlsplit(address)
    return place.scheme in {"http", "https"} and bool(place.netloc)


def test_atom_has_what_the_standard_demands(
    app: Flask, client: FlaskClient, committee: Actor, tmp_path: Path, travel: Travel
) -> None:
    with app.app_context():
        upload = announcements.attachment(committee, SLUG, tmp_path, "日程.jpg")
        view = announcements.announce(committee, SLUG, body="<i>一</i> & 二\n\n三", tokens=[upload.token])
        travel(NOON + timedelta(hours=1))
        announcements.change(committee, SLUG, view, title="改了 <的> & 标题")
    feed = tree(client, f"{PUBLIC}.atom")
    assert (feed.tag, feed.get(LANG)) == (f"{ATOM}feed", "zh")
    assert one(feed, f"{ATOM}id").startswith("urn:uuid:")
    assert one(feed, f"{ATOM}title")
    assert one(feed, f"{ATOM}updated") == "2021-10-25T05:00:00Z"
    assert one(feed.find(f"{ATOM}author"), f"{ATOM}name")  # type: ignore[arg-type]  # a missing one fails here too
    links = {link.get("rel"): link for link in feed.findall(f"{ATOM}link")}
    assert links["self"].get("href") == f"http://localhost{PUBLIC}.atom"
    assert links["alternate"].get("href") == f"http://localhost{PUBLIC}"
    (entry,) = feed.findall(f"{ATOM}entry")
    assert one(entry, f"{ATOM}id").startswith("urn:uuid:")
    assert one(entry, f"{ATOM}title") == "改了 <的> & 标题"
    assert one(entry, f"{ATOM}published") == "2021-10-25T04:00:00Z"
    assert one(entry, f"{ATOM}updated") == "2021-10-25T05:00:00Z"
    content = entry.find(f"{ATOM}content")
    assert content is not None
    assert content.get("type") == "html"
    assert content.text == "<p>&lt;i&gt;一&lt;/i&gt; &amp; 二</p><p>三</p>"
    places = {link.get("rel"): link for link in entry.findall(f"{ATOM}link")}
    assert places["alternate"].get("href") == f"http://localhost{PUBLIC}/{view.id}"
    enclosure = places["enclosure"]
    assert (enclosure.get("type"), enclosure.get("title")) == ("image/jpeg", "日程.jpg")
    file = client.get(urlsplit(str(enclosure.get("href"))).path)
    assert str(len(file.data)) == enclosure.get("length")


def test_rss_has_what_the_standard_demands(
    app: Flask, client: FlaskClient, committee: Actor, tmp_path: Path
) -> None:
    with app.app_context():
        sent = [announcements.attachment(committee, SLUG, tmp_path, f"{number}.jpg") for number in (1, 2)]
        view = announcements.announce(committee, SLUG, tokens=[each.token for each in sent])
    answer = client.get(f"{PUBLIC}.rss")
    assert answer.content_type == "application/rss+xml; charset=utf-8"
    rss = ET.fromstring(answer.data)
    assert (rss.tag, rss.get("version"), len(rss)) == ("rss", "2.0", 1)
    channel = rss[0]
    assert one(channel, "title")
    assert one(channel, "description")
    assert is_whole(one(channel, "link"))
    assert one(channel, "language") == "zh-cn"
    assert parsedate_to_datetime(one(channel, "lastBuildDate")) == NOON
    own = channel.find(f"{ATOM}link")
    assert own is not None
    assert (own.get("rel"), own.get("href")) == ("self", f"http://localhost{PUBLIC}.rss")
    (item,) = channel.findall("item")
    assert one(item, "title") == announcements.TITLE
    assert one(item, "link") == f"http://localhost{PUBLIC}/{view.id}"
    assert parsedate_to_datetime(one(item, "pubDate")) == NOON
    guid = item.find("guid")
    assert guid is not None
    assert guid.get("isPermaLink") == "false"
    assert guid.text == one(entries(client)[0], f"{ATOM}id")
    (enclosure,) = item.findall("enclosure")
    assert set(enclosure.attrib) == {"url", "length", "type"}
    assert str(enclosure.get("url")).endswith(f"/files/{sent[0].id}")
    description = one(item, "description")
    assert '<a href="https://example.org/route"' in description
    assert f"/files/{sent[1].id}" in description


def test_ids_stay_when_text_and_language_change_and_differ_between_entries(
    app: Flask, client: FlaskClient, committee: Actor
) -> None:
    with app.app_context():
        first = announcements.announce(committee, SLUG)
        announcements.announce(committee, SLUG, title="第二条")
    before = [one(entry, f"{ATOM}id") for entry in entries(client)]
    with app.app_context():
        announcements.change(committee, SLUG, first, title="另一个标题", pinned=True)
    assert [one(entry, f"{ATOM}id") for entry in entries(client)] == before
    assert [one(entry, f"{ATOM}id") for entry in entries(client, f"{PUBLIC}.atom?lang=en")] == before
    assert len(set(before)) == 2
    assert stable_id("a", "b") == stable_id("a", "b") != stable_id("a", "c")


def test_only_what_is_public_is_in_a_feed(
    app: Flask, client: FlaskClient, committee: Actor, travel: Travel
) -> None:
    with app.app_context():
        gone = announcements.announce(committee, SLUG, title="撤回的")
        announcements.announce(committee, SLUG, title="明天的", publish_at=NOON + timedelta(days=1))
        announcements.announce(committee, SLUG, title="今天的")
        travel(NOON + timedelta(hours=2))
        announcements.withdraw(committee, SLUG, gone)
    assert [one(entry, f"{ATOM}title") for entry in entries(client)] == ["今天的"]
    assert one(tree(client, f"{PUBLIC}.atom"), f"{ATOM}updated") == "2021-10-25T06:00:00Z"
    travel(NOON + timedelta(days=1))
    assert [one(entry, f"{ATOM}title") for entry in entries(client)] == ["明天的", "今天的"]
    assert one(tree(client, f"{PUBLIC}.atom"), f"{ATOM}updated") == "2021-10-26T04:00:00Z"


@pytest.mark.parametrize("kind", ["atom", "rss"])
def test_a_feed_without_entries_is_whole_too(client: FlaskClient, committee: Actor, kind: str) -> None:
    feed = tree(client, f"{PUBLIC}.{kind}")
    assert feed.findall(f".//{ATOM}entry") == feed.findall(".//item") == []
    assert client.get(f"/c/nowhere/announcements.{kind}").status_code == 404


@pytest.mark.parametrize("kind", ["atom", "rss"])
def test_who_has_the_newest_gets_304_until_something_changes(
    app: Flask, client: FlaskClient, committee: Actor, travel: Travel, kind: str
) -> None:
    path = f"{PUBLIC}.{kind}"
    with app.app_context():
        view = announcements.announce(committee, SLUG)
        announcements.announce(committee, SLUG, publish_at=NOON + timedelta(hours=3))
    first = client.get(path)
    assert parsedate_to_datetime(first.headers["Last-Modified"]) == NOON
    by_tag = {"If-None-Match": first.headers["ETag"]}
    by_time = {"If-Modified-Since": first.headers["Last-Modified"]}
    for known in (by_tag, by_time, by_tag | by_time):
        again = client.get(path, headers=known)
        assert (again.status_code, again.data) == (304, b"")
    travel(NOON + timedelta(hours=3))  # the clock alone
    for known in (by_tag, by_time):
        assert client.get(path, headers=known).status_code == 200
    second = client.get(path)
    travel(NOON + timedelta(hours=4))
    with app.app_context():
        announcements.withdraw(committee, SLUG, view)
    for known in (
        {"If-None-Match": second.headers["ETag"]},
        {"If-Modified-Since": second.headers["Last-Modified"]},
    ):
        assert client.get(path, headers=known).status_code == 200


def test_a_feed_speaks_the_readers_language_and_marks_what_is_chinese(
    app: Flask, client: FlaskClient, committee: Actor
) -> None:
    with app.app_context():
        announcements.announce(committee, SLUG, title="只有中文")
        english = {"title_en": announcements.TITLE_EN, "body_en": announcements.BODY_EN}
        announcements.announce(committee, SLUG, **english)
    feed = tree(client, f"{PUBLIC}.atom?lang=en")
    assert feed.get(LANG) == "en"
    found = [(entry.get(LANG), one(entry, f"{ATOM}title")) for entry in feed.findall(f"{ATOM}entry")]
    assert found == [("en", announcements.TITLE_EN), ("zh", "只有中文")]
    links = {link.get("rel"): link.get("href") for link in feed.findall(f"{ATOM}link")}
    assert links["self"] == f"http://localhost{PUBLIC}.atom?lang=en"


def test_characters_that_xml_cannot_hold_do_not_break_a_feed(
    app: Flask, client: FlaskClient, committee: Actor
) -> None:
    with app.app_context():
        announcements.announce(committee, SLUG, title="a\ufffeb\uffffc", body="x\U0001f600]]>&amp;")
    for kind in ("atom", "rss"):
        text = "".join(tree(client, f"{PUBLIC}.{kind}").itertext())
        assert "abc" in text
        assert "\U0001f600" in text
