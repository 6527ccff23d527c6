"""`saishi verify`: status 0 where everything follows, 1 where something differs, 2 where the file is unusable."""

import json
import random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from app.cli import cli
from tests.factories import event_files
from tests.scoring_engine import swiss_events


def run(name: str, document: Any, *options: str) -> Result:
    return CliRunner().invoke(cli, [name, "-", *options], input=json.dumps(document))


def published(document: dict[str, Any]) -> dict[str, Any]:
    placings = json.loads(run("score", document).stdout)["placings"]
    return document | {"published": {"placings": placings}}


def test_a_file_whose_published_ranks_follow_from_it_verifies() -> None:
    result = run("verify", published(event_files.played()))
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout) == {
        "format": "saishi-verify",
        "version": 1,
        "verified": True,
        "differences": [],
        "notes": [],
    }


def test_a_rank_that_does_not_follow_is_listed_and_the_status_is_1() -> None:
    document = published(event_files.played())
    document["published"]["placings"][0]["rank"] = 3
    result = run("verify", document)
    assert result.exit_code == 1
    answer = json.loads(result.stdout)
    assert answer["verified"] is False
    assert answer["differences"][0]["path"].startswith("$.published.placings")


def test_published_numbers_may_be_written_as_json_numbers() -> None:
    document = published(event_files.played())
    for placing in document["published"]["placings"]:
        for value in placing["values"]:
            written = value["value"]
            value["value"] = float(written) if isinstance(written, str) else [float(each) for each in written]
    result = run("verify", document)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("value", [2.5, [2.5, "3.25"], "2.5", None])
def test_a_published_value_that_does_not_follow_is_a_difference_in_decimal_strings(value: Any) -> None:
    document = published(event_files.played())
    document["published"]["placings"][0]["values"][0]["value"] = value
    result = run("verify", document)
    assert result.exit_code == 1, result.output
    found = json.loads(result.stdout)["differences"][0]
    assert found["path"] == "$.published.placings[0].values"
    assert found["found"][0]["value"] in ("2.5", ["2.5", "3.25"], None)


@pytest.mark.parametrize("value", ["2_0", "２０", True, {"x": 2.5}, [[2.5]]])
def test_a_published_value_that_is_no_number_is_refused_with_its_path(value: Any) -> None:
    document = published(event_files.played())
    document["published"]["placings"][0]["values"][0]["value"] = value
    result = run("verify", document)
    assert result.exit_code == 2
    assert "$.published.placings[0].values[0].value" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_drawn_round_is_replayed_from_its_seed() -> None:
    drawn = json.loads(run("pair", event_files.event(), "--seed", "00ff").stdout)
    assert len(drawn["tables"]) == 4
    again = json.loads(run("pair", event_files.event(), "--seed", "00ff").stdout)
    assert again == drawn


def test_an_unusable_file_is_status_2() -> None:
    result = run("verify", event_files.event(version=9))
    assert result.exit_code == 2
    assert "$.version" in result.stderr


def test_a_rematch_is_noted_and_leaves_the_file_verified() -> None:
    document = swiss_events.made(
        {"regulation": swiss_events.XIANGQI, "entrants": ["e1", "e2"], "rounds": ["1+2", "2+1"]}
    )
    result = run("verify", document)
    assert result.exit_code == 0
    (note,) = json.loads(result.stdout)["notes"]
    assert (note["path"], note["rule"]) == ("$.stages[0].rounds[1].tables[0]", "rematch")
    assert note["message"]


def test_a_seat_changed_after_a_swiss_draw_is_listed_at_its_round() -> None:
    document = swiss_events.start(swiss_events.TRACTOR, 12, random.Random(1))
    swiss_events.add_round(document, b"\x07", random.Random(2))
    assert run("verify", document).exit_code == 0
    one, other = document["stages"][0]["rounds"][0]["tables"][:2]
    one["number"], other["number"] = other["number"], one["number"]
    result = run("verify", document)
    assert result.exit_code == 1
    (difference,) = json.loads(result.stdout)["differences"]
    assert difference["path"] == "$.stages[0].rounds[0].tables"
