"""The public standings: provisional or final, why one stands ahead, refreshed cheaply, recomputable by anyone."""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Callable
from datetime import datetime
from urllib.parse import unquote

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event as events
from sqlalchemy import select

from app.actors import SYSTEM
from app.commands import command
from app.competitions import queries as competitions
from app.draws.queries import RoundView
from app.extensions import db
from app.registrations.models import Entry, EntryMember, Member
from app.standings import service
from app.standings.models import StandingsSnapshot
from scoring_engine import event_file
from tests.event_files import schema
from tests.factories import accounts, results

Travel = Callable[[datetime], None]
API = "/api/v1/competitions/beach"


@pytest.fixture
def prelim(app: Flask, travel: Travel) -> RoundView:
    """A drawn prelim of ten with two of its three tables confirmed and computed."""
    with app.app_context():
        drawn = results.prelim(travel, 10)
        for table in drawn.tables[:2]:
            results.confirmed(table)
        recompute(drawn.event_id)
    return drawn


def recompute(event_id: int) -> None:
    with command(SYSTEM) as ctx:
        service.recompute(ctx, event_id)


def finish(app: Flask, drawn: RoundView) -> None:
    with app.app_context():
        results.all_confirmed(drawn.event_id)
        recompute(drawn.event_id)


def crowd(event_id: int, size: int) -> None:
    """Make the newest standings ``size`` entrants long: further ones of the first unit, each a point behind the last."""
    newest = db.session.scalars(
        select(StandingsSnapshot).order_by(StandingsSnapshot.results_version.desc())
    ).first()
    assert newest is not None
    document = json.loads(json.dumps(newest.result))
    known = document["stages"][0]["placings"]
    pattern = db.session.scalars(select(Entry).where(Entry.event_id == event_id)).first()
    for serial in range(len(known) + 1, size + 1):
        member = Member(
            unit_id=pattern.unit_id,
            name=f"后来第{serial:04d}",
            person_hash=f"crowd-{serial}",
            employment="employed",
            created_at=pattern.submitted_at,
        )
        entry = Entry(event_id=event_id, unit_id=pattern.unit_id, state="approved")
        db.session.add_all([member, entry])
        db.session.flush()
        db.session.add(
            EntryMember(
                entry_id=entry.id,
                member_id=member.id,
                event_id=event_id,
                person_hash=member.person_hash,
            )
        )
        values = [dict(each) for each in known[-1]["values"]]
        values[0]["value"] = str(int(values[0]["value"]) - 1)
        known.append(known[-1] | {"rank": serial, "entrant": f"e{entry.id}", "values": values})
    version = newest.results_version + 1
    copied = ("event_id", "input_sha256", "regulation_version_id", "computed_at")
    fields = {name: getattr(newest, name) for name in copied}
    db.session.add(StandingsSnapshot(results_version=version, result=document, **fields))
    db.session.commit()


def statements_of(app: Flask, client: FlaskClient, address: str) -> int:
    """How many statements the database is sent for one answer."""
    count = 0

    def counted(*_args: object) -> None:
        nonlocal count
        count += 1

    with app.app_context():
        engine = db.engine
    events.listen(engine, "before_cursor_execute", counted)
    try:
        assert client.get(address).status_code == 200
    finally:
        events.remove(engine, "before_cursor_execute", counted)
    return count


@pytest.fixture
def thousand(app: Flask, prelim: RoundView) -> RoundView:
    """The prelim, all confirmed, with a thousand entrants in its standings."""
    finish(app, prelim)
    with app.app_context():
        crowd(prelim.event_id, 1000)
    return prelim


def test_a_thousand_entrants_are_shown_a_hundred_at_a_time(client: FlaskClient, thousand: RoundView) -> None:
    first = client.get("/c/beach/standings")
    assert len(first.data) < 100_000
    assert len(client.get("/c/beach/standings/table").data) < 100_000
    assert "第 1–100 人，共 1000 人" in first.text
    assert first.text.count('class="standing__rank"') == 100
    assert 'href="/c/beach/standings?page=2">显示更多' in first.text
    second = client.get("/c/beach/standings?page=2").text
    assert "后来第0101" in second
    assert "后来第0100" not in second
    assert 'href="/c/beach/standings">上一页' in second
    last = client.get("/c/beach/standings?page=10").text
    assert "第 901–1000 人，共 1000 人" in last
    assert "显示更多" not in last
    for beyond in ("11", "99999999999999999999", "-1", "x"):
        assert client.get(f"/c/beach/standings?page={beyond}").status_code == 200


def test_each_page_refreshes_only_itself_and_says_why_its_first_row_stands_there(
    client: FlaskClient, thousand: RoundView
) -> None:
    shown = client.get("/c/beach/standings?stage=prelim&page=3").text
    asked = re.search(r'hx-get="([^"]+)"', shown)
    assert asked is not None
    address = html.unescape(asked[1])
    assert client.get(address).status_code == 204
    tag = address.partition("seen=")[2].partition("&")[0]
    part = client.get(address.replace(tag, "older"))
    assert "后来第0201" in part.text
    assert part.text.count('class="standing__rank"') == part.text.count('class="standing__why"') == 100
    assert client.get(address.replace(tag, "older"), headers={"If-None-Match": f'"{tag}"'}).status_code == 304


def test_a_name_is_found_on_whatever_page_it_stands(client: FlaskClient, thousand: RoundView) -> None:
    shown = client.get("/c/beach/standings?q=第0777").text
    assert shown.count('class="standing__rank"') == 1
    assert '<td class="standing__rank">777</td>' in shown
    assert 'href="/c/beach/standings?page=8">看前后的名次' in shown
    assert 'value="第0777"' in shown
    many = client.get("/c/beach/standings?q=后来").text
    assert "只列出前 100 人" in many
    assert len(many.encode()) < 100_000
    nobody = client.get("/c/beach/standings", query_string={"q": "<没有>"}).text
    assert "名次表中没有“&lt;没有&gt;”" in nobody


def test_more_entrants_cost_no_more_statements(client: FlaskClient, app: Flask, prelim: RoundView) -> None:
    finish(app, prelim)
    addresses = ("/c/beach/standings", "/c/beach/standings/table", "/c/beach/standings?q=一")
    few = [statements_of(app, client, address) for address in addresses]
    with app.app_context():
        crowd(prelim.event_id, 250)
    assert [statements_of(app, client, address) for address in addresses] == few


def test_nobody_is_compared_with_themselves(client: FlaskClient, prelim: RoundView) -> None:
    entrant = results.seats(prelim.tables[0])[0]
    answer = client.get(f"/c/beach/standings/why?above={entrant}&below={entrant}")
    assert answer.status_code == 422
    assert "请选两名不同的选手比较。" in answer.text


def test_before_any_result_the_page_says_what_comes(client: FlaskClient, app: Flask, travel: Travel) -> None:
    with app.app_context():
        results.prelim(travel)
    assert "还没有名次" in client.get("/c/beach/standings").text
    assert client.get(f"{API}/standings").json["placings"] == []
    assert client.get("/c/beach/standings/e1").status_code == 404


def test_open_tables_make_the_standings_provisional(client: FlaskClient, prelim: RoundView) -> None:
    shown = client.get("/c/beach/standings").text
    assert "暂定" in shown
    assert "3 桌中已确认 2 桌" in shown
    assert prelim.tables[0].seats[0].name in shown
    assert prelim.tables[2].seats[0].name not in shown
    answer = client.get(f"{API}/standings").json
    assert (answer["provisional"], answer["tables"], answer["confirmed"]) == (True, 3, 2)


def test_recorded_but_unconfirmed_deals_are_on_no_public_page(
    client: FlaskClient, app: Flask, prelim: RoundView
) -> None:
    table = prelim.tables[2]
    with app.app_context():
        results.recorded(table, results.deals(table))
        recompute(prelim.event_id)
    for address in ("/c/beach/standings", "/c/beach/standings/table"):
        assert table.seats[0].name not in client.get(address).text
    tables = client.get(f"{API}/event-file").json["stages"][0]["rounds"][0]["tables"]
    assert ["deals" in each for each in tables] == [True, True, False]


def test_each_neighbour_pair_leads_to_why_with_both_numbers(
    client: FlaskClient, app: Flask, prelim: RoundView
) -> None:
    finish(app, prelim)
    placings = client.get(f"{API}/standings").json["stages"][0]["placings"]
    above, below = placings[0], placings[1]
    address = f"/c/beach/standings/why?above={above['entrant']}&below={below['entrant']}&stage=prelim"
    assert address.replace("&", "&amp;") in client.get("/c/beach/standings").text
    shown = client.get(address).text
    assert above["name"] in shown
    assert f"+{above['values'][0]['value']}" in shown
    assert "由总得分决定" in shown
    assert "规程 四(二)8(一)" in shown


def test_equal_entrants_are_said_to_share_their_rank(
    client: FlaskClient, app: Flask, prelim: RoundView
) -> None:
    table = prelim.tables[2]
    first, second, third = results.seats(table)
    with app.app_context():
        results.confirmed(table, [results.deal(first)] * 10)
        recompute(prelim.event_id)
    shown = client.get(f"/c/beach/standings/why?above={second}&below={third}&stage=prelim").text
    assert "并列第" in shown
    assert "单副最高得分依次" in shown


def test_the_own_page_shows_every_deal(client: FlaskClient, prelim: RoundView) -> None:
    entrant = results.seats(prelim.tables[0])[0]
    shown = client.get(f"/c/beach/standings/{entrant}").text
    assert prelim.tables[0].seats[0].unit_name in shown
    assert shown.count("庄家胜") == 10
    assert "为什么在" in shown


def test_the_refreshed_part_costs_nothing_until_something_changes(
    client: FlaskClient, app: Flask, prelim: RoundView
) -> None:
    first = client.get("/c/beach/standings/table")
    assert first.status_code == 200
    tag = first.get_etag()[0]
    assert tag is not None
    assert client.get("/c/beach/standings/table", headers={"If-None-Match": f'"{tag}"'}).status_code == 304
    assert client.get(f"/c/beach/standings/table?seen={tag}").status_code == 204
    finish(app, prelim)
    assert client.get(f"/c/beach/standings/table?seen={tag}").status_code == 200


def test_the_api_answers_304_to_who_has_seen_it(client: FlaskClient, prelim: RoundView) -> None:
    for address in (f"{API}/standings", f"{API}/event-file"):
        answer = client.get(address)
        assert answer.status_code == 200
        again = client.get(address, headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")


def test_anyone_can_recompute_the_standings_from_the_event_file(
    client: FlaskClient, app: Flask, prelim: RoundView
) -> None:
    finish(app, prelim)
    download = client.get(f"{API}/event-file")
    answer = client.get(f"{API}/standings").json
    digest = hashlib.sha256(download.data).hexdigest()
    assert digest == answer["input_sha256"]
    assert digest in client.get("/c/beach/standings").text
    with app.app_context():
        rules = competitions.competition("beach").event.regulation.scoring_rules()
    document = json.loads(download.data)
    scored = event_file.score(document, rules)
    assert [(each["rank"], each["entrant"]) for each in scored["placings"]] == [
        (each["rank"], each["entrant"]) for each in answer["placings"]
    ]
    assert event_file.verify(document, rules) == []
    assert schema.refused(document) == []


def test_the_stage_page_names_who_is_missing_and_then_draws_the_next_stage(
    client: FlaskClient, app: Flask, prelim: RoundView
) -> None:
    with app.app_context():
        chief = results.chief()
    accounts.sign_in(client, chief)
    waiting = client.get("/staff/c/beach/stages").text
    assert "还在等 1 桌" in waiting
    assert prelim.tables[2].seats[1].name in waiting
    refused = client.post("/staff/c/beach/stages/next")
    assert refused.status_code == 409
    assert "3 号桌" in refused.text
    finish(app, prelim)
    assert "编排复赛" in client.get("/staff/c/beach/stages").text
    bad = client.post("/staff/c/beach/stages/next", data={"seed": "xyz"})
    assert bad.status_code == 422
    assert 'value="xyz"' in bad.text
    drawn = client.post("/staff/c/beach/stages/next", follow_redirects=True)
    assert drawn.status_code == 200
    assert "还在等 3 桌" in drawn.text
    assert [each["code"] for each in client.get(f"{API}/event-file").json["stages"]] == [
        "prelim",
        "semifinal",
    ]


def test_while_the_last_places_are_tied_the_stage_page_names_those_sure_to_go_on_and_draws_nothing(
    client: FlaskClient, app: Flask, travel: Travel
) -> None:
    with app.app_context():
        drawn = results.prelim(travel, 10)
        # the two defenders of the third table share the last of eight places, and nobody is eliminated (I-A-6)
        for bid, table in enumerate(drawn.tables, start=1):
            results.confirmed(table, [results.deal(results.seats(table)[0], bid=bid)] * 10)
        recompute(drawn.event_id)
        chief = results.chief()
    stage = client.get(f"{API}/standings").json["stages"][0]
    tied = results.seats(drawn.tables[2])[1:]
    assert len(stage["advance"]) == 7
    assert not {*stage["advance"]} & {*tied, *stage["direct"]}
    assert not stage["complete"]
    accounts.sign_in(client, chief)
    page = client.get("/staff/c/beach/stages").text
    assert "确定晋级" in page
    assert "编排复赛" not in page
    refused = client.post("/staff/c/beach/stages/next")
    assert refused.status_code == 409
    assert [each["code"] for each in client.get(f"{API}/event-file").json["stages"]] == ["prelim"]


def test_the_api_draws_the_next_stage_for_the_committee(
    client: FlaskClient, app: Flask, prelim: RoundView
) -> None:
    finish(app, prelim)
    with app.app_context():
        referee, chief = (
            accounts.bearer(app, results.referee()),
            accounts.bearer(app, results.chief()),
        )
    assert client.post(f"{API}/stages/next", json={}, headers=referee).status_code == 403
    answer = client.post(f"{API}/stages/next", json={}, headers=chief)
    assert (answer.status_code, answer.json) == (201, {"stage": "semifinal", "round": 1, "tables": 3})
    again = client.post(f"{API}/stages/next", json={}, headers=chief)
    assert again.status_code == 409
    assert len(again.json["waiting"]) == 3


def with_points(event_id: int) -> tuple[str, str]:
    """Give the first two of the newest standings points (六(三)), as the engine writes them; answers who they are."""
    newest = db.session.scalars(
        select(StandingsSnapshot).order_by(StandingsSnapshot.results_version.desc())
    ).first()
    assert newest is not None
    document = json.loads(json.dumps(newest.result))
    first, second = (item["entrant"] for item in document["placings"][:2])
    document["points"] = {
        "event_grade": "A",
        "clause": "六(三)",
        "entrants": [
            {"entrant": first, "rank": 1, "points": "90", "grade": "一级", "grade_en": "first grade"},
            {"entrant": second, "rank": 2, "points": "60"},
        ],
    }
    copied = ("event_id", "input_sha256", "regulation_version_id", "computed_at")
    fields = {name: getattr(newest, name) for name in copied}
    db.session.add(StandingsSnapshot(results_version=newest.results_version + 1, result=document, **fields))
    db.session.commit()
    return first, second


def test_points_and_grades_stand_below_the_prizes_with_their_clause_and_in_the_api(
    client: FlaskClient, app: Flask, prelim: RoundView
) -> None:
    assert client.get(f"{API}/standings").get_json()["points"] is None
    assert "data-points" not in client.get("/c/beach/standings").text
    with app.app_context():
        first, second = with_points(prelim.event_id)
    page = client.get("/c/beach/standings").text
    table = page[page.index("data-points") :].partition("</table>")[0]
    cells = re.sub(r"<[^>]+>", " ", table).split()
    assert cells[cells.index("90") :][:2] == ["90", "一级"]
    assert cells[cells.index("60") :][:2] == ["60", "—"]
    assert f"/c/beach/standings/{first}" in table
    anchor = re.search(r'href="(/c/beach/regulation)#([^"]+)"', table)
    assert anchor is not None
    assert f'id="{unquote(anchor[2])}"' in client.get(anchor[1]).text
    assert "first grade" in client.get("/c/beach/standings?lang=en").text
    told = client.get(f"{API}/standings").get_json()["points"]
    assert [each["entrant"] for each in told["entrants"]] == [first, second]


def test_the_pages_read_in_english(client: FlaskClient, app: Flask, prelim: RoundView) -> None:
    finish(app, prelim)
    assert client.get("/c/beach/standings?lang=en").status_code == 200
    assert client.get(f"/c/beach/standings/{results.seats(prelim.tables[0])[0]}?lang=en").status_code == 200
