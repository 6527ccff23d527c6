"""出席与裁决: the pages of the staff, from the draws page to one tap, and what the public reads of it."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.queries.attendance import Attendance
from app.extensions import db
from app.registrations.models import Entry, EntryMember, Member
from app.standings import service
from app.standings.queries import attendance as board_queries
from app.standings.queries.attendance import AttendanceBoard
from tests.factories import accounts, registrations, results, rounds
from tests.factories.publications import Travel

STAFF = f"/staff/c/{rounds.SLUG}"
HERE = f"{STAFF}/attendance"
WHY = "同单位人数超过桌数"


def board() -> AttendanceBoard:
    return board_queries.board(competitions.competition(rounds.SLUG).event)


def said() -> Attendance:
    return board().attendance


@pytest.fixture
def committee(app: Flask, travel: Travel, client: FlaskClient) -> FlaskClient:
    """Signed in as the committee of nine people of 象棋."""
    with app.app_context():
        rounds.field(travel, rounds.XIANGQI, 9)
        person = registrations.committee(rounds.SLUG)
    accounts.sign_in(client, person)
    return client


def test_one_tap_on_the_list_says_absent_and_another_takes_it_back(
    app: Flask, committee: FlaskClient
) -> None:
    assert HERE in committee.get(f"{STAFF}/draws").text
    assert HERE in committee.get(f"{STAFF}/stages").text
    page = committee.get(HERE).text
    assert "第 1 轮（共 5 轮）：9 人编排" in page
    with app.app_context():
        one = board().everybody[0]
        name = board().field[one].name
    form = {"entrant": one, "act": "absent", "round": "1", "next": "list"}
    tapped = committee.post(f"{HERE}?q={name[:1]}", data=form)
    assert tapped.status_code == 303
    assert "q=" in tapped.location
    page = committee.get(HERE).text
    assert "8 人编排" in page
    assert "改为到场" in page
    with app.app_context():
        (act,) = said().acts
    assert committee.post(f"{HERE}/{act.id}/withdrawal", data={"next": "list"}).status_code == 303
    assert "9 人编排" in committee.get(HERE).text


def test_the_page_of_a_person_offers_what_can_be_said_and_keeps_what_was_typed(
    app: Flask, committee: FlaskClient
) -> None:
    with app.app_context():
        one = board().everybody[0]
    address = f"{HERE}/{one}"
    page = committee.get(address).text
    assert [f'data-act="{act}"' in page for act in ("absent", "withdrawn", "enters", "returned")] == [
        True,
        True,
        True,
        False,
    ]
    typed = {"entrant": one, "act": "withdrawn", "round": "2", "reason": "电话 13900000000"}
    refused = committee.post(HERE, data=typed)
    assert refused.status_code == 422
    assert "电话 13900000000" in refused.text
    assert "请不要写电话" in refused.text
    assert committee.post(HERE, data=typed | {"reason": "家中有事"}).location.endswith(address)
    page = committee.get(address).text
    assert "从第 2 轮起退赛" in page
    assert 'data-act="returned"' in page
    assert committee.get(f"{HERE}/e999999").status_code == 404


def test_the_public_reads_who_was_away_and_no_reason_but_a_ruling_s(
    app: Flask, travel: Travel, committee: FlaskClient
) -> None:
    with app.app_context():
        one, other, late, forfeiting, *_ = board().everybody
        names = {each: view.name for each, view in board().field.items()}
        chief = results.chief(rounds.SLUG)
    for entrant, act, number in ((one, "absent", 1), (other, "withdrawn", 1), (late, "enters", 2)):
        committee.post(
            HERE, data={"entrant": entrant, "act": act, "round": str(number), "reason": "私人原因"}
        )

    def play() -> None:
        drawn = rounds.drawn()
        for table in drawn.tables:
            seats = results.seats(table)
            rounds.confirmed(table, **({"forfeits": [forfeiting]} if forfeiting in seats else {}))

    with app.app_context():
        play()
        play()
    page = committee.get(f"/c/{rounds.SLUG}/draws").text
    assert "私人原因" not in page
    assert all(word in page for word in ("缺席", "已退赛", "从这一轮起参赛"))
    assert "连续弃权" in committee.get(f"{HERE}?view=away").text
    accounts.sign_in(committee, chief)
    form = {"entrant": forfeiting, "act": "reinstated", "round": "3", "reason": "已当面说明"}
    assert committee.post(HERE, data=form).status_code == 303
    with app.app_context():
        rounds.drawn()
    page = committee.get(f"/c/{rounds.SLUG}/draws").text
    assert "裁判长裁定：已当面说明" in page
    assert names[forfeiting] in page


def test_who_has_been_in_no_round_yet_reads_why_by_his_name_and_by_his_badge(
    app: Flask, committee: FlaskClient
) -> None:
    with app.app_context():
        absent, late, *_ = board().everybody
        names = {each: view.name for each, view in board().field.items()}
    for entrant, act, number in ((absent, "absent", 1), (late, "enters", 2)):
        committee.post(HERE, data={"entrant": entrant, "act": act, "round": str(number), "reason": "堵车"})
    own = f"/c/{rounds.SLUG}/pairings"
    assert committee.get(f"{own}/{absent}").status_code == 404, "nothing is drawn"
    with app.app_context():
        rounds.drawn()
    for entrant, why in ((absent, "缺席"), (late, "还没有参加")):
        searched = committee.get(own, query_string={"q": names[entrant]}).text
        assert f"{own}/{entrant}" in searched
        assert why in searched
        page = committee.get(f"{own}/{entrant}")
        assert page.status_code == 200
        assert all(word in page.text for word in ("没有您的座位", why))
        assert "堵车" not in page.text
        told = committee.get(f"/api/v1/competitions/{rounds.SLUG}/pairings/{entrant}").json
        assert (told["latest"]["placed"], told["rounds"]) == (False, [])
        assert [why in each["text"] for each in told["latest"]["reasons"]] == [True]
        assert committee.get(f"{own}/{entrant}.svg").status_code == 200
    assert committee.get(f"{own}/e999999").status_code == 404


def test_standings_say_who_has_withdrawn(app: Flask, committee: FlaskClient) -> None:
    with app.app_context():
        rounds.played(rounds.drawn())
        one = board().everybody[0]
        with command(registrations.committee(rounds.SLUG)) as ctx:
            service.recompute(ctx, competitions.competition(rounds.SLUG).event.id)
    committee.post(HERE, data={"entrant": one, "act": "withdrawn", "round": "2", "reason": "家中有事"})
    assert "已退赛" in committee.get(f"/c/{rounds.SLUG}/standings").text
    own = committee.get(f"/c/{rounds.SLUG}/standings/{one}").text
    assert "从第 2 轮起退赛" in own
    assert "家中有事" not in own


def test_a_field_of_three_thousand_comes_in_pages_of_a_phone(app: Flask, committee: FlaskClient) -> None:
    with app.app_context():
        approved_entries(3000)
    page = committee.get(HERE)
    assert len(page.data) < 100_000
    assert "第 1 页，共 61 页" in page.text
    found = committee.get(f"{HERE}?q=选手2999").text
    assert "找到 1 人" in found
    assert "选手2999" in found


def approved_entries(count: int) -> None:
    """Adds approved entries to the first unit, straight into the tables."""
    first = db.session.scalars(select(Entry).order_by(Entry.id)).first()
    member = db.session.scalars(select(Member).order_by(Member.id)).first()
    assert first is not None
    assert member is not None
    numbers = range(count)
    entries = [
        Entry(unit_id=first.unit_id, event_id=first.event_id, state="approved", revision=1) for _ in numbers
    ]
    people = [
        Member(
            unit_id=member.unit_id,
            name=f"选手{number}",
            person_hash=f"made-up-{number}",
            employment="",
            created_at=member.created_at,
        )
        for number in numbers
    ]
    db.session.add_all([*entries, *people])
    db.session.flush()
    db.session.add_all(
        EntryMember(entry_id=entry.id, member_id=one.id, event_id=first.event_id, person_hash=one.person_hash)
        for entry, one in zip(entries, people, strict=True)
    )
    db.session.commit()


def test_the_chief_referee_sees_the_question_and_rules(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        rounds.field(travel, rounds.LANDLORD, 6, unit=3)
        by_committee, chief = registrations.committee(rounds.SLUG), results.chief(rounds.SLUG)
    accounts.sign_in(client, by_committee)
    refused = client.post(f"{STAFF}/stages/next", data={"seed": ""})
    assert refused.status_code == 409
    assert f"{HERE}/ruling" in refused.text
    page = client.get(f"{HERE}/ruling").text
    assert "为什么要裁决" in page
    assert "规程 附件4五" in page
    assert "data-accept" not in page
    assert client.post(f"{HERE}/ruling/commitment").status_code == 303
    page = client.get(f"{HERE}/ruling").text
    assert "由裁判长裁决" in page
    assert "data-accept" not in page
    accounts.sign_in(client, chief)
    page = client.get(f"{HERE}/ruling").text
    proof = page.split('name="proof" value="')[1][:64]
    missing = client.post(f"{HERE}/ruling", data={"proof": proof, "reason": ""})
    assert missing.status_code == 422
    assert "field__error" in missing.text
    left = client.post(f"{HERE}/ruling/refusal", data={"reason": "先商量"})
    assert left.status_code == 303
    with app.app_context():
        assert draws.rounds(competitions.competition(rounds.SLUG).event.id) == ()
    assert client.post(f"{HERE}/ruling/commitment").status_code == 303
    proof = client.get(f"{HERE}/ruling").text.split('name="proof" value="')[1][:64]
    assert client.post(f"{HERE}/ruling", data={"proof": proof, "reason": WHY}).status_code == 303
    public = client.get(f"/c/{rounds.SLUG}/draws").text
    assert "按裁决编排" in public
    assert WHY in public
    assert "先商量" in public
    assert 'data-replayed="identical"' in client.get(f"/c/{rounds.SLUG}/draws/swiss/1/replay").text


def test_an_event_that_is_not_paired_by_points_says_so(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        results.prelim(travel, slug=rounds.SLUG)
        person = registrations.committee(rounds.SLUG)
    accounts.sign_in(client, person)
    refused = client.get(HERE)
    assert refused.status_code == 409
    assert "不是积分编排" in refused.text
    assert HERE not in client.get(f"{STAFF}/draws").text
