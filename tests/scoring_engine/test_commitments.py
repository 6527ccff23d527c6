"""Commit and reveal in the event file: what fits verifies, what does not is a difference at its path."""

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_engine import event_file
from scoring_engine.pairing.commitments import commitment_of, entrants_sha256, mixed_seed, normal_contribution
from tests.scoring_engine.events import RULES, event

SECRET = bytes(range(32))
WORDS = "福利彩票 2021130 期：01 05 11"
AT = "2021-11-06T09:00:00+08:00"


def committed_draw(said: str | None = WORDS, /, **changes: Any) -> dict[str, Any]:
    """An event of eleven whose prelim was drawn from a seed that had been committed to."""
    seed = mixed_seed(SECRET, said)
    drawn = event_file.pair(event(11), RULES, seed)
    entrants = [f"e{number}" for number in range(1, 12)]
    draw = {key: drawn[key] for key in ("stage", "round", "seed", "tables", "byes", "proof")}
    draw |= {
        "entrants": entrants,
        "commitment": hashlib.sha256(SECRET).hexdigest(),
        "committed_at": AT,
        "entrants_sha256": entrants_sha256(entrants),
    }
    if said:
        draw |= {"committed_seed": SECRET.hex(), "contribution": said}
    draw |= changes
    return event(11, draws=[{key: value for key, value in draw.items() if value is not None}])


def paths(document: dict[str, Any]) -> list[str]:
    return [difference.path for difference in event_file.verify(document, RULES)]


@pytest.mark.parametrize("contribution", [None, WORDS])
def test_a_draw_that_was_committed_to_verifies(contribution: str | None) -> None:
    assert paths(committed_draw(contribution)) == []
    assert event_file.verify_draw(committed_draw(contribution), RULES, "prelim", 1) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"commitment": "0" * 64}, ["$.draws[0].commitment"]),
        ({"contribution": WORDS + "2"}, ["$.draws[0].seed"]),
        ({"committed_seed": "ff" * 32}, ["$.draws[0].commitment", "$.draws[0].seed"]),
        ({"entrants_sha256": "1" * 64}, ["$.draws[0].entrants_sha256"]),
        ({"contribution": None}, ["$.draws[0].seed"]),
    ],
)
def test_what_does_not_fit_the_commitment_is_a_difference(changes: Any, expected: list[str]) -> None:
    document = committed_draw(**changes)
    assert paths(document) == expected
    assert [each.path for each in event_file.verify_draw(document, RULES, "prelim", 1)] == expected


def test_another_seed_than_the_committed_one_is_found_although_its_tables_replay() -> None:
    seed = "aa" * 32
    drawn = event_file.pair(event(11), RULES, bytes.fromhex(seed))
    document = committed_draw(**{key: drawn[key] for key in ("seed", "tables", "byes", "proof")})
    assert paths(document) == ["$.draws[0].seed"]


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"commitment": "0" * 63}, "$.draws[0].commitment"),
        ({"commitment": "G" * 64}, "$.draws[0].commitment"),
        ({"commitment": 7}, "$.draws[0].commitment"),
        ({"committed_at": None}, "$.draws[0].committed_at"),
        ({"committed_at": "2021-11-06T09:00:00"}, "$.draws[0].committed_at"),
        ({"committed_at": "yesterday"}, "$.draws[0].committed_at"),
        ({"committed_seed": "xy"}, "$.draws[0].committed_seed"),
        ({"committed_seed": None}, "$.draws[0].committed_seed"),
        ({"contribution": "  "}, "$.draws[0].contribution"),
        ({"entrants_sha256": "short"}, "$.draws[0].entrants_sha256"),
        ({"commitment": None}, "$.draws[0].committed_at"),
    ],
)
def test_a_malformed_commitment_is_refused_at_its_path(changes: Any, path: str) -> None:
    with pytest.raises(event_file.EventFileError) as refused:
        event_file.verify(committed_draw(**changes), RULES)
    assert path in [problem.path for problem in refused.value.problems]


def test_a_draw_of_before_commitments_existed_stays_valid() -> None:
    gone = ("commitment", "committed_at", "committed_seed", "contribution", "entrants_sha256")
    assert paths(committed_draw(None, **dict.fromkeys(gone))) == []


def test_a_round_that_was_not_drawn_cannot_be_replayed() -> None:
    with pytest.raises(LookupError):
        event_file.verify_draw(committed_draw(), RULES, "prelim", 2)


def test_without_a_contribution_the_committed_seed_is_the_seed() -> None:
    assert mixed_seed(SECRET, None) == mixed_seed(SECRET, "") == SECRET


@given(secret=st.binary(min_size=16, max_size=64), one=st.text(min_size=1), other=st.text(min_size=1))
def test_every_contribution_gives_another_seed(secret: bytes, one: str, other: str) -> None:
    one, other = normal_contribution(one), normal_contribution(other)
    assert (mixed_seed(secret, one) == mixed_seed(secret, other)) == (one == other)
    assert commitment_of(secret) == hashlib.sha256(secret).hexdigest()


@pytest.mark.parametrize(
    ("written", "published"),
    [("  01 05\n11\t23 ", "01 05 11 23"), ("\u3000开\u3000始\u3000", "开 始"), ("e\u0301", "é"), (" \n", "")],
)
def test_white_space_and_composition_do_not_change_a_contribution(written: str, published: str) -> None:
    assert normal_contribution(written) == published
    assert normal_contribution(published) == published
