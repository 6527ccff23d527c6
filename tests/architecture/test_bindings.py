"""What features offer to earlier ones (app/routes.py): nothing is bound over what another one had bound there."""

from __future__ import annotations

import re

from tests.conftest import ROOT


def test_every_place_is_bound_once() -> None:
    text = (ROOT / "app" / "routes.py").read_text(encoding="utf-8")
    bound = re.findall(r'app\.extensions\["(\w+)"\] = ', text)
    assert bound
    assert sorted(bound) == sorted(set(bound))
