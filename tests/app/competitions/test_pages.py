from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote

import pytest
import zxingcpp
from flask import Flask, url_for
from flask.testing import FlaskClient
from PIL import Image

from app import network
from app.actors import Actor, Role
from app.competitions import queries as competitions
from app.routes import STAFF_PAGES
from tests.factories import accounts
from tests.factories import competitions as factory

Travel = Callable[[datetime], None]
DPI = 150
"""A plain office printer; 3 cm are then 177 dots."""


@pytest.fixture
def slug(app: Flask) -> str:
    with app.app_context():
        return factory.competition().slug


def test_the_posters_qr_code_is_read_at_three_centimetres(client: FlaskClient, slug: str) -> None:
    png = client.get(f"/c/{slug}/qr.png")
    assert png.mimetype == "image/png"
    side = round(DPI * 3 / 2.54)
    printed = Image.open(io.BytesIO(png.data)).convert("L").resize((side, side))
    found = zxingcpp.read_barcode(printed)
    assert found is not None
    assert found.text == f"http://localhost/c/{slug}/enter"


def test_the_qr_code_is_offered_as_svg(client: FlaskClient, slug: str) -> None:
    svg = client.get(f"/c/{slug}/qr.svg")
    assert svg.mimetype == "image/svg+xml"
    assert svg.data.lstrip().startswith((b"<?xml", b"<svg"))


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("path", ["/", "/c/beach-2021", "/c/beach-2021/poster", "/c/beach-2021/regulation"])
def test_public_pages_open_for_anyone(client: FlaskClient, slug: str, path: str, language: str) -> None:
    page = client.get(f"{path}?lang={language}")
    assert page.status_code == 200
    assert f'lang="{language}' in page.text


def test_an_organiser_creates_a_competition_by_form(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        by = factory.organiser()
    accounts.sign_in(client, by)
    form = {
        "regulation": factory.REGULATION,
        "name": "沙滩二打一",
        "place": "三亚",
        "slug": "sand",
        "calendar-registration_closes": "2021-10-30T17:00",
    }
    made = client.post("/staff/competitions", data=form)
    assert made.status_code == 303
    assert client.get("/staff/c/sand").status_code == 200
    assert "10月30日（周六）17:00" in client.get("/c/sand").text


def test_a_wrong_date_keeps_what_was_typed(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        by = factory.organiser()
    accounts.sign_in(client, by)
    form = {
        "regulation": factory.REGULATION,
        "name": "沙滩二打一",
        "place": "三亚",
        "calendar-registration_closes": "2021-12-30T17:00",
    }
    page = client.post("/staff/competitions", data=form)
    assert page.status_code == 422
    assert "沙滩二打一" in page.text
    assert "2021-12-30T17:00" in page.text
    assert "不能早于" in page.text


@pytest.mark.parametrize(
    "path", ["/staff", "/staff/competitions/new", "/staff/c/beach-2021", "/staff/c/beach-2021/people"]
)
def test_staff_pages_ask_for_sign_in(client: FlaskClient, slug: str, path: str) -> None:
    assert client.get(path).status_code == 401


def test_a_person_without_the_role_is_told_which_one_is_needed(
    app: Flask, client: FlaskClient, slug: str
) -> None:
    with app.app_context():
        stranger = accounts.user(5)
    accounts.sign_in(client, stranger)
    page = client.get(f"/staff/c/{slug}/people")
    assert page.status_code == 403
    assert "主办方" in page.text


def test_an_organiser_adds_and_withdraws_a_referee(app: Flask, client: FlaskClient, slug: str) -> None:
    with app.app_context():
        by = factory.organiser()
        referee = accounts.user(7)
    accounts.sign_in(client, by)
    assert (
        client.post(f"/staff/c/{slug}/people", data={"phone": "13800000007", "role": "referee"}).status_code
        == 303
    )
    with app.app_context():
        assert accounts.actor(referee.require_signed_in()).grants
    page = client.get(f"/staff/c/{slug}/people").text
    assert "138****0007" in page
    assert "13800000007" not in page
    client.post(f"/staff/c/{slug}/people/{referee.user_id}/{Role.REFEREE}/withdraw")
    with app.app_context():
        assert not accounts.actor(referee.require_signed_in()).grants


def test_a_bad_phone_is_refused_beside_its_field(app: Flask, client: FlaskClient, slug: str) -> None:
    with app.app_context():
        by = factory.organiser()
    accounts.sign_in(client, by)
    page = client.post(f"/staff/c/{slug}/people", data={"phone": "12345", "role": "referee"})
    assert page.status_code == 422
    assert "11 位手机号" in page.text


def test_an_unknown_competition_is_not_found_on_page_and_api(client: FlaskClient) -> None:
    assert client.get("/c/nowhere").status_code == 404
    answer = client.get("/api/v1/competitions/nowhere")
    assert answer.status_code == 404
    assert answer.mimetype == "application/problem+json"


@pytest.mark.parametrize("endpoint", [endpoint for endpoint, _, _ in STAFF_PAGES])
def test_an_unknown_competition_is_not_found_on_the_staff_board(
    app: Flask, client: FlaskClient, slug: str, endpoint: str
) -> None:
    """A mistyped address, with or without the roles that other competitions gave."""
    with app.app_context(), app.test_request_context():
        everything = accounts.user(5, *Role)
        address = url_for(endpoint, slug="nowhere")
    accounts.sign_in(client, everything)
    answer = client.get(address)
    assert answer.status_code in {403, 404}
    assert "<nav" not in answer.text


@pytest.fixture
def organiser(app: Flask) -> Actor:
    with app.app_context():
        return factory.organiser()


NEW = "/staff/competitions/new"


def form(**changes: str) -> dict[str, str]:
    return {"regulation": factory.REGULATION, "name": "沙滩二打一", "place": "三亚"} | changes


def test_dates_of_a_season_that_is_over_are_named_and_not_filled_in(
    client: FlaskClient, organiser: Actor, travel: Travel
) -> None:
    accounts.sign_in(client, organiser)
    assert 'value="2021-10-31T18:00"' in client.get(f"{NEW}?regulation={factory.REGULATION}").text
    travel(datetime(2026, 1, 5, tzinfo=UTC))
    page = client.get(f"{NEW}?regulation={factory.REGULATION}").text
    assert 'value="2021-' not in page
    assert "原规程：2021年10月31日（周日）18:00" in page


def test_a_day_of_play_that_the_text_leaves_open_is_asked_with_its_clause(
    client: FlaskClient, organiser: Actor, travel: Travel
) -> None:
    travel(datetime(2016, 5, 3, tzinfo=UTC))
    accounts.sign_in(client, organiser)
    tractor = "baiyun-tractor-2016"
    assert tractor in client.get(NEW).text
    page = client.get(f"{NEW}?regulation={tractor}").text
    assert 'name="calendar-play_from"' in page
    assert "条文没有写，由您确定" in page
    dates = {"calendar-notice": "2016-04-28", "calendar-registration_closes": "2016-05-18T18:00"}
    filled_in = {"regulation": tractor, "name": "拖拉机赛", "place": "景泰中学", **dates}
    refused = client.post("/staff/competitions", data=filled_in)
    assert refused.status_code == 422
    assert "条文没有写这一天，请填写。" in refused.text
    assert 'value="2016-05-18T18:00"' in refused.text
    play = {"calendar-play_from": "2016-05-28", "calendar-play_to": "2016-05-28"}
    assert client.post("/staff/competitions", data=filled_in | play).status_code == 303


def test_a_regulation_without_a_published_list_says_so_where_it_is_chosen(
    client: FlaskClient, organiser: Actor
) -> None:
    accounts.sign_in(client, organiser)
    page = client.get(f"{NEW}?regulation=dongcheng-go-2021").text
    assert "没有公示名单的条文" in page
    assert "calendar-check_in" not in page


def test_play_before_the_list_can_be_final_is_refused_beside_its_field_with_its_clause(
    app: Flask, client: FlaskClient, organiser: Actor
) -> None:
    accounts.sign_in(client, organiser)
    late = {"calendar-registration_closes": "2021-12-01T18:00", "calendar-check_in": "2021-12-03"}
    page = client.post("/staff/competitions", data=form(**late))
    assert page.status_code == 422
    assert 'id="f-calendar-play_from-error"' in page.text
    assert "2021年12月8日（周三）24:00" in page.text
    assert f"/regulations/{factory.REGULATION}#clause-" in page.text
    body = {
        "regulation": factory.REGULATION,
        "place": "三亚",
        "calendar": {"registration_closes": "2021-12-01T18:00", "check_in": "2021-12-03"},
    }
    answer = client.post("/api/v1/competitions", json=body, headers=accounts.bearer(app, organiser))
    assert answer.status_code == 422
    assert answer.get_json()["clause"] == "三(四)1"
    assert [each["pointer"] for each in answer.get_json()["errors"]] == ["/calendar/play_from"]


def test_one_slip_in_a_year_never_reaches_the_home_page(client: FlaskClient, organiser: Actor) -> None:
    accounts.sign_in(client, organiser)
    page = client.post("/staff/competitions", data=form(**{"calendar-play_to": "9999-12-31"}))
    assert page.status_code == 422
    assert "年份应在 2000 至 2100 之间" in page.text
    assert client.get("/").status_code == 200


def test_the_api_says_what_is_wrong_in_our_sentences(
    app: Flask, client: FlaskClient, organiser: Actor
) -> None:
    headers = accounts.bearer(app, organiser)

    def wrong(**body: Any) -> dict[str, str]:
        base = {"regulation": factory.REGULATION, "place": "三亚"}
        answer = client.post("/api/v1/competitions", json=base | body, headers=headers)
        assert answer.status_code == 422
        return {each["pointer"]: each["detail"] for each in answer.get_json()["errors"]}

    assert "没有这个选项" in wrong(options={"x": None})["/options/x"]
    assert wrong(calendar={"registration_closes": "soon"}) == {
        "/calendar/registration_closes": "报名截止应写作 2026-01-31T18:00。"
    }
    assert wrong(calendar={"play_from": "soon"}) == {"/calendar/play_from": "比赛开始应写作 2026-01-31。"}
    assert list(wrong(name="\u202e\u202e")) == ["/name"]
    assert list(wrong(place="\u200b")) == ["/place"]
    assert wrong(regulation="x" * 81) == {"/regulation": "最多 80 个字。"}


FAR = {
    "registration_closes": "2099-12-01T18:00",
    "check_in": "2099-12-30",
    "play_from": "2099-12-30",
    "play_to": "2099-12-31",
    "leave_by": "2099-12-31T12:00",
}


def test_a_year_without_workdays_is_refused_by_page_and_api_with_the_way_to_enter_it(
    app: Flask, client: FlaskClient, organiser: Actor
) -> None:
    body = {"regulation": factory.REGULATION, "place": "三亚", "slug": "far", "name": "远年赛"}
    headers = accounts.bearer(app, organiser)
    refused = client.post("/api/v1/competitions", json=body | {"calendar": FAR}, headers=headers)
    assert refused.status_code == 422
    problem = refused.get_json()
    assert (problem["clause"], problem["year"], problem["page"]) == ("三(四)1", 2099, "/staff/workdays")
    assert [error["pointer"] for error in problem["errors"]] == ["/calendar/registration_closes"]
    accounts.sign_in(client, organiser)
    typed = {f"calendar-{key}": value for key, value in FAR.items()}
    page = client.post("/staff/competitions", data=body | typed)
    assert page.status_code == 422
    assert 'href="/staff/workdays?year=2099"' in page.text
    assert "#clause-三(四)1" in unquote(page.text)
    assert 'value="2099-12-01T18:00"' in page.text
    assert client.get("/c/far").status_code == 404


def test_the_role_is_asked_for_before_the_body_is_read(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        stranger = accounts.user(5)
    answer = client.post("/api/v1/competitions", json={"no": 1}, headers=accounts.bearer(app, stranger))
    assert answer.status_code == 403


def test_a_role_nobody_holds_is_not_withdrawn(
    app: Flask, client: FlaskClient, slug: str, organiser: Actor
) -> None:
    with app.app_context():
        stranger = accounts.user(7)
    accounts.sign_in(client, organiser)
    for role in (Role.REFEREE, "emperor"):
        page = client.post(f"/staff/c/{slug}/people/{stranger.user_id}/{role}/withdraw")
        assert page.status_code == 404
        assert "已取消" not in page.text
    assert "已取消" not in client.get(f"/staff/c/{slug}/people").text


def test_the_api_withdraws_a_role_and_answers_who_is_left(
    app: Flask, client: FlaskClient, slug: str, organiser: Actor
) -> None:
    headers = accounts.bearer(app, organiser)
    path = f"/api/v1/competitions/{slug}/staff"
    added = client.post(path, json={"phone": "13800000007", "role": "referee"}, headers=headers).get_json()
    [referee] = [each["user_id"] for each in added if each["role"] == "referee"]
    left = client.delete(f"{path}/{referee}/referee", headers=headers)
    assert left.status_code == 200
    assert "referee" not in {each["role"] for each in left.get_json()}
    assert client.delete(f"{path}/{referee}/referee", headers=headers).status_code == 404
    assert client.delete(f"{path}/{referee}/emperor", headers=headers).status_code == 404


def test_an_organiser_cannot_lock_himself_out(app: Flask, client: FlaskClient, slug: str) -> None:
    with app.app_context():
        own = accounts.user(8, Role.ORGANISER, competition_id=competitions.competition_id(slug))
    accounts.sign_in(client, own)
    withdrawal = f"/staff/c/{slug}/people/{own.user_id}/organiser/withdraw"
    assert withdrawal not in client.get(f"/staff/c/{slug}/people").text
    page = client.post(withdrawal)
    assert page.status_code == 409
    assert "另一位主办方" in page.text
    assert client.get(f"/staff/c/{slug}/people").status_code == 200


def test_roles_stand_in_lists_with_a_capital(client: FlaskClient, slug: str, organiser: Actor) -> None:
    accounts.sign_in(client, organiser)
    page = client.get(f"/staff/c/{slug}/people?lang=en").text
    assert "· Organiser" in page
    assert ">Chief referee</option>" in page


@pytest.mark.parametrize(
    ("came_to", "bound", "found", "leads_to"),
    [
        ("http://localhost:8000", "0.0.0.0", "192.0.2.9", "http://192.0.2.9:8000"),
        ("http://127.0.0.1:8123", "::", "192.0.2.9", "http://192.0.2.9:8123"),
        ("http://[::1]:8123", "0.0.0.0", "192.0.2.9", "http://192.0.2.9:8123"),
        ("http://localhost", "0.0.0.0", "192.0.2.9", "http://192.0.2.9"),
        ("http://localhost:8000", "0.0.0.0", None, "http://localhost:8000"),
        ("http://localhost:8000", "127.0.0.1", "192.0.2.9", "http://localhost:8000"),
        ("http://192.0.2.44:8000", "0.0.0.0", "192.0.2.9", "http://192.0.2.44:8000"),
    ],
)
def test_a_poster_opened_on_this_machine_leads_phones_to_its_network_address(
    app: Flask,
    client: FlaskClient,
    slug: str,
    monkeypatch: pytest.MonkeyPatch,
    *,
    came_to: str,
    bound: str,
    found: str | None,
    leads_to: str,
) -> None:
    settings = replace(app.config["SAISHI"], base_url="", host=bound)
    monkeypatch.setitem(app.config, "SAISHI", settings)
    monkeypatch.setattr(network, "network_address", lambda: found)
    page = client.get(f"/c/{slug}/poster", base_url=came_to).text
    assert f"{leads_to}/c/{slug}/enter</p>" in page


def test_staff_are_warned_of_a_poster_that_leads_nowhere(
    app: Flask, client: FlaskClient, slug: str, organiser: Actor
) -> None:
    warning = "二维码里是本机地址"
    assert warning not in client.get(f"/c/{slug}/poster").text
    accounts.sign_in(client, organiser)
    assert warning in client.get(f"/c/{slug}/poster").text


def test_the_english_regulation_writes_kinds_of_employment_small_inside_a_sentence(
    client: FlaskClient, slug: str
) -> None:
    page = client.get(f"/c/{slug}/regulation?lang=en").text
    assert "Staff who are part-time, dispatched, seconded may not take part." in page
