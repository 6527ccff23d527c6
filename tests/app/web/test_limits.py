"""The count of sign-in attempts, with the Redis that should keep it out of reach."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests import services


@pytest.mark.journey
def test_signing_in_goes_on_and_is_still_limited_when_redis_cannot_be_reached(tmp_path: Path) -> None:
    environment = services.environment(
        tmp_path, SAISHI_LIMITS_URL=f"redis://127.0.0.1:{services.free_port()}/1"
    )
    services.migrate(environment)
    with (
        services.web(environment) as url,
        httpx.Client(base_url=url, trust_env=False, timeout=20) as browser,
    ):
        answers = [
            browser.post("/api/v1/sign-in/codes", json={"phone": "123"}).status_code for _ in range(61)
        ]
    assert answers == [422] * 60 + [429]
