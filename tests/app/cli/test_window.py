"""`saishi window`: publication windows in official working days (golden rows "Windows")."""

import json

import pytest
from click.testing import CliRunner, Result

from app.cli import cli
from app.workdays.official import official_calendar


def window(closes: str, workdays: str = "5", *options: str) -> Result:
    return CliRunner().invoke(cli, ["window", "--closes", closes, "--workdays", workdays, *options])


def test_the_window_of_regulation_a() -> None:
    result = window("2021-10-31T18:00")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "first_day": "2021-11-01",
        "last_day": "2021-11-05",
        "ends": "2021-11-06T00:00:00+08:00",
        "days": ["2021-11-01", "2021-11-02", "2021-11-03", "2021-11-04", "2021-11-05"],
    }


@pytest.mark.parametrize(
    ("closes", "last_day"),
    [
        ("2021-09-30T18:00", "2021-10-13"),
        ("2021-04-30T18:00", "2021-05-11"),
        ("2021-02-09T18:00", "2021-02-22"),
        ("2023-10-18T17:00", "2023-10-25"),
        ("2024-12-31T18:00", "2025-01-08"),
        ("2021-10-31", "2021-11-05"),
        ("2021-10-31T24:00", "2021-11-05"),
        ("2021-10-31T10:00:00+00:00", "2021-11-05"),
        ("2021-10-31T16:00:00Z", "2021-11-08"),  # Monday in Beijing already
    ],
)
def test_deadlines_as_people_write_them(closes: str, last_day: str) -> None:
    assert json.loads(window(closes).stdout)["last_day"] == last_day


def test_the_deadline_day_can_be_counted() -> None:
    assert json.loads(window("2021-11-05T18:00", "1", "--count-deadline-day").stdout)["days"] == [
        "2021-11-05"
    ]


def test_an_unknown_year_is_named_with_the_page_to_enter_it() -> None:
    last = max(official_calendar().years)
    result = window(f"{last}-12-31T18:00")
    assert result.exit_code == 2
    assert str(last + 1) in result.stderr
    assert "/staff/workdays" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("closes", ["tomorrow", "2021-02-30T18:00", "2021-13-01", "", "9999-12-31T18:00"])
def test_a_deadline_that_is_no_known_time_is_a_sentence(closes: str) -> None:
    result = window(closes)
    assert result.exit_code == 2
    assert result.stderr.strip()
    assert "Traceback" not in result.output


@pytest.mark.parametrize("workdays", ["0", "-1", "five", "1.5"])
def test_the_number_of_days_is_a_positive_whole_number(workdays: str) -> None:
    assert window("2021-10-31T18:00", workdays).exit_code == 2
