"""With the competition's personal data go the files, texts and names of its cases; numbers and states stay."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select

from app.actors import SYSTEM
from app.commands import command
from app.documents.service import purging
from app.extensions import db
from app.objections.models import ObjectionFile, ObjectionHearing, ObjectionStep
from app.objections.queries import cases
from app.objections.service import Files
from app.text import BEIJING
from tests.app.objections.conftest import Scene, Travel
from tests.factories import objections as make

DAY = datetime(2022, 3, 6, 3, 40, tzinfo=BEIJING)


def purge(competition_id: int) -> None:
    more = True
    while more:
        with command(SYSTEM) as ctx:
            more = purging.take_out(ctx, competition_id, purge_days=90)


def test_nothing_of_a_case_but_number_state_and_summary_is_left(scene: Scene, travel: Travel) -> None:
    number = make.accepted(scene.leaders[0], scene.entries(1)[:1], scene.member)
    make.heard(number, scene.member, scene.units[1], scene.leaders[1])
    make.decided(number, scene.member, make.decision(False))
    running = make.lodged(scene.leaders[2], scene.entries(1)[:1], files=Files())
    purge(scene.competition.id)
    assert make.row(number).text, "its day has not come"
    travel(DAY)
    purge(scene.competition.id)
    row = make.row(number)
    assert (row.state, row.summary) == ("dismissed", "反映的情况查无实据。")
    written = [row.text, row.unit_name, row.reporter_name, row.reporter_phone, row.decision]
    assert not any(written)
    assert (row.user_id, row.unit_id) == (None, None), "which unit objected would say who did"
    first = db.session.scalars(select(ObjectionStep).where(ObjectionStep.objection_id == row.id)).first()
    assert first is not None
    assert first.user_id is None
    assert not db.session.scalars(select(ObjectionFile)).all()
    assert not any(step.text for step in db.session.scalars(select(ObjectionStep)))
    assert not any(each.question or each.answer for each in db.session.scalars(select(ObjectionHearing)))
    assert make.row(running).state == "withdrawn", "nobody could decide it any more"
    assert cases.case(row.id).steps[-1].kind == "purged"
