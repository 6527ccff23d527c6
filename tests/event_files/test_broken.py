"""Event files that cannot be used: the command line names the place in a Chinese sentence, exits with 2 and prints nothing."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from app.cli import cli
from app.regulations import library
from tests.event_files.corpus import WHOLE
from tests.event_files.mutations import Change, Place, mutated

BROKEN = json.loads((Path(__file__).parent / "broken.json").read_text(encoding="utf-8"))


def place_of(path: str) -> Place:
    """`$.stages[0].code` as `("stages", 0, "code")`."""
    steps = re.findall(r"\.(\w+)|\[(\d+)\]", path)
    assert "".join(f".{key}" if key else f"[{index}]" for key, index in steps) == path.removeprefix("$")
    return tuple(key or int(index) for key, index in steps)


def document_of(case: dict[str, Any]) -> Any:
    document = WHOLE[case["of"]]
    place = place_of(case["at"])
    return mutated(document, Change(place, case.get("set"), missing="set" not in case))


def run(command: str, text: str | bytes) -> Result:
    return CliRunner().invoke(cli, [command, "-"], input=text)


def refused_by(result: Result, case: dict[str, Any]) -> None:
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    lines = result.stderr.splitlines()
    assert all(re.match(r"(\$|-)[^:]*: .*[\u4e00-\u9fff].*。", line) for line in lines), lines
    said = [line for line in lines if re.match(re.escape(case["path"]) + "(（.+）)?: ", line)]
    assert any(case["says"] in line for line in said), lines


def text_of(case: dict[str, Any]) -> str | bytes:
    if "bytes" in case:
        return bytes.fromhex(case["bytes"])
    text: str = case["text"] * case.get("times", 1)
    return text


@pytest.mark.parametrize("command", ["score", "verify", "pair"])
@pytest.mark.parametrize("case", BROKEN["changed"], ids=lambda case: f"{case['of']} {case['name']}")
def test_a_broken_file_is_refused_at_its_path(case: dict[str, Any], command: str) -> None:
    refused_by(run(command, json.dumps(document_of(case), ensure_ascii=False)), case)


@pytest.mark.parametrize("command", ["score", "verify", "pair"])
@pytest.mark.parametrize("case", BROKEN["texts"], ids=lambda case: case["name"])
def test_what_is_no_exact_json_object_is_refused(case: dict[str, Any], command: str) -> None:
    refused_by(run(command, text_of(case)), case)


def with_whole_regulations(document: dict[str, Any]) -> dict[str, Any]:
    """The file with its earlier versions in full, in the place of the ids of whole.json."""
    text = json.dumps(document, ensure_ascii=False)
    for each in document.get("earlier_regulations", ()):
        regulation = library.load(each["regulation"]["id"])
        text = text.replace(json.dumps(each["regulation"]), regulation.canonical)
        text = text.replace(each["sha256"], regulation.sha256)
    found: dict[str, Any] = json.loads(text)
    return found


@pytest.mark.parametrize("name", WHOLE)
def test_each_file_is_right_before_it_is_broken(name: str) -> None:
    result = run("verify", json.dumps(with_whole_regulations(WHOLE[name]), ensure_ascii=False))
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["verified"]


def test_an_earlier_version_that_is_not_the_one_it_says_is_refused() -> None:
    document = with_whole_regulations(WHOLE["versions"])
    document["earlier_regulations"][0]["regulation"]["calendar"]["play_to"]["at"] = "2021-06-14"
    result = run("verify", json.dumps(document, ensure_ascii=False))
    assert result.exit_code == 2
    assert "$.earlier_regulations[0].sha256: 这不是所附规程的 SHA-256" in result.stderr


def test_every_problem_is_told_in_one_go() -> None:
    document = WHOLE["landlord"]
    for place, value in (
        (("entrants", 9, "id"), "e1"),
        (("options", "semifinal_grouping"), "zigzag"),
        (("stages", 0, "rounds", 0, "tables", 0, "deals", 0, "bid"), 4),
        (("adjustments", 0, "rule"), "whistling"),
        (("draws", 0, "seed"), "xyz"),
    ):
        document = mutated(document, Change(place, value))
    result = run("score", json.dumps(document, ensure_ascii=False))
    named = [line.partition(": ")[0] for line in result.stderr.splitlines()]
    assert set(named) >= {
        "$.entrants[9].id",
        "$.options.semifinal_grouping",
        "$.stages[0].rounds[0].tables[0].deals[0].bid",
        "$.adjustments[0].rule",
        "$.draws[0].seed",
    }


def test_every_game_and_every_kind_of_fault_is_among_the_cases() -> None:
    assert {case["of"] for case in BROKEN["changed"]} == set(WHOLE)
    assert len(BROKEN["changed"]) + len(BROKEN["texts"]) >= 100
