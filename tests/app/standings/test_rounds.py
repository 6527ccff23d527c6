"""Rounds paired by points, from the stages page to the placings: what is due, what is waited for, what needs a ruling."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.rules import EntriesOpenError, EntriesPendingError
from app.standings import queries, service
from app.standings.rules import NextStageRefusedError
from scoring_engine import event_file
from tests.factories import accounts, registrations, results, rounds
from tests.factories import competitions as competitions_factory
from tests.factories import draws as draws_factory
from tests.factories.publications import Travel


def rules(slug: str = rounds.SLUG) -> Any:
    return competitions.competition(slug).event.regulation.scoring_rules()


def test_a_round_is_drawn_when_the_one_before_is_confirmed_and_replays(session: Any, travel: Travel) -> None:
    rounds.field(travel, rounds.XIANGQI, 5)
    first = rounds.drawn(seed=draws_factory.SEED)
    assert (first.stage, first.number, len(first.tables), len(first.direct)) == ("swiss", 1, 2, 1)
    with pytest.raises(NextStageRefusedError) as waits:
        rounds.drawn()
    assert [each["table"] for each in waits.value.extra["waiting"]] == [1, 2]
    rounds.played(first)
    second = rounds.drawn()
    assert second.number == 2
    met = {frozenset(seat.entry_id for seat in table.seats) for table in first.tables}
    assert not met & {frozenset(seat.entry_id for seat in table.seats) for table in second.tables}
    document = queries.event_file(first.event_id)
    assert [len(each["byes"]) for each in document["stages"][0]["rounds"]] == [1, 1]
    assert event_file.verify(document, rules()) == []


def test_a_committed_round_is_drawn_from_its_seed_and_the_words_of_the_public(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel)
    event = competitions.competition(rounds.SLUG).event
    committee = registrations.committee(rounds.SLUG)
    for number in (1, 2):
        with command(committee) as ctx:
            service.commit_stage(ctx, event.id)
        with command(committee) as ctx:
            service.draws.contribute(ctx, event.id, "swiss", number, "开奖号码 42")
        drawn = rounds.drawn()
        assert drawn.commitment is not None
        assert drawn.commitment.entrants == drawn.entrants
        rounds.played(drawn)
    assert event_file.verify(queries.event_file(event.id), rules()) == []


def test_nothing_is_drawn_while_entries_come_in_or_wait_for_review(session: Any, travel: Travel) -> None:
    travel(rounds.DURING_ENTRIES)
    competitions_factory.competition(regulation=rounds.GO, slug=rounds.SLUG)
    registrations.submitted(1, 2, rounds.SLUG)
    with pytest.raises(EntriesOpenError):
        rounds.drawn()
    travel(rounds.PLAY)
    with pytest.raises(EntriesPendingError):
        rounds.drawn()


def test_a_field_the_text_does_not_divide_is_left_to_the_committee_in_the_words_of_the_engine(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, rounds.GO, 6)
    with pytest.raises(NextStageRefusedError) as refused:
        rounds.drawn()
    assert "每组应有20至32人" in str(refused.value.text)
    assert refused.value.extra["least_bad"]["tables"]
    assert draws.rounds(competitions.competition(rounds.SLUG).event.id) == ()


def test_the_stages_page_offers_round_after_round_until_none_is_left(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        rounds.field(travel, rounds.LANDLORD, 12)
        committee = registrations.committee(rounds.SLUG)
        total = rules().stages[0].rounds
    accounts.sign_in(client, committee)
    stages, home = f"/staff/c/{rounds.SLUG}/stages", f"/staff/c/{rounds.SLUG}"
    assert "可以编排第 1 轮：12 人" in client.get(home).text
    for number in range(1, total + 1):
        page = client.get(stages).text
        assert f"第 {number} 轮，共 {total} 轮" in page
        assert ("没有公示名单的条文" in page) == (number == 1)
        assert client.post(f"{stages}/next", data={"seed": ""}).status_code == 303
        assert "还在等 4 桌" in client.get(stages).text
        with app.app_context():
            drawn = draws.rounds(competitions.competition(rounds.SLUG).event.id)[-1]
            for table in drawn.tables:
                first = results.seats(table)[0]
                rounds.confirmed(table, deals=[results.deal(first)] * 12)
            with command(committee) as ctx:
                service.recompute(ctx, drawn.event_id)
    assert "比赛已结束" in client.get(stages).text
    refused = client.post(f"{stages}/next", data={"seed": ""})
    assert refused.status_code == 409
    assert "没有下一轮" in refused.text
    table = client.get(f"/c/{rounds.SLUG}/standings").text
    assert all(words in table for words in ("最终", "团体名次", "场分"))
    with app.app_context():
        entrant = results.seats(drawn.tables[0])[0]
    card = client.get(f"/c/{rounds.SLUG}/standings/{entrant}").text
    assert all(words in card for words in ("各轮", "对手", "小分", "对手分", "第 1 轮"))
    assert 'data-replayed="identical"' in client.get(f"/c/{rounds.SLUG}/draws/swiss/2/replay").text


def test_pages_of_a_text_without_a_published_list_say_what_takes_its_place(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        rounds.field(travel)
        committee = registrations.committee(rounds.SLUG)
    assert "/publications" not in client.get(f"/c/{rounds.SLUG}").text
    assert "没有公示名单的条文" in client.get(f"/c/{rounds.SLUG}/publications").text
    accounts.sign_in(client, committee)
    assert "不需要公示" in client.get(f"/staff/c/{rounds.SLUG}/publication").text
    answer = client.post(f"/staff/c/{rounds.SLUG}/publication")
    assert answer.status_code in {409, 422}
