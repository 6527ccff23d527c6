"""The library of shipped regulations (规程库): a list, and each one's rules page."""

from __future__ import annotations

from flask import Blueprint, render_template

from app.regulations import library, queries
from app.web import public

blueprint = Blueprint("regulations", __name__)


@blueprint.get("/regulations")
@public
def index() -> str:
    """Every shipped regulation."""
    regulations = [library.load(regulation_id) for regulation_id in library.shipped()]
    return render_template("regulations/index.html", regulations=regulations)


@blueprint.get("/regulations/<regulation_id>")
@public
def show(regulation_id: str) -> str:
    """One regulation's rules page, with its own dates and defaults."""
    regulation = library.load(regulation_id)
    return render_template(
        "regulations/show.html", regulation=regulation, page=queries.rules_page(regulation)
    )
