"""``saishi demo`` as a person starts it: seeded once, quick the second time, a link per role, stopped by Ctrl-C."""

from __future__ import annotations

import re
import signal
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from app.demonstration import people, rules
from app.demonstration.queries import Cast
from tests import services

pytestmark = pytest.mark.journey
LINK = re.compile(r"http://\S+/demo/sign-in/\S+")


def test_the_demonstration_starts_shows_its_links_and_keeps_its_data(tmp_path: Path) -> None:
    environment = services.environment(tmp_path / "instance")
    with services.serve(environment, "demo") as (url, first):
        first.wait_for_line("Ctrl-C")
        assert "写入演示数据" in first.output
        assert "█" in first.output, "a QR code for the phone"
        links = LINK.findall(first.output)
        assert len(links) == len(Cast), "one link for each role"
        for link in links:
            answer = httpx.get(link, follow_redirects=True, trust_env=False, timeout=30)
            assert answer.status_code == 200, link
        before = competitions(url)
        assert {"demo-open", "demo-play"} <= set(before)
        code = httpx.post(
            f"{url}/api/v1/sign-in/codes", json={"phone": people.phone(77)}, trust_env=False
        ).json()["code"]
        assert code in httpx.get(f"{url}/demo/outbox", trust_env=False).text
        committee = httpx.Client(base_url=url, trust_env=False, timeout=30, follow_redirects=True)
        committee.get(links[1])
        first.wait_until(
            lambda: "示例二厂" in committee.get("/staff/c/demo-open/documents/review").text,
            what="the worker handed in the specimens",
        )
        committee.close()
        first.send(signal.SIGINT)
        assert first.wait() == 0
    with services.serve(environment, "demo") as (url, second):
        second.wait_for_line("Ctrl-C")
        assert "写入演示数据" not in second.output
        assert competitions(url) == before


def test_a_folder_with_real_competitions_is_refused_in_one_sentence(tmp_path: Path) -> None:
    environment = services.environment(tmp_path / "instance")
    services.migrate(environment)
    made = services.saishi("organiser", people.phone(1), environment=environment)
    assert made.returncode == 0, made.stderr
    with services.web(environment | {"SAISHI_DEMO": "1"}) as url:
        api = f"{url}/api/v1"
        phone = {"phone": people.phone(1)}
        code = httpx.post(f"{api}/sign-in/codes", json=phone, trust_env=False).json()["code"]
        token = httpx.post(f"{api}/sign-in/sessions", json=phone | {"code": code}, trust_env=False).json()[
            "token"
        ]
        dates = rules.open_calendar(datetime.now(UTC))
        calendar = {key: dates[key].isoformat() for key in ("registration_closes", "play_from", "play_to")}
        # a text without a published list: the workdays of this year need not be known
        body = {"regulation": "dongcheng-go-2021", "place": "某地", "calendar": calendar}
        answer = httpx.post(
            f"{api}/competitions", json=body, headers={"Authorization": f"Bearer {token}"}, trust_env=False
        )
        assert answer.status_code == 201
    refused = services.saishi("demo", environment=environment)
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert "SAISHI_INSTANCE" in refused.stderr


def competitions(url: str) -> list[str]:
    return [
        each["slug"] for each in httpx.get(f"{url}/api/v1/competitions", trust_env=False, timeout=30).json()
    ]
