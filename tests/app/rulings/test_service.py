"""Rulings through the whole service: what they cost, who gives them, how they are withdrawn, and that the downloaded file agrees."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from app.actors import Role
from app.cli import cli
from app.commands import command
from app.competitions import queries as competitions
from app.errors import ForbiddenError
from app.floor import service as floor
from app.results.rules import SheetState
from app.rulings import queries, service
from app.rulings.rules import (
    AlreadyWithdrawnError,
    ChiefOnlyError,
    CostChangedError,
    NotAtThisTableError,
    OtherTableError,
    ParameterError,
    RulingReasonError,
    UnknownChoiceError,
    UnknownRulingError,
)
from app.standings import queries as standings
from tests.event_files import schema
from tests.factories import accounts, duels, registrations, results, rounds, rulings
from tests.factories.publications import Travel


def verified(slug: str = "beach") -> dict[str, Any]:
    """The event file as anybody downloads it: `saishi verify` finds nothing, and `saishi score` gives the placings of the site."""
    event = competitions.competition(slug).event
    content = standings.event_file_download(event.id).content
    assert schema.refused(json.loads(content)) == []
    done = CliRunner().invoke(cli, ["verify", "-"], input=content)
    assert done.exit_code == 0, done.output
    scored = CliRunner().invoke(cli, ["score", "-"], input=content)
    assert scored.exit_code == 0, scored.output
    assert json.loads(scored.stdout)["placings"] == rulings.standing(slug)["placings"]
    document: dict[str, Any] = json.loads(content)
    return document


def points(slug: str, entrant: str) -> str:
    tables = rulings.standing(slug)["tables"]
    (found,) = (each["entrants"][entrant]["game_points"] for each in tables if entrant in each["entrants"])
    return str(found)


def test_smoking_costs_three_points_and_withdrawing_gives_the_very_standings_back(
    session: Any, travel: Travel
) -> None:
    """四(二)8(五)."""
    table = results.prelim(travel).tables[0]
    event = competitions.competition("beach").event
    results.all_confirmed(event.id)
    one = results.seats(table)[0]
    clean, before = rulings.standing(), int(points("beach", one))
    (made,) = rulings.given(table, "smoking", one)
    assert int(points("beach", one)) == before - 3
    (adjustment,) = verified()["adjustments"]
    assert adjustment == {
        "id": f"ruling-{made}",
        "rule": "smoking",
        "entrant": one,
        "stage": "prelim",
        "round": 1,
    }
    rulings.withdrawn(made)
    assert rulings.standing() == clean
    assert verified()["adjustments"] == []
    told = queries.ruling(event.id, made)
    assert told.withdrawn_reason == "认错了人"
    assert not told.stands


def test_a_ruling_about_an_open_table_counts_once_its_sheet_does(session: Any, travel: Travel) -> None:
    table = results.prelim(travel).tables[0]
    one = results.seats(table)[0]
    rulings.given(table, "smoking", one, by=results.referee())
    assert verified()["adjustments"] == []
    results.confirmed(table)
    assert [each["rule"] for each in verified()["adjustments"]] == ["smoking"]


def test_three_warnings_in_one_deal_cost_three_and_two_cost_nothing(session: Any, travel: Travel) -> None:
    """四(二)比赛通则3, I-A-11."""
    table = results.prelim(travel).tables[0]
    one, other, _ = results.seats(table)
    for deal, entrant in ((1, one), (1, one), (2, one), (1, other), (1, one)):
        rulings.given(table, "timeouts", entrant, by=results.referee(), deal=deal)
    results.all_confirmed(competitions.competition("beach").event.id)
    costs: dict[str, int] = {}
    for each in rulings.standing()["adjustments"]:
        costs[each["entrant"]] = costs.get(each["entrant"], 0) + int(each["points"])
    assert costs == {one: -3, other: 0}
    verified()


def test_a_round_set_to_zero_is_exactly_zero_and_the_chief_referee_may_name_another_amount(
    session: Any, travel: Travel
) -> None:
    """四(二)8(七), I-A-12."""
    tables = results.prelim(travel).tables
    results.all_confirmed(competitions.competition("beach").event.id)
    low = min(results.seats(tables[0]), key=lambda each: int(points("beach", each)))
    assert int(points("beach", low)) < 0
    (made,) = rulings.given(tables[0], "phone", low)
    assert points("beach", low) == "0"
    rulings.withdrawn(made)
    before = int(points("beach", low))
    rulings.given(tables[0], "phone", low, points=-10)
    assert int(points("beach", low)) == before - 10
    verified()


def test_a_referee_gives_no_round_to_zero_no_own_amount_and_nothing_once_it_is_public(
    session: Any, travel: Travel
) -> None:
    table = results.prelim(travel).tables[0]
    one = results.seats(table)[0]
    for code, more in (
        ("phone", {}),
        ("signals", {"deal": 1, "points": -1}),
        ("expulsion", {"rule": "abuse"}),
    ):
        with pytest.raises(ChiefOnlyError):
            rulings.given(table, code, one, by=results.referee(), **more)
    results.confirmed(table)
    with pytest.raises(ChiefOnlyError):
        rulings.given(table, "smoking", one, by=results.referee())
    assert queries.rulings(competitions.competition("beach").event.id) == ()


def test_only_the_referee_of_a_table_rules_there_where_one_is_assigned(session: Any, travel: Travel) -> None:
    first, second, *_ = results.prelim(travel).tables
    referee, chief = results.referee(), results.chief()
    competition_id = competitions.competition_id("beach")
    other = accounts.user(9107, Role.REFEREE, competition_id=competition_id)
    assert other.user_id is not None
    with command(chief) as ctx:
        floor.assign_referees(ctx, first.event_id, "prelim", 1, placed={first.number: [other.user_id]})
    one = results.seats(first)[0]
    with pytest.raises(OtherTableError):
        rulings.given(first, "smoking", one, by=referee)
    rulings.given(first, "smoking", one, by=other)
    rulings.given(second, "smoking", results.seats(second)[0], by=referee)


def test_the_committee_reads_and_gives_nothing(session: Any, travel: Travel) -> None:
    table = results.prelim(travel).tables[0]
    with pytest.raises(ForbiddenError):
        rulings.given(table, "smoking", results.seats(table)[0], by=registrations.committee("beach"))


def test_a_referee_withdraws_his_own_ruling_while_the_table_is_played(session: Any, travel: Travel) -> None:
    table = results.prelim(travel).tables[0]
    one = results.seats(table)[0]
    (made,) = rulings.given(table, "smoking", one, by=results.referee())
    (chiefs,) = rulings.given(table, "smoking", one)
    rulings.withdrawn(made, by=results.referee())
    with pytest.raises(ChiefOnlyError):
        rulings.withdrawn(chiefs, by=results.referee())
    with pytest.raises(AlreadyWithdrawnError):
        rulings.withdrawn(made)
    results.confirmed(table)
    assert [each["id"] for each in verified()["adjustments"]] == [f"ruling-{chiefs}"]


def test_what_is_wrong_is_said_beside_its_field_and_nothing_is_kept(session: Any, travel: Travel) -> None:
    tables = results.prelim(travel).tables
    one, stranger = results.seats(tables[0])[0], results.seats(tables[1])[0]
    cases: list[tuple[type[Exception], str, str, dict[str, Any]]] = [
        (UnknownChoiceError, "code", "revoke", {}),
        (ParameterError, "deal", "signals", {}),
        (ParameterError, "deal", "signals", {"deal": 11}),
        (ParameterError, "count", "smoking", {"count": 0}),
        (ParameterError, "points", "smoking", {"points": -5}),
        (ParameterError, "minutes", "smoking", {"minutes": 3}),
        (ParameterError, "rule", "expulsion", {}),
        (RulingReasonError, "reason", "smoking", {"reason": " "}),
        (RulingReasonError, "reason", "smoking", {"reason": "电话 138 0013 8000"}),
    ]
    for error, field, code, more in cases:
        with pytest.raises(error) as refused:
            rulings.given(tables[0], code, one, **more)
        assert list(refused.value.fields) == [field]  # type: ignore[attr-defined]  # every one is a SaishiError
    with pytest.raises(NotAtThisTableError):
        rulings.given(tables[0], "smoking", stranger)
    assert queries.rulings(tables[0].event_id) == ()
    with pytest.raises(UnknownRulingError):
        queries.ruling(tables[0].event_id, 4711)


def test_the_same_request_rules_once(session: Any, travel: Travel) -> None:
    table = results.prelim(travel).tables[0]
    one, other, _ = results.seats(table)
    made = rulings.given(table, "smoking", one, other, idempotency_key="twice")
    assert rulings.given(table, "smoking", one, other, idempotency_key="twice") == made
    assert len(made) == 2
    assert len(queries.rulings(table.event_id)) == 2


def test_a_cost_that_was_another_at_the_preview_is_not_charged(session: Any, travel: Travel) -> None:
    table = results.prelim(travel).tables[0]
    one = results.seats(table)[0]
    for _ in range(2):
        rulings.given(table, "timeouts", one, deal=4, previewed="+0")
    with pytest.raises(CostChangedError) as changed:
        rulings.given(table, "timeouts", one, deal=4, previewed="+0")
    assert changed.value.extra == {"previewed": "+0", "now": "-3"}
    rulings.given(table, "timeouts", one, deal=4, previewed="-3")


def test_a_foul_counts_in_the_ranking(session: Any, travel: Travel) -> None:
    """附件3二: 犯规 (fewer) comes after 胜局."""
    rounds.field(travel, entrants=8)
    first = rounds.drawn()
    rounds.played(first)
    one = results.seats(first.tables[0])[0]
    before = {each["entrant"]: each["rank"] for each in rulings.standing(rounds.SLUG)["placings"]}
    rulings.given(first.tables[0], "foul", one, slug=rounds.SLUG, count=2)
    after = {each["entrant"]: each["rank"] for each in rulings.standing(rounds.SLUG)["placings"]}
    assert after[one] > before[one]
    verified(rounds.SLUG)


def test_rulings_after_the_next_draw_leave_the_drawn_round_and_the_file_still_verifies(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, entrants=8)
    first = rounds.drawn(seed="01" * 32)
    rounds.played(first)
    second = rounds.drawn(seed="02" * 32)
    one = results.seats(first.tables[0])[0]
    (foul,) = rulings.given(first.tables[0], "foul", one, slug=rounds.SLUG, count=9)
    (forfeit,) = rulings.given(
        first.tables[1], "forfeit", results.seats(first.tables[1])[0], slug=rounds.SLUG
    )
    document = verified(rounds.SLUG)
    then = document["draws"][1]["as_drawn"]
    assert then["adjustments"] == []
    assert [each["number"] for each in then["tables"]] == [2]
    assert "as_drawn" not in document["draws"][0]
    rounds.played(second)
    rounds.drawn(seed="03" * 32)
    assert "as_drawn" not in verified(rounds.SLUG)["draws"][2], "round 3 was drawn with both"
    rulings.withdrawn(foul, slug=rounds.SLUG)
    rulings.withdrawn(forfeit, slug=rounds.SLUG)
    document = verified(rounds.SLUG)
    assert "as_drawn" not in document["draws"][1], "round 2 was drawn without either"
    assert [each["id"] for each in document["draws"][2]["as_drawn"]["adjustments"]] == [f"ruling-{foul}"]


def test_a_revoke_of_the_banker_gives_the_defenders_the_bank(session: Any, travel: Travel) -> None:
    """八(十九), I-C-7: 防家 115 and the banker revokes is 175."""
    duels.field(travel, duels.TRACTOR, 6)
    table = rounds.drawn(duels.SLUG).tables[0]
    one, other = duels.seats(table)
    duels.confirmed(table, deals=[duels.deal(one, 115)])
    clean = rulings.standing(duels.SLUG)
    (made,) = rulings.given(table, "revoke", one, slug=duels.SLUG, deal=1)
    shown = rulings.standing(duels.SLUG)["tables"][0]
    assert (shown["deals"][0]["defenders_points"], shown["deals"][0]["up"], shown["bank"]) == (
        "175",
        None,
        other,
    )
    verified(duels.SLUG)
    rulings.withdrawn(made, slug=duels.SLUG)
    assert rulings.standing(duels.SLUG) == clean


def test_slow_play_is_a_warning_first_and_then_twenty_each(session: Any, travel: Travel) -> None:
    """八(二十五)."""
    duels.field(travel, duels.TRACTOR, 6)
    table = rounds.drawn(duels.SLUG).tables[0]
    one, _ = duels.seats(table)
    duels.recorded(table, deals=[duels.deal(one, 100)])
    for _ in range(2):
        rulings.given(table, "slow_play", one, by=results.referee(duels.SLUG), slug=duels.SLUG, deal=1)
    match = duels.sheet(table).match
    assert match is not None
    assert match.score is not None
    lines = match.score.deals[0].penalties
    assert [line.defenders for line in lines] == [0, 20]
    assert duels.sheet(table).state is SheetState.OPEN


def test_a_penalty_that_makes_a_later_deal_impossible_is_refused_with_its_sentence(
    session: Any, travel: Travel
) -> None:
    """The bank goes over with the revoke, so the second deal cannot have had this banker."""
    duels.field(travel, duels.TRACTOR, 6)
    table = rounds.drawn(duels.SLUG).tables[0]
    one, _ = duels.seats(table)
    duels.confirmed(table, deals=[duels.deal(one, 115), duels.deal(one, 40)])
    before = rulings.standing(duels.SLUG)
    with pytest.raises(Exception, match="庄") as refused:
        rulings.given(table, "revoke", one, slug=duels.SLUG, deal=1)
    assert refused.value.fields  # type: ignore[attr-defined]  # a SaishiError
    assert queries.rulings(table.event_id) == ()
    assert rulings.standing(duels.SLUG) == before


def test_what_is_not_of_the_event_is_not_found(session: Any, travel: Travel) -> None:
    table = results.prelim(travel).tables[0]
    (made,) = rulings.given(table, "smoking", results.seats(table)[0])
    with pytest.raises(UnknownRulingError), command(results.chief()) as ctx:
        service.withdraw(ctx, table.event_id, made + 1, reason="没有这一条")
