"""Groups (组别) of 围棋, 附件2一3: divided by draw before the first round, paired and ranked apart, verified from the file."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from app.actors import Actor
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.queries import division as divisions
from app.draws.queries import repairs
from app.draws.rules import AlreadyDrawnError, RulingNeededError, SeedUsedError
from app.draws.rules.attendance import ActKind
from app.draws.rules.division import (
    AlreadyDividedError,
    BadGroupsError,
    NoDivisionError,
    NoGroupsError,
    NotDividedError,
)
from app.draws.rules.repairs import AnotherDrawError, BadChangeError, LaterRoundsStandError
from app.draws.service import division as service
from app.draws.service import repairs as repairs_service
from app.draws.service.voiding import Voiding
from app.errors import ForbiddenError
from app.extensions import db
from app.registrations import queries as registrations_queries
from app.registrations import service as registrations_service
from app.registrations.rules import Decision, DecisionKind, EntriesDrawnError, EntryId
from app.standings import queries
from app.standings import service as standings
from app.standings.service import attendance
from scoring_engine import event_file
from scoring_engine.values import EntrantId
from tests.factories import accounts, registrations, results, rounds
from tests.factories.publications import Travel

SEED = "5a" * 32
API = f"/api/v1/competitions/{rounds.SLUG}"
STAFF = f"/staff/c/{rounds.SLUG}"


def event_id() -> int:
    return competitions.competition(rounds.SLUG).event.id


def committee() -> Actor:
    return registrations.committee(rounds.SLUG)


def divide(by: Actor | None = None, **wanted: Any) -> divisions.DivisionView:
    with command(by or committee()) as ctx:
        service.divide(ctx, event_id(), **{"seed": SEED, **wanted})
    return divisions.require_division(event_id())


def take_back(division: divisions.DivisionView, key: str = "undivide-1", by: Actor | None = None) -> int:
    with command(by or committee()) as ctx:
        return service.take_back(ctx, event_id(), voiding=Voiding(division.seed, "名单有误", key))


def decide(entry_id: int, kind: DecisionKind, reason: str = "") -> None:
    with command(committee()) as ctx:
        registrations_service.decide(
            ctx, slug=rounds.SLUG, decisions=[Decision(EntryId(entry_id), kind, reason=reason)]
        )


def mark(entrant: str, kind: ActKind, number: int) -> None:
    with command(committee()) as ctx:
        attendance.mark(ctx, event_id(), entrant=entrant, kind=kind, number=number, reason="电话告知")


def verified() -> list[Any]:
    rules = competitions.competition(rounds.SLUG).event.regulation.scoring_rules()
    return event_file.verify(json.loads(queries.event_file_download(event_id()).content), rules)


def test_seventy_players_are_divided_play_two_rounds_and_their_file_verifies(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        rounds.field(travel, rounds.GO, 70)
        staff = accounts.bearer(app, committee())
        referee = accounts.bearer(app, results.referee(rounds.SLUG))
    early = client.post(f"{API}/stages/next", json={}, headers=staff)
    assert early.status_code == 409
    assert "70 人要先分组，可以分成 3 组" in early.json["detail"] + early.json["title"]
    assert client.get(f"{API}/division").status_code == 404

    made = client.post(f"{API}/division/commitment", json={}, headers=staff)
    assert (made.status_code, made.json["round"], made.json["committed_seed"]) == (201, 0, None)
    words = client.post(
        f"{API}/commitments/swiss/0/contribution", json={"contribution": "开奖 05 12"}, headers=staff
    )
    assert words.status_code == 200
    told = client.post(f"{API}/division", json={}, headers=staff)
    assert told.status_code == 201, told.json
    groups = told.json["groups"]
    assert [(each["group"], len(each["members"])) for each in groups] == [("1", 24), ("2", 23), ("3", 23)]
    assert told.json["commitment"]["contribution"] == "开奖 05 12"
    for each in groups:
        assert max(Counter(member["unit"] for member in each["members"]).values()) == 1, "units are spread"
    group = {member["entrant"]: each["group"] for each in groups for member in each["members"]}

    for number in (1, 2):
        drawn = client.post(f"{API}/stages/next", json={}, headers=staff)
        assert drawn.status_code == 201, drawn.json
        round_ = client.get(f"{API}/draws", headers=staff).json[-1]
        assert len(round_["tables"]) == 12 + 11 + 11
        assert sorted(group[each["entrant"]] for each in round_["direct"]) == ["2", "3"]
        for table in round_["tables"]:
            first, second = (seat["entrant"] for seat in table["seats"])
            assert group[first] == group[second]
            sent = {
                "base_revision": 0,
                "idempotency_key": f"group-{number}-{table['number']:04d}",
                "winner": first,
                "handed_in": True,
            }
            handed_in = client.post(f"/api/v1/tables/{table['token']}/revisions", json=sent, headers=referee)
            assert handed_in.status_code == 201, handed_in.json
    with app.app_context():
        with command(committee()) as ctx:
            standings.recompute(ctx, event_id())
        document = json.loads(client.get(f"{API}/event-file").data)
        rules = competitions.competition(rounds.SLUG).event.regulation.scoring_rules()
        assert event_file.verify(document, rules) == []
        assert {each["id"]: each["group"] for each in document["entrants"]} == group
        document["division"]["groups"][0]["entrants"].reverse()
        assert [each.path for each in event_file.verify(document, rules)] == ["$.division.groups"]
    placings = client.get(f"{API}/standings").json["placings"]
    best = [each for each in placings if each["rank"] == 1]
    assert sorted({each["group"] for each in best}) == ["1", "2", "3"], "each group is ranked by itself"

    page = client.get(f"/c/{rounds.SLUG}/standings").text
    assert [page.count(f'colspan="7">第 {name} 组') for name in "123"] == [1, 1, 1] or page.count(
        "standing__group"
    ) == 3
    one, other = (next(each["entrant"] for each in placings if each["group"] == name) for name in ("1", "2"))
    across = client.get(f"/c/{rounds.SLUG}/standings/why?above={one}&below={other}&stage=swiss")
    assert across.status_code == 422
    assert "不在同一组" in across.text
    assert client.get(f"/c/{rounds.SLUG}/standings/{other}").status_code == 200
    assert "第 2 组" in client.get(f"/c/{rounds.SLUG}/pairings?round=swiss-2").text
    assert "第 2 组" in client.get(f"/c/{rounds.SLUG}/pairings/{other}").text
    public = client.get(f"/c/{rounds.SLUG}/draws").text
    assert told.json["proof"] in public
    assert "data-division" in public
    replayed = client.get(f"/c/{rounds.SLUG}/draws/swiss/0/replay").text
    assert 'data-replayed="identical"' in replayed
    assert "各组的人、先后和证明都一致" in replayed


@pytest.fixture
def forty(session: Any, travel: Travel) -> None:
    """Forty players: two groups of twenty, and nothing else."""
    rounds.field(travel, rounds.GO, 40)


@pytest.mark.usefixtures("forty")
def test_the_first_round_waits_for_the_division_and_nobody_is_decided_after_it() -> None:
    event = competitions.event(event_id())
    now = rounds.PLAY
    assert "可以分组抽签：40 人，分成 2 组" in [str(each.text) for each in queries.waiting(event, now)]
    with pytest.raises(NotDividedError) as refused:
        rounds.drawn()
    assert refused.value.clause == "附件2一3"
    with pytest.raises(NotDividedError), command(committee()) as ctx:
        standings.commit_stage(ctx, event_id())
    with pytest.raises(BadGroupsError, match="40 人可以分成 2 组"):
        divide(groups=3)
    division = divide(groups=2)
    assert [len(each.members) for each in division.groups] == [20, 20]
    with pytest.raises(AlreadyDividedError, match="分成 2 组"):
        divide(seed="6b" * 32)
    with pytest.raises(EntriesDrawnError):
        decide(int(division.entrants[0][1:]), DecisionKind.REJECT, "举报属实")
    assert "可以编排第 1 轮：40 人" in [str(each.text) for each in queries.waiting(event, now)]
    assert verified() == []
    first = rounds.drawn()
    assert {table.group for table in first.tables} == {"1", "2"}
    with pytest.raises(AlreadyDrawnError):
        divide(seed="6b" * 32)
    with pytest.raises(LaterRoundsStandError):
        take_back(division)


@pytest.mark.usefixtures("forty")
def test_a_division_is_taken_back_with_its_reason_and_made_anew_from_another_seed() -> None:
    with pytest.raises(NoDivisionError):
        divisions.require_division(event_id())
    division = divide()
    secret = "7c" * 32
    with command(committee()) as ctx:
        standings.commit_stage(ctx, event_id(), seed=secret)
    with pytest.raises(AnotherDrawError), command(committee()) as ctx:
        service.take_back(ctx, event_id(), voiding=Voiding("00" * 32, "名单有误", "undivide-0"))
    assert take_back(division) == take_back(division)
    (void,) = divisions.void_divisions(event_id())
    assert (void.seed, void.void_reason, void.proof) == (SEED, "名单有误", division.proof)
    fallen = draws.last_commitment(event_id(), "swiss", 1)
    assert (fallen.committed_seed, str(fallen.fell_with)) == (secret, "分组抽签")
    assert "division" not in queries.event_file(event_id())
    barred = int(division.entrants[0][1:])
    decide(barred, DecisionKind.REJECT, "举报属实")
    decide(barred, DecisionKind.APPROVE)
    for used in (SEED, secret):
        with pytest.raises(SeedUsedError):
            divide(seed=used)
    assert divide(seed="8d" * 32).proof != division.proof
    assert verified() == []
    acts = db.session.scalars(select(AuditEntry).where(AuditEntry.subject_type == "Division")).all()
    assert [each.action for each in acts] == [
        AuditAction.ENTRANTS_DIVIDED,
        AuditAction.DIVISION_VOIDED,
        AuditAction.ENTRANTS_DIVIDED,
    ]


def test_who_enters_later_goes_to_the_smallest_group_and_the_file_verifies(
    session: Any, travel: Travel
) -> None:
    """Of 43 one enters in round 2, one is absent in round 1, one withdraws before it: 41 are divided, 40 play round 1."""
    rounds.field(travel, rounds.GO, 43)
    people = [f"e{each.entry_id}" for each in registrations_queries.approved_entries(event_id())]
    mark(people[0], ActKind.ENTERS, 2)
    mark(people[1], ActKind.ABSENT, 1)
    mark(people[2], ActKind.WITHDRAWN, 1)
    division = divide()
    assert [len(each.members) for each in division.groups] == [21, 20]
    assert set(people) - set(division.entrants) == {people[0], people[2]}
    assert verified() == []
    first = rounds.drawn(seed="9e" * 32)
    assert len(first.entrants) == 40
    assert verified() == []
    rounds.played(first)
    second = rounds.drawn(seed="af" * 32)
    group = divisions.groups(event_id())
    assert group[EntrantId(people[0])] == "2"
    assert people[0] in second.entrants
    assert verified() == []


def test_the_list_a_division_was_committed_for_stays_that_list(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        rounds.field(travel, rounds.GO, 41)
        one, other, third, *_ = queries.event_file(event_id())["entrants"]
        staff = accounts.bearer(app, committee())

    def said(entrant: str, act: str, number: int) -> Any:
        body = {"entrant": entrant, "act": act, "round": number, "reason": "电话告知"}
        return client.post(f"{API}/attendance", json=body, headers=staff)

    entered = said(third["id"], "enters", 2)
    assert entered.status_code == 201
    assert client.post(f"{API}/division/commitment", json={}, headers=staff).status_code == 201
    again = client.post(f"{API}/division/commitment", json={}, headers=staff)
    assert (again.status_code, again.json["detail"][:8]) == (409, "分组抽签的种子已")
    back = f"{API}/attendance/{entered.json['id']}/withdrawal"
    for refused in (
        said(one["id"], "withdrawn", 1),
        said(one["id"], "enters", 2),
        client.post(back, json={}, headers=staff),
    ):
        assert refused.status_code == 409
        assert refused.json["detail"].startswith("分组抽签的种子已经承诺，名单随承诺冻结")
    assert said(other["id"], "absent", 1).status_code == 201, "who is only absent plays in a group"
    assert said(one["id"], "withdrawn", 2).status_code == 201
    made = client.post(f"{API}/division", json={}, headers=staff)
    assert (made.status_code, len(made.json["entrants"])) == (201, 40)


@pytest.mark.usefixtures("forty")
def test_people_of_two_groups_are_never_put_at_one_table_by_hand() -> None:
    divide()
    first = rounds.drawn()
    one = next(table for table in first.tables if table.group == "1")
    other = next(table for table in first.tables if table.group == "2")
    with command(committee()) as ctx:
        repairs_service.open_repair(ctx, event_id(), "swiss", 1)
    view = repairs.repair(event_id(), "swiss", 1)
    seats = [f"e{table.seats[0].entry_id}" for table in (one, other)]
    with pytest.raises(BadChangeError, match="不在同一组"):
        repairs.preview(view, {"swap": seats})
    assert repairs.preview(view, {"swap_tables": [one.number, other.number]}).open_points == ()


def test_numbers_that_fit_no_groups_are_a_question_and_few_need_none(session: Any, travel: Travel) -> None:
    rounds.field(travel, rounds.GO, 34)
    with pytest.raises(RulingNeededError, match="34人无法分成每组20至32人"):
        divide()


def test_one_group_is_not_divided_and_below_twenty_the_chief_referee_rules(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, rounds.GO, 20)
    with pytest.raises(NoGroupsError, match="不需要分组"):
        divide()
    assert rounds.drawn().tables[0].group is None


def test_a_regulation_without_groups_has_none_and_strangers_do_not_divide(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, rounds.LANDLORD, 6)
    with pytest.raises(NoGroupsError):
        divide()
    with pytest.raises(ForbiddenError):
        divide(by=results.referee(rounds.SLUG))


def test_two_divisions_at_the_same_moment_are_one(app: Flask, travel: Travel) -> None:
    with app.app_context():
        rounds.field(travel, rounds.GO, 40)
        by = committee()
        wanted = event_id()
    raised = _at_once(
        app,
        *(
            lambda seed=seed: _divide(by, wanted, seed)  # type: ignore[misc]  # the default binds the loop's seed
            for seed in ("1f" * 32, "2f" * 32)
        ),
    )
    assert sorted(type(each) for each in raised if each) == [AlreadyDividedError]
    with app.app_context():
        assert verified() == []


def _divide(by: Actor, wanted: int, seed: str) -> None:
    with command(by) as ctx:
        service.divide(ctx, wanted, seed=seed)


def _at_once(app: Flask, *acts: Callable[[], Any]) -> list[BaseException | None]:
    start = threading.Barrier(len(acts))
    raised: list[BaseException | None] = [None] * len(acts)

    def run(place: int, act: Callable[[], Any]) -> None:
        with app.app_context():
            start.wait()
            try:
                act()
            except Exception as error:
                raised[place] = error

    threads = [threading.Thread(target=run, args=each) for each in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def test_the_pages_divide_take_back_and_tell_in_both_languages(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        rounds.field(travel, rounds.GO, 40)
        by = committee()
    accounts.sign_in(client, by)
    page = client.get(f"{STAFF}/draws").text
    assert "data-divide" in page
    assert '<option value="2"' in page
    assert "40 人要先分组" in client.get(f"{STAFF}/stages").text
    bad = client.post(f"{STAFF}/division", data={"groups": "2", "seed": "xyz"})
    assert bad.status_code == 422
    assert 'value="xyz"' in bad.text
    assert client.post(f"{STAFF}/division/commitment", data={"groups": "2"}).status_code == 303
    page = client.get(f"{STAFF}/draws").text
    assert "分组抽签：种子已承诺" in page.replace("\n", "")
    assert client.post(f"{STAFF}/division", data={"groups": "2"}).status_code == 303
    page = client.get(f"{STAFF}/draws").text
    assert "第 1 组 20 人、第 2 组 20 人" in page
    assert "分组抽签，分成 2 组：20、20 人" in client.get(f"{STAFF}/draws/swiss/0/history").text
    address = f"{STAFF}/division/undrawing"
    empty = client.get(address).text
    sent = {
        "seed": empty.split('name="seed" value="')[1].split('"')[0],
        "idempotency_key": "undivide-page",
    }
    refused = client.post(address, data={**sent, "reason": "13800000000"})
    assert refused.status_code == 422
    assert "请不要写电话" in refused.text
    assert client.post(address, data={**sent, "reason": "名单有误"}).status_code == 303
    public = client.get(f"/c/{rounds.SLUG}/draws").text
    assert "data-void-division" in public
    assert "名单有误" in public
    for where in (f"{STAFF}/draws", f"/c/{rounds.SLUG}/draws"):
        english = client.get(f"{where}?lang=en").text
        assert "分组" not in english.split("<main")[1].split("</main>")[0]


def test_nobody_but_the_staff_of_a_competition_divides(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        rounds.field(travel, rounds.GO, 40)
        referee = accounts.bearer(app, results.referee(rounds.SLUG))
    for act in ("division", "division/commitment", "division/undrawing"):
        body = {"seed": "00", "reason": "名单有误", "idempotency_key": "nobody-1"} if "un" in act else {}
        assert client.post(f"{API}/{act}", json=body, headers=referee).status_code == 403
        assert client.post(f"{API}/{act}", json=body).status_code == 401
