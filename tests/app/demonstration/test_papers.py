"""The documents of the demonstration are handed in by the worker, through the services people use, once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app import clock
from app.actors import SYSTEM, Actor
from app.commands import command
from app.competitions import queries as competitions
from app.demonstration import papers, rules, service, specimens
from app.demonstration.queries import Cast
from app.documents import queries as documents
from app.documents import service as documents_service
from app.documents.rules import ChecklistState, WarningKind
from app.extensions import db
from app.jobs import Job
from app.notifications import queries as notifications
from app.text import BEIJING
from app.uploads.models import Upload
from app.uploads.rules.refusals import StillCheckedError
from tasks.demonstration import hand_in_specimens
from tasks.registrations import purge
from tests.factories import accounts
from tests.factories import uploads as make
from tests.factories.demonstration import user_of

SITE = "http://desk.example:8000"
START = datetime(2026, 11, 30, 12, 0, tzinfo=BEIJING)
Travel = Callable[[datetime], None]


def check_files(folder: Path) -> None:
    """What the worker does with the uploads meanwhile."""
    for upload_id in db.session.scalars(select(Upload.id).where(Upload.state == "waiting")).all():
        make.check(db.session.get_one(Upload, upload_id), folder)  # type: ignore[arg-type]  # it needs the id alone


def prepared(folder: Path) -> None:
    with command(SYSTEM) as ctx:
        service.seed(ctx)
    with pytest.raises(StillCheckedError):  # the worker tries again by itself
        hand_in_specimens.run(SITE)
    check_files(folder)
    assert hand_in_specimens.run(SITE) == len(papers.PLAN)


def states() -> Counter[str]:
    competition = competitions.competition(rules.OPEN_SLUG)
    lists = documents.unit_lists(competition, clock.now())
    return Counter(row.state.value for unit in lists for each in unit.lists for row in each.rows)


def test_documents_in_every_state_are_there_once_their_files_are_checked(
    session: Any, travel: Travel, tmp_path: Path
) -> None:
    travel(START)
    prepared(tmp_path)
    found = states()
    del found["missing"]
    assert found == {"uploaded": 5, "accepted": 3, "needs_changes": 1, "rejected": 1}
    mine = documents.my_lists(competitions.competition(rules.OPEN_SLUG), user_of(Cast.LEADER), clock.now())
    assert mine is not None
    first, second = mine.lists
    by_kind = {row.kind: row for row in first.rows}
    assert by_kind["medical_certificate"].state is ChecklistState.ACCEPTED
    assert set(by_kind["accident_insurance"].reasons) == {"valid_to"}
    assert [each.kind for each in by_kind["health_code"].warnings] == [WarningKind.EXPIRES]
    assert by_kind["health_code"].state is ChecklistState.ACCEPTED
    assert {row.state for row in second.rows} == {ChecklistState.MISSING}
    (warned,) = [row for row in second.rows if row.warnings]
    assert warned.kind == papers.ASKED_KIND
    (message, _) = [each for each in notifications.latest_messages() if "/my/documents/" in each.body]
    assert "/c/demo-open/my/documents/m" in message.body


def test_a_second_start_changes_nothing_that_was_done_meanwhile(
    session: Any, travel: Travel, tmp_path: Path
) -> None:
    travel(START)
    prepared(tmp_path)
    mine = documents.my_lists(competitions.competition(rules.OPEN_SLUG), user_of(Cast.LEADER), clock.now())
    assert mine is not None
    subject = str(mine.lists[0].subject)
    with command(Actor("person", user_of(Cast.LEADER))) as ctx:
        documents_service.withdraw(ctx, slug=rules.OPEN_SLUG, subject=subject, kind="vaccination_certificate")
    before = states()
    assert hand_in_specimens.run(SITE) == 0
    assert states() == before
    assert db.session.scalars(select(Upload.id).where(Upload.claimed_at.is_(None))).all() == []


def test_a_job_that_was_broken_off_goes_on_with_its_uploads(
    session: Any, travel: Travel, tmp_path: Path
) -> None:
    travel(START)
    with command(SYSTEM) as ctx:
        service.seed(ctx)
    for _ in range(2):
        with pytest.raises(StillCheckedError):
            hand_in_specimens.run(SITE)
    assert len(db.session.scalars(select(Upload.id)).all()) == len(papers.PLAN)


@pytest.mark.parametrize(
    "moment",
    [START + timedelta(days=6), datetime(2030, 10, 1, 9, 30, tzinfo=BEIJING)],
    ids=["entries are closed", "a text without documents"],
)
def test_where_nothing_can_be_handed_in_nothing_is(session: Any, travel: Travel, moment: datetime) -> None:
    travel(START if moment < START + timedelta(days=30) else moment)
    assert hand_in_specimens.run(SITE) == 0, "there is no demonstration yet"
    with command(SYSTEM) as ctx:
        service.seed(ctx)
    travel(moment)
    assert hand_in_specimens.run(SITE) == 0
    assert db.session.scalars(select(Upload.id)).all() == []


def test_they_are_deleted_after_the_event_like_any_other(
    session: Any, travel: Travel, tmp_path: Path
) -> None:
    travel(START)
    prepared(tmp_path)
    competition = competitions.competition(rules.OPEN_SLUG)
    play_to = competition.event.regulation.calendar.play_to
    travel(datetime.combine(play_to + timedelta(days=120), datetime.min.time(), BEIJING))
    purge.run()
    assert not documents.any_document(competition.id)
    assert db.session.scalars(select(Upload.id)).all() == []
    assert hand_in_specimens.run(SITE) == 0


def test_the_reviewer_sees_the_pictures(
    app: Flask, travel: Travel, tmp_path: Path, sent_jobs: list[tuple[Job, Any]]
) -> None:
    travel(START)
    settings = app.config["SAISHI"]
    app.config["SAISHI"] = replace(settings, demo=True)
    try:
        with app.app_context():
            prepared(tmp_path)
            committee, leader = (accounts.actor(user_of(each)) for each in (Cast.COMMITTEE, Cast.LEADER))
            mine = documents.my_lists(
                competitions.competition(rules.OPEN_SLUG), user_of(Cast.LEADER), clock.now()
            )
            assert mine is not None
            first = documents.document_of(mine.lists[0].subject, "medical_certificate")
            assert first is not None
        client = app.test_client()
        accounts.sign_in(client, leader)
        place = f"/c/{rules.OPEN_SLUG}/my/documents"
        ends = "将于2026年12月4日（周五）到期，比赛还没有结束。"
        for page in (place, f"{place}/{mine.lists[0].subject}/health_code"):
            assert ends in client.get(page).text.replace(" ", "")
        accounts.sign_in(client, committee)
        desk = client.get(f"/staff/c/{rules.OPEN_SLUG}/documents/review")
        assert "快到期" in desk.text
        soon = client.get(f"/staff/c/{rules.OPEN_SLUG}/documents/review?expiring=1&state=all").text
        assert soon.count('class="queue__row"') == 2
        assert desk.status_code == 200
        assert "示例二厂" in desk.text
        assert client.get(f"/staff/c/{rules.OPEN_SLUG}/documents/{first.id}/review").status_code == 200
        picture = client.get(f"/c/{rules.OPEN_SLUG}/documents/{first.id}/files/1/0/1/preview")
        assert (picture.status_code, picture.mimetype) == (200, "image/jpeg")
    finally:
        app.config["SAISHI"] = settings


def test_the_same_words_give_the_same_picture() -> None:
    assert specimens.picture("健康证明", ("姓名：赵试一",)) == specimens.picture(
        "健康证明", ("姓名：赵试一",)
    )
    assert specimens.picture("健康证明", ("姓名：赵试一",)) != specimens.picture(
        "健康证明", ("姓名：钱试一",)
    )
