"""拖拉机 (C) and 八十分 (D), from the first drawn round to the final placings: the downloaded file gives the same."""

from __future__ import annotations

from typing import Any

import pytest

from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.rules import entrant_of
from app.standings import queries, service
from app.standings.rules import NextStageRefusedError
from scoring_engine import event_file
from tests.factories import draws as draws_factory
from tests.factories import duels, registrations, rounds
from tests.factories.publications import Travel


def rules(slug: str = duels.SLUG) -> Any:
    return competitions.competition(slug).event.regulation.scoring_rules()


def verified(event_id: int) -> dict[str, Any]:
    """The public event file, in which nothing differs from what follows from it."""
    document = event_file.parse(queries.event_file_download(event_id).content.decode())
    assert event_file.verify(document, rules()) == []
    return document


def played(drawn: draws.RoundView) -> None:
    """Every table of a round: the first side goes up twice, by more levels the higher its table's number."""
    for table in drawn.tables:
        one, _ = duels.seats(table)
        points = 5 * (table.number % 10)
        duels.confirmed(table, deals=[duels.deal(one, points), duels.deal(one, 40)])


def test_seventeen_pairs_of_tractor_are_drawn_with_cards_then_by_points_to_their_prizes(
    session: Any, travel: Travel
) -> None:
    duels.field(travel, duels.TRACTOR, 17)
    event = competitions.competition(duels.SLUG).event
    met: set[frozenset[str]] = set()
    rested: list[int] = []
    for number in range(1, 6):
        drawn = rounds.drawn(duels.SLUG)
        assert (drawn.stage, drawn.number, len(drawn.tables), len(drawn.direct)) == ("swiss", number, 8, 1)
        with pytest.raises(NextStageRefusedError) as waits:
            rounds.drawn(duels.SLUG)
        assert len(waits.value.extra["waiting"]) == 8
        pairs = {frozenset(duels.seats(table)) for table in drawn.tables}
        assert not met & pairs, "nobody meets again"
        met |= pairs
        rested += [each.entry_id for each in drawn.direct]
        played(drawn)
        verified(event.id)
    assert len(set(rested)) == 5
    with command(registrations.committee(duels.SLUG)) as ctx:
        service.recompute(ctx, event.id)
    snapshot = queries.latest(event.id)
    assert snapshot is not None
    assert snapshot.result == event_file.score(verified(event.id), rules())
    assert snapshot.result["complete"]
    assert snapshot.result["next"]["step"] == "over"
    assert [prize["prize"] for prize in snapshot.result["prizes"]] == [f"rank_{rank}" for rank in range(1, 9)]


def test_fourteen_pairs_of_eighty_points_play_three_rounds_and_those_out_in_one_round_share_a_rank(
    session: Any, travel: Travel
) -> None:
    """五3, I-D-6, I-D-7: 14 pairs leave 7, then 3 and a bye, then 2 who won all three rounds."""
    duels.field(travel, duels.EIGHTY, 14)
    event = competitions.competition(duels.SLUG).event
    with command(registrations.committee(duels.SLUG)) as ctx:
        service.commit_stage(ctx, event.id)
    still_in: set[str] | None = None
    for number, (tables, byes) in enumerate([(7, 0), (3, 1), (2, 0)], start=1):
        drawn = rounds.drawn(duels.SLUG)
        assert (drawn.stage, drawn.number) == ("knockout", number)
        assert (len(drawn.tables), len(drawn.direct)) == (tables, byes)
        assert bool(drawn.commitment) == (number == 1)
        assert still_in is None or still_in == set(drawn.entrants), "who lost is out"
        still_in = {duels.seats(table)[0] for table in drawn.tables}
        still_in |= {str(entrant_of(each.entry_id)) for each in drawn.direct}
        played(drawn)
        verified(event.id)
    with pytest.raises(NextStageRefusedError) as over:
        rounds.drawn(duels.SLUG)
    assert "没有下一轮" in str(over.value.text)
    with command(registrations.committee(duels.SLUG)) as ctx:
        service.recompute(ctx, event.id)
    snapshot = queries.latest(event.id)
    assert snapshot is not None
    result = snapshot.result
    assert result == event_file.score(verified(event.id), rules())
    assert [each["rank"] for each in result["placings"]] == [1] * 2 + [3] * 2 + [5] * 3 + [8] * 7
    assert [len(prize["entrants"]) for prize in result["prizes"]] == [2, 2, 3]


def test_a_later_round_of_a_bracket_is_drawn_from_its_committed_seed(session: Any, travel: Travel) -> None:
    duels.field(travel, duels.EIGHTY, 5)
    event = competitions.competition(duels.SLUG).event
    played(rounds.drawn(duels.SLUG, seed=draws_factory.SEED))
    committee = registrations.committee(duels.SLUG)
    with command(committee) as ctx:
        service.commit_stage(ctx, event.id)
    with command(committee) as ctx:
        service.draws.contribute(ctx, event.id, "knockout", 2, "现场观众：三十六")
    second = rounds.drawn(duels.SLUG)
    assert second.commitment is not None
    assert second.commitment.entrants == second.entrants
    assert (len(second.tables), len(second.direct)) == (1, 1)
    verified(event.id)


def test_a_match_at_equal_levels_without_a_banker_asks_for_a_ruling_before_the_next_round(
    session: Any, travel: Travel
) -> None:
    duels.field(travel, duels.EIGHTY, 4)
    first = rounds.drawn(duels.SLUG)
    for table in first.tables:
        one, other = duels.seats(table)
        duels.confirmed(table, levels={one: "5", other: "5"})
    with pytest.raises(NextStageRefusedError) as refused:
        rounds.drawn(duels.SLUG)
    assert "级数相同" in str(refused.value.text)
    assert refused.value.clause == "五3"


def test_penalties_of_a_sheet_stand_among_the_adjustments_of_the_event_file(
    session: Any, travel: Travel
) -> None:
    duels.field(travel, duels.TRACTOR, 4)
    table = rounds.drawn(duels.SLUG).tables[0]
    one, other = duels.seats(table)
    duels.confirmed(
        table,
        deals=[duels.deal(one, 115), duels.deal(other, 60)],
        penalties=[{"rule": "revoke", "entrant": one, "deal": 1}],
        late={other: 6},
    )
    document = verified(table.event_id)
    assert document["adjustments"] == [
        {"id": "swiss-1-1-1", "rule": "revoke", "entrant": one, "stage": "swiss", "round": 1, "deal": 1}
    ]
    told = event_file.score(document, rules())["tables"][0]["deals"][0]
    assert told["defenders_points"] == "155", "60 from the banker's revoke, 20 off for the late defenders"
