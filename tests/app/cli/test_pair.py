"""`saishi pair`: the next round from a seed."""

import json
import random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from app.cli import cli
from tests.factories import event_files
from tests.scoring_engine import swiss_events


def pair(document: Any, *options: str) -> Result:
    return CliRunner().invoke(cli, ["pair", "-", *options], input=json.dumps(document))


@pytest.mark.parametrize(
    ("entrants", "tables", "direct"), [(9, 3, 0), (10, 3, 1), (11, 3, 2), (12, 4, 0), (31, 10, 1)]
)
def test_the_preliminary_is_drawn_into_threes_with_the_rest_direct(
    entrants: int, tables: int, direct: int
) -> None:
    result = pair(event_files.event(entrants), "--seed", "c0ffee")
    assert result.exit_code == 0, result.stderr
    answer = json.loads(result.stdout)
    assert (len(answer["tables"]), len(answer["byes"])) == (tables, direct)
    seated = [entrant for table in answer["tables"] for entrant in table["entrants"]] + answer["byes"]
    assert sorted(seated) == sorted(f"e{n}" for n in range(1, entrants + 1))
    assert answer["seed"] == "c0ffee"
    assert answer["proof"]


def test_the_same_seed_gives_the_same_draw_and_another_seed_another() -> None:
    first, again = pair(event_files.event(), "--seed", "01"), pair(event_files.event(), "--seed", "01")
    other = pair(event_files.event(), "--seed", "02")
    assert first.stdout == again.stdout
    assert json.loads(first.stdout)["tables"] != json.loads(other.stdout)["tables"]


def test_fewer_than_nine_entrants_ask_for_a_ruling() -> None:
    answer = json.loads(pair(event_files.event(8), "--seed", "01").stdout)
    assert answer["tables"] == []
    assert answer["report"]["needs_ruling"]["clause"]


def test_a_played_preliminary_leads_to_the_semifinal_of_nine() -> None:
    answer = json.loads(pair(event_files.played(), "--seed", "01").stdout)
    assert answer["report"]["needs_ruling"] or len(answer["tables"]) == 3


@pytest.mark.parametrize("seed", ["xyz", "0", "", "0 1", "０１"])
def test_a_seed_that_is_no_hexadecimal_text_is_refused(seed: str) -> None:
    result = pair(event_files.event(), "--seed", seed)
    assert result.exit_code == 2
    assert result.stderr.startswith("--seed: ")


@pytest.mark.parametrize("regulation", swiss_events.REGULATIONS)
def test_a_swiss_event_is_paired_with_a_reason_for_every_table(regulation: str) -> None:
    document = swiss_events.start(regulation, 24, random.Random(1))
    swiss_events.add_round(document, b"\x07", random.Random(2))
    result = pair(document, "--seed", "c0ffee")
    assert result.exit_code == 0, result.stderr
    answer = json.loads(result.stdout)
    assert (answer["round"], answer["seed"]) == (2, "c0ffee")
    numbers = [table["number"] for table in answer["tables"]]
    assert (
        numbers
        == list(range(1, len(numbers) + 1))
        == [each["number"] for each in answer["report"]["reasons"]]
    )
