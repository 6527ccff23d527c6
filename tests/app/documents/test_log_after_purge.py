"""Who looked at what stays readable after the purge, by kind and without content, for each member and for the unit."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor
from app.clock import BEIJING
from app.competitions import queries as competitions
from app.documents.queries import privacy as queries
from app.documents.service import purging
from app.extensions import db
from app.registrations.queries import held
from tasks import registrations as tasks
from tests.app.documents import reviewing
from tests.app.documents.visiting import words
from tests.factories import accounts, reviews
from tests.factories import registrations as make

AFTER = datetime(2022, 3, 6, 3, 40, tzinfo=BEIJING)
Travel = Callable[[datetime], None]


def looked_at() -> Actor:
    """Two members and a unit with documents, of which the first member's certificate and the unit's form were looked at."""
    make.competition()
    leader = make.submitted(members=2)
    mine = reviews.document(leader, "medical_certificate", {}, member=0, picture=reviews.photo(90, 120))
    reviews.document(leader, "medical_certificate", {}, member=1, picture=reviews.photo(90, 120))
    form = reviews.document(leader, "entry_form", {}, member=None, picture=reviews.photo(90, 120))
    for document in (mine, form):
        reviewing.look_at(reviews.reviewer(), document, 0, 1)
    return leader


def logs(leader: Actor) -> list[list[tuple[str, str, str | None]]]:
    competition, user_id = competitions.competition("beach"), leader.require_signed_in()
    unit = held.my_unit(competition, user_id)
    assert unit is not None
    found = [queries.access_log(each) for each in held.my_members(competition, user_id)]
    return [
        [(each.action.value, each.role, each.kind) for each in log]
        for log in (*found, queries.access_log_of_unit(unit))
    ]


@pytest.mark.parametrize("at_once", [1, 50])
def test_after_the_purge_everybody_still_reads_who_looked_at_his_own(
    session: Any, travel: Travel, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(purging, "AT_ONCE", at_once)
    leader = looked_at()
    before = logs(leader)
    assert before[1] == []
    travel(AFTER)
    tasks.purge.run()
    db.session.expire_all()
    gone = [("documents.purged", "system", kind) for kind in ("medical_certificate",) * 2 + ("entry_form",)]
    assert logs(leader) == [[purged, *log] for purged, log in zip(gone, before, strict=True)]


def test_page_and_copy_say_it_in_words(app: Flask, client: FlaskClient, travel: Travel) -> None:
    with app.app_context():
        leader = looked_at()
        first = held.my_members(competitions.competition("beach"), leader.require_signed_in())[0].id
        travel(AFTER)
        tasks.purge.run()
    accounts.sign_in(client, leader)
    shown = words(client.get(f"/c/beach/my/data/{first}").text)
    assert "查阅健康证明" in shown or "查阅" in shown
    assert "系统（赛后统一删除）" in shown
    client.set_cookie("lang", "en")
    assert "deleted after the event" in words(client.get(f"/c/beach/my/data/{first}").text)
