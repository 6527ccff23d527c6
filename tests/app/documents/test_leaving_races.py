"""Documents that come in, are read or set while their member goes, on both databases: afterwards nothing of him is left."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.actors import ANONYMOUS, SYSTEM, Actor
from app.audit.actions import AuditAction
from app.commands import command
from app.documents import queries, service
from app.documents.models import Document, DocumentReading, Signature
from app.documents.rules import Subject
from app.documents.service import erasing, readings
from app.documents.service import undertaking as signing
from app.documents.service.erasing import erase_documents
from app.errors import SaishiError
from app.extensions import db
from app.files import reading
from app.registrations import service as registrations_service
from app.uploads.models import StoredFile, Upload
from tests.factories import documents, registrations, reviews
from tests.factories import undertakings as make

A_WHILE = 1.0
"""Seconds that the first act waits for the second in its middle; where the second has to wait for it, they pass."""


@pytest.fixture
def leader(session: Any) -> Actor:
    registrations.competition()
    return registrations.submitted(members=2)


def in_the_middle(
    app: Flask,
    monkeypatch: pytest.MonkeyPatch,
    first: Callable[[], object],
    place: tuple[Any, str],
    second: Callable[[], object],
) -> list[object]:
    """Runs ``first``, and ``second`` when ``first`` has just done ``place`` (an owner and its function's name); outcomes."""
    db.session.remove()
    reached, done = threading.Event(), threading.Event()
    owner, name = place
    whole = getattr(owner, name)
    outcomes: list[object] = [None, None]

    def watched(*args: Any, **options: Any) -> Any:
        found = whole(*args, **options)
        if not reached.is_set():
            reached.set()
            done.wait(A_WHILE)
        return found

    def run(number: int, act: Callable[[], object]) -> None:
        with app.app_context():
            try:
                outcomes[number] = act()
            except SaishiError as error:
                outcomes[number] = error
            finally:
                if number == 1:
                    done.set()

    def later() -> None:
        reached.wait()
        run(1, second)

    monkeypatch.setattr(owner, name, watched)
    threads = [threading.Thread(target=run, args=(0, first)), threading.Thread(target=later)]
    for thread in threads:
        thread.start()
    threads[0].join()
    reached.set()
    threads[1].join()
    monkeypatch.setattr(owner, name, whole)
    return outcomes


def left(*tables: Any) -> list[int]:
    return [db.session.scalar(select(func.count()).select_from(table)) or 0 for table in tables]


@pytest.mark.parametrize("draft", [False, True])
def test_who_leaves_while_he_signs_by_his_link_leaves_no_signature(
    app: Flask, leader: Actor, monkeypatch: pytest.MonkeyPatch, draft: bool
) -> None:
    if draft:
        leader = registrations.leader(5)
        registrations.member(leader)
    member = documents.first_member(leader)
    sent = {
        "subject": str(Subject(member_id=member)),
        "kind": "waiver",
        "language": "zh",
        "text": make.text_of(leader).text,
        "strokes": make.STROKES,
        "idempotency_key": "key-00000001",
        "leader_user_id": leader.user_id,
    }

    def sign() -> str:
        with command(ANONYMOUS) as ctx:
            service.sign(ctx, slug="beach", **sent)
        return "signed"

    def leave() -> str:
        with command(leader) as ctx:
            registrations_service.remove_member(ctx, slug="beach", member_id=member)
        return "left"

    signed, gone = in_the_middle(app, monkeypatch, sign, (signing, "row_of"), leave)
    assert (signed, gone) == ("signed", "left")
    assert left(Document, Signature) == [0, 0]


def deletes(document_id: int) -> Callable[[], str]:
    def act() -> str:
        with command(SYSTEM) as ctx:
            erase_documents(ctx, [document_id])
            ctx.record(AuditAction.PERSONAL_DATA_DELETED, ("Member", 1))
        return "deleted"

    return act


def test_a_sheet_that_is_kept_while_its_document_is_deleted_goes_with_it(
    app: Flask, leader: Actor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    document = make.sign(leader)
    with command(SYSTEM) as ctx:
        work = service.sheet_to_make(ctx, document.newest.id)
    assert work is not None
    made = service.make_sheet(work, tmp_path, "")

    def keep() -> str:
        with command(SYSTEM) as ctx:
            service.keep_sheet(ctx, work, made)
        return "kept"

    outcomes = in_the_middle(app, monkeypatch, deletes(document.id), (erasing.uploads, "kept"), keep)
    assert outcomes == ["deleted", "kept"]
    assert left(Document, Signature, Upload, StoredFile) == [0, 0, 0, 0]


def test_a_document_that_is_deleted_while_its_text_check_begins_goes_with_it(
    app: Flask, leader: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "available", lambda: True)
    document = reviews.document(leader, picture=reviews.photo(90, 120))
    revision = queries.document(document).newest.id

    def take() -> bool:
        with command(SYSTEM) as ctx:
            return service.reading_to_make(ctx, revision) is not None

    assert in_the_middle(app, monkeypatch, take, (readings, "_pictures"), deletes(document)) == [
        True,
        "deleted",
    ]
    assert left(Document, DocumentReading, Upload) == [0, 0, 0]
