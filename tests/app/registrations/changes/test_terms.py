"""What a text allows after its deadline, at its first and last second."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from app.registrations.rules import EntryState
from app.registrations.rules.changes import (
    ChangeKind,
    ChangesClosedError,
    ChangesNotAllowedError,
    EntriesStillOpenError,
    reason_problems,
    shown_state,
    terms_of,
)
from app.regulations import library
from app.regulations.rules import Regulation
from app.text import BEIJING

CLOSES = datetime(2021, 10, 31, 18, 0, tzinfo=BEIJING)
LATE = CLOSES + timedelta(seconds=1)
SECOND = timedelta(seconds=1)


def text(**changes: Any) -> Regulation:
    """Regulation A, saying this of changes; nothing where it is None."""
    document = library.load("beach-games-landlord-2021").document
    for key, value in changes.items():
        if value is None:
            del document["registration"]["changes"]
            break
        document["registration"]["changes"][key] = value
    return Regulation.from_document(document)


BY_APPLICATION = text()
STILL_OPEN = text(after_deadline=True)
NONE = text(by_written_application=False)
SILENT = text(anything=None)
COMING = [ChangeKind.ADD, ChangeKind.REPLACE, ChangeKind.CORRECT]


@pytest.mark.parametrize("kind", ChangeKind)
def test_until_the_last_second_of_the_deadline_nobody_applies(kind: ChangeKind) -> None:
    for moment in (CLOSES - SECOND, CLOSES, CLOSES + timedelta(microseconds=999_999)):
        terms = terms_of(BY_APPLICATION, kind, moment, drawn=False)
        assert isinstance(terms.refusal, EntriesStillOpenError)
        assert terms.refusal.clause == "三(三)1"
    assert terms_of(BY_APPLICATION, kind, LATE, drawn=False).refusal is None


@pytest.mark.parametrize("kind", COMING)
def test_a_change_needs_reason_and_letter_where_the_text_says_written(kind: ChangeKind) -> None:
    terms = terms_of(BY_APPLICATION, kind, LATE, drawn=False)
    assert terms.written
    assert not terms.at_once
    problems = reason_problems(terms, " ", 0)
    assert {name: problem.clause for name, problem in problems.items()} == {  # type: ignore[attr-defined]  # Cited
        "reason": "三(四)2",
        "uploads": "三(四)2",
    }
    open_ = terms_of(STILL_OPEN, kind, LATE, drawn=False)
    assert not open_.written
    assert reason_problems(open_, "", 0) == {}


@pytest.mark.parametrize("kind", COMING)
@pytest.mark.parametrize(("regulation", "clause"), [(NONE, "三(四)2"), (SILENT, "三(三)1")])
def test_a_text_that_allows_or_says_nothing_refuses_with_its_clause(
    kind: ChangeKind, regulation: Regulation, clause: str
) -> None:
    refusal = terms_of(regulation, kind, LATE, drawn=False).refusal
    assert isinstance(refusal, ChangesNotAllowedError)
    assert refusal.clause == clause


@pytest.mark.parametrize("regulation_id", library.shipped())
def test_every_shipped_text_lets_who_will_not_play_withdraw_at_once(regulation_id: str) -> None:
    regulation = library.load(regulation_id)
    moment = regulation.calendar.registration_closes + SECOND
    terms = terms_of(regulation, ChangeKind.WITHDRAW, moment, drawn=False)
    assert (terms.refusal, terms.at_once, terms.written) == (None, True, False)


def test_by_the_other_reading_a_withdrawal_is_a_change_like_the_others() -> None:
    strict = BY_APPLICATION.with_changes(options={"late_withdrawal": "by_application"})
    terms = terms_of(strict, ChangeKind.WITHDRAW, LATE, drawn=False)
    assert (terms.refusal, terms.at_once, terms.written) == (None, False, True)


def test_once_drawn_only_a_withdrawal_is_taken_and_the_committee_passes_it_on() -> None:
    for kind in COMING:
        refusal = terms_of(BY_APPLICATION, kind, LATE, drawn=True).refusal
        assert isinstance(refusal, ChangesClosedError)
        assert refusal.clause == "三(四)2"
    terms = terms_of(BY_APPLICATION, ChangeKind.WITHDRAW, LATE, drawn=True)
    assert (terms.refusal, terms.at_once) == (None, False)


def test_after_the_last_day_of_play_nothing_is_taken() -> None:
    last = datetime(2021, 12, 5, 23, 59, 59, tzinfo=BEIJING)
    assert terms_of(BY_APPLICATION, ChangeKind.WITHDRAW, last, drawn=True).refusal is None
    over = terms_of(BY_APPLICATION, ChangeKind.WITHDRAW, last + SECOND, drawn=True).refusal
    assert isinstance(over, ChangesClosedError)


@pytest.mark.parametrize(
    ("state", "published", "late", "shown"),
    [
        (EntryState.DRAFT, None, True, "applied"),
        (EntryState.DRAFT, None, False, "draft"),
        (EntryState.APPROVED, "to_be_published", True, "to_be_published"),
        (EntryState.APPROVED, None, True, "approved"),
        (EntryState.APPROVED, "in_publication", True, "in_publication"),
        (EntryState.APPROVED, "confirmed", False, "confirmed"),
        (EntryState.APPROVED, None, False, "approved"),
        (EntryState.REJECTED, "to_be_published", True, "rejected"),
        (EntryState.WITHDRAWN, "in_publication", False, "withdrawn"),
    ],
)
def test_of_an_approved_entry_the_lists_say_how_it_is_shown(
    state: EntryState, published: str | None, late: bool, shown: str
) -> None:
    assert shown_state(state, published, late=late) == shown
