"""Attendance (出席登记): who is paired in which round, told in the event file; drawn rounds stay as they were drawn."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select

from app.actors import Actor
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.queries.attendance import Attendance
from app.draws.rules.attendance import (
    Act,
    ActKind,
    ActReasonMissingError,
    AlreadyInError,
    CommittedListError,
    NotByPointsError,
    NotInError,
    NotStandingOutError,
    NotWithdrawnError,
    Presence,
    PrivateActReasonError,
    ReturnStandsError,
    RoundIsDrawnError,
    TooLateToEnterError,
    WithdrawnError,
    presences,
)
from app.draws.service.voiding import Voiding
from app.errors import ForbiddenError, SaishiError
from app.extensions import db
from app.results import service as results_service
from app.standings import queries, service
from app.standings.queries import attendance as board_queries
from app.standings.service import attendance
from scoring_engine import event_file
from scoring_engine.event_file.swiss_draws.history import Away
from scoring_engine.values import EntrantId
from tests.factories import accounts, registrations, results, rounds
from tests.factories.publications import Travel


def event() -> Any:
    return competitions.competition(rounds.SLUG).event


def mark(
    entrant: str, kind: str, number: int, reason: str | None = "本人申请", by: Actor | None = None
) -> int:
    with command(by or registrations.committee(rounds.SLUG)) as ctx:
        return attendance.mark(
            ctx, event().id, entrant=entrant, kind=ActKind(kind), number=number, reason=reason
        )


def take_back(act_id: int, by: Actor | None = None) -> None:
    with command(by or registrations.committee(rounds.SLUG)) as ctx:
        attendance.take_back(ctx, event().id, act_id)


def said() -> Attendance:
    return board_queries.board(event()).attendance


def document() -> dict[str, Any]:
    return queries.event_file(event().id)


def verified() -> dict[str, Any]:
    """The event file, which replays every drawn round."""
    found = document()
    assert event_file.verify(found, event().regulation.scoring_rules()) == []
    return found


def people() -> list[str]:
    return [str(each) for each in board_queries.board(event()).everybody]


def undrawn(round_: draws.RoundView) -> None:
    with command(results.chief(rounds.SLUG)) as ctx:
        results_service.undraw(
            ctx,
            round_.event_id,
            round_.stage,
            round_.number,
            voiding=Voiding(round_.seed, "名单有误", f"undraw-{round_.id:08d}"),
            deals=None,
        )


@pytest.mark.parametrize("regulation", [rounds.XIANGQI, rounds.LANDLORD])
def test_who_is_absent_in_a_round_is_not_paired_in_it_and_is_in_the_next(
    session: Any, travel: Travel, regulation: str
) -> None:
    rounds.field(travel, regulation, 10)
    away = people()[0]
    mark(away, "absent", 1, None)
    first = rounds.drawn()
    assert away not in first.entrants
    assert len(first.entrants) == 9
    found = verified()
    assert found["stages"][0]["rounds"][0]["absent"] == [away]
    for table in first.tables:
        rounds.confirmed(
            table, **({"forfeits": [results.seats(table)[0]]} if regulation == rounds.LANDLORD else {})
        )
    assert away in rounds.drawn().entrants
    verified()


def test_the_absences_of_the_round_to_come_stand_in_the_file_before_it_is_drawn(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, rounds.XIANGQI, 8)
    one, other, *_ = people()
    mark(one, "absent", 1)
    mark(other, "absent", 2)
    assert document()["stages"] == [{"code": "swiss", "rounds": [{"number": 1, "absent": [one]}]}]
    first = rounds.drawn()
    shown = verified()["stages"][0]["rounds"]
    assert shown[1] == {"number": 2, "absent": [other]}
    rounds.played(first)
    assert other not in rounds.drawn().entrants
    verified()


def test_what_was_said_is_taken_back_before_the_round_is_drawn_and_never_after(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, rounds.XIANGQI, 8)
    one, other, *_ = people()
    kept, gone = mark(one, "absent", 1), mark(other, "absent", 1)
    take_back(gone)
    first = rounds.drawn()
    assert [one in first.entrants, other in first.entrants] == [False, True]
    with pytest.raises(RoundIsDrawnError):
        take_back(kept)
    with pytest.raises(RoundIsDrawnError):
        mark(other, "absent", 1)
    undrawn(first)
    take_back(kept)
    assert one in rounds.drawn().entrants
    verified()


def test_who_withdraws_is_paired_no_more_and_keeps_his_place_in_the_standings(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, rounds.XIANGQI, 8)
    rounds.played(rounds.drawn())
    away = people()[3]
    mark(away, "withdrawn", 2)
    second = rounds.drawn()
    assert away not in second.entrants
    rounds.played(second)
    third = rounds.drawn()
    assert away not in third.entrants
    found = verified()
    assert {each["id"]: each.get("withdrawn_after") for each in found["entrants"]}[away] == 1
    scored = event_file.score(found, event().regulation.scoring_rules())
    assert away in [placing["entrant"] for placing in scored["placings"]]
    with pytest.raises(WithdrawnError):
        mark(away, "absent", 4)


def test_who_comes_back_is_paired_again_and_the_rounds_without_him_still_replay(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, rounds.XIANGQI, 8)
    rounds.played(rounds.drawn())
    away = people()[3]
    mark(away, "withdrawn", 2)
    rounds.played(rounds.drawn())
    with pytest.raises(RoundIsDrawnError):
        mark(away, "returned", 2)
    mark(away, "returned", 3)
    assert away in rounds.drawn().entrants
    found = verified()
    assert found["stages"][0]["rounds"][1]["absent"] == [away]
    assert "withdrawn_after" not in next(each for each in found["entrants"] if each["id"] == away)


def test_a_withdrawal_is_undone_by_a_return_before_any_round_was_drawn_without_him(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, rounds.XIANGQI, 8)
    rounds.played(rounds.drawn())
    away = people()[3]
    with pytest.raises(NotWithdrawnError):
        mark(away, "returned", 2)
    mark(away, "withdrawn", 2)
    mark(away, "returned", 2)
    assert said().of(EntrantId(away)) == ()
    assert away in rounds.drawn().entrants
    verified()


def test_an_entrant_who_enters_late_is_paired_from_his_round_on(session: Any, travel: Travel) -> None:
    rounds.field(travel, rounds.XIANGQI, 9)
    late = people()[-1]
    mark(late, "enters", 2)
    first = rounds.drawn()
    assert len(first.entrants) == 8
    assert next(each for each in verified()["entrants"] if each["id"] == late)["enters_in"] == 2
    rounds.played(first)
    assert late in rounds.drawn().entrants
    verified()
    with pytest.raises(AlreadyInError):
        mark(late, "enters", 3)


@pytest.mark.parametrize(("latest", "number"), [(1, 2), (2, 3), (4, 5)])
def test_nobody_enters_later_than_the_option_of_the_regulation_says(
    session: Any, travel: Travel, latest: int, number: int
) -> None:
    rounds.field(travel, rounds.XIANGQI, 5, options={"latest_entry_round": latest})
    late = people()[-1]
    with pytest.raises(TooLateToEnterError) as refused:
        mark(late, "enters", number)
    assert refused.value.clause == "附件1七4"
    if latest > 1:
        mark(late, "enters", latest)
        assert late not in rounds.drawn().entrants


def test_nobody_withdraws_in_the_middle_of_rounds_he_is_out_of_and_comes_back_from(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, rounds.XIANGQI, 8)
    one = people()[0]
    mark(one, "withdrawn", 2)
    back = mark(one, "returned", 4)
    with pytest.raises(ReturnStandsError):
        mark(one, "withdrawn", 3)
    take_back(back)
    assert said().presences[EntrantId(one)].withdrawn_from == 2
    mark(one, "returned", 4)
    mark(one, "withdrawn", 4)
    assert said().presences[EntrantId(one)].withdrawn_from == 4


def test_a_late_entry_said_anew_leaves_in_the_audit_what_was_said_before(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, rounds.XIANGQI, 8, options={"latest_entry_round": 3})
    late = people()[0]
    before, now = mark(late, "enters", 2), mark(late, "enters", 3)
    assert [(each.id, each.number) for each in said().of(EntrantId(late))] == [(now, 3)]
    acts = select(AuditEntry).where(AuditEntry.subject_type == "AttendanceAct").order_by(AuditEntry.id)
    assert [(each.action, each.subject_id) for each in db.session.scalars(acts)] == [
        (AuditAction.ATTENDANCE_MARKED, str(before)),
        (AuditAction.ATTENDANCE_TAKEN_BACK, str(before)),
        (AuditAction.ATTENDANCE_MARKED, str(now)),
    ]


def test_a_late_entry_taken_back_after_round_1_leaves_him_out_until_he_enters_again(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, rounds.XIANGQI, 9)
    late = people()[-1]
    act = mark(late, "enters", 2)
    first = rounds.drawn()
    take_back(act)
    assert late not in [each["id"] for each in verified()["entrants"]]
    with pytest.raises(NotInError):
        mark(late, "absent", 2)
    rounds.played(first)
    mark(late, "enters", 2)
    assert late in rounds.drawn().entrants
    verified()


def test_two_forfeits_running_take_him_out_until_the_chief_referee_lets_him_go_on(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, rounds.XIANGQI, 8)
    away = people()[0]

    def forfeited(round_: draws.RoundView) -> None:
        for table in round_.tables:
            rounds.confirmed(table, **({"forfeits": [away]} if away in results.seats(table) else {}))

    forfeited(rounds.drawn())
    with pytest.raises(NotStandingOutError):
        mark(away, "reinstated", 2, by=results.chief(rounds.SLUG))
    forfeited(rounds.drawn())
    board = board_queries.board(event())
    assert [(each.entrant, each.away) for each in board.away] == [(away, Away.STANDS_OUT)]
    assert board.paired == 7
    third = rounds.drawn()
    assert away not in third.entrants
    rounds.played(third)
    with pytest.raises(ForbiddenError):
        mark(away, "reinstated", 4)
    mark(away, "reinstated", 4, "已说明情况，准予继续", by=results.chief(rounds.SLUG))
    assert board_queries.board(event()).away == ()
    assert away in rounds.drawn().entrants
    found = verified()
    assert found["stages"][0]["rounds"][3]["reinstated"] == [away]


def test_a_list_that_a_seed_was_committed_for_stays_that_list(session: Any, travel: Travel) -> None:
    rounds.field(travel, rounds.XIANGQI, 8)
    one, other, *_ = people()
    with command(registrations.committee(rounds.SLUG)) as ctx:
        service.commit_stage(ctx, event().id)
    for kind, number in (("absent", 1), ("withdrawn", 1), ("enters", 2)):
        with pytest.raises(CommittedListError):
            mark(one, kind, number)
    mark(other, "absent", 2)
    assert len(rounds.drawn().entrants) == 8
    verified()


def test_what_is_said_twice_is_stored_once_and_needs_its_reason(session: Any, travel: Travel) -> None:
    rounds.field(travel, rounds.XIANGQI, 8)
    one, other, *_ = people()
    assert mark(one, "absent", 1) == mark(one, "absent", 1)
    with pytest.raises(ActReasonMissingError):
        mark(other, "withdrawn", 1, " ")
    with pytest.raises(PrivateActReasonError):
        mark(other, "withdrawn", 1, "请打 139 0000 0000")
    assert len(said().acts) == 1


def test_an_event_that_is_not_paired_by_points_keeps_no_attendance(session: Any, travel: Travel) -> None:
    results.prelim(travel, slug=rounds.SLUG)
    with pytest.raises(NotByPointsError):
        mark("e1", "absent", 1)


@pytest.mark.parametrize(
    ("acts", "away"),
    [
        ([("absent", 2)], {2: Away.ABSENT}),
        ([("enters", 3)], {1: Away.NOT_ENTERED, 2: Away.NOT_ENTERED}),
        ([("withdrawn", 3)], {3: Away.WITHDRAWN, 4: Away.WITHDRAWN}),
        ([("returned", 4), ("withdrawn", 2)], {2: Away.ABSENT, 3: Away.ABSENT}),
        ([("withdrawn", 2), ("returned", 3), ("withdrawn", 4)], {2: Away.ABSENT, 4: Away.WITHDRAWN}),
        ([("enters", 3), ("withdrawn", 2)], {1: Away.NOT_ENTERED} | dict.fromkeys((2, 3, 4), Away.WITHDRAWN)),
    ],
)
def test_acts_in_any_order_say_in_which_rounds_somebody_is_away(
    acts: list[tuple[str, int]], away: dict[int, Away]
) -> None:
    entrant = EntrantId("e1")
    for order in (acts, acts[::-1]):
        found = presences(Act(entrant, ActKind(kind), number) for kind, number in order)[entrant]
        assert {number: why for number in range(1, 5) if (why := found.away_in(number))} == away


def test_who_withdraws_before_his_late_entry_is_in_no_round_of_the_file() -> None:
    assert Presence(enters_in=3, gaps=((2, None),)).entrant_json() == {"withdrawn_after": 0}
    assert Presence(enters_in=3, gaps=((4, None),)).entrant_json() == {"enters_in": 3, "withdrawn_after": 3}


def test_the_api_keeps_attendance_for_committee_and_chief_referee(
    app: Any, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        rounds.field(travel, rounds.XIANGQI, 6)
        one, other, *_ = people()
        headers = accounts.bearer(app, registrations.committee(rounds.SLUG))
        referee = accounts.bearer(app, results.referee(rounds.SLUG))
    address = f"/api/v1/competitions/{rounds.SLUG}/attendance"
    body = {"entrant": one, "act": "absent", "round": 1}
    made = client.post(address, json=body, headers=headers)
    assert made.status_code == 201, made.text
    assert made.json["text"] == "第 1 轮缺席"
    assert client.post(address, json=body, headers=headers).json["id"] == made.json["id"]
    refused = client.post(address, json={"entrant": other, "act": "enters", "round": 99}, headers=headers)
    assert refused.status_code == 422
    shown = client.get(address, headers=headers).json
    assert (shown["round"], shown["entrants"], len(shown["acts"])) == (1, 5, 1)
    assert [(each["entrant"], each["why"]) for each in shown["away"]] == [(one, "absent")]
    assert client.get(address, headers=referee).status_code == 403
    assert client.get(address).status_code == 401
    assert client.post(f"{address}/{made.json['id']}/withdrawal", headers=headers).status_code == 204
    assert client.post(f"{address}/{made.json['id']}/withdrawal", headers=headers).status_code == 404
    assert client.get(address, headers=headers).json["acts"] == []


def test_every_refusal_leaves_what_was_said_as_it_was(session: Any, travel: Travel) -> None:
    rounds.field(travel, rounds.XIANGQI, 6)
    one = people()[0]
    mark(one, "withdrawn", 3)
    version = event().results_version
    for wrong in ((one, "absent", 4), ("e0", "absent", 1), ("e999999", "absent", 1), (one, "absent", 9)):
        with pytest.raises(SaishiError):
            mark(*wrong)
    assert (len(said().acts), event().results_version) == (1, version)
