"""Entering a year of working days: service, page and API, on both databases."""

from datetime import date, datetime
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from app.actors import ANONYMOUS, Role
from app.audit.models import AuditEntry
from app.commands import command
from app.errors import InvalidError, SignInRequiredError
from app.text import BEIJING
from app.workdays import queries, rules, service
from app.workdays.official import official_calendar
from app.workdays.rules import UnknownWorkdayYearError, YearSource
from tests.factories import accounts

YEAR = max(official_calendar().years) + 1
FIXED = frozenset(date(YEAR, month, day) for month, day in rules.FIXED_HOLIDAYS)
LINES = f"{YEAR}-01-01\n{YEAR}-05-01\n{YEAR}-10-01..{YEAR}-10-07"
SOURCE = "国务院办公厅关于节假日安排的通知"


def form(**changes: Any) -> dict[str, Any]:
    return {"year": str(YEAR), "holidays": LINES, "makeup_workdays": "", "source": SOURCE, **changes}


def test_an_entered_year_makes_the_window_computable(session: Any) -> None:
    closes = datetime(YEAR - 1, 12, 31, 18, tzinfo=BEIJING)
    with pytest.raises(UnknownWorkdayYearError):
        rules.publication_window(closes, 5, queries.calendar())
    with command(accounts.user(1, Role.COMMITTEE)) as ctx:
        service.enter_year(ctx, year=YEAR, holidays=FIXED, makeup_workdays=frozenset(), source=SOURCE)
    window = rules.publication_window(closes, 5, queries.calendar())
    assert len(window.days) == 5
    assert date(YEAR, 1, 1) not in window.days
    entered = queries.entered_year(YEAR)
    assert entered is not None
    assert (entered.kind, entered.source) == (YearSource.ENTERED, SOURCE)


def test_entering_again_replaces_the_year_and_is_on_record(session: Any) -> None:
    committee = accounts.user(1, Role.COMMITTEE)
    for holidays in (FIXED, FIXED | {date(YEAR, 1, 2)}):
        with command(committee) as ctx:
            service.enter_year(ctx, year=YEAR, holidays=holidays, makeup_workdays=frozenset(), source=SOURCE)
    entered = queries.entered_year(YEAR)
    assert entered is not None
    assert date(YEAR, 1, 2) in entered.holidays
    entries = session.scalars(select(AuditEntry).where(AuditEntry.action == "workday_year.entered")).all()
    assert len(entries) == 2
    assert entries[-1].details["year"] == YEAR


def test_nobody_signed_in_enters_nothing(session: Any) -> None:
    with pytest.raises(SignInRequiredError), command(ANONYMOUS) as ctx:
        service.enter_year(ctx, year=YEAR, holidays=FIXED, makeup_workdays=frozenset(), source=SOURCE)


def test_a_wrong_year_is_not_stored(session: Any) -> None:
    with pytest.raises(InvalidError), command(accounts.user(1, Role.ORGANISER)) as ctx:
        service.enter_year(ctx, year=YEAR, holidays=frozenset(), makeup_workdays=frozenset(), source=SOURCE)
    assert queries.entered_year(YEAR) is None


def test_the_list_has_the_latest_year_first(session: Any) -> None:
    years = queries.years()
    assert [view.year for view in years] == sorted((view.year for view in years), reverse=True)
    assert {view.kind for view in years} == {YearSource.OFFICIAL}
    assert queries.entered_year(2021) is None


def signed_in(app: Flask, client: FlaskClient, *roles: Role) -> None:
    with app.app_context():
        person = accounts.user(1, *roles)
    accounts.sign_in(client, person)


def test_the_page_takes_dates_and_ranges_and_shows_the_year(app: Flask, client: FlaskClient) -> None:
    signed_in(app, client, Role.COMMITTEE)
    assert str(YEAR) in client.get("/staff/workdays").text
    answer = client.post("/staff/workdays", data=form())
    assert (answer.status_code, answer.location) == (303, "/staff/workdays")
    assert SOURCE in client.get("/staff/workdays").text
    assert f"{YEAR}-10-07" in client.get(f"/staff/workdays?year={YEAR}").text


@pytest.mark.parametrize(
    ("changes", "field", "says"),
    [
        ({"holidays": "元旦"}, "holidays", "第 1 行"),
        ({"holidays": ""}, "holidays", "请填写"),
        ({"holidays": f"{YEAR}-01-01"}, "holidays", "缺少法定节假日"),
        ({"makeup_workdays": f"{YEAR}-10-07"}, "makeup_workdays", "同时写为"),
        ({"source": ""}, "source", "请填写"),
        ({"year": "二〇二七"}, "year", "应为整数"),
        ({"year": "2021"}, "year", "已有官方工作日安排"),
    ],
)
def test_an_error_stands_beside_its_field_and_what_was_typed_is_kept(
    app: Flask, client: FlaskClient, changes: dict[str, str], field: str, says: str
) -> None:
    signed_in(app, client, Role.COMMITTEE)
    answer = client.post("/staff/workdays", data=form(**changes))
    assert answer.status_code in {409, 422}
    assert says in answer.text
    assert f'id="f-{field}-error"' in answer.text
    assert changes.get("source", SOURCE) in answer.text
    assert changes.get("holidays", LINES.splitlines()[-1]) in answer.text


def test_the_page_needs_the_role(app: Flask, client: FlaskClient) -> None:
    assert client.get("/staff/workdays").status_code == 401
    signed_in(app, client, Role.REFEREE)
    assert client.get("/staff/workdays").status_code == 403
    assert client.post("/staff/workdays", data=form()).status_code == 403


def test_the_api_lists_the_years_for_everybody(client: FlaskClient) -> None:
    years = client.get("/api/v1/workdays").get_json()["years"]
    of_2021 = next(year for year in years if year["year"] == 2021)
    assert of_2021["kind"] == "official"
    assert "2021-10-01" in of_2021["holidays"]
    assert "2021-10-09" in of_2021["makeup_workdays"]


def test_the_api_enters_a_year_from_dates_and_ranges(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        headers = accounts.bearer(app, accounts.user(1, Role.COMMITTEE))
    body = {"holidays": LINES.splitlines(), "makeup_workdays": [], "source": SOURCE}
    answer = client.put(f"/api/v1/workdays/{YEAR}", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    assert len(answer.get_json()["holidays"]) == 9
    assert client.put(f"/api/v1/workdays/{YEAR}", json=body).status_code == 401


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"holidays": ["x"], "source": "y"}, "/holidays"),
        ({"holidays": 5, "source": "y"}, "/holidays"),
        ({"holidays": [5], "source": "y"}, "/holidays"),
        ({"holidays": [], "source": "y"}, "/holidays"),
        ({"source": "y"}, "/holidays"),
        ({"holidays": LINES, "source": "y", "colour": "red"}, "/colour"),
    ],
)
def test_the_api_points_at_what_is_wrong(
    app: Flask, client: FlaskClient, body: dict[str, Any], pointer: str
) -> None:
    with app.app_context():
        headers = accounts.bearer(app, accounts.user(1, Role.COMMITTEE))
    answer = client.put(f"/api/v1/workdays/{YEAR}", json=body, headers=headers)
    assert answer.status_code == 422
    assert pointer in {error["pointer"] for error in answer.get_json()["errors"]}


def test_the_api_refuses_an_official_year(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        headers = accounts.bearer(app, accounts.user(1, Role.COMMITTEE))
    body = {"holidays": ["2021-01-01"], "source": "y"}
    answer = client.put("/api/v1/workdays/2021", json=body, headers=headers)
    assert answer.status_code == 409
