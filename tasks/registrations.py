from __future__ import annotations

from celery import shared_task
from flask import current_app

from app import clock
from app.actors import SYSTEM
from app.commands import command
from app.database import empty_journal
from app.documents.queries import purging as queries
from app.documents.service import purging as service
from app.extensions import db
from app.jobs import Job


@shared_task(name=Job.PURGE_PERSONAL_DATA)
def purge() -> int:
    """Delete proofs, ID numbers and phones some days after the play dates. How many reports were made, for the log.

    Safe to run twice, and to run again after a crash anywhere.
    """
    purge_days = current_app.config["SAISHI"].purge_days
    due = queries.due(clock.now(), purge_days)
    for competition_id in due:  # every key first: a store that is away, for one, is away for all of them
        more = True
        while more:
            with command(SYSTEM) as ctx:
                more = service.take_out(ctx, competition_id, purge_days=purge_days)
    made = 0
    try:
        for competition_id in due:
            while keys := service.delete_objects(competition_id):
                with command(SYSTEM) as ctx:
                    service.note_deleted(ctx, competition_id, keys)
            with command(SYSTEM) as ctx:
                made += service.conclude(ctx, competition_id, purge_days=purge_days) is not None
    finally:
        db.session.remove()  # our own read would be in the way
        empty_journal(db.engine)
    return made
