"""Documents of who plays in two events of a competition.

Every way to make a competition makes one event, and registrations go to that one: the events of a series are competitions of their
own, each with its documents. The tables hold several, though, and documents look at each; so what would be seen is held here.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from app import clock
from app.actors import SYSTEM, Actor
from app.audit.actions import AuditAction
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.models import Event
from app.documents import queries
from app.documents.queries import desk as desks
from app.documents.rules import Row
from app.extensions import db
from app.registrations.models import Entry, EntryMember, Member, Unit
from app.regulations import library
from app.regulations import service as regulations
from app.regulations.rules import Regulation
from tests.conftest import ROOT
from tests.factories import accounts, documents
from tests.factories import registrations as make

CERTIFICATE = "medical_certificate"
OTHER = {
    CERTIFICATE: {"due": "registration", "clause": "四(一)2", "within_days": 30, "max_pages": 1},
    "residence_proof": {"due": "registration", "clause": "四(二)"},
}
"""What the other event asks: the certificate at once, of the last 30 days and on one page, and a proof of residence."""


def second_event() -> int:
    """Another event of the competition, with a text of its own, in which the leader's first member plays too."""
    document = library.load("beach-games-landlord-2021").document
    document["event"] = {"zh": "双人赛", "en": "Pairs"}
    rows = {row["kind"]: row for row in document["documents"]}
    for kind, keys in OTHER.items():
        rows.setdefault(kind, {"kind": kind}).update(keys)
    document["documents"] = list(rows.values())
    with command(SYSTEM) as ctx:
        competition = competitions.competition("beach")
        version = regulations.freeze(ctx, Regulation.from_document(document))
        event = Event(
            competition_id=competition.id, code="pairs", name="双人赛", regulation_version_id=version
        )
        ctx.session.add(event)
        ctx.session.flush()
        regulations.begin_chain(ctx, event_id=event.id, competition_id=competition.id, version_id=version)
        member = ctx.session.scalars(select(Member).order_by(Member.id)).first()
        entry = Entry(event_id=event.id, unit_id=member.unit_id, state="submitted", submitted_at=ctx.now)
        ctx.session.add(entry)
        ctx.session.flush()
        ctx.session.add(
            EntryMember(
                entry_id=entry.id, member_id=member.id, event_id=event.id, person_hash=member.person_hash
            )
        )
        ctx.record(AuditAction.MEMBER_CHANGED, member)
        return int(entry.id)


def lists_of(leader: Actor) -> list[dict[str, Row]]:
    found = queries.my_lists(competitions.competition("beach"), leader.require_signed_in(), clock.now())
    assert found is not None
    return [{row.kind: row for row in each.rows} for each in found.lists]


def test_every_competition_has_one_event_and_nothing_adds_another() -> None:
    """The day something does, registrations have to ask for which: this test is where to begin."""
    makes = [
        path
        for folder in ("app", "tasks")
        for path in Path(ROOT / folder).rglob("*.py")
        if re.search(r"(?<![\w.])Event\(\n?\s*(competition|code|name)", path.read_text())
    ]
    assert [path.relative_to(ROOT).as_posix() for path in makes] == ["app/competitions/service.py"]
    assert makes[0].read_text().count(" = Event(") == 1


def test_who_plays_in_two_events_sees_what_each_asks_and_the_earlier_day_counts(session: Any) -> None:
    make.competition()
    leader = make.submitted(1, members=2)
    alone = lists_of(leader)
    second_event()
    both, other = lists_of(leader)
    assert other.keys() == alone[1].keys(), "of who plays in one event nothing more is asked"
    assert both.keys() - alone[0].keys() == {"residence_proof"}
    asked = both[CERTIFICATE]
    assert [each.rule.clause for each in asked.demands] == ["三(一)4", "四(一)2"]
    assert (asked.clause, asked.max_pages) == ("四(一)2", 1)
    assert asked.due is not None
    assert asked.due_with_entry
    assert not other[CERTIFICATE].due_with_entry


def test_what_is_due_with_the_entry_of_one_event_is_asked_for_that_entry(session: Any) -> None:
    make.competition()
    make.submitted(1, members=2)
    first = db.session.scalars(select(Entry.id).order_by(Entry.id)).first()
    second = second_event()
    place = competitions.competition_id("beach")
    needed = queries.due_with_entries(place, [second], clock.now())
    assert {(each.kind, each.clause) for each in needed} == {
        (CERTIFICATE, "四(一)2"),
        ("residence_proof", "四(二)"),
    }
    assert all(each.entry_ids == {second} for each in needed)
    assert db.session.scalars(select(Unit.id)).one()
    assert first != second


@pytest.mark.parametrize(("language", "name"), [("zh", "双人赛"), ("en", "Pairs")])
def test_the_pages_name_each_event_with_its_clause(
    app: Flask, client: FlaskClient, language: str, name: str
) -> None:
    with app.app_context():
        make.competition()
        leader = make.submitted(1)
        second_event()
        subject = f"m{documents.first_member(leader)}"
    accounts.sign_in(client, leader)
    place = f"/c/beach/my/documents?lang={language}"
    listed = client.get(place).text
    assert re.search(rf"· {name} \S+ 四\(二\)", listed), "of what only one asks too"
    assert re.search(rf"三\(一\)4 · {name} \S+ 四\(一\)2", listed)
    page = client.get(f"/c/beach/my/documents/{subject}/{CERTIFICATE}?lang={language}").text
    assert name in page
    assert "三(一)4" in page
    assert "四(一)2" in page


def test_the_desk_judges_by_both_texts(session: Any) -> None:
    make.competition()
    leader = make.submitted(1)
    second_event()
    old = documents.stored(leader, CERTIFICATE, issued_on="2021-06-01")
    desk = desks.desk(competitions.competition("beach"), old, clock.now())
    assert {each.clause for each in desk.row.verdicts} >= {"四(一)2"}
    assert desk.row.broken is not None
    assert desk.row.broken.clause == "四(一)2"
