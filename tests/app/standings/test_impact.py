"""What an act would change, before anybody decides: scored from the public file as it would be, and nothing stored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from app.competitions import queries as competitions
from app.draws.queries import RoundView
from app.results.rules import Content
from app.rulings import queries as rulings
from app.standings import queries
from app.standings.queries.impact import impact, names
from app.standings.rules.given import bind_rulings
from app.standings.rules.impact import CannotBeScoredError
from app.web.i18n import show
from scoring_engine import event_file
from scoring_engine.event_file import pair
from tests.factories import duels, rounds
from tests.factories import results as results_factory
from tests.factories.publications import Travel


@pytest.fixture
def given() -> Iterator[list[dict[str, Any]]]:
    """The rulings that are in force, for the test to add to."""
    found: list[dict[str, Any]] = []
    bind_rulings(lambda _event_id, _version=None: found)
    yield found
    bind_rulings(rulings.given)


def event_of(slug: str = rounds.SLUG) -> competitions.EventView:
    return competitions.competition(slug).event


def smoking(round_: RoundView, entrant: str, **more: Any) -> dict[str, Any]:
    named = {"id": "ruling-1", "rule": "smoking", "entrant": entrant, "stage": round_.stage}
    return named | {"round": round_.number} | more


def said(found: Any, event_id: int) -> list[str]:
    return [show(row) for lines in found.lines(names(event_id)) for row in lines.rows]


def test_a_table_put_otherwise_tells_ranks_and_the_tables_of_the_next_round_that_would_differ(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, entrants=8)
    first = rounds.drawn(seed="01" * 32)
    rounds.played(first)
    second = rounds.drawn(seed="02" * 32)
    event, before = event_of(), queries.event_file(event_of().id)
    one, other = results_factory.seats(first.tables[0])
    turned = {first.tables[0].id: Content(outcome={"winner": other})}

    found = impact(event.id, contents=turned)

    ranks = {each["entrant"]: (each["before"], each["after"]) for each in found.document["placings"]}
    assert ranks[one][0] < ranks[one][1]
    assert ranks[other][0] > ranks[other][1]
    assert found.document["tables"] == [{"stage": "swiss", "round": 1, "number": 1}]
    then = queries.event_file(event.id)
    then["stages"][0]["rounds"][0]["tables"][0]["winner"] = other
    del then["stages"][0]["rounds"][1], then["draws"][1]
    again = pair(then, event.regulation.scoring_rules(), bytes.fromhex("02" * 32))["tables"]
    kept = {frozenset(table["entrants"]) for table in again}
    other_tables = [
        table.number for table in second.tables if frozenset(results_factory.seats(table)) not in kept
    ]
    assert other_tables, "winners met winners"
    assert found.document["draws"] == [{"stage": "swiss", "round": 2, "tables": other_tables}]
    assert any("会编排成不同的对阵" in row for row in said(found, event.id))
    assert queries.event_file(event.id) == before, "nothing is stored"


def test_a_penalty_of_the_last_round_touches_no_draw(session: Any, travel: Travel) -> None:
    rounds.field(travel, entrants=8)
    first = rounds.drawn(seed="01" * 32)
    rounds.played(first)
    one, _ = results_factory.seats(first.tables[0])
    foul = {"id": "r1", "rule": "foul", "entrant": one, "stage": "swiss", "round": 1, "count": 1}
    found = impact(event_of().id, with_adjustments=[foul])
    assert found.document["draws"] == []
    moved = {each["entrant"]: (each["before"], each["after"]) for each in found.document["placings"]}
    assert moved[one][0] < moved[one][1], "附件3二: of equal 对手分 and 胜局 the one with fewer 犯规 is ahead"


def test_who_would_go_on_and_who_would_not_are_told_by_name(session: Any, travel: Travel) -> None:
    prelim = results_factory.prelim(travel, 12)
    event = event_of("beach")
    results_factory.all_confirmed(event.id)
    score = event_file.score(queries.event_file(event.id), event.regulation.scoring_rules())
    stage = score["stages"][0]
    last = stage["placings"][8]["entrant"]
    found = impact(event.id, with_adjustments=[smoking(prelim, last, count=20)])
    (change,) = found.document["advance"]
    assert change["out"] == [last]
    sentences = said(found, event.id)
    name = queries.people(event.id)[last].name
    assert f"{name}不再从初赛晋级" in sentences


def test_a_sheet_can_be_supposed_away(session: Any, travel: Travel) -> None:
    rounds.field(travel, entrants=6)
    first = rounds.drawn()
    rounds.played(first)
    found = impact(event_of().id, contents={first.tables[0].id: None})
    assert found.document["tables"] == [{"stage": "swiss", "round": 1, "number": 1}]


def test_nothing_supposed_affects_nobody(session: Any, travel: Travel) -> None:
    rounds.field(travel, entrants=6)
    rounds.played(rounds.drawn())
    found = impact(event_of().id)
    assert found.affects_nobody
    assert found.lines(names(event_of().id)) == ()
    assert found.before == found.after


def test_what_cannot_be_is_refused_with_names_beside_its_key(session: Any, travel: Travel) -> None:
    prelim = results_factory.prelim(travel, 9)
    event = event_of("beach")
    results_factory.all_confirmed(event.id)
    one = results_factory.seats(prelim.tables[0])[0]
    signals = {"id": "r9", "rule": "signals", "entrant": one, "stage": "prelim", "round": 1, "deal": 11}
    with pytest.raises(CannotBeScoredError) as refused:
        impact(event.id, with_adjustments=[signals])
    assert refused.value.adjustment == "r9"
    assert list(refused.value.fields) == ["deal"]
    assert "11" in str(refused.value.fields["deal"])


def test_rulings_stand_in_the_event_file_of_tables_in_force_alone(
    session: Any, travel: Travel, given: list[dict[str, Any]]
) -> None:
    prelim = results_factory.prelim(travel, 9)
    event = event_of("beach")
    results_factory.confirmed(prelim.tables[0])
    here, there = (results_factory.seats(table)[0] for table in prelim.tables[:2])
    given += [smoking(prelim, here), smoking(prelim, there, id="ruling-2")]
    assert [each["id"] for each in queries.event_file(event.id)["adjustments"]] == ["ruling-1"]
    results_factory.confirmed(prelim.tables[1])
    document = queries.event_file(event.id)
    assert [each["id"] for each in document["adjustments"]] == ["ruling-1", "ruling-2"]
    assert event_file.verify(document, event.regulation.scoring_rules()) == []


def test_a_ruling_can_be_supposed_away(session: Any, travel: Travel, given: list[dict[str, Any]]) -> None:
    prelim = results_factory.prelim(travel, 9)
    event = event_of("beach")
    results_factory.all_confirmed(event.id)
    clean = impact(event.id).before
    given.append(smoking(prelim, results_factory.seats(prelim.tables[0])[0], count=20))
    found = impact(event.id, without_adjustments=["ruling-1"])
    assert found.after == clean
    assert found.document["placings"]


def test_a_penalty_of_a_match_moves_its_levels(session: Any, travel: Travel) -> None:
    """八(十九): 防家 115 and the banker revokes is 175, so they take the bank."""
    duels.field(travel, duels.TRACTOR, 6)
    first = rounds.drawn(duels.SLUG)
    one, other = duels.seats(first.tables[0])
    duels.confirmed(first.tables[0], deals=[duels.deal(one, 115)])
    revoke = {"id": "r1", "rule": "revoke", "entrant": one, "stage": "swiss", "round": 1, "deal": 1}
    found = impact(event_of(duels.SLUG).id, with_adjustments=[revoke])
    table = found.after["tables"][0]
    assert (table["levels"][one], table["bank"]) == ("2", other)
    assert (found.before["tables"][0]["levels"][one], found.before["tables"][0]["bank"]) == ("3", one)
