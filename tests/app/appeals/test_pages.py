"""The pages without a script: the public one, forms and receipts, the desks, the ledger with its CSV and receipts."""

from __future__ import annotations

import html
import re
from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor
from app.competitions import queries as competitions
from app.draws import queries as draws
from tests.app.appeals.conftest import END, Scene, Travel, set_scene
from tests.factories import accounts, results, rounds
from tests.factories import appeals as make
from tests.factories import objections as uploads

INDEX = "/c/beach/appeals"
NEW = "/c/beach/appeals/new"
DESK = "/staff/c/beach/appeals"
LEDGER = "/staff/c/beach/appeal-fees"
TAG = re.compile(r"<[^>]+>")
LATE = END + timedelta(minutes=10, seconds=1)


def words(page: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(TAG.sub(" ", page)))


class Site:
    """The played prelim of ``beach`` behind a client that changes hands."""

    def __init__(self, app: Flask, client: FlaskClient, travel: Travel) -> None:
        self.app, self.client = app, client
        with app.app_context():
            self.scene: Scene = set_scene(travel)
            self.leader, self.other = self.scene.leader(0), self.scene.leader(1)
            self.table = self.scene.table
            self.entry = int(self.table.seats[0].entry_id)
            self.names = [seat.name for seat in self.table.seats]
            self.referee, self.chief = results.referee(), results.chief()
            self.arbiter = self.scene.arbiter

    def as_(self, person: Actor) -> FlaskClient:
        accounts.sign_in(self.client, person)
        return self.client

    def page(self, path: str, status: int = 200) -> str:
        answer = self.client.get(path)
        assert answer.status_code == status, answer.get_data(as_text=True)
        return answer.get_data(as_text=True)

    def form(self, **changes: object) -> dict[str, object]:
        return {
            "entry_id": str(self.entry),
            "where": f"{self.table.stage}-{self.table.round_number}",
            "subject": "score",
            "text": "第 3 副的胜方记反了。",
            "oral_at": "2021-12-03T10:00:00",
            "idempotency_key": "page-key-0001",
        } | changes

    def said(self) -> str:
        with self.app.app_context():
            return make.said(self.table, END)

    def received(self) -> str:
        with self.app.app_context():
            return make.received(self.table, END, self.leader)

    def heard(self) -> str:
        with self.app.app_context():
            return make.heard(make.received(self.table, END, self.leader), self.arbiter)

    def token(self, number: str) -> str:
        with self.app.app_context():
            return make.row(number).token


@pytest.fixture
def site(app: Flask, client: FlaskClient, travel: Travel) -> Site:
    return Site(app, client, travel)


def test_the_public_page_shows_clocks_steps_and_fee(site: Site) -> None:
    page = words(site.page(INDEX))
    for said in ("10:05", "10:10", "5 分钟内", "10 分钟内", "申诉费 500 元", "四(二)8(十)", "仲裁委员会"):
        assert said in page
    english = words(site.page(f"{INDEX}?lang=en"))
    assert "How to appeal" in english
    assert "500 yuan" in english


@pytest.mark.parametrize("regulation", [rounds.GO, rounds.LANDLORD])
def test_a_text_without_appeals_says_so_on_its_page_and_at_the_desk(
    app: Flask, client: FlaskClient, travel: Travel, regulation: str
) -> None:
    with app.app_context():
        rounds.field(travel, regulation)
        referee = results.referee(rounds.SLUG)
    answer = client.get(f"/c/{rounds.SLUG}/appeals")
    page = words(answer.get_data(as_text=True))
    assert answer.status_code == 200
    assert "没有申诉的条文" in page
    assert "东城区棋牌运动协会" in page
    assert "附件1九2" in page
    accounts.sign_in(client, referee)
    assert "没有申诉的条文" in words(client.get(f"/staff/c/{rounds.SLUG}/appeals").get_data(as_text=True))


def test_a_leader_hands_an_appeal_in_and_keeps_the_receipt(site: Site) -> None:
    site.as_(site.leader)
    with site.app.app_context():
        token = uploads.upload(site.leader, "evidence")
    answer = site.client.post(NEW, data=site.form(upload=[token]))
    assert answer.status_code == 303
    path = answer.headers["Location"]
    receipt = words(site.page(path))
    assert "已收书面" in receipt
    assert "第 3 副的胜方记反了。" in receipt
    assert "待裁判员核实" in receipt
    assert site.client.post(NEW, data=site.form()).headers["Location"] == path
    assert "SS2021-" in words(site.page(INDEX))


def test_one_second_late_what_was_typed_stays_and_the_clause_is_named(site: Site, travel: Travel) -> None:
    travel(LATE)
    answer = site.as_(site.leader).post(NEW, data=site.form())
    page = answer.get_data(as_text=True)
    assert answer.status_code in {409, 422}
    assert "书面申诉的时限是" in page
    assert "四(二)8(十)" in page
    assert "第 3 副的胜方记反了。" in page


def test_a_player_appeals_by_his_card(site: Site) -> None:
    with site.app.app_context():
        card = make.card(site.entry)
    path = f"/c/beach/p/{card}/appeal"
    assert site.names[0] in site.page(path)
    answer = site.client.post(path, data=site.form())
    assert answer.status_code == 303
    receipt = words(site.page(answer.headers["Location"]))
    assert "第 3 副的胜方记反了。" in receipt
    assert site.client.get("/c/beach/p/nobody/appeal").status_code == 404


def test_a_referee_logs_what_was_said_and_the_leader_goes_on_from_the_receipt(site: Site) -> None:
    site.as_(site.referee)
    answer = site.client.post(
        DESK,
        data={
            "entry_id": str(site.entry),
            "where": f"{site.table.stage}-{site.table.round_number}",
            "subject": "score",
            "said_at": "2021-12-03T10:00:00",
            "text": "第 3 副",
            "idempotency_key": "desk-key-0001",
        },
    )
    assert answer.status_code == 303, answer.get_data(as_text=True)
    number = answer.headers["Location"].split("/")[-2]
    clerk = words(site.page(answer.headers["Location"]))
    assert "收取申诉费 500 元" in clerk
    path = f"/c/beach/appeals/r/{site.token(number)}"
    site.as_(site.leader)
    assert "递交书面申诉" in words(site.page(path))
    written = site.client.post(f"{path}/written", data={"text": "见事实。", "idempotency_key": "write-key-1"})
    assert written.status_code == 303
    assert "见事实。" in words(site.page(path))


def test_a_clerk_takes_the_fee_and_prints_its_receipt(site: Site) -> None:
    number = site.said()
    site.as_(site.referee)
    path = f"{DESK}/{number}/clerk"
    sent = {"way": "transfer", "reference": "", "idempotency_key": "fee-key-0001"}
    refused = site.client.post(f"{path}/fee", data=sent)
    assert refused.status_code == 422
    assert "流水号" in refused.get_data(as_text=True)
    assert site.client.post(f"{path}/fee", data=sent | {"reference": "A-0001"}).status_code == 303
    page = site.page(path)
    receipt = re.search(r"SJ2021-\d+-0001", page)
    assert receipt is not None
    pdf = site.client.get(f"{LEDGER}/{receipt[0]}.pdf")
    assert (pdf.status_code, pdf.mimetype) == (200, "application/pdf")
    assert pdf.headers["Cache-Control"] == "private, no-store"


def test_the_ledger_shows_that_it_balances_and_is_there_as_csv(site: Site) -> None:
    number = site.received()
    site.as_(site.chief)
    page = words(site.page(LEDGER))
    assert "收取 = 退还 + 不退 + 在管" in page
    assert "在管 500 元" in page
    answer = site.client.get(f"{LEDGER}.csv")
    text = answer.get_data(as_text=True)
    assert answer.mimetype == "text/csv"
    assert answer.headers["Cache-Control"] == "no-store"
    assert text.startswith("\ufeff凭证号,时间,申诉")
    assert f",{number},收取,500,现金" in text
    entry = re.search(r"SJ2021-\d+-0001", text)
    assert entry is not None
    reversal = f"{LEDGER}/{entry[0]}/reversal"
    assert (
        site.client.post(reversal, data={"reason": "", "idempotency_key": "rev-key-0001"}).status_code == 422
    )
    assert (
        site.client.post(reversal, data={"reason": "开错", "idempotency_key": "rev-key-0001"}).status_code
        == 303
    )
    assert "在管 0 元" in words(site.page(LEDGER))


def test_the_committee_sees_papers_history_and_effects_and_decides(site: Site) -> None:
    number = site.heard()
    site.as_(site.arbiter)
    path = f"{DESK}/{number}"
    page = words(site.page(path))
    for said in ("第 3 副是防守方胜", "记分表的修订", "第 1 次修订", "听证笔录", "作出裁定"):
        assert said in page
    with site.app.app_context():
        revision = make.row(number).revision
    deals = {
        f"deal-{n}-{name}": value
        for n in range(1, 11)
        for name, value in {
            "landlord": f"e{site.entry}",
            "bid": "3",
            "winner": "defenders",
            "bombs": "0",
        }.items()
    }
    form = deals | {"deals": "10", "correction": "typed", "revision": str(revision), "upheld": "true"}
    preview = site.client.post(f"{path}/effect", data=form)
    assert preview.status_code == 200
    assert "按填写的裁定" in preview.get_data(as_text=True)
    assert "名次" in words(preview.get_data(as_text=True))
    refused = site.client.post(f"{path}/decision", data=form)
    assert refused.status_code == 422
    assert 'name="deal-1-landlord"' in refused.get_data(as_text=True)
    said = {"reasons": "经查，各副胜方记反。", "summary": "各副胜方更正。"}
    assert site.client.post(f"{path}/decision", data=form | said).status_code == 303
    assert "申诉成立" in words(site.page(path))
    public = words(site.page(INDEX))
    assert "各副胜方更正。" in public
    assert "经查" not in public


def test_a_stale_page_is_told_and_what_was_typed_stays(site: Site) -> None:
    number = site.received()
    site.as_(site.arbiter)
    answer = site.client.post(f"{DESK}/{number}/minutes", data={"revision": "1", "minutes": "双方到场。"})
    page = answer.get_data(as_text=True)
    assert answer.status_code == 409
    assert "另一位成员刚刚办理了这件申诉" in page
    assert "双方到场。" in page


def test_who_is_concerned_is_told_that_he_recuses_himself(site: Site) -> None:
    number = site.received()
    site.as_(site.arbiter)
    assert site.client.post(f"{DESK}/{number}/recusal", data={"reason": "同单位"}).status_code == 303
    assert "您回避" in words(site.page(DESK))
    assert site.client.get(f"{DESK}/{number}").status_code == 403


@pytest.mark.parametrize("who", ["nobody", "referee", "chief"])
def test_texts_are_for_the_committee_and_who_appeals_alone(site: Site, who: str) -> None:
    number = site.received()
    if who != "nobody":
        site.as_(getattr(site, who))
    assert site.client.get(f"{DESK}/{number}").status_code in {302, 401, 403}
    pages = [INDEX, f"/c/beach/appeals/r/{site.token(number)}"]
    if who != "nobody":
        pages += [DESK, f"{DESK}/{number}/clerk"]
    for path in pages:
        assert "第 3 副是防守方胜" not in site.page(path), path


def test_nobody_reads_names_on_the_public_page(site: Site) -> None:
    number = site.heard()
    with site.app.app_context():
        from tests.app.appeals.test_deciding import decided, decision

        decided(number, site.scene, decision(measure="警告。"))
    page = site.page(INDEX)
    assert number in page
    assert not any(name in page for name in site.names)


def test_the_board_says_what_waits(site: Site) -> None:
    site.received()
    site.as_(site.arbiter)
    assert "1 件申诉等待听证或裁定" in words(site.page("/staff/c/beach"))


def test_a_round_that_runs_takes_no_appeal_and_says_what_to_do(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        round_ = results.prelim(travel)
        table = draws.table(round_.tables[0].id)
        event = competitions.competition("beach")
        assert event.event.id == round_.event_id
        assert table.seats
    assert "时限还没有开始" in words(client.get(INDEX).get_data(as_text=True))


def test_a_players_own_page_leads_to_an_appeal_while_the_time_runs(site: Site, travel: Travel) -> None:
    with site.app.app_context():
        card = make.card(site.entry)
    path = f"/c/beach/p/{card}"
    assert f'href="{path}/appeal"' in site.page(path)
    travel(LATE)
    assert f'href="{path}/appeal"' not in site.page(path)
    travel(END)
    site.client.post(f"{path}/appeal", data=site.form())
    travel(LATE)
    assert "SS2021-" in site.page(path)
