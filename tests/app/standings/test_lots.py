"""Lots (抽签定名次): where the whole chain leaves people equal, a seed decides, once, and everybody can draw them again."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.rules import AlreadyContributedError, SeedUsedError
from app.draws.service.voiding import Voiding
from app.errors import ForbiddenError
from app.results import service as results_service
from app.standings import queries, service
from app.standings.queries.lots import LotsView, all_lots
from app.standings.rules.lots import LotsCommittedError, LotsDrawnError, LotsNotCommittedError, NoLotsError
from app.standings.service import lots
from scoring_engine import event_file
from tests.factories import accounts, registrations, results, rounds
from tests.factories.publications import Travel

PASSED_OUT = [{"passed_out": True}] * 12
"""Twelve deals nobody bids for: everybody at the table is equal."""


def event() -> Any:
    return competitions.competition(rounds.SLUG).event


def play(upto: int = 4) -> None:
    """Rounds of 快乐二打一 in which nobody wins anything."""
    for _ in range(upto):
        for table in rounds.drawn().tables:
            rounds.confirmed(table, deals=PASSED_OUT)


def settle() -> dict[str, Any]:
    with command(registrations.committee(rounds.SLUG)) as ctx:
        service.recompute(ctx, event().id)
    snapshot = queries.latest(event().id)
    assert snapshot is not None
    return dict(snapshot.result)


def drawn(seed: str | None = None) -> LotsView:
    with command(registrations.committee(rounds.SLUG)) as ctx:
        lots.draw_lots(ctx, event().id, seed)
    return all_lots(event().id)[-1]


def committed() -> None:
    with command(registrations.committee(rounds.SLUG)) as ctx:
        lots.commit_lots(ctx, event().id)


def differences() -> list[str]:
    document = queries.event_file(event().id)
    return [each.path for each in event_file.verify(document, event().regulation.scoring_rules())]


@pytest.fixture
def all_equal(session: Any, travel: Travel) -> None:
    """Six people of three units, all rounds played, everybody equal in everything."""
    rounds.field(travel, rounds.LANDLORD, 6)
    play()


def test_nothing_is_drawn_by_lot_before_all_is_played(session: Any, travel: Travel) -> None:
    rounds.field(travel, rounds.LANDLORD, 6)
    play(3)
    with pytest.raises(NoLotsError):
        drawn()
    with pytest.raises(NoLotsError):
        committed()


def test_lots_separate_those_who_are_equal_and_stand_in_the_file(all_equal: None) -> None:
    before = settle()
    ranks = [placing["rank"] for placing in before["placings"]]
    assert len(set(ranks)) < len(ranks)
    made = drawn(seed="ab" * 32)
    assert (made.commitment, made.seed) == (None, "ab" * 32)
    after = settle()
    assert [placing["rank"] for placing in after["placings"]] == list(range(1, 7))
    order = [placing["entrant"] for placing in after["placings"]]
    for tie in made.ties:
        assert [each for each in order if each in tie] == list(tie)
    assert queries.event_file(event().id)["lots"]["seed"] == "ab" * 32
    assert differences() == []
    with pytest.raises(LotsDrawnError):
        drawn()


def test_committed_lots_are_drawn_with_the_words_of_the_public(all_equal: None) -> None:
    committed()
    (open_one,) = all_lots(event().id)
    assert (open_one.open, open_one.committed_seed, open_one.proof) == (True, None, None)
    with pytest.raises(LotsCommittedError):
        committed()
    with pytest.raises(LotsCommittedError):
        drawn(seed="ab" * 32)
    committee = registrations.committee(rounds.SLUG)
    with command(committee) as ctx:
        lots.contribute_to_lots(ctx, event().id, "开奖号码 42")
    with pytest.raises(AlreadyContributedError), command(committee) as ctx:
        lots.contribute_to_lots(ctx, event().id, "别的号码")
    made = drawn()
    assert made.commitment == open_one.commitment
    assert differences() == []
    document = queries.event_file(event().id)
    document["lots"]["ties"][0].reverse()
    found = event_file.verify(document, event().regulation.scoring_rules())
    assert [each.path for each in found] == ["$.lots.ties", "$.lots.proof"]


def test_a_commitment_is_given_up_in_public(all_equal: None) -> None:
    with pytest.raises(LotsNotCommittedError), command(registrations.committee(rounds.SLUG)) as ctx:
        lots.withdraw_lots(ctx, event().id, "弄错了")
    committed()
    with command(registrations.committee(rounds.SLUG)) as ctx:
        lots.withdraw_lots(ctx, event().id, "弄错了")
    (given_up,) = all_lots(event().id)
    assert (given_up.withdrawn_reason, given_up.committed_seed is None) == ("弄错了", False)
    assert "lots" not in queries.event_file(event().id)
    drawn()
    assert differences() == []


def test_no_seed_serves_for_lots_and_for_anything_else(all_equal: None) -> None:
    """A seed that is known says how the lots will fall: whoever chose it has chosen the order."""
    with pytest.raises(SeedUsedError):
        drawn(seed=draws.rounds(event().id)[0].seed)
    with pytest.raises(SeedUsedError), command(registrations.committee(rounds.SLUG)) as ctx:
        lots.commit_lots(ctx, event().id, draws.rounds(event().id)[-1].seed)
    committed()
    with command(registrations.committee(rounds.SLUG)) as ctx:
        lots.withdraw_lots(ctx, event().id, "弄错了")
    (given_up,) = all_lots(event().id)
    assert given_up.committed_seed is not None
    with pytest.raises(SeedUsedError):
        drawn(seed=given_up.committed_seed)
    made = drawn(seed="cd" * 32)
    for act in (service.draw_stage, service.commit_stage):
        with pytest.raises(SeedUsedError), command(registrations.committee(rounds.SLUG)) as ctx:
            act(ctx, event().id, seed=made.seed)


def test_only_committee_and_chief_referee_draw_lots(all_equal: None) -> None:
    with pytest.raises(ForbiddenError), command(results.referee(rounds.SLUG)) as ctx:
        lots.draw_lots(ctx, event().id)
    with command(results.chief(rounds.SLUG)) as ctx:
        lots.draw_lots(ctx, event().id)


def test_lots_hold_while_the_last_round_is_taken_back_and_played_again(all_equal: None) -> None:
    made = drawn()
    last = draws.rounds(event().id)[-1]
    with command(results.chief(rounds.SLUG)) as ctx:
        results_service.undraw(
            ctx,
            last.event_id,
            last.stage,
            last.number,
            voiding=Voiding(last.seed, "名单有误", "lots-undraw-0001"),
            deals=24,
        )
    play(1)
    settle()
    assert queries.event_file(event().id)["lots"]["seed"] == made.seed
    assert differences() == []
    with pytest.raises(LotsDrawnError):
        drawn()


def test_the_pages_and_the_api_draw_lots_and_show_them(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        rounds.field(travel, rounds.LANDLORD, 6)
        play()
        settle()
        committee = registrations.committee(rounds.SLUG)
    accounts.sign_in(client, committee)
    staff, public = f"/staff/c/{rounds.SLUG}", f"/c/{rounds.SLUG}/standings"
    page = client.get(f"{staff}/stages").text
    assert "比赛已结束，还有相同的名次要由抽签决定" in page
    assert client.post(f"{staff}/lots/commitment").status_code == 303
    wrong = client.post(f"{staff}/lots/contribution", data={"contribution": ""})
    assert wrong.status_code == 422
    assert client.post(f"{staff}/lots/contribution", data={"contribution": "42"}).status_code == 303
    api = f"/api/v1/competitions/{rounds.SLUG}"
    described = {"$ref": "#/components/schemas/Lots"} | client.get("/api/v1/openapi.json").json
    (secret,) = client.get(f"{api}/lots").json
    assert secret["seed"] is None
    Draft202012Validator(described).validate(secret)
    waiting = client.get(public).text
    assert "种子已承诺" in waiting
    assert client.post(f"{staff}/lots").status_code == 303
    again = client.post(f"{staff}/lots")
    assert again.status_code == 409
    assert "不能重抽" in again.text
    with app.app_context():
        settle()
    shown = client.get(public).text
    assert "全部名次依据都相同的，按抽到的先后" in shown
    (listed,) = client.get(f"{api}/lots").json
    assert (listed["state"], listed["contribution"]) == ("drawn", "42")
    Draft202012Validator(described).validate(listed)
    headers = accounts.bearer(app, committee)
    assert client.post(f"{api}/lots", json={}, headers=headers).status_code == 409
    assert client.post(f"{api}/lots", json={}).status_code == 401
