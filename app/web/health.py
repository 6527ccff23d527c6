"""``/healthz``: the process answers and reaches its database; and whether files can be kept and mail goes out and comes in."""

from __future__ import annotations

from datetime import timedelta

from flask import Blueprint, Response, current_app, jsonify, render_template
from sqlalchemy import text

from app import clock
from app.extensions import db
from app.files import watching
from app.web.access import public

QUIET = timedelta(minutes=10)
"""The mailbox is looked into every minute, and letters leave within one; where nothing was done for so long, no mail worker or no
scheduler runs, or more letters wait than a slow server takes."""

blueprint = Blueprint("web", __name__)


@blueprint.get("/healthz")
@public
def healthz() -> Response:
    """200 as long as pages are answered. A store that is down stops documents and nothing else, so it is said and no more."""
    db.session.execute(text("SELECT 1"))
    db.session.rollback()  # the store may take a second
    usable = watching.usable(current_app.config["SAISHI"], clock.now())
    found: dict[str, str | None] = {"status": "ok", "files": "ok" if usable else "down"}
    found |= _letters()
    if current_app.config["SAISHI"].imap_url:
        found |= _mailbox()
    return jsonify(found)


def _letters() -> dict[str, str | None]:
    """Whether letters leave: since when the oldest waits that should have been tried by now."""
    since = current_app.extensions["saishi_letters_wait"]()
    late = since is not None and clock.now() - since > QUIET
    return {"letters": "late" if late else "ok", "letters_waiting_since": since.isoformat() if late else None}


def _mailbox() -> dict[str, str | None]:
    """Whether mail is read: when it last was, and since when it cannot be."""
    state = current_app.extensions["saishi_mailbox"]()
    polled, failing = (state.polled_at, state.failing_since) if state else (None, None)
    stands = polled is None or clock.now() - polled > QUIET
    return {
        "mailbox": "down" if failing or stands else "ok",
        "mailbox_read_at": polled.isoformat() if polled else None,
        "mailbox_failing_since": failing.isoformat() if failing else None,
    }


@blueprint.get("/api/v1/docs")
@public
def api_docs() -> str:
    """The API's documentation, from files of this installation."""
    return render_template("web/api_docs.html")
