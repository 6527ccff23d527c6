"""What axe-core (an npm development dependency) finds wrong for people who cannot see, or use no mouse, on a page in Chromium."""

from __future__ import annotations

import os
from functools import cache

import pytest
from playwright.sync_api import Page

from tests import services

SOURCE = services.ROOT / "node_modules" / "axe-core" / "axe.min.js"
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice")


@cache
def source() -> str:
    if not SOURCE.exists():
        if os.environ.get("CI") == "true":
            pytest.fail("no axe-core in node_modules, and CI=true asks for it; run `make install`")
        # As without a Chromium (tests/chromium.py): the rest can still be run.
        pytest.skip("not run: no axe-core in node_modules; run `make install`")
    return SOURCE.read_text(encoding="utf-8")


def violations(page: Page) -> list[str]:
    """Each rule that the page breaks, with the first elements that do."""
    page.evaluate(source())
    found = page.evaluate(
        "rules => axe.run(document, {runOnly: rules, resultTypes: ['violations']})", list(RULES)
    )
    return [
        f"{each['id']} ({each['impact']}): {each['help']}: "
        + "; ".join(node["html"][:160] for node in each["nodes"][:3])
        + f" ({len(each['nodes'])})"
        for each in found["violations"]
    ]
