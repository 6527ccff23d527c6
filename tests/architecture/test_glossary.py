"""The glossary names what exists: something that is defined, not a word that happens to stand somewhere."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import ROOT

ROW = re.compile(
    r"^\|\s*(?P<term>[^|]*[\u4e00-\u9fff][^|]*)\|\s*[^|]+\|\s*`(?P<identifier>[A-Za-z_]+)`\s*\|$", re.M
)


def _defined(source: str) -> Iterator[str]:
    """Classes, functions, and what a module or class declares: enum members, columns, fields of schemas and records."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        if isinstance(node, ast.ClassDef | ast.Module):
            for statement in node.body:
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                    yield statement.target.id
                elif isinstance(statement, ast.Assign):
                    yield from (target.id for target in statement.targets if isinstance(target, ast.Name))


def _keys(node: Any) -> Iterator[str]:
    """Every key of a TOML document, and the codes its rows are called by."""
    if isinstance(node, dict):
        yield from node
        yield from (node[key] for key in ("id", "game", "code", "criterion", "option") if key in node)
        for inner in node.values():
            yield from _keys(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from _keys(inner)


@pytest.fixture(scope="module")
def identifiers() -> set[str]:
    found: set[str] = set()
    for folder in ("app", "scoring_engine", "tasks"):
        for path in (ROOT / folder).rglob("*.py"):
            found |= set(_defined(path.read_text(encoding="utf-8")))
    for path in (ROOT / "app" / "regulations" / "library").rglob("*.toml"):
        found |= {word for word in _keys(tomllib.loads(path.read_text(encoding="utf-8"))) if word}
    return found


def test_every_identifier_of_the_glossary_is_defined_in_the_code(identifiers: set[str]) -> None:
    rows = {
        match["term"].strip(): match["identifier"]
        for match in ROW.finditer((ROOT / "GLOSSARY.md").read_text("utf-8"))
    }
    assert len(rows) > 40
    assert {term: name for term, name in rows.items() if name not in identifiers} == {}


def test_a_word_that_is_only_used_is_no_definition() -> None:
    source = """
\"\"\"landlord\"\"\"
class Deal:
    bid: int = 3
    BOMB = "bomb"
    def score(self, factor): return self.rocket * factor
def draw(seed): spring = seed; return spring
LIMIT = Deal(winner=1)
"""
    assert set(_defined(source)) == {"Deal", "bid", "BOMB", "score", "draw", "LIMIT"}
