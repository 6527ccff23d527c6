"""A grown installation, as deploy/ describes it, with real servers: and the sign-up sent through it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

from tests.deploy import native
from tests.deploy.native import Installation
from tests.journeys import driver
from tests.journeys.driver import Instance, Journey

pytestmark = pytest.mark.journey


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    # A demonstration, because the journey moves the clock and reads its one-time codes from the answer.
    with native.installation(tmp_path_factory.mktemp("grown"), SAISHI_DEMO="1") as running:
        yield running


def test_both_web_processes_answer_and_so_does_nginx(installation: Installation) -> None:
    for url in (*installation.webs, installation.url):
        assert httpx.get(f"{url}/healthz", trust_env=False).json() == {
            "status": "ok",
            "files": "ok",
            "letters": "ok",
            "letters_waiting_since": None,
        }


def test_assets_come_from_nginx_with_the_names_the_pages_use(installation: Installation) -> None:
    page = httpx.get(f"{installation.url}/sign-in", trust_env=False)
    assert page.status_code == 200
    manifest = json.loads((native.STATIC / "manifest.json").read_text())
    style = manifest["app.css"]
    assert f"/static/{style}" in page.text
    answer = httpx.get(f"{installation.url}/static/{style}", trust_env=False)
    assert answer.status_code == 200
    assert "immutable" in answer.headers["Cache-Control"]


def test_a_page_with_a_form_is_made_anew_for_each_reader(installation: Installation) -> None:
    answers = [httpx.get(f"{installation.url}/sign-in", trust_env=False) for _ in range(2)]
    assert all("set-cookie" in answer.headers for answer in answers)
    assert answers[0].headers["set-cookie"] != answers[1].headers["set-cookie"]
    assert answers[1].headers["X-Cache"] != "HIT"


def test_the_public_front_page_is_kept_for_a_second(installation: Installation) -> None:
    answers = [httpx.get(installation.url, trust_env=False) for _ in range(2)]
    assert "set-cookie" not in answers[0].headers
    assert answers[1].headers["X-Cache"] == "HIT"


def test_thirty_four_members_sign_up_through_it(installation: Installation) -> None:
    journey = Journey(Instance(installation.url, installation.environment, installation.folder))
    journey.appoint_organiser()
    journey.move_clock(driver.DURING_ENTRIES)
    journey.create()
    assert journey.follow_poster() == f"/c/{journey.slug}/enter"
    journey.enter_all()
    assert journey.late_entry().status == 409
    assert journey.approve_all() == driver.MEMBERS
