"""The editor: a committee begins from a regulation, changes it on its pages or through the API, previews and publishes it."""

from __future__ import annotations

import io
import json
import re
from html import unescape
from typing import Any
from urllib.parse import unquote

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from app.actors import Role
from app.regulations import library
from app.regulations.library.writing import dump_toml
from app.regulations.rules.errors import MOST_TOLD
from app.regulations.schemas.form import SECTIONS
from tests.factories import accounts, publications
from tests.factories.publications import Travel
from tests.html_forms import Form, form_to

A = "beach-games-landlord-2021"
API = "/api/v1/regulation-drafts"


@pytest.fixture
def organiser(app: Flask, client: FlaskClient) -> Any:
    with app.app_context():
        person = accounts.user(1, Role.ORGANISER)
    accounts.sign_in(client, person)
    return person


def begin(client: FlaskClient, source: str = f"library:{A}") -> str:
    """The address of a new draft."""
    answer = client.post("/staff/regulations", data={"source": source})
    assert answer.status_code == 303
    return str(answer.headers["Location"])


def form(client: FlaskClient, address: str) -> Form:
    return form_to(client.get(address).text, address)


def send(client: FlaskClient, address: str, sent: dict[str, list[str]], **more: str) -> Any:
    pairs = [(name, value) for name, values in sent.items() for value in values]
    return client.post(address, data=MultiDict([*pairs, *more.items()]))


def document(client: FlaskClient, draft: str) -> dict[str, Any]:
    """The draft's document as its TOML says it."""
    text = client.get(f"{draft}/toml").text
    return library.parse_toml(text, "draft.toml").document


def test_a_committee_makes_a_regulation_its_own_and_publishes_a_competition(
    client: FlaskClient, organiser: Any
) -> None:
    draft = begin(client)
    for section in SECTIONS:
        answer = send(client, f"{draft}/{section}", form(client, f"{draft}/{section}").sent())
        assert (answer.status_code, answer.headers["Location"]) == (303, f"{draft}/{section}")
    assert document(client, draft) == library.load(A).document
    calendar = f"{draft}/calendar"
    changes = {"calendar-registration_closes-at": "2021-11-02T18:00", "calendar-check_in-at": "2021-12-01"}
    send(client, calendar, form(client, calendar).sent(**changes))
    options = f"{draft}/options"
    at = next(n for n, row in enumerate(library.load(A).interpretations) if row.option == "joker_wings")
    send(client, options, form(client, options).sent(**{f"options-{at}": "1"}))
    shown = client.get(f"{draft}/preview?entrants=34").text
    assert "34 人分成 11 桌，1 人抽签直接进入下一阶段" in shown
    assert "2021年11月9日（周二）24:00 结束" in shown
    assert "本赛事另选" in shown
    publish = f"{draft}/competition"
    created = send(client, publish, form(client, publish).sent(place="三亚", slug="mine"))
    assert created.headers["Location"] == "/staff/c/mine"
    held = client.get("/api/v1/competitions/mine").json["events"][0]["calendar"]  # type: ignore[index]
    assert held["registration_closes"] == "2021-11-02T18:00:00+08:00"
    assert held["check_in"] == "2021-12-01"
    rules = client.get("/c/mine/regulation").text
    assert "任何一张王都不可带" in rules
    again = send(client, publish, {"base_revision": ["3"], "place": ["三亚"]})
    assert again.status_code == 409
    assert client.get(f"{draft}/calendar").status_code == 200


def test_the_same_through_the_api(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        headers = accounts.bearer(app, accounts.user(1, Role.ORGANISER))
    begun = client.post("/api/v1/regulation-drafts", json={"source": f"library:{A}"}, headers=headers)
    assert (begun.status_code, begun.json["problems"]) == (201, [])  # type: ignore[index]
    draft: dict[str, Any] = begun.json  # type: ignore[assignment]
    address = f"/api/v1/regulation-drafts/{draft['id']}"
    changed = draft["document"]
    changed["calendar"]["registration_closes"]["at"] = "2021-11-02T18:00:00+08:00"
    changed["calendar"]["check_in"]["at"] = "2021-12-01"
    changed["options"] = {"joker_wings": "none"}
    body = {"document": changed, "base_revision": draft["revision"]}
    saved = client.put(address, json=body, headers=headers)
    assert (saved.status_code, saved.json["revision"]) == (200, 2)  # type: ignore[index]
    stale = client.put(
        address, json={"document": draft["document"] | {"id": "x"}, "base_revision": 1}, headers=headers
    )
    assert stale.status_code == 409
    preview = client.get(f"{address}/preview?entrants=34", headers=headers).json
    said = [row["text"] for section in preview["sections"] for row in section["rows"]]  # type: ignore[index]
    assert "34 人分成 11 桌，1 人抽签直接进入下一阶段；每桌打 10 副。" in said
    differs = client.get(
        f"/api/v1/regulation-comparison?before=library:{A}&after=draft:{draft['id']}", headers=headers
    ).json["changes"]  # type: ignore[index]
    assert [each["path"] for each in differs] == [
        "calendar.registration_closes.at",
        "calendar.check_in.at",
        "options.joker_wings",
    ]
    created = client.post(
        f"{address}/competition", json={"base_revision": 2, "place": "三亚", "slug": "mine"}, headers=headers
    )
    assert created.status_code == 201
    closed = client.get(address, headers=headers).json
    assert closed["open"] is False  # type: ignore[index]
    assert client.get("/api/v1/regulation-drafts", headers=headers).json == {"drafts": []}


def test_what_was_typed_wrong_is_kept_and_named_beside_its_field_with_its_clause(
    client: FlaskClient, organiser: Any
) -> None:
    draft = begin(client)
    page = f"{draft}/penalties"
    sent = form(client, page).sent(
        **{"penalties-1-points": "drei", "penalties-0-name-zh": "", "penalties-7-every": "0"}
    )
    send(client, page, sent)
    text = client.get(page).text
    back = dict(form(client, page).fields)
    assert back["penalties-1-points"] == "drei"
    assert back["penalties-7-every"] == "0"
    for name in ("penalties-1-points", "penalties-0-name", "penalties-7-every"):
        assert f'id="f-{name}-error"' in text
    assert "公布前还有 3 处要改" in text
    assert "四(二)8(五)" in text
    overview = client.get(draft).text
    assert "还有 3 处要改" in overview
    assert "公布并创建赛事" not in overview
    assert "改好后才能预览" in client.get(f"{draft}/preview").text
    refused = send(client, f"{draft}/competition", {"base_revision": ["2"], "place": ["三亚"]})
    assert refused.status_code == 422
    assert client.get("/api/v1/competitions").json == []


@pytest.mark.parametrize("asked", ["0", "5001", "三十四", "<b>"])
def test_a_number_nobody_can_be_asked_of_is_refused_beside_its_field_and_stays_there(
    client: FlaskClient, organiser: Any, asked: str
) -> None:
    answer = client.get(f"{begin(client)}/preview", query_string={"entrants": asked})
    assert answer.status_code == 422
    assert form_to_ask(answer.text) == asked
    assert 'id="f-entrants-error"' in answer.text
    assert "公众将看到的规程" in answer.text  # what needs no number is still shown


def form_to_ask(text: str) -> str:
    found = re.search(r'name="entrants"[^>]* value="([^"]*)"', text)
    assert found is not None
    return unescape(found[1])


def test_rows_are_added_moved_and_taken_out_by_buttons_that_post(client: FlaskClient, organiser: Any) -> None:
    draft = begin(client)
    page = f"{draft}/ranking"
    buttons = {value for name, value in form(client, page).buttons if name == "act"}
    assert json.dumps(["up", "ranking", 1]) in buttons
    typed = {"ranking-0-clause": "四(二)新"}
    moved = send(client, page, form(client, page).sent(**typed), act=json.dumps(["up", "ranking", 1]))
    assert moved.headers["Location"] == f"{page}?row=ranking-0#f-ranking-0"
    rows = document(client, draft)["ranking"]
    assert [row["criterion"] for row in rows] == ["deals_won", "total_points", "best_deals"]
    assert rows[1]["clause"] == "四(二)新"
    add = json.dumps(["add", "ranking", "criterion"])
    sent = form(client, page).sent(**{f"new:{add}": "match_points"})
    added = send(client, page, sent, act=add)
    assert added.headers["Location"] == f"{page}?row=ranking-3#f-ranking-3"
    assert "缺少出处" in client.get(page).text
    send(client, page, form(client, page).sent(), act=json.dumps(["remove", "ranking", 3]))
    assert len(document(client, draft)["ranking"]) == 3
    assert send(client, page, form(client, page).sent(), act="no button of ours").status_code == 400


def test_two_who_save_the_same_page_lose_nothing(client: FlaskClient, organiser: Any) -> None:
    draft = begin(client)
    page = f"{draft}/publication"
    mine, theirs = form(client, page), form(client, page)
    send(client, page, theirs.sent(**{"publication-workdays": "3"}))
    refused = send(client, page, mine.sent(**{"publication-workdays": "7"}))
    assert refused.status_code == 409
    assert "3 → 7" in refused.text
    again = form_to(refused.text, page)
    assert dict(again.fields)["publication-workdays"] == "7"
    send(client, page, again.sent())
    assert document(client, draft)["publication"]["workdays"] == 7


def test_a_draft_that_was_changed_is_not_published_unseen(client: FlaskClient, organiser: Any) -> None:
    draft = begin(client)
    publish = form(client, f"{draft}/competition")
    page = f"{draft}/publication"
    send(client, page, form(client, page).sent(**{"publication-workdays": "3"}))
    refused = send(client, f"{draft}/competition", publish.sent(place="三亚"))
    assert refused.status_code == 409
    assert "草稿刚刚又有修改" in refused.text


def test_a_library_file_is_downloaded_and_imported_again(client: FlaskClient, organiser: Any) -> None:
    text = client.get(f"/regulations/{A}.toml")
    assert text.text == dump_toml(library.load(A).document)
    assert text.headers["Content-Disposition"] == f'attachment; filename="{A}.toml"'
    imported = client.post("/staff/regulations", data={"file": (io.BytesIO(text.data), "mine.toml")})
    assert document(client, imported.headers["Location"]) == library.load(A).document


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff\xfe", ["UTF-8"]),
        (b"not toml", ["TOML 语法错误"]),
        (
            dump_toml(library.load(A).document).replace("workdays = 5", "workdays = 99").encode(),
            ["publication.workdays", "三(四)1", "应为 1 至 60 的整数"],
        ),
    ],
)
def test_a_broken_file_is_refused_with_key_clause_and_what_is_allowed(
    client: FlaskClient, organiser: Any, data: bytes, said: list[str]
) -> None:
    answer = client.post("/staff/regulations", data={"file": (io.BytesIO(data), "broken.toml")})
    assert answer.status_code == 422
    assert all(word in answer.text for word in said)


def test_a_row_is_named_by_the_readings_in_force_and_an_option_by_its_text(
    client: FlaskClient, organiser: Any
) -> None:
    draft = begin(client)
    page = unescape(client.get(f"{draft}/eligibility").text)
    assert "比赛前 14 日内到过中高风险地区的不得参赛。" in page
    assert "('option'" not in page
    options = f"{draft}/options"
    at = next(n for n, row in enumerate(library.load(A).interpretations) if row.option == "risk_area_days")
    send(client, options, form(client, options).sent(**{f"options-{at}": "21"}))
    assert "比赛前 21 日内到过中高风险地区的不得参赛。" in client.get(f"{draft}/eligibility").text
    page = unescape(client.get(f"{draft}/publication").text)
    assert "由 I-A-14（" in page
    assert "deadline_day 决定" not in page


def test_a_fault_is_named_with_the_group_its_field_stands_in(client: FlaskClient, organiser: Any) -> None:
    draft = begin(client)
    calendar = f"{draft}/calendar"
    send(client, calendar, form(client, calendar).sent(**{"calendar-check_in-at": "2021-12-09"}))
    said = "比赛开始 › 日期或时间：比赛开始不能早于报到：2021年12月9日（周四）。"
    assert said in unescape(client.get(draft).text)


def test_english_names_of_rows_and_choices_begin_with_a_capital(client: FlaskClient, organiser: Any) -> None:
    draft = begin(client)
    page = unescape(client.get(f"{draft}/documents?lang=en").text)
    assert "<span>Accident insurance for the event</span>" in page
    assert ">Team leader</option>" in unescape(client.get(f"{draft}/registration?lang=en").text)


def test_where_a_file_goes_in_and_out_the_page_says_that_comments_are_lost(
    client: FlaskClient, organiser: Any
) -> None:
    draft = begin(client)
    for page in ("/staff/regulations", draft):
        assert "注释（# 后面的话）不保留" in client.get(page).text


def upload(client: FlaskClient, data: bytes) -> Any:
    return client.post("/staff/regulations", data={"file": (io.BytesIO(data), "mine.toml")})


@pytest.mark.parametrize("regulation_id", library.shipped())
def test_a_file_saved_in_the_encoding_of_chinese_windows_is_taken_and_said_to_be(
    client: FlaskClient, organiser: Any, regulation_id: str
) -> None:
    held = library.load(regulation_id).document
    imported = upload(client, dump_toml(held).encode("gb18030"))
    draft = imported.headers["Location"]
    assert "已按 GBK 读入" in client.get(draft).text
    assert document(client, draft) == held


@pytest.mark.parametrize(
    "data",
    [
        'name = "競技二打一比賽規程，參賽運動員報名辦法"'.encode("big5"),
        'name = "Règlement déjà publié à Liège, coût élevé"'.encode("latin-1"),
        'name = "竞技二打一"'.encode("utf-16"),
        'name = "竞技\x01"'.encode("gb18030"),
    ],
    ids=["big5", "latin-1", "utf-16", "a-control-character"],
)
def test_a_file_in_another_encoding_is_refused_with_how_to_save_it(
    client: FlaskClient, organiser: Any, data: bytes
) -> None:
    answer = upload(client, data)
    assert answer.status_code == 422
    assert "选“另存为”，编码选“UTF-8”" in answer.text


def with_wrong_rows(count: int) -> dict[str, Any]:
    return {**library.load(A).document, "fees": [{"code": f"f{number}"} for number in range(count)]}


def test_of_thousands_of_faults_the_first_are_told_and_how_many_more(
    app: Flask, client: FlaskClient, organiser: Any
) -> None:
    told = "<li><code>fees."
    refused = upload(client, dump_toml(with_wrong_rows(1000)).encode())
    assert refused.status_code == 422
    assert len(refused.data) < 60_000
    assert refused.text.count(told) == MOST_TOLD
    assert "有 4000 处错误" in refused.text
    assert "另有 3900 处没有列出" in refused.text
    with app.app_context():
        headers = accounts.bearer(app, organiser)
    answer = client.post(f"{API}", json={"toml": dump_toml(with_wrong_rows(1000))}, headers=headers)
    assert answer.status_code == 422
    told_json = answer.get_json()
    assert (len(told_json["errors"]), told_json["problem_count"]) == (MOST_TOLD, 4000)
    draft = begin(client)
    number = draft.rpartition("/")[2]
    saved = client.put(
        f"{API}/{number}", json={"document": with_wrong_rows(1000), "base_revision": 1}, headers=headers
    ).get_json()
    assert (len(saved["problems"]), saved["problem_count"]) == (MOST_TOLD, 4000)
    page = client.get(draft)
    assert "还有 4000 处要改" in page.text
    assert "另有 3900 处没有列出" in page.text
    assert len(page.data) < 100_000


@pytest.mark.parametrize("shipped", [True, False])
def test_a_refused_draft_links_to_the_clause_in_its_own_preview(
    app: Flask, client: FlaskClient, organiser: Any, travel: Travel, *, shipped: bool
) -> None:
    """A text under an id of its own has no page in the library, and one under a shipped id may say something else."""
    draft = begin(client)
    number = int(draft.rpartition("/")[2])
    held = library.load(A).document | ({} if shipped else {"id": "our-own-2021"})
    with app.app_context():
        headers = accounts.bearer(app, organiser)
    client.put(f"{API}/{number}", json={"document": held, "base_revision": 1}, headers=headers)
    travel(publications.WINDOW_OVER)  # the deadline is over
    revision = client.get(f"{API}/{number}", headers=headers).get_json()["revision"]
    answer = client.post(
        f"{API}/{number}/competition", json={"base_revision": revision, "place": "三亚"}, headers=headers
    )
    refused = answer.get_json()
    assert answer.status_code == 422
    address, _, anchor = refused["clause_url"].partition("#")
    assert address == f"{draft}/preview"
    assert f'id="{unquote(anchor)}"' in client.get(address).text
    page = send(client, f"{draft}/competition", form(client, f"{draft}/competition").sent(place="三亚"))
    assert page.status_code == 422
    assert f'href="{address}#clause-' in page.text


def test_a_past_events_regulation_is_copied(client: FlaskClient, organiser: Any) -> None:
    draft = begin(client)
    send(client, f"{draft}/competition", form(client, f"{draft}/competition").sent(place="三亚", slug="past"))
    page = client.get("/staff/regulations").text
    assert 'value="version:' in page
    source = page.split('value="version:')[1].split('"')[0]
    copied = begin(client, f"version:{source}")
    assert document(client, copied) == library.load(A).document


def test_a_draft_is_nobody_elses(app: Flask, client: FlaskClient, organiser: Any) -> None:
    draft = begin(client)
    with app.app_context():
        stranger = accounts.user(2)
    accounts.sign_in(client, stranger)
    for address in (draft, f"{draft}/calendar", f"{draft}/preview", f"{draft}/toml", "/staff/regulations"):
        assert client.get(address).status_code == 403
    assert client.post(f"{draft}/calendar", data={}).status_code == 403
    assert client.get("/staff/regulations/compare?before=draft:1").status_code == 403


@pytest.mark.parametrize(
    "address",
    [
        "/staff/regulations/999",
        "/staff/regulations/999/calendar",
        "/staff/regulations/compare?before=library:x",
    ],
)
def test_what_does_not_exist_is_not_found(client: FlaskClient, organiser: Any, address: str) -> None:
    assert client.get(address).status_code == 404


def test_a_draft_that_was_given_up_is_closed(client: FlaskClient, organiser: Any) -> None:
    draft = begin(client)
    page = f"{draft}/calendar"
    sent = form(client, page).sent(**{"calendar-check_in-at": "2021-12-01"})
    assert client.post(f"{draft}/discard").status_code == 303
    assert send(client, page, sent).status_code == 409
    assert "我的草稿" not in client.get("/staff/regulations").text


def test_two_regulations_are_compared_on_a_page(client: FlaskClient, organiser: Any) -> None:
    page = client.get(
        "/staff/regulations/compare?before=library:dongcheng-go-2021&after=library:dongcheng-xiangqi-2021"
    ).text
    assert "<del>围棋</del>" in page
    assert "<ins>象棋</ins>" in page
