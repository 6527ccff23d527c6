"""Lateness by the scanned arrival, and forfeits: the tiers of each regulation, through the service into the standings and back."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest

from app import clock
from app.commands import command
from app.competitions import queries as competitions
from app.draws.rules import entry_of
from app.floor import service as floor
from app.floor.rules.hall import ArrivalWay
from app.results import queries as results_queries
from app.rulings.queries.suggestions import suggestions
from app.rulings.rules import ChiefOnlyError, NothingPlayedError, UnknownChoiceError
from scoring_engine.values import EntrantId
from tests.factories import duels, results, rounds, rulings
from tests.factories.publications import Travel

SECOND = Fraction(1, 60)
LANDLORD_TIERS = (
    (Fraction(3), "-6", "3"),
    (Fraction(8), "-12", "6"),
    (Fraction(11, 2), "-12", "6"),
    (Fraction(10), "-12", "6"),
)
"""附件4八(六)1: minutes late, what it costs, what each of the others gets."""

TRACTOR_TIERS = (
    (Fraction(5), "warning"),
    (5 + SECOND, "points"),
    (10 + SECOND, "points"),
    (15 + SECOND, "deal_lost"),
    (20 + SECOND, "round_lost"),
)
"""十(二)."""


@pytest.mark.parametrize(("minutes", "offender", "others"), LANDLORD_TIERS)
def test_lateness_of_the_three_player_game_is_written_on_the_sheet_and_counts(
    session: Any, travel: Travel, minutes: Fraction, offender: str, others: str
) -> None:
    rounds.field(travel, rounds.LANDLORD, 6)
    table = rounds.drawn().tables[0]
    late, one, other = results.seats(table)
    (made,) = rulings.given(
        table, "late", late, by=results.referee(rounds.SLUG), slug=rounds.SLUG, minutes=minutes
    )
    deals = [results.deal(one)] * results_queries.sheet(table.token).deals_wanted
    said = results_queries.sheet(table.token).outcome or {}
    rounds.confirmed(table, deals=deals, **said)
    shown = rulings.standing(rounds.SLUG)["tables"][0]["entrants"]
    assert (shown[late]["late"], shown[one]["late"], shown[other]["late"]) == (offender, others, others)
    rulings.withdrawn(made, slug=rounds.SLUG)
    assert "late" not in rulings.standing(rounds.SLUG)["tables"][0]["entrants"][late]


def test_more_than_ten_minutes_is_a_forfeit_and_two_forfeits_leave_the_third_his_points(
    session: Any, travel: Travel
) -> None:
    """附件4八(六)2, I-B-6: others 1.5 场分 and 32 小分, also the one who is left alone."""
    rounds.field(travel, rounds.LANDLORD, 6)
    first, second = rounds.drawn().tables
    late, *rest = results.seats(first)
    rulings.given(first, "late", late, by=results.referee(rounds.SLUG), slug=rounds.SLUG, minutes=10 + SECOND)
    rounds.confirmed(first, **(results_queries.sheet(first.token).outcome or {}))
    gone, gone_too, alone = results.seats(second)
    both = rulings.given(second, "forfeit", gone, gone_too, slug=rounds.SLUG)
    assert len(both) == 2
    tables = rulings.standing(rounds.SLUG)["tables"]
    points = {
        seat: (each["match_points"], each["game_points"])
        for table in tables
        for seat, each in table["entrants"].items()
    }
    assert points == {
        late: ("0", "0"),
        **dict.fromkeys(rest, ("1.5", "32")),
        gone: ("0", "0"),
        gone_too: ("0", "0"),
        alone: ("1.5", "32"),
    }


@pytest.mark.parametrize(("minutes", "effect"), TRACTOR_TIERS)
def test_lateness_of_a_match_goes_by_its_tier_and_comes_off_again(
    session: Any, travel: Travel, minutes: Fraction, effect: str
) -> None:
    duels.field(travel, duels.TRACTOR, 6)
    table = rounds.drawn(duels.SLUG).tables[0]
    late, other = duels.seats(table)
    deals = [duels.deal(other, 40)]
    duels.recorded(table, handed_in=True, deals=deals)
    clean = rulings.standing(duels.SLUG)
    (made,) = rulings.given(table, "late", late, slug=duels.SLUG, minutes=minutes)
    shown = rulings.standing(duels.SLUG)["tables"][0]
    assert shown["late"][late]["effect"] == effect
    assert len(shown["deals"]) == (2 if effect == "deal_lost" else 1)
    if effect == "round_lost":
        assert (shown["winner"], shown["decided_by"]) == (other, "forfeit")
    rulings.withdrawn(made, slug=duels.SLUG)
    assert rulings.standing(duels.SLUG) == clean


@pytest.mark.parametrize("both", [False, True])
def test_a_forfeited_board_counts_at_once_and_its_game_comes_back_when_it_is_withdrawn(
    session: Any, travel: Travel, both: bool
) -> None:
    """附件3一3, I-B-19: 0:2; where both forfeit both have 0."""
    rounds.field(travel, entrants=6)
    table = rounds.drawn().tables[0]
    one, other = results.seats(table)
    rounds.confirmed(table)
    clean = rulings.standing(rounds.SLUG)
    made = rulings.given(table, "forfeit", *((one, other) if both else (one,)), slug=rounds.SLUG)
    shown = rulings.standing(rounds.SLUG)["tables"][0]["entrants"]
    assert (shown[one]["match_points"], shown[other]["match_points"]) == ("0", "0" if both else "2")
    if not both:
        rulings.withdrawn(made[0], slug=rounds.SLUG)
        assert rulings.standing(rounds.SLUG) == clean


def test_a_forfeit_of_a_table_that_was_never_played_is_not_withdrawn_into_nothing(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, entrants=6)
    table = rounds.drawn().tables[0]
    one, _ = results.seats(table)
    with pytest.raises(ChiefOnlyError):
        rulings.given(table, "forfeit", one, slug=rounds.SLUG, by=results.referee(rounds.SLUG))
    (made,) = rulings.given(table, "forfeit", one, slug=rounds.SLUG)
    before = rulings.standing(rounds.SLUG)
    with pytest.raises(NothingPlayedError):
        rulings.withdrawn(made, slug=rounds.SLUG)
    assert rulings.standing(rounds.SLUG) == before


def test_who_came_late_is_suggested_with_his_minutes_and_tier(session: Any, travel: Travel) -> None:
    duels.field(travel, duels.TRACTOR, 6)
    drawn = rounds.drawn(duels.SLUG)
    table = drawn.tables[0]
    one, other = duels.seats(table)
    event = competitions.competition(duels.SLUG).event
    start = clock.now()
    with command(results.chief(duels.SLUG)) as ctx:
        floor.schedule_round(ctx, event.id, "swiss", 1, scheduled_at=start)
    for entrant, after in ((one, timedelta()), (other, timedelta(minutes=5, seconds=1))):
        travel(start + after)
        with command(results.referee(duels.SLUG)) as ctx:
            floor.record_arrival(ctx, drawn.id, entry_of(EntrantId(entrant)), way=ArrivalWay.CARD)
    (found,) = suggestions(duels.sheet(table))
    assert found.entry_id == entry_of(EntrantId(other))
    assert (str(found.late), found.code, str(found.effect)) == ("5 分 1 秒", "late", "首副罚 20 分")
    rulings.given(
        table,
        found.code,
        other,
        slug=duels.SLUG,
        by=results.referee(duels.SLUG),
        minutes=Fraction(found.minutes),
    )
    assert suggestions(duels.sheet(table)) == ()


def test_a_text_without_lateness_has_none_to_give(session: Any, travel: Travel) -> None:
    """I-A-18."""
    table = results.prelim(travel).tables[0]
    for code in ("late", "forfeit"):
        with pytest.raises(UnknownChoiceError):
            rulings.given(table, code, results.seats(table)[0])
