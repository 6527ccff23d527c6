"""``/healthz``: the process answers and reaches its database."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template
from sqlalchemy import text

from app.extensions import db
from app.web.access import public

blueprint = Blueprint("web", __name__)


@blueprint.get("/healthz")
@public
def healthz() -> Response:
    db.session.execute(text("SELECT 1"))
    return jsonify({"status": "ok"})


@blueprint.get("/api/v1/docs")
@public
def api_docs() -> str:
    """The API's documentation, from files of this installation."""
    return render_template("web/api_docs.html")
