"""`saishi regulations check`: every shipped file passes, and broken copies of each are refused, all faults at once."""

import copy
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner, Result

from app.cli import cli
from app.regulations import library
from app.regulations.library import FOLDER

FILES = sorted(FOLDER.glob("*/*.toml"))
LINE = re.compile(r"-: (\$[\w.\[\]]*)(?:（.+?）)?: .*[\u4e00-\u9fff].*。")
Break = Callable[[dict[str, Any]], Any]


def check(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["regulations", "check", *arguments], input=text)


def refused(document: dict[str, Any]) -> dict[str, str]:
    """The lines about a document, by path."""
    result = check("-", text=json.dumps(document, ensure_ascii=False))
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    found = {}
    for line in result.stderr.splitlines():
        matched = LINE.fullmatch(line)
        assert matched, line
        found[matched[1]] = line
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_shipped_file_passes(path: Any) -> None:
    result = check(str(path))
    assert (result.exit_code, result.stderr) == (0, "")


# (what is done, where it is noticed, what the line says: what is allowed, or what is missing)
BREAKS: list[tuple[str, Break, str, str]] = [
    ("no clause", lambda d: d["ranking"][0].pop("clause"), "$.ranking[0].clause", "缺少出处 clause"),
    ("no clause of the scoring", lambda d: d["scoring"].pop("clause"), "$.scoring.clause", "缺少出处 clause"),
    (
        "unknown rule",
        lambda d: d["eligibility"][0].update(rule="tall"),
        "$.eligibility[0].rule",
        "没有规则“tall”",
    ),
    (
        "unknown criterion",
        lambda d: d["ranking"][0].update(criterion="luck"),
        "$.ranking[0].criterion",
        "match_points|total_points|round_reached",
    ),
    (
        "wrong direction",
        lambda d: d["ranking"][0].update(direction="low"),
        "$.ranking[0].direction",
        "的方向是 high",
    ),
    ("criterion twice", lambda d: d["ranking"].append(d["ranking"][0]), "", "重复|round_reached"),
    (
        "unknown effect",
        lambda d: d["penalties"][0].update(effect="shame"),
        "$.penalties[0].effect",
        "none|points、",
    ),
    ("unknown kind of stage", lambda d: d["stages"][0].update(kind="ladder"), "$.stages[0].kind", "应为"),
    ("unknown option", lambda d: d.update(options={"mood": "good"}), "$.options.mood", "mood"),
    (
        "default not allowed",
        lambda d: d["interpretations"][0].update(default="perhaps"),
        "$.interpretations[0].default",
        "",
    ),
    ("unknown key", lambda d: d["stages"][0].update(colour="red"), "$.stages[0].colour", "没有这个键"),
]


@pytest.mark.parametrize("regulation_id", library.shipped())
@pytest.mark.parametrize(
    ("broken", "place", "says"), [each[1:] for each in BREAKS], ids=[each[0] for each in BREAKS]
)
def test_a_broken_copy_is_refused_at_its_key_with_what_is_allowed(
    regulation_id: str, broken: Break, place: str, says: str
) -> None:
    document = library.load(regulation_id).document
    broken(document)
    place = place or f"$.ranking[{len(document['ranking']) - 1}].criterion"
    lines = refused(document)
    assert place in lines, lines
    assert re.search(says, lines[place])


@pytest.mark.parametrize("regulation_id", ["baiyun-tractor-2016", "siming-eighty-2023"])
@pytest.mark.parametrize(
    ("key", "by"),
    [("from", 5), ("from", -5), ("from", 2), ("levels", 9)],
    ids=["a gap", "an overlap", "no multiple of 5", "a jump of levels"],
)
def test_a_level_table_that_does_not_cover_every_score_once_is_refused(
    regulation_id: str, key: str, by: int
) -> None:
    document = library.load(regulation_id).document
    document["scoring"]["levels"]["rows"][2][key] += by
    lines = refused(document)
    assert lines
    assert all(path.startswith("$.scoring.levels") for path in lines), lines


@pytest.mark.parametrize("regulation_id", library.shipped())
def test_all_that_is_wrong_is_told_at_once_each_with_its_clause(regulation_id: str) -> None:
    whole = library.load(regulation_id).document
    document = copy.deepcopy(whole)
    document["ranking"][0]["criterion"] = "luck"
    document["penalties"][0]["effect"] = "shame"
    document["prizes"][0].pop("label")
    lines = refused(document)
    assert {"$.prizes[0].label", "$.ranking[0].criterion", "$.penalties[0].effect"} <= set(lines)
    assert whole["prizes"][0]["clause"] in lines["$.prizes[0].label"]
