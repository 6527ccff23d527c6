"""What the tests of the commands read from the tables."""

from __future__ import annotations

from contextlib import contextmanager

import pytest
from sqlalchemy import func, select

from app.actors import Actor
from app.audit.models import AuditEntry
from app.competitions import queries as competitions
from app.errors import SaishiError
from app.extensions import db
from app.registrations import queries
from app.registrations.models import Consent, Entry, EntryMember, Member, Registration, Submission, Unit

TABLES = (Consent, Unit, Registration, Submission, Member, Entry, EntryMember, AuditEntry)


def rows() -> dict[str, int]:
    db.session.rollback()
    return {table.__name__: db.session.scalar(select(func.count()).select_from(table)) for table in TABLES}


@contextmanager
def refused(kind: type[SaishiError]):  # type: ignore[no-untyped-def]  # a test helper
    """The block raises ``kind`` and leaves every table as it was."""
    before = rows()
    with pytest.raises(kind) as caught:
        yield caught
    assert rows() == before


def actions() -> list[str]:
    return list(db.session.scalars(select(AuditEntry.action).order_by(AuditEntry.id)))


def mine(person: Actor) -> queries.MyRegistration:
    assert person.user_id is not None
    return queries.my(person.user_id, competitions.competition("beach"))


def entry_states(person: Actor) -> list[str]:
    return [member.state.value for member in mine(person).members]
