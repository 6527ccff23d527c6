"""The form of a pair on a phone: both players, what was typed stays, each problem beside its player's field."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.app.registrations.reading import error_beside, text_of, value_of
from tests.factories import accounts, pairs, people, registrations
from tests.factories.pairs import EIGHTY, SLUG, TRACTOR
from tests.factories.publications import Travel

PAGE = f"/c/{SLUG}"
NEW = f"{PAGE}/enter/pairs/new"


@pytest.fixture
def eighty(app: Flask, client: FlaskClient, travel: Travel) -> FlaskClient:
    """Somebody who agreed to the notice of a competition that players enter themselves."""
    with app.app_context():
        pairs.competition(travel, EIGHTY)
        person = pairs.entrant(1)
    accounts.sign_in(client, person)
    return client


def sent(members: list[dict[str, Any]]) -> dict[str, str]:
    """The form as a browser sends it: a box that is not ticked is not sent."""
    flat: dict[str, str] = {}
    for place, player in enumerate(members):
        for name, value in player.items():
            if name == "declared":
                flat |= {f"members-{place}-declared-{rule}": "1" for rule, said in value.items() if said}
            else:
                flat[f"members-{place}-{name}"] = value
    return flat


def test_players_go_from_the_notice_to_the_form_of_two_and_to_the_receipt(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        pairs.competition(travel, EIGHTY)
        person = accounts.user(1)
    accounts.sign_in(client, person)
    assert client.get(f"{PAGE}/enter").location == f"{PAGE}/enter/notice"
    assert client.post(f"{PAGE}/enter/notice", data={"agreed": "1"}).location == f"{PAGE}/enter"
    assert client.get(f"{PAGE}/enter").location == NEW
    form = text_of(client.get(NEW))
    assert "单位全称" not in form
    assert "以最新一次为准" in form
    assert client.post(NEW, data=sent(pairs.form(1))).location == f"{PAGE}/enter/check"
    check = text_of(client.get(f"{PAGE}/enter/check"))
    assert people.person_name(1) in check
    assert people.person_name(2) in check
    assert people.id_number(1) not in check
    key = {"idempotency_key": value_of(check, "idempotency_key")}
    assert client.post(f"{PAGE}/enter/check", data=key).location == f"{PAGE}/enter/receipt"
    assert "1 对" in text_of(client.get(f"{PAGE}/enter/receipt"))
    mine = text_of(client.get(f"{PAGE}/my"))
    assert f"{people.person_name(1)} / {people.person_name(2)}" in mine
    assert "公示中" not in mine  # the text has no published list


def test_a_refused_form_keeps_what_was_typed_with_each_problem_beside_its_player(eighty: FlaskClient) -> None:
    typed = pairs.form(1, first={"declared": {}}, second={"id_number": "110101", "unit_name": ""})
    answer = eighty.post(NEW, data=sent(typed))
    assert answer.status_code == 422
    page = text_of(answer)
    for place in (0, 1):
        for name in ("name", "id_number", "phone"):
            assert value_of(page, f"members-{place}-{name}") == typed[place][name]
    assert "（规程 四）" in error_beside(page, "members-0-declared-union_members")
    assert error_beside(page, "members-1-id_number") == "应为 18 位居民身份证号，最后一位可以是 X。"
    assert error_beside(page, "members-1-unit_name") == "请填写。"
    assert error_beside(page, "members-0-id_number") == error_beside(page, "members-1-phone") == ""
    assert "选手二 · 身份证号" in page
    assert page.count(" checked") == 1  # the box of the second player
    english = text_of(eighty.post(NEW, data=sent(typed), headers={"Accept-Language": "en"}))
    assert "Player 2 · ID number" in english
    assert error_beside(english, "members-1-unit_name") == "Please fill this in."


def test_a_stored_pair_is_changed_without_its_numbers_on_the_page(eighty: FlaskClient) -> None:
    eighty.post(NEW, data=sent(pairs.form(1)))
    page = text_of(eighty.get(f"{PAGE}/enter/members"))
    address = page.split(f'href="{PAGE}/enter/pairs/')[1].split('"')[0]
    form = text_of(eighty.get(f"{PAGE}/enter/pairs/{address}"))
    assert value_of(form, "members-1-name") == people.person_name(2)
    assert value_of(form, "members-1-id_number") == ""
    assert people.id_number(2) not in form
    kept = pairs.form(
        1, first={"id_number": "", "phone": ""}, second={"id_number": "", "phone": "", "name": "改名"}
    )
    assert eighty.post(f"{PAGE}/enter/pairs/{address}", data=sent(kept)).status_code == 303
    assert "改名" in text_of(eighty.get(f"{PAGE}/enter/members"))
    assert eighty.post(f"{PAGE}/enter/pairs/{address}/remove").status_code == 303
    assert eighty.get(f"{PAGE}/enter/pairs/{address}").status_code == 404


def test_a_unit_enters_its_pairs_after_its_own_name(app: Flask, client: FlaskClient, travel: Travel) -> None:
    with app.app_context():
        pairs.competition(travel, TRACTOR)
        person = registrations.leader(1, SLUG, with_unit=False)
    accounts.sign_in(client, person)
    assert client.get(f"{PAGE}/enter").location == f"{PAGE}/enter/unit"
    assert client.get(NEW).location == f"{PAGE}/enter"
    unit = registrations.unit_form(1, credit_code="")
    assert client.post(f"{PAGE}/enter/unit", data=unit).location == f"{PAGE}/enter/members"
    assert client.post(NEW, data=sent(pairs.form(1))).status_code == 303
    assert client.post(NEW, data=sent(pairs.form(2))).status_code == 303
    assert "这次提交" not in text_of(client.get(f"{PAGE}/enter/check"))
    assert "第 2 对" in text_of(client.get(f"{PAGE}/enter/check"))
    again = client.post(NEW, data=sent(pairs.form(2, first={"id_number": people.id_number(9)})))
    assert again.status_code == 422
    assert "（规程 六）" in error_beside(text_of(again), "members-1-id_number")
    assert client.get(f"{PAGE}/enter/members/new").location == f"{PAGE}/enter"


def test_the_committee_reviews_both_players_of_a_pair(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        pairs.competition(travel, EIGHTY)
        pairs.submitted(1)
        committee = registrations.committee(SLUG)
    accounts.sign_in(client, committee)
    listed = text_of(client.get(f"/staff/c/{SLUG}/entries"))
    assert "38 岁 · 男 / 38 岁 · 女" in listed
    assert "通过全部符合资格的 1 对" in listed
    address = listed.split(f'href="/staff/c/{SLUG}/entries/')[1].split('"')[0]
    page = text_of(client.get(f"/staff/c/{SLUG}/entries/{address}"))
    for serial in (1, 2):
        assert f"{people.person_name(serial)}的参赛资格" in page
        assert people.id_number(serial) not in page
    private = text_of(client.post(f"/staff/c/{SLUG}/entries/{address}/personal-data"))
    assert all(people.id_number(serial) in private for serial in (1, 2))
    decided = client.post(f"/staff/c/{SLUG}/entries/{address}", data={"decision": "approve"})
    assert decided.status_code == 303
    assert "已审核 1 对" in text_of(client.get(decided.location))
