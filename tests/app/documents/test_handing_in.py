"""Handing in a document, correcting it, taking it back: who may, until when, and what stays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from flask import current_app
from sqlalchemy import func, select

from app.actors import Actor
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.documents import queries, service
from app.documents.models import DocumentPage
from app.documents.queries import DocumentView
from app.documents.rules import (
    BeingReviewedError,
    DayRefusedError,
    DocumentRefusedError,
    DocumentState,
    HandInClosedError,
    NothingToWithdrawError,
    NotRequiredError,
    Subject,
    UnknownDocumentError,
)
from app.documents.service import review
from app.errors import ForbiddenError, SaishiError, SignInRequiredError
from app.registrations.rules import ConsentMissingError, UnitMissingError
from app.text import BEIJING
from app.uploads.models import StoredFile
from app.uploads.rules import refusals as upload_refusals
from tests.factories import accounts, documents, registrations, uploads

Travel = Callable[[datetime], None]
LATE = datetime(2021, 11, 20, 12, 0, tzinfo=BEIJING)
CHECKED = {"issued_on": "2021-10-20"}


@pytest.fixture
def leader(session: Any) -> Actor:
    registrations.competition()
    return registrations.submitted(members=2)


@pytest.fixture
def photo(leader: Actor, tmp_path: Path) -> Callable[..., str]:
    """The token of another cleaned photo of the leader's, or of somebody else's."""

    def make(serial: int = 1, by: Actor | None = None) -> str:
        return uploads.ready(by or leader, "beach", tmp_path, uploads.photo(serial)).token

    return make


def subject_of(person: Actor) -> str:
    return str(Subject(member_id=documents.first_member(person)))


def hand_in(
    person: Actor,
    tokens: Sequence[str],
    values: Mapping[str, str] | None = None,
    kind: str = "medical_certificate",
    *,
    subject: str = "",
    key: str = "key-00000001",
) -> DocumentView:
    with command(person) as ctx:
        made = service.hand_in(
            ctx,
            slug="beach",
            subject=subject or subject_of(person),
            kind=kind,
            tokens=tokens,
            values=CHECKED if values is None else values,
            idempotency_key=key,
        )
    return queries.document(made)


def send_back(document: DocumentView, *places: str) -> None:
    committee = registrations.committee()
    with command(committee) as ctx:
        review.claim(ctx, slug="beach", document_id=document.id)
    with command(committee) as ctx:
        review.decide(
            ctx,
            slug="beach",
            document_id=document.id,
            kind=review.DecisionKind.NEEDS_CHANGES,
            revision=document.newest.number,
            reasons={
                place: review.Written("differs" if place != "pages" else "unreadable") for place in places
            },
            address="/",
        )


def test_a_document_is_stored_with_its_pictures_values_and_version(
    leader: Actor, photo: Callable[..., str]
) -> None:
    first, second = photo(1), photo(2)
    made = hand_in(leader, [second, first], {"issued_on": "2021年10月20日", "issuer": " 示例  医院 "})
    assert (made.state, made.newest.number) == (DocumentState.UPLOADED, 1)
    assert [page.token for page in made.uploads] == [second, first]
    assert made.newest.values == {"issued_on": "2021-10-20", "issuer": "示例 医院"}
    assert made.newest.handed_in_by_id == leader.user_id


def test_what_was_typed_and_the_files_stand_in_no_audit_entry(
    leader: Actor, photo: Callable[..., str], session: Any
) -> None:
    token = photo()
    hand_in(leader, [token], {"issued_on": "2021-10-20", "issuer": "示例医院"})
    details = session.scalars(
        select(AuditEntry.details).where(AuditEntry.action == "document.handed_in")
    ).one()
    assert (details["kind"], details["revision"], details["files"]) == ("medical_certificate", 1, 1)
    assert "示例医院" not in str(details)
    assert token not in str(details)


def test_the_same_key_again_is_the_same_handing_in(leader: Actor, photo: Callable[..., str]) -> None:
    token = photo()
    assert hand_in(leader, [token]) == hand_in(leader, [token])


def test_a_new_revision_stands_beside_the_older_one(leader: Actor, photo: Callable[..., str]) -> None:
    hand_in(leader, [photo(1)])
    made = hand_in(leader, [photo(2)], {"issued_on": "2021-10-21"}, key="key-00000002")
    assert [revision.values["issued_on"] for revision in made.revisions] == ["2021-10-21", "2021-10-20"]
    assert len(made.newest.uploads) == 1


def test_what_is_wrong_is_refused_at_once_with_the_clause_and_claims_nothing(
    leader: Actor, photo: Callable[..., str]
) -> None:
    token = photo()
    with pytest.raises(DocumentRefusedError) as refused:
        hand_in(
            leader,
            [token],
            {"valid_from": "2021-12-03", "valid_to": "2021-12-04"},
            kind="accident_insurance",
        )
    assert set(refused.value.fields) == {"values.valid_from", "values.valid_to"}
    assert refused.value.clause == "三(一)4"
    assert hand_in(leader, [token]).state is DocumentState.UPLOADED


def test_more_pages_than_the_text_allows_are_refused(leader: Actor, photo: Callable[..., str]) -> None:
    with pytest.raises(DocumentRefusedError) as refused:
        hand_in(leader, [photo(n) for n in range(5)], {"issued_on": "2021-10-22"}, kind="waiver")
    assert {name: str(text) for name, text in refused.value.fields.items()} == {"uploads": "最多 4 个文件。"}


def test_a_file_that_is_larger_than_the_text_allows_is_refused(session: Any, tmp_path: Path) -> None:
    documents.competition({"medical_certificate": {"max_megabytes": 1}})
    person = registrations.submitted()
    large = uploads.photo(1, 3600, 2700, 98)
    assert len(large) > 1024 * 1024
    token = uploads.ready(person, "beach", tmp_path, large).token
    with pytest.raises(DocumentRefusedError, match="每个文件不能超过 1 MB。"):
        hand_in(person, [token])


def test_a_file_of_somebody_else_is_not_there(leader: Actor, photo: Callable[..., str]) -> None:
    other = registrations.leader(2)
    with pytest.raises(upload_refusals.UploadNotFoundError):
        hand_in(leader, [photo(1, other)])


def test_a_file_serves_one_document(leader: Actor, photo: Callable[..., str]) -> None:
    token = photo()
    hand_in(leader, [token])
    with pytest.raises(upload_refusals.ClaimedError):
        hand_in(leader, [token], {"issued_on": "2021-10-22"}, kind="waiver")


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"subject": "m999999"}, UnknownDocumentError),
        ({"subject": "u1"}, UnknownDocumentError),
        ({"subject": "no"}, UnknownDocumentError),
        ({"kind": "no_such_kind"}, UnknownDocumentError),
        ({"kind": "identity_card"}, NotRequiredError),
    ],
)
def test_nothing_is_taken_that_nobody_asked_for(
    leader: Actor, change: dict[str, str], error: type[SaishiError]
) -> None:
    with pytest.raises(error):
        hand_in(leader, ["token"], **change)  # type: ignore[arg-type]  # the keys of the cases


def test_a_member_of_another_unit_is_unknown(leader: Actor) -> None:
    other = registrations.submitted(2)
    with pytest.raises(UnknownDocumentError):
        hand_in(leader, ["token"], subject=subject_of(other))


def test_who_did_not_agree_to_the_notice_or_has_no_unit_hands_nothing_in(leader: Actor) -> None:
    with pytest.raises(ConsentMissingError):
        hand_in(accounts.user(77), ["token"], subject="m1")
    with pytest.raises(UnitMissingError):
        hand_in(registrations.leader(78, with_unit=False), ["token"], subject="m1")
    with pytest.raises(SignInRequiredError):
        hand_in(Actor("anonymous"), ["token"], subject="m1")


def test_after_the_deadline_a_document_without_a_day_is_closed(leader: Actor, travel: Travel) -> None:
    travel(LATE)
    with pytest.raises(HandInClosedError) as refused:
        hand_in(leader, ["token"])
    assert refused.value.clause == "三(三)1"


def test_what_the_committee_asks_for_may_be_handed_in_until_its_day(
    leader: Actor, photo: Callable[..., str], travel: Travel
) -> None:
    token = photo()
    with command(registrations.committee()) as ctx:
        service.ask(ctx, slug="beach", kind="medical_certificate", until=date(2021, 11, 20))
    travel(datetime(2021, 11, 21, 0, 0, tzinfo=BEIJING))
    with pytest.raises(HandInClosedError):
        hand_in(leader, [token])
    travel(datetime(2021, 11, 20, 23, 59, 59, tzinfo=BEIJING))
    hand_in(leader, [token])


def test_what_is_asked_of_one_member_is_asked_of_no_other(leader: Actor, travel: Travel) -> None:
    first = subject_of(leader)
    with command(registrations.committee()) as ctx:
        service.ask(ctx, slug="beach", kind="medical_certificate", until=date(2021, 12, 1), subject=first)
    travel(LATE)
    assert leader.user_id is not None
    lists = queries.my_lists(competitions.competition("beach"), leader.user_id, LATE)
    assert lists is not None
    rows = [some.row("medical_certificate") for some in lists.lists]
    assert [row.open for row in rows if row] == [True, False]


@pytest.mark.parametrize("until", [date(2021, 10, 24), date(2021, 12, 6)])
def test_nothing_is_asked_for_yesterday_or_after_the_competition(leader: Actor, until: date) -> None:
    with pytest.raises(DayRefusedError), command(registrations.committee()) as ctx:
        service.ask(ctx, slug="beach", kind="medical_certificate", until=until)


def test_only_the_committee_asks_and_only_for_what_the_text_names(leader: Actor) -> None:
    with pytest.raises(ForbiddenError), command(leader) as ctx:
        service.ask(ctx, slug="beach", kind="waiver", until=date(2021, 12, 1))
    for kind, error in (("identity_card", NotRequiredError), ("no_such_kind", UnknownDocumentError)):
        with pytest.raises(error), command(registrations.committee()) as ctx:
            service.ask(ctx, slug="beach", kind=kind, until=date(2021, 12, 1))
    with pytest.raises(UnknownDocumentError), command(registrations.committee()) as ctx:
        service.ask(ctx, slug="beach", kind="waiver", until=date(2021, 12, 1), subject="m999999")


def test_a_flagged_field_is_corrected_without_new_pictures_long_after_the_deadline(
    leader: Actor, photo: Callable[..., str], travel: Travel
) -> None:
    values = {"valid_from": "2021-11-01", "valid_to": "2021-12-31", "number": "P-1"}
    made = hand_in(leader, [photo()], values, kind="accident_insurance")
    send_back(made, "valid_to")
    travel(LATE)
    corrected = hand_in(leader, [], {"valid_to": "2021-12-08"}, kind="accident_insurance", key="key-00000002")
    assert corrected.state is DocumentState.UPLOADED
    assert corrected.newest.values == values | {"valid_to": "2021-12-08"}
    assert corrected.newest.uploads == ()
    assert corrected.uploads == made.uploads


def test_a_picture_that_was_flagged_is_sent_again(leader: Actor, photo: Callable[..., str]) -> None:
    made = hand_in(leader, [photo(1)])
    send_back(made, "pages")
    with pytest.raises(DocumentRefusedError) as refused:
        hand_in(leader, [], {}, key="key-00000002")
    assert set(refused.value.fields) == {"uploads"}
    again = photo(2)
    assert [page.token for page in hand_in(leader, [again], {}, key="key-00000003").uploads] == [again]


def test_an_undecided_document_is_taken_back_and_its_files_are_gone(
    leader: Actor, photo: Callable[..., str], session: Any
) -> None:
    made = hand_in(leader, [photo()])
    with command(leader) as ctx:
        service.withdraw(ctx, slug="beach", subject=subject_of(leader), kind="medical_certificate")
    view = queries.document(made.id)
    assert (view.state, view.newest.values, view.uploads) == (DocumentState.WITHDRAWN, {}, ())
    assert session.scalar(select(func.count()).select_from(DocumentPage)) == 0
    assert session.scalar(select(func.count()).select_from(StoredFile)) == 0
    hand_in(leader, [photo(2)], key="key-00000002")


def test_a_decided_document_or_one_in_review_is_not_taken_back(
    leader: Actor, photo: Callable[..., str]
) -> None:
    subject = subject_of(leader)

    def withdraw() -> None:
        with command(leader) as ctx:
            service.withdraw(ctx, slug="beach", subject=subject, kind="medical_certificate")

    with pytest.raises(NothingToWithdrawError):
        withdraw()
    made = hand_in(leader, [photo()])
    with command(registrations.committee()) as ctx:
        review.claim(ctx, slug="beach", document_id=made.id)
    with pytest.raises(BeingReviewedError):
        withdraw()
    send_back(made, "issued_on")
    with pytest.raises(NothingToWithdrawError):
        withdraw()


def test_the_settings_say_how_early_a_warning_comes(session: Any) -> None:
    assert current_app.config["SAISHI"].warn_days == 7
