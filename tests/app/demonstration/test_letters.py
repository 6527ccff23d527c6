"""A visitor finds one application for a change that waits, sent through the services people use, once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from app.actors import SYSTEM
from app.commands import command
from app.competitions import queries as competitions
from app.demonstration import rules, service
from app.extensions import db
from app.registrations import queries as registrations
from app.text import BEIJING
from app.uploads.models import Upload
from app.uploads.rules.refusals import StillCheckedError
from tasks.demonstration import send_specimen_letter
from tests.factories import uploads as make

START = datetime(2026, 11, 30, 12, 0, tzinfo=BEIJING)
Travel = Callable[[datetime], None]


@pytest.mark.usefixtures("own_store")
def test_one_application_waits_once_its_letter_is_checked(
    session: Any, travel: Travel, tmp_path: Path
) -> None:
    travel(START)
    assert send_specimen_letter.run() is None, "there is no demonstration yet"
    with command(SYSTEM) as ctx:
        service.seed(ctx)
    for _ in range(2):  # the worker tries again by itself, with the same upload
        with pytest.raises(StillCheckedError):
            send_specimen_letter.run()
    (upload_id,) = db.session.scalars(select(Upload.id)).all()
    make.check(db.session.get_one(Upload, upload_id), tmp_path)  # type: ignore[arg-type]  # it needs the id alone
    assert send_specimen_letter.run() == 1
    (view,) = registrations.applications(competitions.competition(rules.PUBLISHED_SLUG).event)
    assert view.waits
    assert view.broken is None
    assert view.letter
    assert send_specimen_letter.run() is None


def test_where_play_is_over_nothing_is_applied_for(session: Any, travel: Travel) -> None:
    travel(START)
    with command(SYSTEM) as ctx:
        service.seed(ctx)
    travel(START + timedelta(days=400))
    assert send_specimen_letter.run() is None
