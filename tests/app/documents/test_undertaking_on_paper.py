"""An undertaking that was signed on paper, or corrected without a new signature, is compared with today's text like any other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app import clock
from app.actors import Actor
from app.commands import command
from app.competitions import queries as competitions
from app.documents import queries, service
from app.documents.rules import ChecklistState, DocumentId, Subject
from app.documents.rules.checklist import Row
from app.documents.rules.review import DecisionKind, Written
from app.registrations import service as registrations_service
from tests.app.documents import reviewing
from tests.factories import amendments, documents, registrations, reviews, uploads
from tests.factories import undertakings as make


@pytest.fixture
def leader(session: Any) -> Actor:
    registrations.competition()
    return registrations.submitted(members=2)


def row_of(person: Actor) -> Row:
    unit = queries.my_lists(competitions.competition("beach"), person.require_signed_in(), clock.now())
    assert unit is not None
    row = unit.list_of(Subject(member_id=documents.first_member(person))).row("waiver")
    assert row is not None
    return row


def hand_in(
    person: Actor, folder: Path | None, key: str = "key-00000001", day: str = "2021-10-22"
) -> DocumentId:
    """A photo of the signed sheet, or (no folder) only the day corrected."""
    tokens = [uploads.ready(person, "beach", folder).token] if folder else []
    with command(person) as ctx:
        return service.hand_in(
            ctx,
            slug="beach",
            subject=str(Subject(member_id=documents.first_member(person))),
            kind="waiver",
            idempotency_key=key,
            tokens=tokens,
            values={"issued_on": day},
        )


def on_paper(person: Actor, folder: Path) -> DocumentId:
    return hand_in(person, folder)


def sent_back(person: Actor, folder: Path) -> DocumentId:
    """On paper; the committee asks for another day, which leaves the pages as they are."""
    document = hand_in(person, folder)
    correct(person, document)
    return document


def signed_and_sent_back(person: Actor, folder: Path) -> DocumentId:
    """The same of one that was signed on the phone."""
    document = make.sign(person)
    make.make_sheet(document, folder)
    correct(person, document.id)
    return document.id


def correct(person: Actor, document: DocumentId) -> None:
    reviewer = reviews.reviewer()
    reviewing.claim(reviewer, document)
    reviewing.decide(reviewer, document, DecisionKind.NEEDS_CHANGES, issued_on=Written("differs"))
    hand_in(person, None, "key-00000002", "2021-10-21")


Way = Callable[[Actor, Path], DocumentId]


@pytest.mark.parametrize("way", [on_paper, sent_back, signed_and_sent_back])
def test_it_stands_until_its_text_is_another_one(leader: Actor, tmp_path: Path, way: Way) -> None:
    way(leader, tmp_path)
    assert row_of(leader).state is ChecklistState.UPLOADED

    def fewer_pages(document: dict[str, Any]) -> None:
        document["documents"][0]["max_pages"] = 3

    amendments.published("beach", fewer_pages)
    assert row_of(leader).state is ChecklistState.UPLOADED

    def later(document: dict[str, Any]) -> None:
        document["calendar"]["play_to"]["at"] = "2021-12-06"
        document["calendar"]["leave_by"]["at"] = "2021-12-07T14:00:00+08:00"

    amendments.published("beach", later)
    row = row_of(leader)
    assert (row.state, row.to_do) == (ChecklistState.EXPIRED, True)
    assert "重新签署" in str(row.warnings[0].text)
    hand_in(leader, tmp_path, "key-00000003")
    assert row_of(leader).state is ChecklistState.UPLOADED


def test_a_corrected_name_asks_for_a_new_one_on_paper_too(leader: Actor, tmp_path: Path) -> None:
    on_paper(leader, tmp_path)
    with command(leader) as ctx:
        registrations_service.change_member(
            ctx,
            slug="beach",
            member_id=documents.first_member(leader),
            **registrations.member_form(100, name="林小曼"),
        )
    assert row_of(leader).state is ChecklistState.EXPIRED


def test_another_kind_knows_no_wording(leader: Actor, tmp_path: Path, session: Any) -> None:
    reviews.document(leader, "medical_certificate", {"issued_on": "2021-10-20"})
    on_paper(leader, tmp_path)
    raw = session.connection().exec_driver_sql("SELECT wording_sha256 FROM document_revisions ORDER BY id")
    assert [len(each or "") for each in raw.scalars()] == [0, 64]
