"""``/healthz``: the process answers and reaches its database; and whether files can be kept."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify, render_template
from sqlalchemy import text

from app import clock
from app.extensions import db
from app.files import watching
from app.web.access import public

blueprint = Blueprint("web", __name__)


@blueprint.get("/healthz")
@public
def healthz() -> Response:
    """200 as long as pages are answered. A store that is down stops documents and nothing else, so it is said and no more."""
    db.session.execute(text("SELECT 1"))
    db.session.rollback()  # the store may take a second
    usable = watching.usable(current_app.config["SAISHI"], clock.now())
    return jsonify({"status": "ok", "files": "ok" if usable else "down"})


@blueprint.get("/api/v1/docs")
@public
def api_docs() -> str:
    """The API's documentation, from files of this installation."""
    return render_template("web/api_docs.html")
