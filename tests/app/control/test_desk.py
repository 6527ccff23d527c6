"""The chief referee's desk: what each table is at, and the one thing the next round waits for, by name."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import SYSTEM
from app.commands import command
from app.control import queries
from app.control.rules import Hindrance, TableOnDesk, blocker
from app.corrections import service as corrections
from app.floor import service as floor
from app.floor.rules import CallKind, Confirmation, Publication
from app.results.rules.confirming import Decision
from app.standings import service as standings
from tests.factories import accounts, registrations, results, sheets

Travel = Callable[[datetime], None]


def seen(now: datetime) -> queries.Desk:
    return queries.desk("beach", now)


def table(number: int, state: str, *, in_force: bool = False) -> TableOnDesk:
    return TableOnDesk(number, f"token-{number}", (f"甲{number}", f"乙{number}"), state, in_force)


@pytest.mark.parametrize(
    ("states", "held_back", "corrections", "behind", "kind", "words"),
    [
        (["disputed", "open"], False, 1, True, Hindrance.DISPUTE, "1 号桌有争议：甲1、乙1"),
        (["confirmed", "running"], False, 0, False, Hindrance.SHEETS, "2 号桌还没有交表：甲2、乙2"),
        (["open", "running"], False, 0, False, Hindrance.SHEETS, "1 号桌等 2 桌还没有交表：甲1、乙1……"),
        (["entered", "confirmed"], False, 0, False, Hindrance.CONFIRMATIONS, "1 号桌还没有确认：甲1、乙1"),
        (["confirmed", "confirmed"], True, 0, True, Hindrance.UNPUBLISHED, "等您公布"),
        (["confirmed", "confirmed"], False, 2, True, Hindrance.CORRECTIONS, "2 份更正申请"),
        (["confirmed", "confirmed"], False, 0, True, Hindrance.COMPUTING, "正在计算"),
    ],
)
def test_the_first_thing_that_has_to_be_done_is_the_one_that_is_named(
    *, states: list[str], held_back: bool, corrections: int, behind: bool, kind: Hindrance, words: str
) -> None:
    found = blocker(
        [table(number, state) for number, state in enumerate(states, start=1)],
        held_back=held_back,
        corrections=corrections,
        behind=behind,
    )
    assert found is not None
    assert found.kind is kind
    assert words in str(found.text)


def test_a_settled_round_is_held_up_by_nothing() -> None:
    settled = [table(1, "confirmed", in_force=True)]
    assert blocker(settled, held_back=True, corrections=0, behind=False) is None


def test_the_desk_follows_a_round_from_the_draw_to_the_next_one(session: Any, travel: Travel) -> None:
    assert_empty = seen
    drawn = results.prelim(travel)
    now = drawn.drawn_at
    first = drawn.tables[0]
    found = assert_empty(now)
    assert found.run is not None
    assert dict(found.counts) == {"open": len(drawn.tables)}
    sheets.terms(drawn.event_id, confirmation=Confirmation.PLAYERS)
    for each in drawn.tables:
        sheets.handed_in(each)
    found = seen(now)
    assert found.blocker is not None
    assert found.blocker.kind is Hindrance.CONFIRMATIONS
    sheets.disputed(first, sheets.sides(first)[0])
    found = seen(now)
    assert found.blocker is not None
    assert (found.blocker.kind, found.blocker.token) == (Hindrance.DISPUTE, first.token)
    assert found.tables[0].state.table.number == first.number, "what needs somebody stands first"
    assert [each.table.id for each in found.calls] == [first.id]
    sheets.decided(first, Decision.UPHOLD)
    for each in drawn.tables[1:]:
        for side in sheets.sides(each):
            sheets.said(each, side)
    found = seen(now)
    assert found.blocker is not None
    assert found.blocker.kind is Hindrance.COMPUTING
    with command(results.referee()) as ctx:
        corrections.ask(ctx, first.token, text="第 2 副记错", key=results.key())
    assert seen(now).corrections == 1
    with command(SYSTEM) as ctx:
        standings.recompute(ctx, drawn.event_id)
    found = seen(now)
    assert found.blocker is not None
    assert found.blocker.kind is Hindrance.CORRECTIONS


def test_a_round_that_is_held_back_waits_for_its_publication(session: Any, travel: Travel) -> None:
    drawn = results.prelim(travel)
    sheets.terms(drawn.event_id, publication=Publication.BY_ROUND)
    for each in drawn.tables:
        results.confirmed(each)
    found = seen(drawn.drawn_at)
    assert found.blocker is not None
    assert found.blocker.kind is Hindrance.UNPUBLISHED
    sheets.published(drawn.tables[0])
    with command(SYSTEM) as ctx:
        standings.recompute(ctx, drawn.event_id)
    found = seen(drawn.drawn_at)
    assert found.blocker is None
    assert found.ready


def test_the_page_shows_every_table_and_is_not_sent_again_while_nothing_changes(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        drawn = results.prelim(travel)
        accounts.sign_in(client, results.chief())
    address = "/staff/c/beach/control"
    page = client.get(address).text
    for each in drawn.tables:
        assert f"/c/beach/t/{each.token}" in page
    part = client.get(f"{address}/part")
    assert client.get(f"{address}/part", headers={"If-None-Match": part.headers["ETag"]}).status_code == 304
    with app.app_context(), command(results.referee()) as ctx:
        floor.call_referee(ctx, drawn.tables[1].id, kind=CallKind.CHIEF, key=results.key(), note="越序出牌")
    changed = client.get(f"{address}/part", headers={"If-None-Match": part.headers["ETag"]})
    assert changed.status_code == 200
    assert "越序出牌" in changed.text
    assert "What the next round waits for" in client.get(f"{address}?lang=en").text


def test_only_the_chief_referee_and_the_committee_open_it(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        results.prelim(travel)
        accounts.sign_in(client, results.referee())
        headers = accounts.bearer(app, registrations.committee())
    assert client.get("/staff/c/beach/control").status_code == 403
    answer = client.get("/api/v1/competitions/beach/control", headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.json["blocker"]["kind"] == "sheets"
    assert {each["state"] for each in answer.json["tables"]} == {"open"}
