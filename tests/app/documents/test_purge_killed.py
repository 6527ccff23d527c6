"""The purge in a process of its own that gets SIGKILL in the middle: the next run ends as if nothing had happened."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.audit import chain
from app.audit import queries as audit
from app.clock import BEIJING
from app.competitions import queries as competitions
from app.documents.models import Document, PurgeItem, PurgeReport
from app.documents.queries import purging as queries
from app.documents.rules.purging import check
from app.extensions import db
from app.files import store
from app.uploads.models import StoredFile, Upload
from tasks import registrations as tasks
from tests import services
from tests.conftest import SECRET
from tests.factories import purges
from tests.factories import registrations as make

DAY = datetime(2022, 3, 6, 3, 40, tzinfo=BEIJING)

PURGE = """
import json, sys, time
from datetime import datetime
from pathlib import Path
from tasks import registrations as tasks
from app import clock, create_app
from app.documents.service import purging
from app.files import store
from app.settings import Settings

given = json.loads(sys.argv[1])
app = create_app(Settings(
    Path(given["instance"]), given["secret"], given["database"], "filesystem://", base_url="http://localhost"
))
clock.now = lambda: datetime.fromisoformat(given["now"])
purging.AT_ONCE = 1
take_out, delete, batches = purging.take_out, store.delete, []

def hang():
    print("in the middle", flush=True)
    time.sleep(600)

def taking_out(*args, **options):
    more = take_out(*args, **options)
    batches.append(more)
    if given["point"] == "rows" and len(batches) == 3:
        hang()  # two batches are committed, the third is written and is not
    return more

def deleting(keys):
    keys = list(keys)
    delete(keys[:3])
    hang()  # some objects are gone, and nothing says which

purging.take_out, store.delete = taking_out, deleting
with app.app_context():
    tasks.purge.run()
"""


@pytest.mark.parametrize("point", ["rows", "objects"])
def test_a_purge_that_is_killed_is_ended_by_the_next_with_the_same_counts(
    app: Flask, session: Any, travel: Callable[[datetime], None], point: str
) -> None:
    for key, _ in list(store.keys()):  # of earlier tests
        store.delete([key])
    make.competition()
    purges.filled()
    stored = sorted(db.session.scalars(select(StoredFile.sha256)))
    objects = len(list(store.keys()))
    uploads = db.session.scalar(select(func.count()).select_from(Upload))
    db.session.remove()
    settings = app.config["SAISHI"]
    given = {
        "instance": str(settings.instance),
        "secret": SECRET,
        "database": settings.database_url,
        "now": DAY.astimezone(UTC).isoformat(),
        "point": point,
    }
    travel(DAY)
    with services.program(sys.executable, "-c", PURGE, json.dumps(given)) as running:
        running.wait_for_line("in the middle")
        running.send(signal.SIGKILL)
        assert running.wait() == -signal.SIGKILL
    left = db.session.scalar(select(func.count()).select_from(Document))
    assert (left, len(list(store.keys()))) == ((2, objects) if point == "rows" else (0, objects - 3))
    db.session.remove()
    tasks.purge.run()
    [made] = queries.reports(competitions.competition("beach"))
    assert sorted(each["sha256"] for each in made.report["files"]) == stored
    assert {name: made.report["rows"][name] for name in ("documents", "members", "revisions", "uploads")} == {
        "documents": 4,
        "members": 2,
        "revisions": 4,
        "uploads": uploads,
    }
    assert check(made.file).fits
    assert list(store.keys()) == []
    for table in (Document, Upload, StoredFile, PurgeItem):
        assert db.session.scalar(select(func.count()).select_from(table)) == 0
    tasks.purge.run()
    assert db.session.scalar(select(func.count()).select_from(PurgeReport)) == 1
    assert chain.first_broken(audit.entries()) is None
