"""Every periodic job, in one table. Times are Beijing time."""

from __future__ import annotations

from celery.schedules import crontab

from app.jobs import MAIL_WAITS, Job

SCHEDULE = {
    "send messages the broker lost": {"task": Job.SWEEP_MESSAGES.value, "schedule": 30.0},
    "recompute standings whose job was lost": {"task": Job.SWEEP_STANDINGS.value, "schedule": 15.0},
    "find lists final whose window is over": {
        "task": Job.FINISH_PUBLICATIONS.value,
        "schedule": 15.0,
    },
    "put regulations in force whose moment has come": {
        "task": Job.PUT_REGULATIONS_IN_FORCE.value,
        "schedule": 15.0,
    },
    "write to leaders and organisers what happened": {"task": Job.WRITE_REPORTS.value, "schedule": 30.0},
    # every minute, not once: the digest of a day is made up for when no worker was there at its hour
    "write the committee's digest from 08:30 on workdays": {
        "task": Job.WRITE_DIGESTS.value,
        "schedule": 60.0,
    },
    "check uploads whose job was lost": {"task": Job.SWEEP_UPLOADS.value, "schedule": 30.0},
    "delete uploads nobody needs": {"task": Job.TIDY_UPLOADS.value, "schedule": crontab(minute=10)},
    "look into the mailbox": {
        "task": Job.POLL_MAILBOX.value,
        "schedule": 60.0,
        "options": {"expires": MAIL_WAITS},
    },
    "empty letters whose time is over": {
        "task": Job.PURGE_MAIL.value,
        "schedule": crontab(minute=35, hour=3),
    },
    "delete old messages": {"task": Job.PURGE_MESSAGES.value, "schedule": crontab(minute=25, hour=3)},
    "forget old sign-in codes": {
        "task": Job.PURGE_SIGN_IN_CODES.value,
        "schedule": crontab(minute=20, hour=3),
    },
    "erase personal data after the event": {
        "task": Job.PURGE_PERSONAL_DATA.value,
        "schedule": crontab(minute=40, hour=3),
    },
    "make what of documents was lost": {"task": Job.SWEEP_DOCUMENTS.value, "schedule": 60.0},
    "tell leaders of documents that end soon": {
        "task": Job.WARN_OF_DOCUMENTS.value,
        "schedule": crontab(minute=0, hour=9),
    },
    "refuse objections that were not completed in time": {
        "task": Job.EXPIRE_OBJECTIONS.value,
        "schedule": 30.0,
    },
    "end oral appeals that no written one followed in time": {
        "task": Job.LAPSE_APPEALS.value,
        "schedule": 30.0,
    },
}
