"""The glossary names what exists."""

from __future__ import annotations

import re

from tests.conftest import ROOT

ROW = re.compile(
    r"^\|\s*(?P<term>[^|]*[\u4e00-\u9fff][^|]*)\|\s*[^|]+\|\s*`(?P<identifier>[A-Za-z_]+)`\s*\|$", re.M
)


def test_every_identifier_of_the_glossary_stands_in_the_code() -> None:
    sources = [
        path for folder in ("app", "scoring_engine", "tasks") for path in (ROOT / folder).rglob("*.py")
    ]
    words = set()
    for path in sources:
        words |= set(re.findall(r"[A-Za-z_]\w*", path.read_text(encoding="utf-8")))
    rows = {
        match["term"].strip(): match["identifier"]
        for match in ROW.finditer((ROOT / "GLOSSARY.md").read_text("utf-8"))
    }
    assert len(rows) > 40
    assert {term: identifier for term, identifier in rows.items() if identifier not in words} == {}
