"""工作台/规程/编辑: one page for each part of a draft; its preview; two regulations compared."""

from __future__ import annotations

from itertools import groupby

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app.commands import command
from app.errors import InvalidError, NotFoundError
from app.regulations import library, queries, service
from app.regulations.queries import DraftView
from app.regulations.rules.drafts import DRAFTERS, DraftConflictError
from app.regulations.rules.errors import MOST_TOLD
from app.regulations.schemas.editing import ComparisonSchema, PreviewSchema
from app.regulations.schemas.form import (
    SECTIONS,
    Act,
    Posted,
    Section,
    UnknownActError,
    read_section,
    view_section,
)
from app.regulations.schemas.form.comparison import Change, compare
from app.regulations.schemas.form.problems import missing
from app.regulations.schemas.sources import checked, document_of, title_of
from app.text import T
from app.web import current_actor, staff
from app.web.forms import NOT_DATA, load

blueprint = Blueprint("regulation_editing", __name__)

USUAL_FIELD = 34
"""Entrants of a preview nobody asked a number for."""


@blueprint.get("/staff/regulations/<int:draft_id>/<section>")
@staff(*DRAFTERS)
def edit(draft_id: int, section: str) -> str:
    """The fields of one part, with everything that is wrong or missing beside them."""
    return _page(queries.draft_for(current_actor(), draft_id), _section(section), None)


@blueprint.post("/staff/regulations/<int:draft_id>/<section>")
@staff(*DRAFTERS)
def save(draft_id: int, section: str) -> Answer | tuple[str, int]:
    """Keep what was typed, right or wrong; add, take out or move a row. Nothing is published by it."""
    part, draft = _section(section), queries.draft_for(current_actor(), draft_id)
    sent = [(name, values) for name, values in request.form.lists() if name not in NOT_DATA]
    document = read_section(part, Posted.of(sent), draft.document)
    opened = None
    act = request.form.get("act")
    if act:
        try:
            document, opened = Act.of(act).done(document, request.form.get(f"new:{act}", ""))
        except UnknownActError:
            abort(400)
    try:
        with command(current_actor()) as ctx:
            service.save_draft(ctx, draft_id, document, request.form.get("revision", -1, type=int))
    except DraftConflictError as error:
        return _page(draft, part, error, document), error.status
    if act:
        place = Act.of(act).row_name(opened)
        return redirect(
            url_for("regulation_editing.edit", draft_id=draft_id, section=section, row=place) + f"#f-{place}",
            303,
        )
    flash(gettext("已保存"), "success")
    return redirect(url_for("regulation_editing.edit", draft_id=draft_id, section=section), 303)


@blueprint.get("/staff/regulations/<int:draft_id>/preview")
@staff(*DRAFTERS)
def preview(draft_id: int) -> str | tuple[str, int]:
    """What the draft comes to for a number of entrants, and its rules page."""
    draft = queries.draft_for(current_actor(), draft_id)
    asked = request.args.get("entrants") or str(USUAL_FIELD)
    try:
        entrants = load(PreviewSchema, {"entrants": asked})["entrants"]
    except InvalidError as refusal:
        return _preview(draft, asked, None, refusal), refusal.status
    return _preview(draft, asked, entrants, None)


def _preview(draft: DraftView, asked: str, entrants: int | None, refusal: InvalidError | None) -> str:
    regulation, error = checked(draft.document, str(title_of(draft.document)))
    return render_template(
        "regulations/preview.html",
        draft=draft,
        title=title_of(draft.document),
        asked=asked,
        refusal=refusal,
        preview=queries.previewed(regulation, entrants) if regulation and entrants else None,
        page=queries.rules_page(regulation) if regulation else None,
        problems=missing(draft.document, error),
    )


@blueprint.get("/staff/regulations/compare")
@staff(*DRAFTERS)
def comparison() -> str:
    """Two regulations, key by key."""
    actor = current_actor()
    asked = load(
        ComparisonSchema, {key: request.args[key] for key in ("before", "after") if request.args.get(key)}
    )
    mine = queries.drafts_of(actor.user_id) if actor.user_id is not None else ()
    chosen = [asked.get("before"), asked.get("after")]
    extra = [source for source in chosen if source and source.startswith("draft:")]
    known = dict.fromkeys([*(f"draft:{each.id}" for each in mine), *extra])
    documents = [document_of(source, actor) if source else None for source in chosen]
    before, after = documents
    return render_template(
        "regulations/compare.html",
        drafts=[(source, title_of(document_of(source, actor))) for source in known],
        shipped=[library.load(regulation_id) for regulation_id in library.shipped()],
        versions=[(each, queries.version(each.id)) for each in queries.frozen_versions()],
        chosen=chosen,
        changes=None if before is None or after is None else by_section(compare(before, after)),
    )


def by_section(changes: tuple[Change, ...]) -> list[tuple[T, list[Change]]]:
    """The differences under the page they belong to."""
    return [
        (found[0].section, found)
        for _, each in groupby(changes, lambda change: str(change.section))
        if (found := list(each))
    ]


def _section(code: str) -> Section:
    if code not in SECTIONS:
        raise NotFoundError
    return SECTIONS[code]


def _page(
    draft: DraftView,
    section: Section,
    conflict: DraftConflictError | None,
    typed: dict[str, object] | None = None,
) -> str:
    document = draft.document if typed is None else typed
    _, error = checked(document, str(title_of(document)))
    errors = {problem.path: problem.message for problem in error.problems} if error else {}
    views, _ = view_section(section, document, errors)
    problems = missing(document, error)
    codes = list(SECTIONS)
    place = codes.index(section.code)
    return render_template(
        "regulations/edit.html",
        draft=draft,
        title=title_of(document),
        section=section,
        sections=SECTIONS,
        counts={code: sum(each.section is part for each in problems) for code, part in SECTIONS.items()},
        views=views,
        problems=[each for each in problems if each.section is section],
        most_told=MOST_TOLD,
        before=SECTIONS[codes[place - 1]] if place else None,
        after=SECTIONS[codes[place + 1]] if place + 1 < len(codes) else None,
        opened=request.args.get("row"),
        conflict=conflict,
        differences=compare(draft.document, document) if conflict else (),
    )
