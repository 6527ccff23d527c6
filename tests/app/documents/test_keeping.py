"""The committee's page of what is kept: the day, holds, signed reports; the same for programs and the command line."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Role
from app.clock import BEIJING
from app.competitions import queries as competitions
from app.documents.queries import purging
from app.registrations import queries as registrations
from app.signing import Signer
from tasks import registrations as tasks
from tests import services
from tests.app.documents.visiting import words
from tests.conftest import SECRET
from tests.factories import accounts, objections, publications, purges
from tests.factories import registrations as make

PAGE = "/staff/c/beach/privacy"
API = "/api/v1/competitions/beach/purge"
DAY = datetime(2022, 3, 6, 3, 40, tzinfo=BEIJING)


@pytest.fixture
def organiser(app: Flask, client: FlaskClient) -> dict[str, str]:
    """Signed in on ``client``; the headers for the API."""
    with app.app_context():
        make.competition()
        person = accounts.user(9, Role.ORGANISER)
    accounts.sign_in(client, person)
    return accounts.bearer(app, person)


def purged(app: Flask, travel: Any) -> str:
    """The report's file after a purge of a filled competition."""
    with app.app_context():
        purges.filled()
        travel(DAY)
        tasks.purge.run()
        [made] = purging.reports(competitions.competition("beach"))
        return made.file


@pytest.mark.parametrize("role", [Role.CHIEF_REFEREE, Role.REFEREE, None])
def test_only_committee_and_organiser_see_what_was_deleted(
    app: Flask, client: FlaskClient, organiser: Any, travel: Any, role: Role | None
) -> None:
    purged(app, travel)
    with app.app_context():
        report = purging.reports(competitions.competition("beach"))[0].id
        person = accounts.user(70, *([role] if role else []), competition_id=1)
    accounts.sign_in(client, person)
    for path in (PAGE, f"{PAGE}/reports/{report}", f"{PAGE}/reports/{report}.json"):
        assert client.get(path).status_code == 403
    headers = accounts.bearer(app, person)
    for path in (API, f"{API}/reports/{report}"):
        assert client.get(path, headers=headers).status_code == 403


def test_the_day_is_told_and_the_organiser_holds_it_back_and_lets_go(
    client: FlaskClient, organiser: Any
) -> None:
    assert "2022年3月6日" in client.get(PAGE).get_data(as_text=True)
    wrong = client.post(f"{PAGE}/hold", data={"reason": " ", "until": "2022-03-20"})
    assert wrong.status_code == 422
    assert "请写明为什么暂缓删除" in wrong.get_data(as_text=True)
    assert 'value="2022-03-20"' in wrong.get_data(as_text=True)
    client.post(f"{PAGE}/hold", data={"reason": "申诉尚未答复", "until": "2022-03-20"})
    assert "申诉尚未答复" in client.get(PAGE).get_data(as_text=True)
    assert client.get(API, headers=organiser).json["hold"] == {
        "reason": "申诉尚未答复",
        "until": "2022-03-20",
    }
    client.post(f"{PAGE}/hold/release")
    assert client.get(API, headers=organiser).json["hold"] is None


def test_the_committee_sees_the_hold_and_cannot_set_one(
    app: Flask, client: FlaskClient, organiser: Any
) -> None:
    body = {"reason": "申诉尚未答复", "until": "2021-11-20"}
    assert client.put(f"{API}/hold", json=body, headers=organiser).status_code == 200
    with app.app_context():
        person = accounts.user(71, Role.COMMITTEE, competition_id=competitions.competition_id("beach"))
    headers = accounts.bearer(app, person)
    assert client.get(API, headers=headers).json["hold"] == body
    assert client.put(f"{API}/hold", json=body, headers=headers).status_code == 403
    assert client.delete(f"{API}/hold", headers=headers).status_code == 403
    assert client.delete(f"{API}/hold", headers=organiser).status_code == 204


def test_the_report_counts_is_downloaded_and_no_cache_keeps_it(
    app: Flask, client: FlaskClient, organiser: Any, travel: Any
) -> None:
    file = purged(app, travel)
    [line] = client.get(API, headers=organiser).json["reports"]
    page = client.get(f"{PAGE}/reports/{line['id']}")
    assert page.headers["Cache-Control"] == "no-store"
    assert "签名有效，由本站签署" in page.get_data(as_text=True)
    assert "身份证号和手机号（人） 2" in words(page.get_data(as_text=True))
    download = client.get(f"{PAGE}/reports/{line['id']}.json")
    assert download.get_data(as_text=True) == file
    assert client.get(f"{API}/reports/{line['id']}", headers=organiser).json == json.loads(file)
    assert client.get(f"{PAGE}/reports/{line['id'] + 1}").status_code == 404
    assert client.get(f"{PAGE}/reports/{10**12}").status_code == 404


def test_the_command_line_says_whether_a_report_fits_and_whose_key_it_is(
    app: Flask, organiser: Any, travel: Any, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    report.write_text(purged(app, travel), encoding="utf-8")
    environment = services.environment(tmp_path, SAISHI_SECRET_KEY=SECRET)

    def run(**changes: str) -> tuple[int, Any]:
        done = services.saishi(
            "documents", "verify-report", str(report), environment={**environment, **changes}
        )
        return done.returncode, json.loads(done.stdout) if done.stdout else done.stderr

    status, said = run()
    assert (status, said["signature"], said["key"]) == (0, "fits", "this instance")
    assert said["public_key"] == Signer(SECRET).public_key
    status, said = run(SAISHI_SECRET_KEY="another-key-" + "0" * 40)
    assert (status, said["signature"], said["key"]) == (0, "fits", "another")
    status, said = run(SAISHI_SECRET_KEY="", SAISHI_INSTANCE=str(tmp_path / "none"))
    assert (status, said["key"]) == (0, "unknown")
    assert not (tmp_path / "none").exists()
    changed = json.loads(report.read_text("utf-8"))
    changed["report"]["rows"]["documents"] = 3
    report.write_text(json.dumps(changed), encoding="utf-8")
    status, said = run()
    assert (status, said["signature"]) == (1, "does not fit")
    for broken in (
        "",
        "[]",
        "{}",
        '{"report": {"format": "saishi purge report"}}',
        '{"report": 1, "report": 2}',
    ):
        report.write_text(broken, encoding="utf-8")
        status, said = run()
        assert status == 2
        assert "删除报告" in said


def test_a_case_that_nobody_decided_is_shown_as_a_reason_to_hold(
    app: Flask, client: FlaskClient, travel: Any
) -> None:
    with app.app_context():
        publications.published_field(travel, entrants=6)
        competition = competitions.competition("beach")
        first, second = registrations.led_units(competition.id)[:2]
        entry = next(
            each.entry_id
            for each in registrations.approved_entries(competition.event.id)
            if each.unit_id == second.id
        )
        person = accounts.user(9, Role.ORGANISER)
    accounts.sign_in(client, person)
    headers = accounts.bearer(app, person)
    assert "件异议没有办结" not in words(client.get(PAGE).text)
    with app.app_context():
        objections.lodged(accounts.actor(first.leader_user_id), [entry])
    assert "还有 1 件异议没有办结" in words(client.get(PAGE).text)
    assert client.get(API, headers=headers).json["open_objections"] == 1
