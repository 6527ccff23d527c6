from __future__ import annotations

from typing import Any

from celery import shared_task
from flask import current_app

from app import clock
from app.actors import SYSTEM, Actor
from app.commands import command
from app.demonstration import letters, mail, notices, papers
from app.documents import reviewing
from app.documents.rules import DocumentId
from app.files.store import StoreDownError
from app.jobs import Job
from app.mailbox import polling
from app.mailbox import service as mailbox
from app.uploads import service as uploads
from app.uploads.rules.refusals import StillCheckedError


@shared_task(
    name=Job.HAND_IN_SPECIMENS,
    autoretry_for=(StillCheckedError, StoreDownError),
    retry_backoff=True,
    retry_backoff_max=8,
    max_retries=20,
)
def hand_in_specimens(site: str) -> int:
    """Hand in the documents of the demonstration; how many, for the log. Safe to run twice: it begins again until the files are
    checked. ``site`` is the address that the messages to leaders name."""
    tokens = {_uploaded(paper): paper for paper in papers.wanted(clock.now())}
    if not tokens:
        return 0
    with current_app.test_request_context(base_url=site), command(SYSTEM) as ctx:

        def address(document_id: DocumentId) -> str:
            return reviewing.leader_address(papers.SLUG, document_id)

        papers.hand_in(ctx, tokens, address)
    return len(tokens)


@shared_task(
    name=Job.SEND_SPECIMEN_LETTER,
    autoretry_for=(StillCheckedError, StoreDownError),
    retry_backoff=True,
    retry_backoff_max=8,
    max_retries=20,
)
def send_specimen_letter() -> int | None:
    """Apply for the demonstration's change; the number of the application, for the log. Safe to run twice, as above."""
    letter = letters.wanted(clock.now())
    if letter is None:
        return None
    token = _sent(
        letter.leader,
        letters.SLUG,
        letter.picture,
        purpose="letter",
        name=letters.FILE_NAME,
        idempotency_key=letter.key,
    )
    with command(letter.leader) as ctx:
        return letters.apply(ctx, letter, token)


@shared_task(
    name=Job.PUBLISH_SPECIMEN_NOTICE,
    autoretry_for=(StillCheckedError, StoreDownError),
    retry_backoff=True,
    retry_backoff_max=8,
    max_retries=20,
)
def publish_specimen_notice() -> int | None:
    """Write the demonstration's announcement with an attachment; its number, for the log. Safe to run twice, as above."""
    notice = notices.wanted()
    if notice is None:
        return None
    token = _sent(
        notice.writer,
        notices.SLUG,
        notice.picture,
        purpose="announcement",
        name=notices.FILE_NAME,
        idempotency_key=notice.key,
    )
    with command(notice.writer) as ctx:
        return notices.announce(ctx, notice, token)


@shared_task(
    name=Job.RECEIVE_SPECIMEN_MAIL,
    autoretry_for=(StoreDownError,),
    retry_backoff=True,
    retry_backoff_max=8,
    max_retries=20,
)
def receive_specimen_mail() -> int:
    """Take in the demonstration's letters, as the poller takes in those of a mailbox; how many, for the log. Safe to run twice."""
    own = polling.own_addresses(current_app.config["SAISHI"])
    letters = mail.wanted()
    for raw, received_at in letters:
        arrived = mailbox.arrive(raw, received_at=received_at)
        with command(SYSTEM) as ctx:
            mailbox.store(ctx, arrived, own=own)
    return len(letters)


def _uploaded(paper: papers.Paper) -> str:
    return _sent(
        paper.leader,
        papers.SLUG,
        paper.picture,
        purpose="proof",
        name=papers.FILE_NAME,
        idempotency_key=paper.key,
    )


def _sent(leader: Actor, slug: str, picture: bytes, **announced: Any) -> str:
    """The token of a file, which goes the way that a phone's goes."""
    with command(leader) as ctx:
        token = uploads.announce(ctx, slug, size=len(picture), **announced)
    piece = uploads.store_piece(leader, token, 0, picture)
    with command(leader) as ctx:
        uploads.record_piece(ctx, piece)
    with command(leader) as ctx:
        uploads.finish(ctx, token)
    return token
