"""What is in the database, the audit chain and the store; and two acts of a sender."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient
from sqlalchemy import func, select

from app.actors import Actor
from app.audit import chain
from app.audit.models import AuditEntry
from app.commands import command
from app.extensions import db
from app.files import store
from app.jobs import Job
from app.uploads import service
from tests.factories import competitions


def count(model: Any) -> int:
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(model)) or 0


def deeds() -> list[str]:
    db.session.rollback()
    entries = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()
    assert chain.first_broken(entries) is None
    return [entry.action for entry in entries if entry.action.startswith(("upload", "orphan"))]


def in_store(prefix: str = "") -> set[str]:
    return {key for key, _ in store.keys(prefix)}


def forget(sent_jobs: list[tuple[Job, dict[str, Any]]]) -> None:
    """Do what the worker does with the jobs that delete objects."""
    for job, arguments in sent_jobs:
        if job is Job.FORGET_FILES:
            store.delete(arguments["keys"])


def discard(actor: Actor, token: str) -> None:
    with command(actor) as ctx:
        service.discard(ctx, token)


def claim(actor: Actor, slug: str, *tokens: str, purpose: str = "proof", **more: Any) -> list[Any]:
    with command(actor) as ctx:
        return service.claim(
            ctx,
            tokens=tokens,
            user_id=actor.require_signed_in(),
            competition_id=competitions.queries.competition_id(slug),
            purpose=purpose,
            **more,
        )


def send_form(phone: FlaskClient, address: str, files: list[tuple[bytes, str]]) -> Any:
    """A form with files. It is written by hand, for the test client would leave the file of a long one open."""
    boundary = "----form"
    body = b"".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n\r\n'.encode()
        + content
        + b"\r\n"
        for content, name in files
    )
    body += f'--{boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nproof\r\n'.encode()
    return phone.post(
        address,
        data=body + f"--{boundary}--\r\n".encode(),
        content_type=f"multipart/form-data; boundary={boundary}",
    )
