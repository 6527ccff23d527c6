"""The tasks of documents: each is a service call or two, safe to run twice; what must not be lost is on the schedule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from flask import current_app

from app.clock import BEIJING
from app.documents import queries
from app.jobs import Job
from tasks import documents
from tasks.schedule import SCHEDULE
from tests.factories import documents as make
from tests.factories import registrations, undertakings


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


def test_there_is_nothing_to_read_of_a_revision_that_is_gone(session: Any) -> None:
    documents.read.run(12345)
    documents.make_sheet.run(12345)
