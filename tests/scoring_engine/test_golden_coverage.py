"""The golden data: every case names its clause, and every option value an organiser may choose has a case."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from app.regulations import library
from scoring_engine.rules import ScoringRules
from scoring_engine.rules.options import EXPULSION_VALUES, OPTIONAL, OPTIONS
from tests.conftest import ROOT
from tests.scoring_engine.events import GOLDEN

FILES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(GOLDEN.glob("*.json"))}
DATA_OF = {
    "beach-games-landlord-2021": ("events", "penalties", "plays", "fields"),
    "dongcheng-go-2021": ("board", "board_options", "two_player_swiss", "swiss_draws"),
    "dongcheng-xiangqi-2021": ("board", "board_options", "two_player_swiss", "swiss_draws"),
    "dongcheng-landlord-2021": ("landlord_rounds", "plays", "swiss_draws"),
    "siming-eighty-2023": ("eighty_events", "tractor_matches", "tractor_tricks", "draw_vectors"),
    "baiyun-tractor-2016": (
        *("tractor_events", "tractor_matches", "tractor_tricks", "card_draw"),
        "swiss_draws",
    ),
}
"""Which files hold the cases of a regulation."""
ENGINE_PARTS = ("scoring", "ranking", "stages", "pairing", "prizes", "teams")
TEXT_OF = {"siming-eighty-2023": "D", "baiyun-tractor-2016": "C"}
"""What the `text` of a case is, where one file holds cases of both regulations of 升级."""

DRAWS = {"draw_vectors"}
"""Files whose cases have each option as a key of its own."""


def objects(node: Any) -> Iterator[Mapping[str, Any]]:
    """Every object of a file."""
    if isinstance(node, dict):
        yield node
        for inner in node.values():
            yield from objects(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from objects(inner)


def references(document: Any) -> Iterator[tuple[str, str, str]]:
    """`(criterion, key, option)`: which option of the regulation sets which option of a criterion."""
    for row in document["ranking"]:
        for key, value in row.get("options", {}).items():
            if isinstance(value, dict):
                yield row["criterion"], key, value["option"]


def named_by(node: Any) -> set[str]:
    """Every option that a part of a regulation document refers to."""
    return {found["option"] for found in objects(node) if set(found) == {"option"}}


def chosen(regulation_id: str) -> set[tuple[str, Any]]:
    """Every (option, value) some golden case of the regulation is played under."""
    found: set[tuple[str, Any]] = set()
    refers = list(references(library.load(regulation_id).document))
    for name in DATA_OF[regulation_id]:
        for case in objects(FILES[name]):
            of_this = case.get("regulation", regulation_id) == regulation_id
            if not of_this or case.get("text", TEXT_OF.get(regulation_id)) != TEXT_OF.get(regulation_id):
                continue
            if name in DRAWS:
                found |= {(key, word) for key, word in case.items() if isinstance(word, str)}
            options = case.get("options", {})
            for key, value in options.items() if isinstance(options, dict) else ():
                if not isinstance(value, dict):
                    found.add((key, value))
                    continue
                found |= {
                    (option, value[inner])
                    for criterion, inner, option in refers
                    if criterion == key and inner in value
                }
    return found


def read_by_the_engine(rules: ScoringRules, document: Any) -> set[str]:
    """The options of a regulation that change what the engine answers."""
    parts = [document[key] for key in ENGINE_PARTS if key in document]
    words = {
        row[key] for row in document["stages"] for key in ("deals", "rounds") if isinstance(row.get(key), str)
    }
    optional = {*OPTIONAL.get(rules.game, {}), *EXPULSION_VALUES.get(rules.format, {})}
    own = {*OPTIONS[rules.game, rules.format], *optional, *named_by(parts), *words}
    return own & set(rules.interpretations)


def missing(regulation_id: str) -> list[str]:
    document = library.load(regulation_id).document
    rules = library.load(regulation_id).scoring_rules()
    held = chosen(regulation_id)
    gaps = []
    for option in sorted(read_by_the_engine(rules, document)):
        reading = rules.interpretations[option]
        if isinstance(reading.allowed, range):
            if len(reading.allowed) > 1 and not any(
                name == option and value != reading.default for name, value in held
            ):
                gaps.append(f"{reading.id} {option}: no value but {reading.default}")
            continue
        gaps += [
            f"{reading.id} {option} = {value}"
            for value in reading.allowed
            if value != reading.default and (option, value) not in held
        ]
    return gaps


@pytest.mark.parametrize("regulation_id", library.shipped())
def test_every_value_of_every_option_the_engine_reads_has_a_golden_case(regulation_id: str) -> None:
    assert missing(regulation_id) == []


LINTED = {"refused_tables", "refused_multipliers", "refused_rows", "refused_tiers", "refused_regulations"}
"""Tables that no text has: what is wrong with them is a rule of the regulation file, not of a text."""
PINNED = {"pinned"}
"""Whole rounds drawn before, held so that a published draw can always be replayed."""


def cases() -> Iterator[Any]:
    """Every case of every file; a file whose cases are all of one clause or specification says so once."""
    for name, document in FILES.items():
        if name == "regulation_a" or {"clause", "specification"} & set(document):
            continue
        for key, listed in document.items():
            if key in LINTED | PINNED or not isinstance(listed, list):
                continue
            for number, case in enumerate(listed):
                if isinstance(case, dict):
                    yield pytest.param(case, id=f"{name} {key} {number}")


@pytest.mark.parametrize("case", list(cases()))
def test_every_case_names_its_clause(case: dict[str, Any]) -> None:
    assert re.search(r"[\u4e00-\u9fff]|I-[A-D]-\d", case["clause"])


README = (GOLDEN / "README.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (I-[A-D]-\d+) \| (.*) \| (.*) \|$", re.MULTILINE)


def test_the_table_has_a_row_for_every_interpretation_with_its_options() -> None:
    rows = {number: options for number, options, _ in ROW.findall(README)}
    readings = [each for name in library.shipped() for each in library.load(name).interpretations]
    assert set(rows) == {each.id for each in readings}
    for each in readings:
        family = each.option.partition("_")[2]
        assert f"`{each.option}`" in rows[each.id] or f"`first_{family}` …" in rows[each.id], each.option


LISTS = re.compile(r"`(\w+)\.json`((?:,? \w+\b)*)")


def test_the_table_names_lists_and_tests_that_exist() -> None:
    for line in README.splitlines():
        for path in re.findall(r"`(tests/[\w/.]+)`", line):
            assert (ROOT / path).exists(), path
        for name, lists in LISTS.findall(line):
            assert name in FILES, line
            for listed in re.findall(r"\w+", lists):
                assert listed in FILES[name], (name, listed)
    assert len(FILES) == len({name for name in FILES if f"`{name}.json`" in README} | {"regulation_a"})


def named_in(case: Any) -> set[str]:
    """The interpretations a case names, and the options it sets."""
    found: set[str] = set()
    for part in objects(case):
        for key in ("clause", "name", "reading"):
            words = str(part.get(key, ""))
            found |= set(re.findall(r"I-[A-D]-\d+", words))
            found |= {
                f"I-{letter}-{number}"
                for letter, first, last in re.findall(r"I-([A-D])-(\d+) … I-[A-D]-(\d+)", words)
                for number in range(int(first), int(last) + 1)
            }
        options = part.get("options", {})
        found |= {*part, *options, str(part.get("option"))}
        found |= {key for value in options.values() if isinstance(value, dict) for key in value}
    return found


@pytest.mark.parametrize(("number", "options", "cell"), ROW.findall(README))
def test_each_list_of_a_row_has_a_case_of_that_interpretation(number: str, options: str, cell: str) -> None:
    wanted = {number, *re.findall(r"`(\w+)`", options)}
    for name, lists in LISTS.findall(cell):
        whole = set(re.findall(r"I-[A-D]-\d+", str(FILES[name].get("clause"))))
        parts = [FILES[name][listed] for listed in re.findall(r"\w+", lists)] or [[FILES[name]]]
        for part in parts:
            assert any(wanted & (whole | named_in(case)) for case in part), (name, lists)
    assert LISTS.search(cell) or re.match(r"(not scoring|pairing): ", cell)
