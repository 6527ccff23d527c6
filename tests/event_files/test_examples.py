"""The example of each game, as an outsider runs it: the command's placings are those its README states."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli import cli
from scoring_engine.rules import GAMES
from tests.event_files.corpus import EXAMPLES, rules_of

ROWS = re.findall(
    r"^\| `([\w-]+\.json)` \| .* \| (.*) \|$",
    (EXAMPLES / "README.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


def files() -> list[Path]:
    return sorted(EXAMPLES.glob("*.json"))


@pytest.mark.parametrize(("name", "placings"), ROWS, ids=[name for name, _ in ROWS])
def test_an_example_comes_out_as_its_row_says(name: str, placings: str) -> None:
    answered = CliRunner().invoke(cli, ["score", str(EXAMPLES / name)])
    assert answered.exit_code == 0, answered.output
    shown = [f"{placing['rank']} {placing['entrant']}" for placing in json.loads(answered.output)["placings"]]
    assert ", ".join(shown) == placings


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_nothing_in_an_example_differs_from_what_follows_from_it(path: Path) -> None:
    assert CliRunner().invoke(cli, ["verify", str(path)]).exit_code == 0


def test_every_game_in_every_format_has_an_example_and_every_example_a_row() -> None:
    assert [path.name for path in files()] == sorted(name for name, _ in ROWS)
    rules = [rules_of(json.loads(path.read_text(encoding="utf-8"))) for path in files()]
    assert {(each.game, each.format) for each in rules} == {
        (game, format_) for game, formats in GAMES.items() for format_ in formats
    }
