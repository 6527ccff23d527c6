"""The tasks of documents: each is a service call or two, safe to run twice; what must not be lost is on the schedule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from celery.exceptions import Retry
from flask import current_app
from flask.testing import FlaskClient

from app.audit.models import AuditEntry
from app.clock import BEIJING
from app.documents import queries, service
from app.documents.rules.undertaking import SHEET_TRIES
from app.files.store import StoreDownError
from app.jobs import Job
from tasks import documents
from tasks.schedule import SCHEDULE
from tests.factories import accounts, registrations, reviews, undertakings
from tests.factories import documents as make


def test_the_warning_task_says_once_what_is_due(session: Any, travel: Callable[[datetime], None]) -> None:
    make.competition({"medical_certificate": {"due": "registration"}})
    registrations.member(registrations.leader(), 101)
    travel(datetime(2021, 10, 26, 9, 0, tzinfo=BEIJING))
    assert [documents.warn.run(), documents.warn.run()] == [1, 0]


def test_the_warning_runs_every_day() -> None:
    assert Job.WARN_OF_DOCUMENTS in {job["task"] for job in SCHEDULE.values()}


def test_a_sheet_is_made_once_and_its_code_leads_to_the_page_that_checks_it(
    session: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    registrations.competition()
    document = undertakings.sign(registrations.submitted())
    settings = replace(current_app.config["SAISHI"], base_url="https://saishi.example")
    monkeypatch.setitem(current_app.config, "SAISHI", settings)
    assert documents.verification_address() == "https://saishi.example/undertakings"
    for _ in range(2):
        documents.make_sheet.run(document.newest.id)
    assert undertakings.signature(document).pdf_id is not None
    assert len(queries.document(document.id).uploads) == 1


def test_the_sweep_finds_a_sheet_whose_job_was_lost(session: Any, sent_jobs: list[Any]) -> None:
    registrations.competition()
    document = undertakings.sign(registrations.submitted())
    sent_jobs.clear()
    assert documents.sweep.run() == 1
    assert sent_jobs == [(Job.MAKE_SIGNED_SHEET, {"revision_id": document.newest.id})]
    assert Job.SWEEP_DOCUMENTS in {job["task"] for job in SCHEDULE.values()}


def test_a_sheet_that_always_fails_is_given_up_and_the_board_sends_somebody_to_it(
    client: FlaskClient, session: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    registrations.competition()
    document = undertakings.sign(registrations.submitted())
    reviewer = reviews.reviewer()
    session.commit()

    def fail(*_args: Any) -> None:
        raise RuntimeError("no such font")

    monkeypatch.setattr(service, "make_sheet", fail)
    for _ in range(SHEET_TRIES):
        assert documents.sweep.run() == 1
        with pytest.raises(RuntimeError):
            documents.make_sheet.run(document.newest.id)
    accounts.sign_in(client, reviewer)
    assert "签名页没有做成" not in client.get("/staff/c/beach").text
    documents.make_sheet.run(document.newest.id)
    assert documents.sweep.run() == 0
    assert [entry.action for entry in session.query(AuditEntry)].count("document.sheet_given_up") == 1
    board = client.get("/staff/c/beach").text
    desk = f"/staff/c/beach/documents/{document.id}/review"
    assert "1 份手机签名的签名页没有做成" in board
    assert desk in board
    assert "由本人重新签署" in client.get(desk).text


def test_a_store_that_is_down_does_not_use_up_the_tries_of_a_sheet(
    session: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    registrations.competition()
    document = undertakings.sign(registrations.submitted())

    def down(*_args: Any) -> None:
        raise StoreDownError("down")

    with monkeypatch.context() as patched:
        patched.setattr(service, "make_sheet", down)
        for _ in range(SHEET_TRIES + 2):
            with pytest.raises((StoreDownError, Retry)):
                documents.make_sheet.run(document.newest.id)
    documents.make_sheet.run(document.newest.id)
    assert undertakings.signature(document).pdf_id is not None


def test_there_is_nothing_to_read_of_a_revision_that_is_gone(session: Any) -> None:
    documents.read.run(12345)
    documents.make_sheet.run(12345)
