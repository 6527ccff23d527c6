"""Commit and reveal (种子承诺): what is public when, what cannot be changed, and that everything replays."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select, text

from app.actors import ANONYMOUS, Actor, Role
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries, rules, service
from app.draws.models import Seat
from app.errors import ForbiddenError, SignInRequiredError
from app.extensions import db
from app.standings import queries as standings
from scoring_engine import event_file
from tests.factories import accounts, draws, publications, registrations, results

Travel = Callable[[datetime], None]
API = "/api/v1/competitions/beach"
SECRET = draws.SEED
COMMITMENT = hashlib.sha256(bytes.fromhex(SECRET)).hexdigest()
WORDS = "开奖号码 01 05 11"
MIXED = hashlib.sha256(bytes.fromhex(SECRET) + WORDS.encode()).hexdigest()


@pytest.fixture
def ready(session: Any, travel: Travel) -> None:
    """Ten entrants on a final list that nobody has drawn from yet."""
    publications.published_field(travel, 10, 2)
    travel(publications.WINDOW_OVER)


@pytest.fixture
def committee(app: Flask, travel: Travel) -> Actor:
    """The same for tests that send requests."""
    with app.app_context():
        publications.published_field(travel, 10, 2)
        travel(publications.WINDOW_OVER)
        return registrations.committee()


def event_id() -> int:
    return competitions.competition("beach").event.id


def audit_trail() -> list[tuple[str, dict[str, Any]]]:
    entries = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()
    return [(each.action, each.details) for each in entries if each.action.startswith(("draw.", "round."))]


def verified() -> list[str]:
    rules_ = competitions.competition("beach").event.regulation.scoring_rules()
    return [each.path for each in event_file.verify(standings.event_file(event_id()), rules_)]


@pytest.mark.usefixtures("ready")
def test_a_commitment_publishes_hash_time_and_list_and_keeps_the_seed(travel: Travel) -> None:
    made = draws.commit()
    assert made.commitment == COMMITMENT
    assert made.committed_at == publications.WINDOW_OVER
    assert len(made.entrants) == 10
    assert made.committed_seed is None
    assert made.open
    assert queries.open_commitment(event_id(), "prelim", 1) == made


@pytest.mark.usefixtures("ready")
def test_the_committed_seed_stands_encrypted_in_the_database() -> None:
    draws.commit()
    (stored,) = db.session.execute(text("SELECT seed FROM draw_commitments")).one()
    assert SECRET not in stored
    assert draws.draw(seed=None).seed == SECRET


@pytest.mark.usefixtures("ready")
def test_the_draw_reveals_the_committed_seed_and_the_file_verifies() -> None:
    draws.commit()
    drawn = draws.draw(seed=None)
    assert drawn.seed == SECRET
    assert drawn.commitment is not None
    assert drawn.commitment.committed_seed == SECRET
    assert queries.open_commitment(event_id(), "prelim", 1) is None
    (entry,) = standings.event_file(event_id())["draws"]
    assert entry["commitment"] == COMMITMENT
    assert datetime.fromisoformat(entry["committed_at"]) == publications.WINDOW_OVER
    assert "contribution" not in entry
    assert verified() == []


@pytest.mark.usefixtures("ready")
def test_the_public_contribution_is_mixed_into_the_seed_and_the_file_verifies() -> None:
    draws.commit()
    assert draws.contribute("  开奖号码\n01 05 11 ").contribution == WORDS
    drawn = draws.draw(seed=None)
    assert drawn.seed == MIXED
    (entry,) = standings.event_file(event_id())["draws"]
    assert (entry["committed_seed"], entry["contribution"], entry["seed"]) == (SECRET, WORDS, MIXED)
    assert verified() == []


@pytest.mark.usefixtures("ready")
def test_a_draw_in_one_go_shows_that_nothing_was_published_before() -> None:
    drawn = draws.draw()
    assert drawn.commitment is None
    assert "commitment" not in standings.event_file(event_id())["draws"][0]


@pytest.mark.usefixtures("ready")
def test_every_step_is_audited_and_the_seed_only_once_it_is_public() -> None:
    draws.commit()
    draws.contribute(WORDS)
    before = str(audit_trail())
    assert SECRET not in before
    draws.draw(seed=None)
    trail = audit_trail()
    assert [action for action, _ in trail] == ["draw.committed", "draw.contributed", "round.drawn"]
    assert trail[0][1]["commitment"] == trail[2][1]["commitment"] == COMMITMENT
    assert trail[1][1]["contribution"] == WORDS


@pytest.mark.usefixtures("ready")
def test_a_seed_made_by_the_server_is_in_no_audit_entry_before_the_draw() -> None:
    made = draws.commit(seed=None)
    drawn = draws.draw(seed=None)
    assert hashlib.sha256(bytes.fromhex(drawn.seed)).hexdigest() == made.commitment
    assert drawn.seed not in str([details for action, details in audit_trail() if action != "round.drawn"])


@pytest.mark.usefixtures("ready")
def test_a_second_commitment_waits_until_the_first_is_drawn_or_withdrawn() -> None:
    draws.commit()
    with pytest.raises(rules.AlreadyCommittedError, match="初赛第 1 轮"):
        draws.commit(seed=None)
    draws.withdraw("种子被人看见")
    assert draws.commit(seed="ab" * 16).open
    draws.draw(seed=None)
    with pytest.raises(rules.AlreadyDrawnError):
        draws.commit()


@pytest.mark.usefixtures("ready")
def test_no_other_seed_is_drawn_from_while_one_is_committed_to() -> None:
    draws.commit()
    with pytest.raises(rules.SeedCommittedError) as refused:
        draws.draw(seed="cd" * 16)
    assert list(refused.value.fields) == ["seed"]
    assert queries.rounds(event_id()) == ()


@pytest.mark.usefixtures("ready")
def test_a_contribution_is_written_once() -> None:
    with pytest.raises(rules.NotCommittedError):
        draws.contribute(WORDS)
    draws.commit()
    draws.contribute(WORDS)
    with pytest.raises(rules.AlreadyContributedError, match="01 05 11"):
        draws.contribute("别的话")
    draws.draw(seed=None)
    with pytest.raises(rules.AlreadyDrawnError):
        draws.contribute("太晚了")


@pytest.mark.parametrize("words", ["", " \u3000\n", "字" * 201])
@pytest.mark.usefixtures("ready")
def test_a_contribution_has_one_to_two_hundred_characters(words: str) -> None:
    draws.commit()
    with pytest.raises(rules.BadContributionError) as refused:
        draws.contribute(words)
    assert list(refused.value.fields) == ["contribution"]
    assert len(str(draws.contribute("字" * 200).contribution)) == 200


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize("words", ["\u200b", "42\u202e24", "好\u2066运\u2069", "a\ufeffb"])
def test_what_cannot_be_seen_is_no_contribution(words: str) -> None:
    draws.commit()
    with pytest.raises(rules.UnseenContributionError) as refused:
        draws.contribute(words)
    assert "看不见的字符" in str(refused.value.fields["contribution"])
    assert queries.last_commitment(event_id(), "prelim", 1).contribution is None


@pytest.mark.usefixtures("ready")
def test_who_lost_the_entry_after_the_commitment_stops_the_draw_until_it_is_made_anew() -> None:
    made = draws.commit()
    registrations.decision(
        registrations.committee(), int(made.entrants[0].removeprefix("e")), "reject", "举报属实"
    )
    with pytest.raises(rules.ListChangedError, match="少了 1 人，多了 0 人") as refused:
        draws.draw(seed=None)
    assert refused.value.clause
    assert queries.rounds(event_id()) == ()
    draws.withdraw("一人被取消资格")
    draws.commit(seed="ab" * 32)
    assert len(draws.draw(seed=None).entrants) == 9


@pytest.mark.usefixtures("ready")
def test_a_withdrawn_commitment_stays_public_with_reason_and_seed() -> None:
    draws.commit()
    gone = draws.withdraw("名单要改")
    assert (gone.withdrawn_reason, gone.committed_seed) == ("名单要改", SECRET)
    draws.draw(seed="ef" * 16)
    assert queries.commitments(event_id()) == (gone,)
    assert [action for action, _ in audit_trail()] == [
        "draw.committed",
        "draw.commitment_withdrawn",
        "round.drawn",
    ]
    assert audit_trail()[1][1]["reason"] == "名单要改"
    assert queries.rounds(event_id())[0].commitment is None
    with pytest.raises(rules.NotCommittedError):
        withdraw_of_a_round_without_one()


def withdraw_of_a_round_without_one() -> None:
    with command(registrations.committee()) as ctx:
        service.withdraw_commitment(ctx, event_id(), "semifinal", 1, "没有承诺")


@pytest.mark.usefixtures("ready")
def test_only_the_committee_and_the_chief_referee_act_on_commitments() -> None:
    competition_id = competitions.competition_by_id(event_id()).id
    referee = accounts.user(7400, Role.REFEREE, competition_id=competition_id)
    chief = accounts.user(7401, Role.CHIEF_REFEREE, competition_id=competition_id)
    for act in (
        draws.commit,
        lambda by: draws.contribute(WORDS, by=by),
        lambda by: draws.withdraw("理由", by=by),
    ):
        with pytest.raises(ForbiddenError):
            act(by=referee)
        with pytest.raises(SignInRequiredError):
            act(by=ANONYMOUS)
    assert draws.commit(by=chief).open


def test_before_the_window_is_over_nothing_is_committed_to(session: Any, travel: Travel) -> None:
    publications.published_field(travel)
    travel(publications.LAST_SECOND)
    with pytest.raises(rules.PublicationRunningError):
        draws.commit()


def test_two_commitments_at_once_become_one(app: Flask, committee: Actor) -> None:
    gate = Barrier(2)

    def press(_: int) -> str:
        with app.app_context():
            gate.wait()
            try:
                return draws.commit(by=committee, seed=None).commitment
            except rules.AlreadyCommittedError:
                return "refused"

    with ThreadPoolExecutor(2) as both:
        answers = list(both.map(press, range(2)))
    assert answers.count("refused") == 1


def test_the_way_over_the_api_shows_the_seed_only_after_the_draw(
    app: Flask, committee: Actor, client: FlaskClient
) -> None:
    headers = accounts.bearer(app, committee)
    made = client.post(f"{API}/commitments", json={"stage": "prelim", "seed": SECRET}, headers=headers)
    assert (made.status_code, made.json["state"], made.json["commitment"]) == (201, "open", COMMITMENT)
    assert made.json["committed_seed"] is None
    added = client.post(
        f"{API}/commitments/prelim/1/contribution", json={"contribution": WORDS}, headers=headers
    )
    assert added.json["contribution"] == WORDS
    public = client.get(f"{API}/commitments")
    assert [each["state"] for each in public.json] == ["open"]
    for address in (f"{API}/commitments", f"{API}/draws", f"{API}/event-file", "/c/beach/draws"):
        assert SECRET not in client.get(address).text
    drawn = client.post(f"{API}/draws", json={"stage": "prelim"}, headers=headers)
    assert drawn.status_code == 201
    assert drawn.json["commitment"]["committed_seed"] == SECRET
    assert drawn.json["seed"] == MIXED
    assert client.get(f"{API}/commitments").json[0]["state"] == "drawn"


def test_the_api_withdraws_with_a_reason_only(app: Flask, committee: Actor, client: FlaskClient) -> None:
    headers = accounts.bearer(app, committee)
    client.post(f"{API}/commitments", json={"stage": "prelim"}, headers=headers)
    address = f"{API}/commitments/prelim/1/withdrawal"
    bare = client.post(address, json={}, headers=headers)
    assert [error["pointer"] for error in bare.json["errors"]] == ["/reason"]
    gone = client.post(address, json={"reason": "名单要改"}, headers=headers)
    assert (gone.json["state"], gone.json["withdrawn_reason"]) == ("withdrawn", "名单要改")
    assert client.post(address, json={"reason": "再来一次"}, headers=headers).status_code == 409
    assert client.post(address, json={"reason": "没登录"}).status_code == 401


def test_the_committee_commits_contributes_and_draws_on_the_page(
    committee: Actor, client: FlaskClient
) -> None:
    accounts.sign_in(client, committee)
    assert "先公布种子承诺" in client.get("/staff/c/beach/draws").text
    made = client.post("/staff/c/beach/draws/commitments", data={"stage": "prelim", "seed": SECRET})
    assert made.status_code == 303
    page = client.get(made.location).text
    assert COMMITMENT in page
    assert SECRET not in page
    assert 'name="seed"' not in page
    empty = client.post("/staff/c/beach/draws/prelim/1/contribution", data={"contribution": " "})
    assert empty.status_code == 422
    assert "请填写" in empty.text
    client.post("/staff/c/beach/draws/prelim/1/contribution", data={"contribution": WORDS})
    public = client.get("/c/beach/draws").text
    assert WORDS in public
    assert "等待抽签" in public
    assert client.post("/staff/c/beach/draws", data={"stage": "prelim"}).status_code == 303
    shown = client.get("/c/beach/draws").text
    for text_ in (SECRET, MIXED, COMMITMENT, WORDS):
        assert text_ in shown
    assert "data-no-commitment" not in shown


def test_the_page_withdraws_with_a_reason_that_everybody_reads(committee: Actor, client: FlaskClient) -> None:
    accounts.sign_in(client, committee)
    client.post("/staff/c/beach/draws/commitments", data={"stage": "prelim"})
    address = "/staff/c/beach/draws/prelim/1/withdrawal"
    assert client.post(address, data={"reason": ""}).status_code == 422
    assert client.post(address, data={"reason": "名单要改"}).status_code == 303
    assert "名单要改" in client.get("/c/beach/draws").text
    assert client.post(address, data={"reason": "名单要改"}).status_code == 409


def test_a_round_without_commitment_says_so_and_replays_at_the_press_of_a_button(
    app: Flask, committee: Actor, client: FlaskClient
) -> None:
    with app.app_context():
        draws.draw()
    assert "data-no-commitment" in client.get("/c/beach/draws").text
    answer = client.get("/c/beach/draws/prelim/1/replay")
    assert answer.status_code == 200
    assert 'data-replayed="identical"' in answer.text
    assert client.get("/c/beach/draws/prelim/2/replay").status_code == 404
    assert client.get("/c/beach/draws/prelim/1/replay?lang=en").status_code == 200


def test_a_changed_table_is_seen_by_the_replay(app: Flask, committee: Actor, client: FlaskClient) -> None:
    with app.app_context():
        draws.draw()
        seats = db.session.scalars(select(Seat).order_by(Seat.id)).all()
        one, other = seats[0], seats[-1]  # of two tables
        with command(committee) as ctx:
            one, other = ctx.session.get_one(Seat, one.id), ctx.session.get_one(Seat, other.id)
            one.entry_id, other.entry_id = other.entry_id, one.entry_id
            ctx.record(AuditAction.ROUND_DRAWN, one)
    page = client.get("/c/beach/draws/prelim/1/replay").text
    assert 'data-replayed="different"' in page
    assert "$.draws[0].tables" in page


def test_a_later_stage_is_committed_to_and_drawn_from_the_standings(
    app: Flask, committee: Actor, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        drawn = draws.draw(seed="ab" * 32)
    accounts.sign_in(client, committee)
    early = client.post("/staff/c/beach/stages/commitments", data={})
    assert early.status_code == 409
    with app.app_context():
        results.all_confirmed(drawn.event_id)
    travel(publications.WINDOW_OVER + timedelta(days=30))
    made = client.post("/staff/c/beach/stages/commitments", data={"seed": SECRET})
    assert made.status_code == 303
    page = client.get(made.location).text
    assert "承诺的种子抽签" in page
    assert SECRET not in page
    again = client.post("/staff/c/beach/stages/commitments", data={})
    assert again.status_code == 409
    client.post("/staff/c/beach/draws/semifinal/1/contribution", data={"contribution": WORDS})
    assert client.post("/staff/c/beach/stages/next", data={}).status_code == 303
    semifinal = client.get(f"{API}/draws").json[1]
    assert (semifinal["seed"], semifinal["commitment"]["commitment"]) == (MIXED, COMMITMENT)
    assert 'data-replayed="identical"' in client.get("/c/beach/draws/semifinal/1/replay").text
    with app.app_context():
        assert verified() == []


def test_the_pages_of_commitments_read_in_english(app: Flask, committee: Actor, client: FlaskClient) -> None:
    with app.app_context():
        draws.commit()
        draws.withdraw("名单要改")
        draws.commit(seed="ab" * 32)
        draws.contribute(WORDS)
    accounts.sign_in(client, committee)
    for address in ("/c/beach/draws", "/staff/c/beach/draws"):
        page = client.get(f"{address}?lang=en")
        assert page.status_code == 200
        assert "waits for the draw" in page.text
