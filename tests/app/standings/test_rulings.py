"""Rulings (裁决): where no draw keeps every hard rule, the chief referee takes the one that breaks least, or leaves it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import clock
from app.audit.actions import AuditAction
from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws import service as draws_service
from app.draws.queries.history import history
from app.draws.rules.repairs import PrivateReasonError
from app.draws.rules.rulings import (
    NoQuestionError,
    QuestionChangedError,
    RulingReasonMissingError,
    SeedNotCommittedError,
)
from app.errors import ForbiddenError, SaishiError
from app.standings import queries, service
from app.standings.queries.rulings import RulingQuestion, question
from app.standings.rules import NextStageRefusedError
from app.standings.service import rulings
from scoring_engine import event_file
from scoring_engine.pairing.commitments import commitment_of
from tests.factories import accounts, registrations, results, rounds
from tests.factories.publications import Travel

WHY = "该单位人数超过桌数，两名同单位选手同桌"


def event() -> Any:
    return competitions.competition(rounds.SLUG).event


def asked() -> RulingQuestion:
    found = question(event(), clock.now())
    assert found is not None
    return found


def committed() -> None:
    with command(registrations.committee(rounds.SLUG)) as ctx:
        service.commit_stage(ctx, event().id)


def accepted(proof: str, reason: str = WHY) -> draws.RoundView:
    with command(results.chief(rounds.SLUG)) as ctx:
        round_id = rulings.accept(ctx, event().id, proof=proof, reason=reason)
    return next(each for each in draws.rounds(event().id) if each.id == round_id)


def proof() -> str:
    made = asked().least_bad
    assert made is not None
    return made.proof


@pytest.fixture
def one_large_unit(session: Any, travel: Travel) -> None:
    """Six people of two units, three each, at two tables: two of each unit have to meet."""
    rounds.field(travel, rounds.LANDLORD, 6, unit=3)


def test_the_question_names_the_people_the_rule_and_its_clause_before_anything_is_drawn(
    one_large_unit: None,
) -> None:
    with pytest.raises(NextStageRefusedError) as refused:
        rounds.drawn()
    assert "裁判长" in str(refused.value.next_step)
    found = asked()
    assert found.least_bad is None, "no draw is shown before its seed is committed to"
    assert [each.clause for each in found.asked][:1] == ["附件4五"]
    assert any("同单位" in each.text.zh for each in found.breaks)
    assert "单位第1机械厂有3人" in found.asked[0].text.zh, "units by their names, not by ids of the file"
    assert len(found.suggested) == 1
    committed()
    found = asked()
    made = found.least_bad
    assert made is not None
    assert sorted(map(len, made.tables)) == [3, 3]
    names = {found.people[each].name for each in found.concerned}
    assert all(any(name in each.text.zh for each in found.breaks) for name in names)
    assert draws.rounds(event().id) == ()


def test_what_was_looked_at_is_what_is_drawn_and_stands_in_the_file_with_its_reason(
    one_large_unit: None,
) -> None:
    committed()
    made = asked().least_bad
    assert made is not None
    drawn = accepted(made.proof)
    assert (drawn.placed.tables, drawn.placed.byes, drawn.proof) == (made.tables, made.byes, made.proof)
    assert drawn.ruling is not None
    assert drawn.ruling.reason == WHY
    document = queries.event_file(event().id)
    ruling = document["draws"][0]["ruling"]
    assert (ruling["by"], ruling["reason"]) == ("裁判长", WHY)
    assert {each["rule"] for each in ruling["broken"]} == {"same_unit"}
    rules = event().regulation.scoring_rules()
    assert event_file.verify(document, rules) == []
    assert "ruling" in [note.more["rule"] for note in event_file.notes(document, rules)]
    assert question(event(), clock.now()) is None
    deeds = [(each.action, each.reason) for each in history(event(), "swiss", 1)]
    assert (AuditAction.RULING_ACCEPTED, WHY) in deeds, "who looks the round up sees why it breaks a rule"


def test_a_file_whose_ruling_hides_what_its_draw_breaks_does_not_verify(one_large_unit: None) -> None:
    committed()
    accepted(proof())
    document = queries.event_file(event().id)
    document["draws"][0]["ruling"]["broken"].pop()
    found = event_file.verify(document, event().regulation.scoring_rules())
    assert [each.path for each in found] == ["$.draws[0].ruling.broken"]


def test_without_a_committed_seed_or_by_anybody_else_nothing_is_accepted(one_large_unit: None) -> None:
    with pytest.raises(SeedNotCommittedError):
        accepted("0" * 64)
    committed()
    with pytest.raises(ForbiddenError), command(registrations.committee(rounds.SLUG)) as ctx:
        rulings.accept(ctx, event().id, proof=proof(), reason=WHY)
    with pytest.raises(RulingReasonMissingError):
        accepted(proof(), "  ")
    with pytest.raises(PrivateReasonError):
        accepted(proof(), "电话 13900000000")
    assert draws.rounds(event().id) == ()


def test_a_draw_that_is_no_longer_the_one_looked_at_is_not_stored(one_large_unit: None) -> None:
    committed()
    seen = proof()
    with command(registrations.committee(rounds.SLUG)) as ctx:
        draws_service.contribute(ctx, event().id, "swiss", 1, "开奖号码 42")
    with pytest.raises(QuestionChangedError) as refused:
        accepted(seen)
    assert refused.value.extra["current"] == {"proof": proof()}
    assert draws.rounds(event().id) == ()
    assert accepted(proof()).commitment is not None
    assert event_file.verify(queries.event_file(event().id), event().regulation.scoring_rules()) == []


def test_what_is_left_withdraws_the_seed_in_public_and_draws_nothing(one_large_unit: None) -> None:
    committed()
    with pytest.raises(ForbiddenError), command(registrations.committee(rounds.SLUG)) as ctx:
        rulings.refuse(ctx, event().id, reason="先与领队商量")
    with command(results.chief(rounds.SLUG)) as ctx:
        rulings.refuse(ctx, event().id, reason="先与领队商量")
    (left,) = draws.commitments(event().id)
    assert (left.withdrawn_reason, left.committed_seed is None) == ("先与领队商量", False)
    assert draws.rounds(event().id) == ()
    assert asked().least_bad is None
    assert [each.action for each in history(event(), "swiss", 1)] == [
        AuditAction.DRAW_COMMITTED,
        AuditAction.RULING_REFUSED,
        AuditAction.DRAW_COMMITMENT_WITHDRAWN,
    ]


def test_a_round_that_keeps_every_rule_needs_no_ruling(session: Any, travel: Travel) -> None:
    rounds.field(travel, rounds.LANDLORD, 9)
    committed()
    assert question(event(), clock.now()) is None
    with pytest.raises(NoQuestionError):
        accepted("0" * 64)
    with pytest.raises(NoQuestionError), command(results.chief(rounds.SLUG)) as ctx:
        rulings.refuse(ctx, event().id, reason="不需要")
    rounds.drawn()


def test_a_field_too_small_for_a_group_is_played_by_ruling(session: Any, travel: Travel) -> None:
    rounds.field(travel, rounds.GO, 6)
    committed()
    drawn = accepted(proof(), "人数不足二十，按一组进行")
    assert drawn.ruling is not None
    assert "每组应有20至32人" in drawn.ruling.asked[0].text.zh
    rounds.played(drawn)
    assert rounds.drawn().ruling is None
    assert event_file.verify(queries.event_file(event().id), event().regulation.scoring_rules()) == []


def test_two_who_met_already_are_the_question_of_the_last_round_they_cannot_avoid(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, rounds.XIANGQI, 2, unit=1)
    rounds.played(rounds.drawn())
    with pytest.raises(NextStageRefusedError):
        rounds.drawn()
    committed()
    assert {each["rule"] for each in asked().broken} >= {"rematch"}
    accepted(proof(), "只有两人，再次相遇")
    assert event_file.verify(queries.event_file(event().id), event().regulation.scoring_rules()) == []


def test_the_api_shows_the_question_and_takes_the_ruling(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        rounds.field(travel, rounds.LANDLORD, 6, unit=3)
        committee = accounts.bearer(app, registrations.committee(rounds.SLUG))
        chief = accounts.bearer(app, results.chief(rounds.SLUG))
    base = f"/api/v1/competitions/{rounds.SLUG}"
    refused = client.post(f"{base}/stages/next", json={}, headers=committee)
    assert refused.status_code == 409
    assert client.get(f"{base}/ruling", headers=committee).json["committed"] is False
    assert client.post(f"{base}/commitments", json={}, headers=committee).status_code == 201
    shown = client.get(f"{base}/ruling", headers=committee).json
    assert (shown["needed"], shown["round"], len(shown["tables"])) == (True, 1, 2)
    assert shown["questions"][0]["clause"] == "附件4五"
    body = {"proof": shown["proof"], "reason": WHY}
    assert client.post(f"{base}/ruling", json=body, headers=committee).status_code == 403
    assert client.post(f"{base}/ruling", json=body | {"proof": "0" * 64}, headers=chief).status_code == 409
    made = client.post(f"{base}/ruling", json=body, headers=chief)
    assert (made.status_code, made.json["round"]) == (201, 1)
    public = client.get(f"{base}/draws").json[0]["ruling"]
    assert (public["reason"], public["made_as"]) == (WHY, "chief_referee")
    assert client.get(f"{base}/ruling", headers=chief).json == {"needed": False}
    assert WHY in client.get(f"/c/{rounds.SLUG}/draws").text


def test_a_refused_draw_does_not_give_the_committed_seed_away(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        rounds.field(travel, rounds.LANDLORD, 6, unit=3)
        staff = accounts.bearer(app, registrations.committee(rounds.SLUG))
    api = f"/api/v1/competitions/{rounds.SLUG}"
    promised = client.post(f"{api}/commitments", json={"stage": "swiss"}, headers=staff).json["commitment"]
    answers = [
        client.post(f"{api}/draws", json={"stage": "swiss"}, headers=staff),
        client.post(f"{api}/stages/next", json={}, headers=staff),
        client.get(f"{api}/ruling", headers=staff),
    ]
    assert [each.status_code for each in answers] == [409, 409, 200]
    for each in answers:
        told = re.findall(r"\b[0-9a-f]{64}\b", each.get_data(as_text=True))
        assert promised not in {commitment_of(bytes.fromhex(one)) for one in told}
    assert answers[0].json["least_bad"]["tables"]


def test_no_refusal_is_half_saved(one_large_unit: None) -> None:
    version = event().results_version
    for act in (
        lambda: accepted("0" * 64),
        lambda: rounds.drawn(),
    ):
        with pytest.raises(SaishiError):
            act()
    assert (event().results_version, draws.commitments(event().id)) == (version, ())
