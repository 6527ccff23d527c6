"""A reviewer in front of the pages, without a script."""

from __future__ import annotations

import html
import re
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from app.actors import Actor
from app.audit.models import AuditEntry
from app.commands import command
from app.documents.models import Document
from app.documents.rules import DocumentId
from app.documents.service import review as service
from app.extensions import db
from tests.factories import accounts, reviews
from tests.factories import registrations as make
from tests.html_forms import Form

QUEUE = "/staff/c/beach/documents/review"


class Desk:
    """One competition with a leader, his documents and two reviewers; ``client`` is the first reviewer's."""

    def __init__(self, app: Flask, client: FlaskClient) -> None:
        self.app, self.client = app, client
        with app.app_context():
            make.competition()
            self.leader = make.submitted(1, members=3)
            self.me, self.colleague = reviews.reviewer(0), reviews.reviewer(1)
        self.sign_in(self.me)

    def sign_in(self, person: Actor) -> None:
        accounts.sign_in(self.client, person)

    def document(self, *args: Any, **kwargs: Any) -> DocumentId:
        with self.app.app_context():
            return reviews.document(self.leader, *args, **kwargs)

    def claim(self, person: Actor, document: DocumentId) -> None:
        with self.app.app_context(), command(person) as ctx:
            service.claim(ctx, slug="beach", document_id=document)

    def page(self, path: str, status: int = 200) -> str:
        answer = self.client.get(path)
        assert answer.status_code == status, answer.get_data(as_text=True)
        return answer.get_data(as_text=True)

    def send(self, form: Form, **typed: str) -> Any:
        return self.client.post(form.action, data=form.sent() | typed)

    def state(self, document: DocumentId) -> tuple[str, int | None]:
        with self.app.app_context():
            row = db.session.get_one(Document, document)
            return row.state, row.claimed_by_id

    def actions(self) -> list[str]:
        with self.app.app_context():
            return list(db.session.scalars(select(AuditEntry.action).order_by(AuditEntry.id)))


def path_of(document: DocumentId) -> str:
    return f"/staff/c/beach/documents/{document}/review"


def words(page: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"(?s)<[^>]+>", " ", page)))
