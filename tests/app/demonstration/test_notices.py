"""A visitor finds two announcements: one from the start, and a pinned one whose attachment the worker has checked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from app import clock
from app.actors import SYSTEM
from app.announcements import queries
from app.commands import command
from app.competitions import queries as competitions
from app.demonstration import notices, service
from app.extensions import db
from app.text import BEIJING
from app.uploads.models import Upload
from app.uploads.rules.refusals import StillCheckedError
from tasks.demonstration import publish_specimen_notice
from tests.factories import uploads as make

START = datetime(2026, 11, 30, 12, 0, tzinfo=BEIJING)
Travel = Callable[[datetime], None]


@pytest.mark.usefixtures("own_store")
def test_the_pinned_one_comes_once_its_file_is_checked(session: Any, travel: Travel, tmp_path: Path) -> None:
    travel(START)
    assert publish_specimen_notice.run() is None, "there is no demonstration yet"
    with command(SYSTEM) as ctx:
        service.seed(ctx)
    for _ in range(2):  # the worker tries again by itself, with the same upload
        with pytest.raises(StillCheckedError):
            publish_specimen_notice.run()
    (upload_id,) = db.session.scalars(select(Upload.id)).all()
    make.check(db.session.get_one(Upload, upload_id), tmp_path)  # type: ignore[arg-type]  # it needs the id alone
    assert publish_specimen_notice.run() is not None
    assert publish_specimen_notice.run() is None
    found = queries.public(competitions.competition_id(notices.SLUG), clock.now())
    assert [(each.text, each.pinned) for each in found] == [(notices.VENUE, True), (notices.WELCOME, False)]
    assert [each.name for each in found[0].attachments] == [notices.FILE_NAME]
