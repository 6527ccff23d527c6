from __future__ import annotations

from flask import Flask

from app.accounts import queries, service, tokens
from app.actors import SYSTEM, Actor, Role
from app.audit.actions import AuditAction
from app.commands import command
from tests.factories import people


def user(serial: int = 1, *roles: Role, competition_id: int | None = None) -> Actor:
    """The person with made-up phone ``serial``, holding ``roles``. Needs an application context."""
    with command(SYSTEM) as ctx:
        user_id = service.ensure_user(ctx, phone=people.phone(serial))
        ctx.record(AuditAction.SIGNED_IN, ("User", user_id))
        for role in roles:
            service.grant_role(ctx, phone=people.phone(serial), role=role, competition_id=competition_id)
    return actor(user_id)


def actor(user_id: int) -> Actor:
    """The person as they stand now, with all roles they hold."""
    found = queries.session_user(user_id)
    assert found is not None
    return found.actor


def bearer(app: Flask, person: Actor) -> dict[str, str]:
    """Headers that make an API request as ``person``."""
    assert person.user_id is not None
    return {"Authorization": f"Bearer {tokens.issue(app.config['SECRET_KEY'], 'bearer', person.user_id)}"}


def sign_in(client, person: Actor) -> None:  # type: ignore[no-untyped-def]  # FlaskClient, or a session like it
    """Give the test client's cookie jar the session of ``person``."""
    with client.session_transaction() as cookies:
        cookies["_user_id"] = str(person.user_id)
        cookies["_fresh"] = True
