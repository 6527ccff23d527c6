"""Expulsion (取消参赛资格): out of the rounds paired later, what was played stays, the unit is told, and it can be taken back."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from app.draws.rules import entrant_of
from app.extensions import db
from app.notifications.models import Message
from app.rulings import queries
from app.rulings.rules import AlreadyExpelledError
from tests.factories import results, rounds, rulings
from tests.factories.publications import Travel


def letters() -> list[str]:
    return [str(row.body) for row in db.session.scalars(select(Message).where(Message.kind == "expulsion"))]


def in_round(drawn: Any) -> set[str]:
    return {seat for table in drawn.tables for seat in results.seats(table)} | {
        str(entrant_of(each.entry_id)) for each in drawn.direct
    }


def test_no_later_round_is_paired_with_who_was_expelled_and_his_results_stay(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, entrants=8)
    first = rounds.drawn()
    rounds.played(first)
    table = first.tables[0]
    one = results.seats(table)[0]
    before = rulings.standing(rounds.SLUG)["tables"]
    rulings.given(table, "expulsion", one, slug=rounds.SLUG, rule="foul")
    assert [each.clause for each in queries.rulings(table.event_id)] == ["附件3二"]
    assert rulings.standing(rounds.SLUG)["tables"] == before
    second = rounds.drawn()
    assert one not in in_round(second)
    assert len(in_round(second)) == 7
    (told,) = letters()
    assert "取消参赛资格" in told
    assert table.seats[0].name not in told
    with pytest.raises(AlreadyExpelledError):
        rulings.given(table, "expulsion", one, slug=rounds.SLUG, rule="foul")


def test_an_expulsion_taken_back_before_the_next_draw_was_never_there(session: Any, travel: Travel) -> None:
    rounds.field(travel, entrants=8)
    first = rounds.drawn()
    rounds.played(first)
    one = results.seats(first.tables[0])[0]
    clean = rulings.standing(rounds.SLUG)
    (made,) = rulings.given(first.tables[0], "expulsion", one, slug=rounds.SLUG, rule="foul")
    rulings.withdrawn(made, slug=rounds.SLUG)
    assert rulings.standing(rounds.SLUG) == clean
    assert one in in_round(rounds.drawn())
    assert len(letters()) == 2


def test_an_expulsion_taken_back_later_lets_him_play_from_the_next_round_on(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, entrants=8)
    first = rounds.drawn(seed="01" * 32)
    rounds.played(first)
    one = results.seats(first.tables[0])[0]
    (made,) = rulings.given(first.tables[0], "expulsion", one, slug=rounds.SLUG, rule="foul")
    second = rounds.drawn(seed="02" * 32)
    rounds.played(second)
    rulings.withdrawn(made, slug=rounds.SLUG)
    assert one in in_round(rounds.drawn(seed="03" * 32))


def test_from_a_knock_out_he_keeps_his_points(session: Any, travel: Travel) -> None:
    table = results.prelim(travel).tables[0]
    results.all_confirmed(table.event_id)
    clean = rulings.standing()
    (made,) = rulings.given(table, "expulsion", results.seats(table)[0], rule="repeated_abuse")
    assert rulings.standing()["placings"] == clean["placings"]
    assert queries.ruling(table.event_id, made).clause == "四(二)8(十二)"
