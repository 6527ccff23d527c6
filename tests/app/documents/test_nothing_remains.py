"""After the purge nothing of what it deletes is anywhere: store, every column, searches, copies, the instance folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import MetaData, select

from app.clock import BEIJING
from app.database import decrypt
from app.extensions import db
from app.files import store
from app.registrations.models import Member
from app.uploads.models import StoredFile
from tasks import registrations as tasks
from tests.factories import accounts, people, publications, purges, uploads
from tests.factories import registrations as make

DAY = datetime(2022, 3, 6, 3, 40, tzinfo=BEIJING)
FILE_NAME = "照片-不可见.jpg"
SEARCHES = ("/", "/c/beach/pairings", "/c/beach/standings")
"""Every page of this competition that takes ``q``; attendance is kept for events by points only.

The frozen list keeps names, so that a name may find its entrant; what was erased finds nobody."""

PAGES = ("/c/beach", "/staff/c/beach/documents/review", "/staff/c/beach/entries", "/staff/c/beach/privacy")


def cells() -> Iterator[tuple[str, str]]:
    """Every value of every column as the database reports its tables, as text, and decrypted where it is encrypted."""
    found = MetaData()
    found.reflect(db.engine)
    for table in found.sorted_tables:
        for row in db.session.execute(select(table)):
            for column, value in row._mapping.items():
                shown = value.decode("latin-1") if isinstance(value, bytes) else str(value)
                if isinstance(value, dict | list):
                    shown = json.dumps(value, ensure_ascii=False)
                yield f"{table.name}.{column}", shown
                try:
                    yield f"{table.name}.{column}", decrypt(shown)
                except Exception:
                    continue
    db.session.rollback()


def places_of(secrets: set[str]) -> dict[str, set[str]]:
    """In which columns each secret is found."""
    found: dict[str, set[str]] = {}
    for place, value in cells():
        for secret in secrets:
            if secret in value:
                found.setdefault(secret, set()).add(place)
    return found


def in_folder(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_after_the_purge_nothing_is_left_in_any_place(
    app: Flask, client: FlaskClient, travel: Callable[[datetime], None]
) -> None:
    instance = app.config["SAISHI"].instance
    with app.app_context():
        for key, _ in list(store.keys()):  # of earlier tests
            store.delete([key])
        before = in_folder(instance)
        make.competition()
        leader = purges.filled(members=2)
        uploads.begin(leader, "beach", uploads.photo(), name=FILE_NAME)
        travel(publications.AFTER_CLOSING)
        publications.approve_all()
        publications.publish()
        names = list(db.session.scalars(select(Member.name)))
        numbers = [people.id_number(serial) for serial in (100, 101)]
        phones = [people.phone(serial) for serial in (1, 1100, 1101)]
        secrets = {purges.TYPED, FILE_NAME, *numbers, *phones}
        wrapped = purges.wrapped_keys() | set(db.session.scalars(select(StoredFile.key)))
        found = places_of(secrets | wrapped)
        assert set(found) == secrets | wrapped  # the search finds each of them as long as it is there
        assert in_folder(instance) - before
        db.session.remove()
        travel(DAY)
        tasks.purge.run()
        assert list(store.keys()) == []
        assert places_of(secrets | wrapped) == {}
        assert in_folder(instance) - before == set()
        db.session.remove()
        organiser = make.committee()
    accounts.sign_in(client, organiser)
    for address in SEARCHES:
        for wanted in sorted(secrets):
            answer = client.get(address, query_string={"q": wanted})
            assert answer.status_code == 200, address
            said = answer.get_data(as_text=True)
            assert not [each for each in (*names, *secrets - {wanted}) if each in said], (address, wanted)
    for address in PAGES:
        answer = client.get(address)
        assert answer.status_code == 200, address
        said = answer.get_data(as_text=True)
        assert not [each for each in secrets if each in said], address
