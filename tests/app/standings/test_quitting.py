"""A withdrawal that the committee grants after the draw: later rounds are drawn without the entry, what was played stays."""

from __future__ import annotations

from typing import Any

from app.competitions import queries as competitions
from app.draws.rules import entrant_of
from app.registrations import queries as registrations_queries
from app.registrations.rules import EntryState
from app.registrations.rules.changes import ApplicationState
from tests.factories import changes, registrations, rounds
from tests.factories.publications import Travel


def test_who_quits_after_the_first_round_is_paired_no_more(session: Any, travel: Travel) -> None:
    rounds.field(travel, rounds.XIANGQI, 8)
    first = rounds.drawn()
    rounds.played(first)
    person = registrations.leader(1, rounds.SLUG, with_unit=False)
    mine = registrations_queries.my(person.require_signed_in(), competitions.competition(rounds.SLUG))
    entry = mine.entries[0]
    view = changes.applied(person, "withdraw", slug=rounds.SLUG, entry_id=entry.entry_id, reason="")
    assert view.state is ApplicationState.WAITING
    changes.decided(view.number, slug=rounds.SLUG)
    assert entrant_of(entry.entry_id) in first.entrants
    assert entrant_of(entry.entry_id) not in rounds.drawn().entrants
    stays = registrations_queries.my(person.require_signed_in(), competitions.competition(rounds.SLUG)).entry(
        entry.entry_id
    )
    assert stays is not None
    assert stays.state is EntryState.APPROVED, "what was drawn stays as it was drawn"
