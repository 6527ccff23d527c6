"""The queue of a competition with thousands of documents: what is asked of the database, and what is decrypted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from app import database
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.documents.models import Document, DocumentRevision
from app.documents.queries import review as queries
from app.documents.queries.review import Filter, Queue
from app.documents.rules import DocumentState
from app.extensions import db
from app.registrations.models import Entry, EntryMember, Member, Unit
from tests.conftest import NOON
from tests.factories import registrations as make
from tests.statements import noted_statements

KINDS = {
    "medical_certificate": {"issued_on": "2021-10-20"},
    "accident_insurance": {"valid_from": "2021-10-01", "valid_to": "2021-12-31"},
    "vaccination_certificate": {"issued_on": "2021-06-01"},
    "nucleic_acid_report": {"sampled_on": "2021-11-28", "result": "negative"},
    "health_code": {"valid_to": "2021-12-02", "result": "green"},
    "waiver": {"issued_on": "2021-10-22"},
}
MEMBERS = 500
ALL = MEMBERS * len(KINDS)


@contextmanager
def decrypted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How often something encrypted is opened meanwhile."""
    opened: list[int] = []
    decrypt = database.decrypt

    def counted(stored: Any) -> str:
        opened.append(1)
        return decrypt(stored)

    with monkeypatch.context() as patch:
        patch.setattr(database, "decrypt", counted)
        yield opened


@pytest.fixture
def many(session: Any) -> CompetitionView:
    """500 members with six documents each, handed in one a second; two insurances end within a week."""
    make.competition()
    leader = make.submitted(1)
    competition = competitions.competition("beach")
    unit = session.scalars(select(Unit).where(Unit.leader_user_id == leader.user_id)).one()
    session.execute(
        insert(Member),
        [
            {
                "unit_id": unit.id,
                "name": f"队员{n}",
                "person_hash": f"h{n}",
                "employment": "",
                "created_at": NOON,
            }
            for n in range(MEMBERS)
        ],
    )
    members = session.scalars(select(Member.id).order_by(Member.id.desc()).limit(MEMBERS)).all()
    session.execute(
        insert(Entry),
        [{"event_id": competition.event.id, "unit_id": unit.id, "state": "submitted"} for _ in members],
    )
    entries = session.scalars(select(Entry.id).order_by(Entry.id.desc()).limit(MEMBERS)).all()
    session.execute(
        insert(EntryMember),
        [
            {
                "entry_id": entry,
                "member_id": member,
                "event_id": competition.event.id,
                "person_hash": f"h{member}",
            }
            for entry, member in zip(entries, members, strict=True)
        ],
    )
    session.execute(
        insert(Document),
        [
            {
                "competition_id": competition.id,
                "unit_id": unit.id,
                "member_id": member,
                "subject": f"m{member}",
                "kind": kind,
                "state": "uploaded",
                "revision": 1,
                "handed_in_at": NOON - timedelta(seconds=number * len(KINDS) + place),
            }
            for number, member in enumerate(members)
            for place, kind in enumerate(KINDS)
        ],
    )
    documents = session.execute(select(Document.id, Document.kind).order_by(Document.id)).all()
    session.execute(
        insert(DocumentRevision),
        [
            {
                "document_id": row.id,
                "number": 1,
                "idempotency_key": f"key-{row.id:08d}",
                "handed_in_by_id": leader.user_id,
                "handed_in_at": NOON,
                "regulation_version_id": competition.event.regulation_version_id,
                "values": json.dumps(KINDS[row.kind]),
            }
            for row in documents
        ],
    )
    insured = [row.id for row in documents if row.kind == "accident_insurance"]
    session.execute(
        update(DocumentRevision)
        .where(DocumentRevision.document_id.in_([insured[7], insured[300]]))
        .values(values=json.dumps({"valid_from": "2021-10-01", "valid_to": "2021-10-30"}))
    )
    session.commit()
    return competition


def looked(
    competition: CompetitionView, wanted: Filter, page: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[Queue, int, int]:
    """The page, how many questions it took, and how much was decrypted for it."""
    db.session.expire_all()
    with noted_statements() as statements, decrypted(monkeypatch) as opened:
        found = queries.queue(competition, wanted, NOON, page)
    return found, len(statements), len(opened)


def test_a_page_of_three_thousand_reads_and_decrypts_the_fifty_it_shows(
    many: CompetitionView, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = ALL // queries.PER_PAGE
    for page in (1, 31, last):
        found, questions, opened = looked(many, Filter(state=DocumentState.UPLOADED), page, monkeypatch)
        assert (found.matching, found.pages, found.page) == (ALL, last, page)
        assert (len(found.rows), opened) == (queries.PER_PAGE, queries.PER_PAGE)
        assert questions <= 12
    first, _, _ = looked(many, Filter(), 1, monkeypatch)
    assert first.states[DocumentState.UPLOADED] == ALL
    assert first.kinds == dict.fromkeys(sorted(KINDS), MEMBERS)
    assert first.oldest == first.rows[0].handed_in_at == NOON - timedelta(seconds=ALL - 1)


def test_pages_follow_each_other_without_a_gap(
    many: CompetitionView, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [looked(many, Filter(kind="waiver"), page, monkeypatch)[0].rows for page in range(1, 11)]
    ids = [row.id for rows in pages for row in rows]
    assert len(set(ids)) == MEMBERS
    ages = [row.handed_in_at for rows in pages for row in rows]
    assert ages == sorted(ages)


def test_what_ends_soon_is_sought_among_the_kinds_that_end_and_nowhere_else(
    many: CompetitionView, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, _, opened = looked(many, Filter(expiring=True), 1, monkeypatch)
    assert [row.kind for row in found.rows] == ["accident_insurance"] * 2
    assert found.matching == 2
    assert opened == 2 * MEMBERS + 2, "insurances and health codes, and the two that are shown"
