"""The published JSON Schema says of event files what the engine says, and describes every key the engine reads."""

import copy
import re
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from scoring_engine import event_file
from scoring_engine.rules import GAMES, ScoringRules
from scoring_engine.tractor.levels import level_of
from tests.event_files import schema
from tests.event_files.corpus import Named, accepted_files, earlier_of, rules_of, whole_files
from tests.event_files.mutations import Change, changes, mutated, one_of_each
from tests.event_files.schema import EVERY

ACCEPTED = list(accepted_files())
WHOLE = list(whole_files())
TABLE = ("stages", EVERY, "rounds", EVERY, "tables", EVERY)
DEAL = (*TABLE, "deals", EVERY)
PLAYERS = ("entrants", EVERY, "players")
UNREAD = {
    ("$schema",),
    ("units",),
    PLAYERS,
    (*TABLE, "note"),
    (*DEAL, "number"),
    (*DEAL, "note"),
}
"""What is described for people and the engine does not look up."""


def test_the_schema_is_one_and_names_no_host() -> None:
    Draft202012Validator.check_schema(schema.SCHEMA)
    assert schema.SCHEMA["$id"] == "urn:saishi:event-file:1"
    assert schema.SCHEMA["properties"]["format"]["const"] == "saishi-event"


def test_everything_described_has_a_title_in_chinese_and_english() -> None:
    for name, described in schema.all_properties():
        title = described.get("title") or schema.referred(described).get("title", "")
        assert re.search(r"[\u4e00-\u9fff]", title), name
        assert re.search(r"[A-Za-z]{2}", title), name
        for text in filter(None, (described.get("description"),)):
            assert re.search(r"[\u4e00-\u9fff]", text), name
            assert re.search(r"[a-z]{2} ", text), name


@pytest.mark.parametrize("named", ACCEPTED, ids=[name for name, _, _ in ACCEPTED])
def test_what_the_engine_scores_the_schema_accepts(named: Named) -> None:
    _, document, rules = named
    assert event_file.score(document, rules)["format"] == "saishi-score"
    assert schema.refused(document) == []


@pytest.mark.parametrize("named", WHOLE, ids=[name for name, _, _ in WHOLE])
def test_the_files_with_every_key_are_right_in_every_respect(named: Named) -> None:
    _, document, rules = named
    without_draws = {**document, "draws": document.get("draws", [])}
    assert event_file.verify(without_draws, rules, earlier_of(document)) == []


class Read(dict[str, Any]):
    """An object that notes at which place of the file which key is looked up."""

    def __init__(self, value: dict[str, Any], place: tuple[str, ...], seen: set[tuple[str, ...]]) -> None:
        super().__init__({key: noting(inner, (*place, key), seen) for key, inner in value.items()})
        self.place = place
        self.seen = seen

    def get(self, key: str, default: Any = None) -> Any:
        self.seen.add((*self.place, key))
        return super().get(key, default)

    def __getitem__(self, key: str) -> Any:
        self.seen.add((*self.place, key))
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.seen.add((*self.place, str(key)))
        return super().__contains__(key)


def noting(value: Any, place: tuple[str, ...], seen: set[tuple[str, ...]]) -> Any:
    if isinstance(value, dict):
        return Read(value, place, seen)
    if isinstance(value, list):
        return [noting(inner, (*place, EVERY), seen) for inner in value]
    return value


def keys_read() -> set[tuple[str, ...]]:
    """Every key the engine looks up in the files of the corpus, by its place."""
    seen: set[tuple[str, ...]] = set()
    for _, document, rules in ACCEPTED:
        noted = noting(copy.deepcopy(document), (), seen)
        event_file.read(noted, rules)
    return {place for place in seen if not (place[0] == "regulation" and len(place) > 2)}


def test_every_key_the_engine_reads_is_described_and_every_described_key_is_read() -> None:
    read = keys_read()
    for place in sorted(read):
        known = schema.described(place[:-1])
        assert place[-1] in known or EVERY in known, place
    own = {place for place in schema.places() if place[-1] != EVERY} - UNREAD
    assert sorted(own - read) == []


def lines_up(one: str, other: str) -> bool:
    """Whether one path leads to the other."""
    shorter, longer = sorted((one, other), key=len)
    return longer == shorter or longer.startswith((shorter + ".", shorter + "["))


def verdict(document: Any, rules: ScoringRules) -> list[str]:
    """The paths the engine names; none where it scores the file."""
    try:
        event_file.score(document, rules)
    except event_file.EventFileError as error:
        return [problem.path for problem in error.problems]
    return []


def disagreements(paths: list[str], document: Any, rules: ScoringRules) -> list[str]:
    """Those of the schema's paths at which the engine names nothing, nor above them nor in them."""
    named = verdict(document, rules) if paths else []
    return [path for path in paths if not any(lines_up(path, each) for each in named)]


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_what_the_schema_refuses_the_engine_refuses_at_that_path(data: st.DataObject) -> None:
    _, document, rules = data.draw(st.sampled_from(WHOLE))
    broken = mutated(document, data.draw(changes(document)))
    assert disagreements(schema.refused(broken), broken, rules) == []


@pytest.mark.parametrize("named", WHOLE, ids=[name for name, _, _ in WHOLE])
def test_a_key_left_out_or_of_another_type_is_judged_alike_wherever_it_stands(named: Named) -> None:
    _, document, rules = named
    judged = 0
    for place in one_of_each(document):
        values = [Change(place, value) for value in (None, 7, "x", [], {}, True)]
        for change in (Change(place, missing=True), *values):
            broken = mutated(document, change)
            paths = schema.refused(broken)
            assert disagreements(paths, broken, rules) == [], change
            judged += bool(paths)
    assert judged > 100


def test_the_schema_names_the_levels_that_the_engine_reads() -> None:
    signs = "0123456789AJQKTXajqkt"
    words = [*signs, *map("".join, product(signs, repeat=2))]
    levels = schema.SCHEMA["$defs"]["match_table"]["properties"]["levels"]
    assert {word for word in words if level_of(word) is not None} == {*levels["additionalProperties"]["enum"]}


def test_the_rules_of_a_file_are_those_of_its_regulation() -> None:
    assert {rules_of(document).game for _, document, _ in WHOLE} == set(GAMES)
