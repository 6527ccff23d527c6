"""What the board says waits, from the first entry to the last stage."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta

from flask import Flask
from flask.testing import FlaskClient

from app import clock
from app.actors import SYSTEM, Actor
from app.commands import command
from app.competitions import queries as competitions
from app.standings import service as standings
from app.text import BEIJING
from tests.factories import accounts, draws, publications, registrations, results

Travel = Callable[[datetime], None]
HOME = "/staff/c/beach"


def next_step(client: FlaskClient, person: Actor, path: str = HOME) -> tuple[str, str]:
    """The one next step of the staff home: its text, and where its button leads."""
    accounts.sign_in(client, person)
    page = client.get(path)
    assert page.status_code == 200
    found = re.search(r"data-next-step>(.*?)</section>", page.text, re.S)
    assert found is not None
    [text] = re.findall(r'next-step__text">(.*?)</p>', found[1])
    return text, next(iter(re.findall(r'href="(.*?)"', found[1])), "")


def to_do(client: FlaskClient, person: Actor) -> str:
    """What the list of all competitions says of this one."""
    accounts.sign_in(client, person)
    return client.get("/staff").text


def test_the_staff_home_names_the_one_next_step_all_the_way(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        publications.field(approve=False)
        committee = registrations.committee()
    assert next_step(client, committee) == ("9 名队员等待审核（最早：不到 1 小时前）", f"{HOME}/entries")
    assert "1 件待办" in to_do(client, committee)
    travel(clock.now() + timedelta(days=3, hours=2))
    assert next_step(client, committee)[0] == "9 名队员等待审核（最早：3 天前）"

    with app.app_context():
        publications.approve_all()
    assert next_step(client, committee) == ("现在没有等您处理的事。", "")
    assert "件待办" not in to_do(client, committee)

    travel(publications.AFTER_CLOSING)
    assert next_step(client, committee) == ("报名已截止，9 人的名单还没有公示", f"{HOME}/publication")
    with app.app_context():
        publications.publish()
    travel(datetime(2021, 11, 2, 12, tzinfo=BEIJING))
    assert next_step(client, committee)[0] == "现在没有等您处理的事。"
    assert "第 1 号名单公示第 2 天 / 共 5 天，2021年11月5日（周五）24:00 结束" in client.get(HOME).text
    travel(publications.LAST_SECOND)
    assert next_step(client, committee) == (
        "第 1 号名单今天公示期满：2021年11月5日（周五）24:00",
        "/c/beach/publications",
    )

    travel(publications.WINDOW_OVER)
    assert next_step(client, committee) == ("名单公示期满，9 人可以抽签", f"{HOME}/draws")
    with app.app_context():
        draws.draw()
        referee = results.referee()
    assert next_step(client, committee) == ("3 桌成绩未确认（共 3 桌）", f"{HOME}/tables-state")
    assert next_step(client, referee)[0] == "3 桌成绩未确认（共 3 桌）"

    with app.app_context():
        event_id = competitions.competition("beach").event.id
        results.all_confirmed(event_id)
    assert next_step(client, committee)[0] == "现在没有等您处理的事。"
    assert "正在计算名次" in client.get(HOME).text
    with app.app_context(), command(SYSTEM) as ctx:
        standings.recompute(ctx, event_id)
    assert next_step(client, committee) == ("可以编排复赛：9 人", f"{HOME}/stages")
    assert next_step(client, referee)[0] == "现在没有等您处理的事。"


def test_a_person_is_told_only_of_what_their_role_does(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        publications.field(approve=False)
        referee = results.referee()
    assert next_step(client, referee)[0] == "现在没有等您处理的事。"
    assert "件待办" not in to_do(client, referee)


def test_nothing_more_waits_for_review_once_the_draw_closed_the_entries(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        results.prelim(travel)
        event = competitions.competition("beach").event
        assert event.entries_closed
        committee = registrations.committee()
    assert "等待审核" not in next_step(client, committee)[0]
