"""Drafts of regulations (规程草稿) as JSON: begin, read, save, preview, compare, give up."""

from __future__ import annotations

from typing import Any

from app.commands import command
from app.errors import InvalidError
from app.regulations import library, queries, service
from app.regulations.rules import RegulationFileError
from app.regulations.rules.drafts import DRAFTERS
from app.regulations.rules.preview import Preview
from app.regulations.schemas.editing import (
    DraftListSchema,
    NewDraftSchema,
    PreviewSchema,
    RegulationComparisonSchema,
    RegulationDraftSchema,
    RegulationPreviewSchema,
    SavedDraftSchema,
    TwoSourcesSchema,
    draft_document,
)
from app.regulations.schemas.form.comparison import compare
from app.regulations.schemas.form.problems import missing
from app.regulations.schemas.sources import checked, document_of, regulation_of, title_of
from app.text import T
from app.web import current_actor, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("regulation_drafts_api", __name__, description="规程草稿 drafts of regulations")


def _answer(draft_id: int) -> dict[str, Any]:
    draft = queries.draft_for(current_actor(), draft_id)
    _, error = checked(draft.document, str(title_of(draft.document)))
    return draft_document(draft, missing(draft.document, error))


@blueprint.get("/regulation-drafts")
@staff(*DRAFTERS)
@blueprint.response(200, DraftListSchema)
def list_drafts() -> dict[str, Any]:
    """The open drafts this person began."""
    user_id = current_actor().user_id
    return {"drafts": queries.drafts_of(user_id) if user_id is not None else ()}


@blueprint.post("/regulation-drafts")
@staff(*DRAFTERS)
@blueprint.arguments(NewDraftSchema)
@blueprint.response(201, RegulationDraftSchema)
def start(body: dict[str, Any]) -> dict[str, Any]:
    """Begin a draft from a library file, a frozen version, or a regulation as TOML."""
    if ("source" in body) == ("toml" in body):
        text = T("请写明 source 或 toml 之一。")
        raise InvalidError(text, fields={"source": text})
    regulation = (
        regulation_of(body["source"]) if "source" in body else library.parse_toml(body["toml"], "toml")
    )
    with command(current_actor()) as ctx:
        draft_id = service.start_draft(ctx, regulation=regulation)
    return _answer(draft_id)


@blueprint.get("/regulation-drafts/<int:draft_id>")
@staff(*DRAFTERS)
@blueprint.response(200, RegulationDraftSchema)
def show(draft_id: int) -> dict[str, Any]:
    """A draft with its document, and what stands in the way of publishing it."""
    return _answer(draft_id)


@blueprint.put("/regulation-drafts/<int:draft_id>")
@staff(*DRAFTERS)
@blueprint.arguments(SavedDraftSchema)
@blueprint.response(200, RegulationDraftSchema)
def save(body: dict[str, Any], draft_id: int) -> dict[str, Any]:
    """Keep a document, right or wrong."""
    with command(current_actor()) as ctx:
        service.save_draft(ctx, draft_id, body["document"], body["base_revision"])
    return _answer(draft_id)


@blueprint.delete("/regulation-drafts/<int:draft_id>")
@staff(*DRAFTERS)
@blueprint.response(200, RegulationDraftSchema)
def discard(draft_id: int) -> dict[str, Any]:
    """Give a draft up."""
    with command(current_actor()) as ctx:
        service.discard_draft(ctx, draft_id)
    return _answer(draft_id)


@blueprint.get("/regulation-drafts/<int:draft_id>/preview")
@staff(*DRAFTERS)
@blueprint.arguments(PreviewSchema, location="query")
@blueprint.response(200, RegulationPreviewSchema)
def preview(query: dict[str, Any], draft_id: int) -> Preview:
    """What a draft comes to for a number of entrants: tables, byes, rounds, deals, days, prizes."""
    draft = queries.draft_for(current_actor(), draft_id)
    regulation, error = checked(draft.document, str(title_of(draft.document)))
    if regulation is None:
        assert isinstance(error, RegulationFileError)
        raise error
    return queries.previewed(regulation, query["entrants"])


@blueprint.get("/regulation-comparison")
@staff(*DRAFTERS)
@blueprint.arguments(TwoSourcesSchema, location="query")
@blueprint.response(200, RegulationComparisonSchema)
def comparison(query: dict[str, Any]) -> dict[str, Any]:
    """Two regulations, key by key, in words."""
    actor = current_actor()
    return {"changes": compare(document_of(query["before"], actor), document_of(query["after"], actor))}
