"""Every clause of a source text that states a rule stands in its file, and every reading of what the text leaves open.

`clauses.json` lists them by hand from the texts, which are not kept here: the clauses of each (contacts and entry forms state
no rule), headings that a table as a whole may cite, and the ids of its interpretations.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.regulations import library
from app.regulations.rules import rules_page
from app.regulations.schemas import Kind, format_of, help_at

SOURCES = json.loads((Path(__file__).parent / "clauses.json").read_text(encoding="utf-8"))


def cited(value: Any, within_clauses: bool = False) -> Iterator[str]:
    """Every clause a document names: of its rows, and of the keys under `clauses`."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, str) and (key == "clause" or within_clauses):
                yield inner
            else:
                yield from cited(inner, within_clauses=key == "clauses")
    elif isinstance(value, list):
        for inner in value:
            yield from cited(inner)


def missing(document: dict[str, Any], source: dict[str, list[str]]) -> list[str]:
    """What the source says and the document does not."""
    clauses = set(cited(document))
    ids = {row["id"] for row in document["interpretations"]}
    return [each for each in source["clauses"] if each not in clauses] + [
        each for each in source["interpretations"] if each not in ids
    ]


def test_there_is_a_list_for_every_shipped_file() -> None:
    assert sorted(SOURCES) == list(library.shipped())


@pytest.mark.parametrize("regulation_id", SOURCES)
def test_every_clause_and_every_interpretation_of_the_source_stands_in_the_file(regulation_id: str) -> None:
    assert missing(library.load(regulation_id).document, SOURCES[regulation_id]) == []


@pytest.mark.parametrize("regulation_id", SOURCES)
def test_no_clause_is_cited_that_the_source_does_not_have(regulation_id: str) -> None:
    source = SOURCES[regulation_id]
    known = {*source["clauses"], *source["headings"]}
    assert sorted(set(cited(library.load(regulation_id).document)) - known) == []


@pytest.mark.parametrize("regulation_id", SOURCES)
def test_every_clause_of_the_source_can_be_linked_to_on_the_rules_page(regulation_id: str) -> None:
    page = rules_page(library.load(regulation_id))
    shown = {row.anchor for section in page.sections for row in section.rows} | {
        each.anchor for each in page.interpretations
    }
    lost = [clause for clause in SOURCES[regulation_id]["clauses"] if f"clause-{clause}" not in shown]
    assert lost == []


@pytest.mark.parametrize("regulation_id", SOURCES)
def test_a_row_that_goes_missing_is_noticed(regulation_id: str) -> None:
    """A clause that only one row cites, and a reading that is the only one of its id: without the row they are missing."""
    source = SOURCES[regulation_id]
    whole = library.load(regulation_id).document
    noticed = 0
    for table in ("notices", "penalties", "interpretations", "prizes"):
        for index in range(len(whole.get(table, []))):
            document = {**whole, table: whole[table][:index] + whole[table][index + 1 :]}
            noticed += bool(missing(document, source))
    assert noticed >= 8


@pytest.mark.parametrize("regulation_id", SOURCES)
def test_every_row_of_every_part_names_its_clause(regulation_id: str) -> None:
    document = library.load(regulation_id).document
    for part, value in document.items():
        known = help_at(part, format_of(document))
        assert known is not None
        for row in value if known.kind is Kind.ROWS else [value] if known.kind is Kind.TABLE else []:
            rows = row.values() if part == "calendar" else [row]
            assert all(each["clause"].strip() for each in rows), part


@pytest.mark.parametrize("regulation_id", SOURCES)
def test_every_interpretation_has_a_default_that_is_in_force_and_says_what_it_means(
    regulation_id: str,
) -> None:
    regulation = library.load(regulation_id)
    assert not any(each.changed for each in regulation.interpretations)
    for each in regulation.interpretations:
        assert each.allows(each.default)
        assert each.text.zh.strip()
        assert each.text.en.strip()
        assert str(each.meaning()).strip()


def test_no_file_has_contact_details() -> None:
    for path in library.FOLDER.glob("*/*.toml"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"@|https?:|联系人|微信|1[3-9]\d{9}|\d{3,4}-\d{7,8}", text), path.name
