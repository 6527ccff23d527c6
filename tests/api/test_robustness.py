"""Whatever is sent to the API, the answer is an answer: never a server error, and refusals are problem details.

schemathesis makes the requests from the product's own OpenAPI document.
"""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings

from tests.factories import accounts, competitions

EXAMPLES = 20
"""Requests per operation and person; the whole file takes some minutes."""

PROBE = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture
def in_service(app: Flask) -> Any:
    """The application as it runs: a defect answers 500 instead of raising through the client."""
    app.config["TESTING"] = False
    yield app
    app.config["TESTING"] = True


def test_no_request_made_from_the_document_breaks_the_api(in_service: Flask) -> None:
    app = in_service
    with app.app_context():
        organiser = competitions.organiser()
        slug = competitions.competition(organiser).slug
        signed_in = accounts.bearer(app, accounts.actor(organiser.require_signed_in()))
    document = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    answers: dict[int, int] = {}
    broken: list[str] = []

    def probe(operation: schemathesis.APIOperation[Any], headers: dict[str, str]) -> None:
        @PROBE
        @given(case=operation.as_strategy())
        def send(case: schemathesis.Case) -> None:
            if "slug" in case.path_parameters:
                case.path_parameters["slug"] = slug  # a made-up name would only ever be "not found"
            answer = case.call(headers=headers)
            answers[answer.status_code] = answers.get(answer.status_code, 0) + 1
            kind = answer.headers.get("content-type", [""])[0]
            wrong_kind = answer.status_code >= 400 and "problem+json" not in kind
            if answer.status_code >= 500 or wrong_kind:
                broken.append(
                    f"{case.method} {case.formatted_path} -> {answer.status_code} {kind} {case.body!r}"
                )

        send()

    for result in document.get_all_operations():
        for headers in ({}, signed_in):
            probe(result.ok(), headers)
    assert broken == [], "\n".join(broken)
    assert {200, 401, 404, 422} <= set(answers), answers
