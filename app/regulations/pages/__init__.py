"""The library of shipped regulations (规程库): a list, and each one's rules page."""

from __future__ import annotations

from flask import Blueprint, Response, render_template

from app.regulations import library, printing, queries
from app.regulations.library.writing import dump_toml
from app.web import public
from app.web.i18n import language
from app.web.printing import pdf

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


@blueprint.get("/regulations/<regulation_id>.toml")
@public
def download(regulation_id: str) -> Response:
    """A shipped regulation as a TOML file, to keep or to change and import."""
    regulation = library.load(regulation_id)
    response = Response(dump_toml(regulation.document), content_type="application/toml; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{regulation.id}.toml"'
    return response


@blueprint.get("/regulations/<regulation_id>.pdf")
@public
def printed(regulation_id: str) -> Response:
    """One regulation on paper (A4)."""
    page = queries.rules_page(library.load(regulation_id))
    return pdf(printing.rules_sheet(page), f"{regulation_id}-{language()}")
