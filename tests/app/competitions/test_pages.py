from __future__ import annotations

import io

import pytest
import zxingcpp
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from app.actors import Role
from tests.factories import accounts
from tests.factories import competitions as factory

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
