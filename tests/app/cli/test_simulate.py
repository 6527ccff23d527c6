"""`saishi simulate` before it reaches an instance; whole events are played in `tests/journeys/test_simulate.py`."""

import pytest
from click.testing import CliRunner, Result

from app.cli import cli
from tests.services import free_port


def simulate(*options: str) -> Result:
    given = {"--regulation": "dongcheng-go-2021", "--entrants": "20", "--seed": "1"}
    given |= dict(zip(options[::2], options[1::2], strict=True))
    return CliRunner().invoke(cli, ["simulate", *(part for pair in given.items() for part in pair)])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--regulation", "nothing"), "dongcheng-go-2021"),
        (("--url", "ftp://127.0.0.1"), "http://"),
        (("--entrants", "2"), "3<=x<=300"),
    ],
)
def test_what_cannot_be_played_is_refused_with_what_is_allowed(options: tuple[str, str], said: str) -> None:
    refused = simulate(*options)
    assert refused.exit_code == 2
    assert said in refused.stderr


def test_an_instance_that_does_not_answer_is_named() -> None:
    address = f"http://127.0.0.1:{free_port()}"
    refused = simulate("--url", address)
    assert refused.exit_code == 2
    assert f"{address}: 连不上" in refused.stderr
