"""The pages without a script: the form, its receipt, the other side's page, the committee's queue and cases."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import datetime
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor, Role
from app.commands import command
from app.competitions import queries as competitions
from app.objections import service
from app.registrations import queries as registrations
from tests.factories import accounts, mail, publications, reports
from tests.factories import objections as make
from tests.factories.publications import LAST_SECOND, WINDOW_OVER

Travel = Callable[[datetime], None]
NEW = "/c/beach/objections/new"
TAG = re.compile(r"<[^>]+>")


class Site:
    """The listed field of ``beach`` behind a client that changes hands."""

    def __init__(self, app: Flask, client: FlaskClient, travel: Travel) -> None:
        self.app, self.client = app, client
        with app.app_context():
            publications.published_field(travel, entrants=6)
            event = competitions.competition("beach").event
            units = registrations.led_units(event.competition_id)
            self.leaders = [accounts.actor(each.leader_user_id) for each in units]
            self.units = [int(each.id) for each in units]
            self.entries = [
                [int(e.entry_id) for e in registrations.approved_entries(event.id) if e.unit_id == unit]
                for unit in self.units
            ]
            self.names = {e.entry_id: e.name for e in registrations.approved_entries(event.id)}
            self.member = make.member(0)

    def as_(self, person: Actor) -> FlaskClient:
        accounts.sign_in(self.client, person)
        return self.client

    def page(self, path: str, status: int = 200) -> str:
        answer = self.client.get(path)
        assert answer.status_code == status, answer.get_data(as_text=True)
        return answer.get_data(as_text=True)

    def upload(self, person: Actor, purpose: str) -> str:
        with self.app.app_context():
            return make.upload(person, purpose)

    def form(self, person: Actor, **changes: object) -> dict[str, object]:
        return {
            "list": "1",
            "entry": str(self.entries[1][0]),
            "others": "",
            "text": "该选手不是该单位的员工。",
            "reporter_name": "钱试举",
            "idempotency_key": "page-key-0001",
            "upload": [self.upload(person, "letter"), self.upload(person, "evidence")],
        } | changes

    def lodged(self) -> str:
        with self.app.app_context():
            return make.accepted(self.leaders[0], self.entries[1][:1], self.member)


@pytest.fixture
def site(app: Flask, client: FlaskClient, travel: Travel) -> Site:
    return Site(app, client, travel)


def words(page: str) -> str:
    return re.sub(r"\s+", " ", TAG.sub(" ", page))


def test_a_stranger_reads_who_may_object_and_is_offered_to_sign_in(site: Site) -> None:
    page = words(site.page(NEW))
    assert "任何参赛单位" in page
    assert "加盖公章" in page
    assert "领队登录后提出" in page
    assert "<textarea" not in site.page(NEW)


def test_somebody_without_a_unit_is_told_what_he_can_do(site: Site) -> None:
    with site.app.app_context():
        stranger = accounts.user(700)
    site.as_(stranger)
    assert "由参赛单位的领队提出" in words(site.page(NEW))
    answer = site.client.post(NEW, data=site.form(stranger))
    assert answer.status_code == 409
    assert "任何参赛单位" in answer.get_data(as_text=True)
    assert "三(四)1" in answer.get_data(as_text=True)


def test_the_form_shows_no_line_of_ones_own_unit(site: Site) -> None:
    site.as_(site.leaders[0])
    page = site.page(NEW)
    assert all(f'<option value="{each}"' not in page for each in site.entries[0])
    assert all(f'<option value="{each}"' in page for each in site.entries[1])


def test_a_leader_objects_and_keeps_the_receipt(site: Site) -> None:
    answer = site.as_(site.leaders[0]).post(NEW, data=site.form(site.leaders[0]))
    assert answer.status_code == 303
    path = answer.headers["Location"]
    assert "钱" not in path
    receipt = words(site.page(path))
    assert "待受理" in receipt
    assert "该选手不是该单位的员工。" in receipt
    again = site.client.post(NEW, data=site.form(site.leaders[0]))
    assert again.headers["Location"] == path
    assert "YY2021-" in words(site.page("/c/beach/objections"))


def test_what_was_typed_stays_one_second_after_the_end(site: Site, travel: Travel) -> None:
    travel(LAST_SECOND)
    site.as_(site.leaders[0])
    site.page(NEW)
    travel(WINDOW_OVER)
    form = site.form(site.leaders[0])
    answer = site.client.post(NEW, data=form)
    page = answer.get_data(as_text=True)
    assert answer.status_code == 409
    assert "公示期已于" in page
    assert "该选手不是该单位的员工。" in page
    assert 'value="钱试举"' in page
    assert all(token in page for token in form["upload"])  # type: ignore[attr-defined]  # a list
    assert f'<option value="{form["entry"]}" selected' in page


def test_numbers_of_the_list_name_further_players(site: Site) -> None:
    site.as_(site.leaders[0])
    wrong = site.client.post(NEW, data=site.form(site.leaders[0], others="99"))
    assert wrong.status_code == 422
    assert "名单上没有第 99 号" in wrong.get_data(as_text=True)
    answer = site.client.post(NEW, data=site.form(site.leaders[0], others="５、6"))
    receipt = words(site.page(answer.headers["Location"]))
    assert "、" in receipt[receipt.index("涉及选手") : receipt.index("涉及选手") + 30]


def test_an_incomplete_one_is_completed_on_its_receipt(site: Site) -> None:
    person = site.leaders[0]
    answer = site.as_(person).post(NEW, data=site.form(person, upload=[]))
    path = answer.headers["Location"]
    assert "还缺" in words(site.page(path))
    more = {
        "idempotency_key": "page-key-0002",
        "upload": [site.upload(person, "letter"), site.upload(person, "evidence")],
    }
    assert site.client.post(f"{path}/additions", data=more).status_code == 303
    assert "待受理" in words(site.page(path))
    assert site.client.post(f"{path}/withdrawal", data={"reason": ""}).status_code == 303
    assert "已撤回" in words(site.page(path))


def test_the_committee_goes_through_a_case_by_its_pages(site: Site) -> None:
    with site.app.app_context():
        number = make.lodged(site.leaders[0], site.entries[1][:1])
    case = f"/staff/c/beach/objections/{number}"
    site.as_(site.member)
    assert number in words(site.page("/staff/c/beach/objections"))
    assert "钱试举" in words(site.page(case))
    assert site.client.post(f"{case}/accept", data={"revision": "1"}).status_code == 303
    asked = {
        "revision": "2",
        "unit_id": str(site.units[1]),
        "question": "请说明用工关系。",
        "due_at": "2021-11-02T18:00",
    }
    assert site.client.post(f"{case}/hearings", data=asked).status_code == 303
    site.as_(site.leaders[1])
    [hearing] = re.findall(r'href="(/c/beach/objections/hearings/\d+)"', site.page("/c/beach/objections"))
    shown = words(site.page(hearing))
    assert "请说明用工关系。" in shown
    assert "钱试举" not in shown
    assert "第1机械厂" not in shown
    assert site.client.post(hearing, data={"text": " "}).status_code == 422
    assert site.client.post(hearing, data={"text": "是我单位员工。"}).status_code == 303
    site.as_(site.member)
    decision = {
        "revision": "4",
        "upheld": "true",
        f"outcome-{site.entries[1][0]}": "withdrawn",
        "reasons": "经核实属实。",
        "summary": "一名选手不符合用工要求，取消资格。",
    }
    stale = site.client.post(f"{case}/decision", data=decision | {"revision": "3"})
    assert stale.status_code == 409
    assert "经核实属实。" in stale.get_data(as_text=True)
    assert site.client.post(f"{case}/decision", data=decision).status_code == 303
    public = words(site.page("/c/beach/publications"))
    assert "异议处理结果" in public
    assert "一名选手不符合用工要求，取消资格。" in public
    assert (
        site.names[site.entries[1][0]]
        not in public.split("异议处理结果")[1].split("名单没有改动过吗")[0].split("更正为")[0]
    )


@pytest.mark.parametrize("role", [Role.ORGANISER, Role.CHIEF_REFEREE, Role.REFEREE, None])
def test_nobody_but_the_committee_opens_queue_or_case(site: Site, role: Role | None) -> None:
    number = site.lodged()
    with site.app.app_context():
        beach = competitions.competition_id("beach")
        person = accounts.user(650, *([role] if role else []), competition_id=beach)
    site.as_(person)
    for path in ("/staff/c/beach/objections", f"/staff/c/beach/objections/{number}"):
        assert "钱试举" not in site.page(path, 403)


def test_a_member_who_is_concerned_sees_the_number_and_no_more(site: Site) -> None:
    number = site.lodged()
    with site.app.app_context():
        beach = competitions.competition_id("beach")
        concerned = accounts.user(2, Role.COMMITTEE, competition_id=beach)
    site.as_(concerned)
    queue = site.page("/staff/c/beach/objections")
    assert number in queue
    assert f"objections/{number}" not in queue
    page = site.page(f"/staff/c/beach/objections/{number}", 403)
    assert "应当回避" in page
    assert "钱试举" not in page


def test_a_member_recuses_himself_by_the_page(site: Site) -> None:
    number = site.lodged()
    site.as_(site.member)
    path = f"/staff/c/beach/objections/{number}"
    assert site.client.post(f"{path}/recuse", data={"reason": ""}).status_code == 422
    assert site.client.post(f"{path}/recuse", data={"reason": "亲属关系。"}).status_code == 303
    assert "您已回避" in site.page(path, 403)


def test_files_of_a_case_open_for_its_handlers_only(site: Site) -> None:
    number = site.lodged()
    site.as_(site.member)
    found = re.findall(
        r'src="(/c/beach/objections/files/[^"]+)"', site.page(f"/staff/c/beach/objections/{number}")
    )
    assert len(found) == 2
    for other in (site.leaders[1], site.leaders[2]):
        site.as_(other)
        assert all(site.client.get(each).status_code == 404 for each in found)


def test_a_page_of_a_text_without_objections_says_so(app: Flask, client: FlaskClient, travel: Travel) -> None:
    from app.text import BEIJING
    from tests.factories import competitions as other

    travel(datetime(2021, 5, 20, 12, tzinfo=BEIJING))
    with app.app_context():
        other.competition(regulation="dongcheng-landlord-2021", slug="dong")
    assert "没有对名单提出异议的条文" in client.get("/c/dong/objections/new").get_data(as_text=True)


def test_the_case_does_not_name_who_read_it_to_the_reporter(site: Site) -> None:
    number = site.lodged()
    with site.app.app_context():
        token = make.token_of(number)
        with command(site.member) as ctx:
            service.read(ctx, slug="beach", number=number)
    site.as_(site.leaders[0])
    assert "****" not in words(site.page(f"/c/beach/objections/r/{token}"))


def test_the_list_a_stranger_came_for_is_still_meant_after_signing_in(site: Site) -> None:
    asked = f"{NEW}?list=1&entry={site.entries[1][0]}"
    links = re.findall(r'href="(/sign-in[^"]*)"', site.page(asked))
    # the button in the page, and the way to sign in below every page
    assert [parse_qs(urlsplit(html.unescape(each)).query)["next"] for each in links] == [[asked], [asked]]
    assert f'value="{html.escape(asked)}"' in site.page(html.unescape(links[0]))


def test_the_facts_of_a_case_name_the_list_that_was_objected_to_and_the_one_in_its_place(site: Site) -> None:
    number = site.lodged()
    with site.app.app_context(), command(site.member) as ctx:
        decision = make.decision(True, site.entries[1][:1], unheard="证据确凿。")
        service.decide(ctx, slug="beach", number=number, revision=2, decision=decision)
    with site.app.app_context():
        token = make.token_of(number)
    site.as_(site.leaders[0])
    assert "第 1 号（现由第 2 号取代）" in site.page(f"/c/beach/objections/r/{token}")
    site.as_(site.member)
    assert "第 1 号（现由第 2 号取代）" in site.page(f"/staff/c/beach/objections/{number}")


def test_what_only_an_address_speaks_for_is_marked_on_the_case_and_on_its_receipt(site: Site) -> None:
    with site.app.app_context():
        number = site.lodged()
        sender = reports.mailbox(site.leaders[0])
        mail.processed(mail.letter(2, sender=sender, text=f"{number}：我们撤回以上说法。"))
        token = make.token_of(number)
    site.as_(site.member)
    assert site.page(f"/staff/c/beach/objections/{number}").count("发件人未核实") == 1
    headers = accounts.bearer(site.app, site.member)
    told = site.client.get(f"/api/v1/competitions/beach/objections/{number}", headers=headers).get_json()
    assert [each["unverified"] for each in told["steps"] if each["kind"] == "added"] == [True]
    site.as_(site.leaders[0])
    assert "不是您写的，请告诉组委会" in site.page(f"/c/beach/objections/r/{token}")
