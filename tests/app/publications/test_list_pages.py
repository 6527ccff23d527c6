"""Public pages and paper of lists that follow lists: the difference, the countdown, the fingerprint, the numbers."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pypdf import PdfReader

from app.actors import Actor
from app.audit.actions import AuditAction
from app.commands import command
from app.competitions import queries as competitions
from app.publications import queries
from app.publications.queries import PublicationView
from app.publications.rules import CountedFrom, ListKind, PublishedEntry
from app.publications.service import storing
from app.text import BEIJING
from app.workdays.rules import Window
from tests.factories import accounts, draws, people, publications, registrations

Travel = Callable[[datetime], None]
API = "/api/v1/competitions/beach/publications"
REASON = "经复核，一名选手不符合参赛资格。"


def test_the_draw_page_warns_of_whoever_stands_on_no_list(late: Actor, client: FlaskClient) -> None:
    accounts.sign_in(client, late)
    assert "1 份审核通过的报名不在任何公示名单上" in client.get("/staff/c/beach/draws").text


def test_competition_numbers_are_shown_where_people_look_for_them(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        published = publications.published_field(travel, 9, 3)
        leader = accounts.user(1)
        travel(publications.WINDOW_OVER)
        draws.draw()
        entry = published.entries[2]
        numbers = queries.numbers_of(published.event_id)
        number, by = numbers[entry.entry_id], registrations.committee()
    accounts.sign_in(client, leader)
    assert f"参赛号 {number}" in client.get("/c/beach/my").text
    assert f"{entry.name} {number}" in client.get("/c/beach/enter/receipt").text
    assert f"参赛号 {number}" in client.get("/c/beach/pairings?order=name").text
    assert f"参赛号 {number}" in client.get(f"/c/beach/pairings/e{entry.entry_id}").text
    accounts.sign_in(client, by)
    cards = client.get("/staff/c/beach/tables").text
    for seated, given in numbers.items():
        name = next(line.name for line in published.entries if line.entry_id == seated)
        assert re.search(
            f"<strong>{name}</strong>[^<]*<span[^>]*>[^<]*</span> <span[^>]*>参赛号 {given}</span>", cards
        )


def test_the_home_page_leads_to_the_list_that_is_public_now_and_says_until_when(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        publications.field(6, 3)
    assert "正在公示" not in client.get("/c/beach").text
    travel(publications.AFTER_CLOSING)
    with app.app_context():
        publications.publish()
    home = client.get("/c/beach").text
    assert 'href="/c/beach/publications/1"' in home
    assert "公示至 2021年11月5日（周五）24:00" in home
    travel(publications.WINDOW_OVER - timedelta(seconds=1))
    last = client.get("/c/beach").text
    assert "第 5 天 / 共 5 天" in last
    assert "00:00:01</time>" in last
    assert "Public until" in client.get("/c/beach?lang=en").text
    travel(publications.WINDOW_OVER)
    assert "正在公示" not in client.get("/c/beach?lang=zh").text


def test_the_home_page_leads_to_the_corrected_list_and_never_to_the_one_it_replaced(
    corrected: tuple[PublicationView, PublicationView], client: FlaskClient
) -> None:
    home = client.get("/c/beach").text
    assert 'href="/c/beach/publications/2"' in home
    assert "第 2 号更正公示名单" in home
    assert 'href="/c/beach/publications/1"' not in home


def text_of(content: bytes) -> str:
    read = PdfReader(io.BytesIO(content))
    return "".join("".join(page.extract_text() for page in read.pages).split())


def test_the_public_page_shows_what_is_different_line_by_line(
    corrected: tuple[PublicationView, PublicationView], client: FlaskClient
) -> None:
    old, _ = corrected
    page = client.get("/c/beach/publications").text
    assert "第 2 号更正公示名单" in page
    gone = old.entries[1]
    assert f"<del>序号 2 {gone.name}（{gone.unit}）</del>" in page
    assert REASON in page
    assert f"<td>2<td>{gone.name}" not in page
    assert "已由第 2 号取代" in page
    before = client.get("/c/beach/publications/1").text
    assert "本名单已由第 2 号更正名单取代" in before
    assert f"<td>2<td>{gone.name}" in before
    assert "距结束" not in before


def test_the_superseded_text_is_still_there_byte_for_byte(
    corrected: tuple[PublicationView, PublicationView], client: FlaskClient
) -> None:
    old, new = corrected
    assert client.get("/c/beach/publications/1.json").data == old.canonical.encode()
    assert client.get("/c/beach/publications/2.json").data == new.canonical.encode()


def test_a_reader_finds_the_corrected_list_before_a_supplementary_one_of_a_lower_number(
    late: Actor, client: FlaskClient, app: Flask
) -> None:
    with app.app_context():
        publications.supplement()
        first = queries.publication(competitions.competition("beach").event.id, 1)
        publications.supersede(1, [first.entries[0].entry_id], reason=REASON)
    page = client.get("/c/beach/publications").text
    assert "<h1>第 3 号更正公示名单</h1>" in page
    assert "第 2 号补充公示名单" in page


@pytest.mark.parametrize(
    ("left", "shown"),
    [
        (timedelta(days=3, hours=2, seconds=5), "3 天 02:00:05"),
        (timedelta(days=1), "1 天 00:00:00"),
        (timedelta(hours=23, minutes=59), "23:59:00"),
        (timedelta(microseconds=1), "00:00:01"),
    ],
)
def test_the_countdown_says_how_long_without_a_script(
    corrected: object, client: FlaskClient, travel: Travel, left: timedelta, shown: str
) -> None:
    travel(publications.WINDOW_OVER - left)
    page = client.get("/c/beach/publications").text
    assert re.findall(r"<time class=\"countdown\"[^>]*>(.*?)</time>", page) == [shown]


def test_lists_in_force_lead_to_each_other(late: Actor, client: FlaskClient, app: Flask) -> None:
    with app.app_context():
        publications.supplement()
    page = client.get("/c/beach/publications").text
    assert "第 1 号公示名单" in page
    assert "另有现行名单" in page
    assert 'href="/c/beach/publications/2"' in page
    assert "第 2 号补充公示名单" in page
    assert "补充名单自发布之日起算" in client.get("/c/beach/publications/2").text


def test_a_held_list_says_so(app: Flask, travel: Travel, client: FlaskClient) -> None:
    with app.app_context():
        published = publications.published_field(travel, 3, 1)
    travel(publications.WINDOW_OVER)
    with publications.held(published.id):
        page = client.get("/c/beach/publications").text
        assert "异议处理中" in page
        assert "处理完后名单才生效" in page
        assert client.get(f"{API}/1").get_json()["status"]["state"] == "objected"


def test_numbers_stand_beside_the_names_once_the_list_is_final(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        published = publications.published_field(travel, 3, 1)
    assert "参赛号" not in client.get("/c/beach/publications").text
    travel(publications.WINDOW_OVER)
    with app.app_context():
        publications.finish()
    page = client.get("/c/beach/publications").text
    for line in published.entries:
        assert f"<td>{line.number}<td>{line.name}<td>{line.number}" in page
    numbers = client.get("/api/v1/competitions/beach/competition-numbers").get_json()
    assert [each["number"] for each in numbers] == [1, 2, 3]
    assert {each["name"] for each in numbers} == {line.name for line in published.entries}
    assert set(numbers[0]) == {"number", "entrant", "name", "unit"}


@pytest.mark.parametrize(
    "case",
    [
        (2, 2, "in_force", "现行有效"),
        (1, 1, "superseded", "已由第 2 号更正名单取代"),
        (1, 2, "other_list", "而是第 2 号的"),
        (2, None, "unknown", "没有公布过这份名单"),
    ],
)
def test_a_fingerprint_from_paper_is_checked(
    corrected: tuple[PublicationView, PublicationView],
    client: FlaskClient,
    case: tuple[int, int | None, str, str],
) -> None:
    number, whose, verdict, says = case
    sha = corrected[whose - 1].sha256 if whose else "ab" * 32
    spaced = " ".join(re.findall("....", sha.upper()))
    page = client.get(f"/c/beach/publications/{number}/verify", query_string={"sha": spaced})
    assert page.status_code == 200
    assert f'data-verdict="{verdict}"' in page.text
    assert says in page.text
    answer = client.get(f"{API}/{number}/verification", query_string={"sha": sha}).get_json()
    assert (answer["verdict"], answer["number"], answer["found"]) == (verdict, number, whose)


def test_what_is_no_fingerprint_is_refused_beside_the_field(
    corrected: tuple[PublicationView, PublicationView], client: FlaskClient
) -> None:
    page = client.get("/c/beach/publications/2/verify", query_string={"sha": "not a fingerprint"})
    assert page.status_code == 422
    assert "应为 64 位" in page.text
    assert "not a fingerprint" in page.text
    assert client.get("/c/beach/publications/2/verify").status_code == 200
    assert client.get("/c/beach/publications/9/verify").status_code == 404
    assert client.get(f"{API}/2/verification").status_code == 422


@pytest.mark.parametrize("language", ["zh", "en"])
def test_paper_names_every_line_the_window_the_fingerprint_and_what_is_different(
    corrected: tuple[PublicationView, PublicationView], client: FlaskClient, language: str
) -> None:
    old, new = corrected
    answer = client.get(f"/c/beach/publications/2.pdf?lang={language}")
    assert answer.mimetype == "application/pdf"
    text = text_of(answer.data)
    for line in new.entries:
        assert f"{line.number}{line.name}" in text
    assert new.sha256 in text
    assert "".join(REASON.split()) in text
    assert old.entries[1].name in text
    assert ("取代第1号" if language == "zh" else "TakestheplaceofNo.1") in text
    assert ("盖章" if language == "zh" else "seal") in text
    assert ("第2号更正名单取代" in text_of(client.get("/c/beach/publications/1.pdf?lang=zh").data)) is True
    for serial in range(1, 5):
        assert people.phone(1000 + serial) not in text
        assert people.id_number(serial) not in text


def test_paper_of_a_thousand_names_keeps_the_seal_whole(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        thousand(travel)
    read = PdfReader(io.BytesIO(client.get("/c/beach/publications/1.pdf?lang=zh").data))
    text = "".join("".join(page.extract_text() for page in read.pages).split())
    assert "1000" in text
    last = "".join(read.pages[-1].extract_text().split())
    assert "盖章" in last
    assert "指纹" in last


def thousand(travel: Travel) -> None:
    """A stored list of a thousand lines with long names, as the service stores one."""
    publications.field(1, 1)
    travel(publications.AFTER_CLOSING)
    units = [f"第{number}建设工程集团有限责任公司机关工会委员会" for number in range(200)]
    lines = [
        PublishedEntry(number, number, f"欧阳{people.person_name(number)}", units[(number - 1) // 5])
        for number in range(1, 1001)
    ]
    days = tuple(datetime(2021, 11, day, tzinfo=BEIJING).date() for day in range(1, 6))
    with command(registrations.committee()) as ctx:
        event = competitions.competition("beach").event
        made = storing.store(
            ctx,
            event,
            lines,
            (Window(days[0], days[-1], publications.WINDOW_OVER, days), CountedFrom.DEADLINE),
            kind=ListKind.FIRST,
            number=1,
        )
        ctx.session.flush()
        ctx.record(AuditAction.LIST_PUBLISHED, made)


def test_the_public_page_of_a_thousand_stored_names_is_small_and_needs_no_script(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        thousand(travel)
    answer = client.get("/c/beach/publications")
    assert len(answer.data) < 100_000
    assert len(re.findall(r"<td>\d+<td>", answer.text)) == 1000
    english = client.get("/c/beach/publications?lang=en")
    assert len(english.data) < 100_000


def test_a_list_that_was_replaced_twice_leads_straight_to_the_one_in_force(
    app: Flask, client: FlaskClient, corrected: tuple[PublicationView, PublicationView]
) -> None:
    _, second = corrected
    with app.app_context():
        publications.supersede(2, [second.entries[0].entry_id], reason=REASON)
    page = client.get("/c/beach/publications/1").text
    standing = page[page.index("现行名单") :]
    assert 'href="/c/beach/publications/3"' in standing[: standing.index("</section>")]
    assert 'href="/c/beach/publications/2"' not in standing[: standing.index("</section>")]
    assert "另有现行名单" not in page
