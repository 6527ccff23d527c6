"""Every refusal of documents says what to do next, also where it is about a form."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from datetime import UTC, date, datetime
from inspect import signature
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

import app.documents
from app.documents.rules import DocumentState, Subject
from app.documents.rules.privacy import DELETIONS
from app.errors import SaishiError
from app.text import T
from tests.factories import accounts, documents, registrations

SAID = T("示例")
GIVEN: dict[str, Any] = {
    "text": SAID,
    "kind": SAID,
    "closed": SAID,
    "sentence": SAID,
    "clause": "三(三)1",
    "fields": {"values.issued_on": SAID, "uploads": SAID},
    "first": date(2021, 11, 1),
    "last": date(2021, 11, 2),
    "gone": [],
    "new": [],
    "until": datetime(2021, 11, 1, tzinfo=UTC),
    "other_until": None,
    "state": DocumentState.ACCEPTED,
    "seen": 1,
    "now": 2,
    "refusal": SAID,
    "rule": next(iter(DELETIONS.values())),
}
"""What the refusals are made of, by the name of the argument."""


def refusals(of: type[SaishiError] = SaishiError) -> Iterator[type[SaishiError]]:
    for module in pkgutil.walk_packages(app.documents.__path__, "app.documents."):
        if ".rules" in module.name:
            importlib.import_module(module.name)
    for each in of.__subclasses__():
        yield from refusals(each)
        if each.__module__.startswith("app.documents."):
            yield each


@pytest.mark.parametrize("refusal", sorted(set(refusals()), key=lambda each: each.__name__))
def test_a_refusal_names_the_next_step(refusal: type[SaishiError]) -> None:
    made = refusal(**{name: GIVEN[name] for name in signature(refusal).parameters if name in GIVEN})
    assert made.next_step is not None
    assert str(made.next_step)


def test_a_program_that_hands_in_too_little_is_told_what_to_do(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        registrations.competition()
        leader = registrations.submitted()
        subject = Subject(member_id=documents.first_member(leader))
        headers = accounts.bearer(app, leader) | {"Accept-Language": "en"}
    address = f"/api/v1/competitions/beach/my/documents/{subject}/medical_certificate"
    sent = {"idempotency_key": "key-00000001", "uploads": [], "values": {"issued_on": "tomorrow"}}
    answer = client.post(address, json=sent, headers=headers)
    assert (answer.status_code, answer.json["code"]) == (422, "document_refused")
    assert answer.json["next_step"].startswith("Correct what is marked")
    assert {each["pointer"] for each in answer.json["errors"]} >= {"/uploads", "/values/issued_on"}
