"""Freezing regulations and reading them back, on both databases."""

from typing import Any

import pytest
from sqlalchemy import func, select, update

from app.actors import SYSTEM
from app.audit.models import AuditEntry
from app.commands import command
from app.errors import NotFoundError
from app.regulations import library, queries, service
from app.regulations.models import RegulationVersion
from app.regulations.queries import AlteredVersionError

REGULATION = library.load("beach-games-landlord-2021")


def freeze(regulation: Any = REGULATION) -> int:
    with command(SYSTEM) as ctx:
        return service.freeze(ctx, regulation)


def test_a_frozen_regulation_is_read_back_exactly(session: Any) -> None:
    version_id = freeze()
    assert queries.version(version_id) == REGULATION
    frozen = queries.frozen_version(version_id)
    assert (frozen.regulation_id, frozen.number, frozen.sha256) == (
        "beach-games-landlord-2021",
        1,
        REGULATION.sha256,
    )


def test_a_changed_regulation_is_the_next_number_and_the_same_one_is_the_same_version(session: Any) -> None:
    first = freeze()
    second = freeze(REGULATION.with_changes(options={"deals_per_stage": 4}))
    assert queries.frozen_version(second).number == 2
    assert freeze() == first
    assert session.scalar(select(func.count()).select_from(RegulationVersion)) == 2


def test_freezing_is_on_record_with_number_and_hash(session: Any) -> None:
    version_id = freeze()
    (entry,) = session.scalars(select(AuditEntry)).all()
    assert (entry.action, entry.subject_id) == ("regulation.frozen", str(version_id))
    assert entry.details["sha256"] == REGULATION.sha256


def test_a_frozen_document_that_was_changed_by_hand_is_noticed(session: Any) -> None:
    changed = REGULATION.with_changes(options={"zero_score": "not_above_zero"})
    version_id = freeze(changed)
    queries._read.cache_clear()
    session.execute(update(RegulationVersion).values(document=REGULATION.document))
    session.flush()
    with pytest.raises(AlteredVersionError):
        queries.version(version_id)
    session.rollback()


def test_a_version_that_does_not_exist_is_not_found(session: Any) -> None:
    with pytest.raises(NotFoundError):
        queries.version(4711)
    with pytest.raises(NotFoundError):
        queries.frozen_version(4711)
