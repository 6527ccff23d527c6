"""Fixtures of the page tests: a person built and signed in, rows counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select

from app.actors import Actor
from app.extensions import db
from app.registrations.models import Consent, Entry, Member, Unit
from tests.factories import accounts


@pytest.fixture
def at(app: Flask, client: FlaskClient) -> Callable[..., Actor]:
    """``at(make.leader)`` builds with a factory in a context of its own and signs the person in."""

    def build(factory: Callable[..., Actor], *args: Any, **kwargs: Any) -> Actor:
        with app.app_context():
            person = factory(*args, **kwargs)
        accounts.sign_in(client, person)
        return person

    return build


@pytest.fixture
def counted(app: Flask) -> Callable[[], dict[str, int]]:
    def rows() -> dict[str, int]:
        with app.app_context():
            return {
                table.__name__: db.session.scalar(select(func.count()).select_from(table)) or 0
                for table in (Consent, Unit, Member, Entry)
            }

    return rows
