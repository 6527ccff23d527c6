"""Shipped regulations (规程库) as JSON."""

from __future__ import annotations

from typing import Any

from app.regulations import library
from app.regulations.rules import Bilingual, Regulation
from app.regulations.schemas.api import ShippedDocumentSchema, ShippedListSchema
from app.web import public
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("regulations_api", __name__, description="规程 shipped regulations")


def _words(text: Bilingual) -> dict[str, str]:
    return {"zh": text.zh, "en": text.en}


def _shipped(regulation: Regulation) -> dict[str, Any]:
    return {
        "id": regulation.id,
        "game": regulation.game,
        "season": regulation.season,
        "name": _words(regulation.title),
        "event": _words(regulation.event),
        "sha256": regulation.sha256,
    }


@blueprint.get("/regulations")
@public
@blueprint.response(200, ShippedListSchema)
def list_regulations() -> dict[str, Any]:
    """The shipped regulations (规程库)."""
    return {"regulations": [_shipped(library.load(regulation_id)) for regulation_id in library.shipped()]}


@blueprint.get("/regulations/<regulation_id>")
@public
@blueprint.response(200, ShippedDocumentSchema)
def show_regulation(regulation_id: str) -> dict[str, Any]:
    """One shipped regulation with its whole document."""
    regulation = library.load(regulation_id)
    return _shipped(regulation) | {"document": regulation.document}
