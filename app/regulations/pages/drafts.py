"""工作台/规程: the drafts a person writes, how one is begun, taken in, sent out and given up."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app.commands import command
from app.errors import InvalidError
from app.regulations import library, queries, service
from app.regulations.library.writing import dump_toml
from app.regulations.rules import RegulationFileError
from app.regulations.rules.drafts import DRAFTERS
from app.regulations.rules.errors import MOST_TOLD
from app.regulations.schemas.form import SECTIONS
from app.regulations.schemas.form.problems import missing
from app.regulations.schemas.sources import checked, read_file, regulation_of, title_of
from app.text import T
from app.web import current_actor, staff

blueprint = Blueprint("regulation_drafts", __name__)


@blueprint.get("/staff/regulations")
@staff(*DRAFTERS)
def index() -> str:
    """The drafts this person began, and what a new one can begin from."""
    return _index(None)


@blueprint.post("/staff/regulations")
@staff(*DRAFTERS)
def start() -> Answer | tuple[str, int]:
    """Begin from a library file, a past event's version, or an uploaded TOML file."""
    try:
        upload, as_gbk = request.files.get("file"), False
        if upload is not None and upload.filename:
            read = read_file(upload.stream.read(), upload.filename)
            regulation, as_gbk = read.regulation, read.taken_as_gbk
        elif request.form.get("source"):
            regulation = regulation_of(request.form["source"])
        else:
            nothing = T("请选择文件。")
            raise InvalidError(nothing, fields={"file": nothing})
        with command(current_actor()) as ctx:
            draft_id = service.start_draft(ctx, regulation=regulation)
    except InvalidError as error:
        return _index(error), error.status
    if as_gbk:
        flash(gettext("文件是 GBK 编码的，已按 GBK 读入；请看看文字有没有错。"), "info")
    return redirect(url_for("regulation_drafts.show", draft_id=draft_id), 303)


@blueprint.get("/staff/regulations/<int:draft_id>")
@staff(*DRAFTERS)
def show(draft_id: int) -> str:
    """One draft: its pages, and what is still missing on each."""
    draft = queries.draft_for(current_actor(), draft_id)
    regulation, error = checked(draft.document, str(title_of(draft.document)))
    problems = missing(draft.document, error)
    counts = {code: sum(each.section is section for each in problems) for code, section in SECTIONS.items()}
    return render_template(
        "regulations/draft.html",
        draft=draft,
        title=title_of(draft.document),
        sections=SECTIONS,
        counts=counts,
        problems=problems,
        most_told=MOST_TOLD,
        regulation=regulation,
    )


@blueprint.get("/staff/regulations/<int:draft_id>/toml")
@staff(*DRAFTERS)
def download(draft_id: int) -> Response:
    """The draft as a TOML file, whatever state it is in."""
    draft = queries.draft_for(current_actor(), draft_id)
    return toml_file(dump_toml(_without_null(draft.document)), f"draft-{draft.id}")


@blueprint.post("/staff/regulations/<int:draft_id>/discard")
@staff(*DRAFTERS)
def discard(draft_id: int) -> Answer:
    with command(current_actor()) as ctx:
        service.discard_draft(ctx, draft_id)
    flash(gettext("草稿已放弃"), "success")
    return redirect(url_for("regulation_drafts.index"), 303)


def _without_null(value: Any) -> Any:
    """TOML has no null: what a program left empty in a draft is left out."""
    if isinstance(value, dict):
        return {key: _without_null(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, list):
        return [_without_null(inner) for inner in value if inner is not None]
    return value


def toml_file(text: str, name: str) -> Response:
    """A TOML text as a download."""
    response = Response(text, content_type="application/toml; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.toml"'
    return response


def _index(refusal: InvalidError | None) -> str:
    actor = current_actor()
    mine = queries.drafts_of(actor.user_id) if actor.user_id is not None else ()
    return render_template(
        "regulations/drafts.html",
        drafts=[(each, title_of(each.document)) for each in mine],
        shipped=[library.load(regulation_id) for regulation_id in library.shipped()],
        versions=[(each, queries.version(each.id)) for each in queries.frozen_versions()],
        refusal=refusal,
        problems=refusal.problems if isinstance(refusal, RegulationFileError) else (),
        most_told=MOST_TOLD,
    )
