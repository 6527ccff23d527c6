"""The reviewers' desk (审核材料): what waits, one document beside its data, several at once, what was counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.documents import reviewing
from app.documents.pages.shared import REFUSALS, blueprint
from app.documents.queries import desk as desks
from app.documents.queries import review as queries
from app.documents.queries.review import Filter
from app.documents.queries.statistics import statistics
from app.documents.rules import PLACE_NAMES, ChecklistState, DocumentId, DocumentState, FieldType
from app.documents.rules.review import (
    LONGEST_REASON,
    MOST_AT_ONCE,
    REVIEWERS,
    DecisionKind,
    reasons_for,
)
from app.documents.schemas.review import (
    ALL,
    DocumentBatchSchema,
    DocumentDecisionSchema,
    DocumentFilterSchema,
    DocumentQueueArgsSchema,
    NextDocumentSchema,
    TakeBackDecisionSchema,
)
from app.documents.service import review as service
from app.errors import SaishiError
from app.registrations import service as registrations
from app.registrations.queries import PrivateView
from app.registrations.rules import EntryId
from app.regulations.rules import DOCUMENT_KINDS
from app.regulations.rules.eligibility import EMPLOYMENT_NAMES
from app.waiting import age
from app.web import current_actor, load_form, signed_in, staff
from app.web.forms import load, nest

QUEUE = "/staff/c/<slug>/documents/review"
DESK = "/staff/c/<slug>/documents/<int:document_id>/review"


@blueprint.get(QUEUE)
@staff(*REVIEWERS)
def review_queue(slug: str) -> str:
    """审核材料: what waits, the oldest first."""
    known = DocumentQueueArgsSchema().fields
    asked = load(DocumentQueueArgsSchema, {key: value for key, value in request.args.items() if key in known})
    return _queue_page(slug, asked["wanted"], asked["page"])


@blueprint.post(f"{QUEUE}/next")
@staff(*REVIEWERS)
def review_next(slug: str) -> Answer:
    """下一份: take the oldest document that nobody has, within the filter of the queue."""
    asked = load_form(NextDocumentSchema)
    with command(current_actor()) as ctx:
        found = service.claim_next(ctx, slug=slug, **asked)
    return _to_desk_or_queue(slug, found, asked["wanted"])


@blueprint.get(DESK)
@staff(*REVIEWERS)
def review_desk(slug: str, document_id: int) -> str:
    """One document: its pictures beside what was typed."""
    return _desk_page(slug, document_id)


@blueprint.post(f"{DESK}/claim")
@staff(*REVIEWERS)
def review_claim(slug: str, document_id: int) -> Answer | str | tuple[str, int]:
    """开始审核. Reasons that were typed before come back with the page."""
    try:
        with command(current_actor()) as ctx:
            service.claim(ctx, slug=slug, document_id=DocumentId(document_id))
    except REFUSALS as refusal:
        return _desk_page(slug, document_id, refusal), refusal.status
    if any(value for name, value in request.form.items() if name.startswith("reasons-")):
        return _desk_page(slug, document_id, values=request.form.to_dict())
    return _to_desk(slug, document_id, _wanted())


@blueprint.post(f"{DESK}/renew")
@staff(*REVIEWERS)
def review_renew(slug: str, document_id: int) -> Answer:
    """The page's sign of life while somebody works on it; 409 where a colleague has the document."""
    with command(current_actor()) as ctx:
        service.claim(ctx, slug=slug, document_id=DocumentId(document_id))
    return Answer(status=204)


@blueprint.post(f"{DESK}/release")
@staff(*REVIEWERS)
def review_release(slug: str, document_id: int) -> Answer:
    """放回: somebody else may take it."""
    with command(current_actor()) as ctx:
        service.release(ctx, slug=slug, document_id=DocumentId(document_id))
    return redirect(url_for("documents.review_queue", slug=slug, **_query(_wanted())), 303)


@blueprint.post(DESK)
@staff(*REVIEWERS)
def review_decide(slug: str, document_id: int) -> Answer | tuple[str, int]:
    """Decide, then on to the next that waits. What was typed stays where the decision is refused."""
    try:
        sent = nest(request.form)
        body = load(
            DocumentDecisionSchema, {key: value for key, value in sent.items() if key not in _FILTERS}
        )
        with command(current_actor()) as ctx:
            service.decide(
                ctx,
                slug=slug,
                document_id=DocumentId(document_id),
                address=reviewing.leader_address(slug, document_id),
                **body,
            )
    except REFUSALS as refusal:
        status = 422 if refusal.fields else refusal.status
        return _desk_page(slug, document_id, refusal, values=request.form.to_dict()), status
    said = {
        DecisionKind.ACCEPT: gettext("已通过"),
        DecisionKind.NEEDS_CHANGES: gettext("已退回补正，领队会收到消息"),
        DecisionKind.REJECT: gettext("已定为不通过，领队会收到消息"),
    }
    flash(said[body["kind"]], "success")
    with command(current_actor()) as ctx:
        found = service.claim_next(ctx, slug=slug, wanted=_wanted())
    return _to_desk_or_queue(slug, found, _wanted())


@blueprint.post(f"{DESK}/take-back")
@staff(*REVIEWERS)
def review_take_back(slug: str, document_id: int) -> Answer | tuple[str, int]:
    """撤回决定: the document waits for review again."""
    try:
        body = load_form(TakeBackDecisionSchema)
        with command(current_actor()) as ctx:
            service.take_back(
                ctx,
                slug=slug,
                document_id=DocumentId(document_id),
                address=reviewing.leader_address(slug, document_id),
                listed=reviewing.is_listed,
                **body,
            )
    except REFUSALS as refusal:
        status = 422 if refusal.fields else refusal.status
        return _desk_page(slug, document_id, refusal, values=request.form.to_dict()), status
    flash(gettext("已撤回，材料重新等待审核"), "success")
    return _to_desk(slug, document_id, Filter())


@blueprint.post(f"{DESK}/personal-data")
@staff(Role.COMMITTEE)
def review_personal_data(slug: str, document_id: int) -> str:
    """Show the member's ID number beside the picture; the look is recorded, so it is never a mere link."""
    desk = desks.desk(competitions.competition(slug), document_id, clock.now())
    private = None
    if desk.entry_ids:
        with command(current_actor()) as ctx:
            private = registrations.read_personal_data(ctx, slug=slug, entry_id=EntryId(desk.entry_ids[0]))
    return _desk_page(slug, document_id, private=private, values=request.form.to_dict())


@blueprint.get(f"{QUEUE}/batch")
@staff(*REVIEWERS)
def review_batch(slug: str) -> str:
    """批量通过: the chosen documents with their pictures, before they are accepted."""
    asked = request.args.getlist("document")
    chosen = [int(each) for each in asked if each.isascii() and each.isdecimal() and len(each) < 10]
    return _batch_page(slug, chosen[: MOST_AT_ONCE + 1])


@blueprint.post(f"{QUEUE}/batch")
@staff(*REVIEWERS)
def review_accept_all(slug: str) -> Answer | tuple[str, int]:
    """Accept the documents that the page showed, all or none."""
    chosen: list[int] = []
    try:
        body = load_form(DocumentBatchSchema)
        chosen = [each.document_id for each in body["seen"]]
        with command(current_actor()) as ctx:
            service.accept_all(ctx, slug=slug, **body)
    except REFUSALS as refusal:
        return _batch_page(slug, chosen, refusal), 422 if refusal.fields else refusal.status
    flash(gettext("已通过 %(count)s 份", count=len(chosen)), "success")
    return redirect(url_for("documents.review_queue", slug=slug), 303)


@blueprint.get("/staff/c/<slug>/documents/statistics")
@staff(*REVIEWERS)
def review_statistics(slug: str) -> str:
    """材料统计: what is missing, what waits and for how long, by kind and by unit."""
    competition, now = competitions.competition(slug), clock.now()
    return render_template(
        "documents/review/statistics.html",
        competition=competition,
        statistics=statistics(competition, now),
        states=list(ChecklistState),
        now=now,
        age=age,
    )


@blueprint.get(
    "/c/<slug>/documents/<int:document_id>/files/<int:revision>/<int:position>/<int:page>/<any(preview,thumbnail,content):what>"
)
@signed_in
def picture(slug: str, document_id: int, **page: Any) -> Answer:
    """One page on the screen, with the reader's name across it; who looked is on record."""
    return reviewing.picture(slug, document_id, **page)


_FILTERS = frozenset(DocumentFilterSchema().fields) | {"leaving"}


def _wanted() -> Filter:
    """The filter that a form carries along."""
    sent = {key: value for key, value in request.form.items() if key in DocumentFilterSchema().fields}
    wanted: Filter = load(DocumentFilterSchema, sent)["wanted"]
    return wanted


def _query(wanted: Filter) -> dict[str, Any]:
    """A filter as the address of the queue writes it; what is usual is left out."""
    query = {
        "kind": wanted.kind,
        "unit": wanted.unit_id,
        "event": wanted.event_id,
        "expiring": "1" if wanted.expiring else None,
    }
    if wanted.state is not DocumentState.UPLOADED:
        query["state"] = ALL if wanted.state is None else wanted.state.value
    return {key: str(value) for key, value in query.items() if value is not None}


def _to_desk(slug: str, document_id: int, wanted: Filter) -> Answer:
    return redirect(
        url_for("documents.review_desk", slug=slug, document_id=document_id, **_query(wanted)), 303
    )


def _to_desk_or_queue(slug: str, found: DocumentId | None, wanted: Filter) -> Answer:
    if found is not None:
        return _to_desk(slug, found, wanted)
    flash(gettext("没有可以接手的材料了"), "info")
    return redirect(url_for("documents.review_queue", slug=slug, **_query(wanted)), 303)


def _queue_page(slug: str, wanted: Filter, page: int) -> str:
    competition, now = competitions.competition(slug), clock.now()
    found = queries.queue(competition, wanted, now, page)
    user_id = current_actor().user_id
    return render_template(
        "documents/review/queue.html",
        competition=competition,
        queue=found,
        wanted=wanted,
        query=_query(wanted),
        now=now,
        user_id=user_id,
        kinds=DOCUMENT_KINDS,
        asked_kinds=dict.fromkeys(
            rule.kind for event in competition.events for rule in event.regulation.documents
        ),
        selectable=[row for row in found.rows if _selectable(row, user_id)],
        most=MOST_AT_ONCE,
        age=age,
    )


def _selectable(row: queries.QueueRow, user_id: int | None) -> bool:
    now = clock.now()
    return (
        row.state is DocumentState.UPLOADED
        and row.leader_user_id != user_id
        and row.broken is None
        and not (row.claim is not None and row.claim.keeps_out(user_id, now))
    )


def _desk_page(
    slug: str,
    document_id: int,
    refusal: SaishiError | None = None,
    *,
    private: PrivateView | None = None,
    values: Mapping[str, str] | None = None,
) -> str:
    competition, now = competitions.competition(slug), clock.now()
    asked = request.args.get("revision", "")
    revision = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 6 else None
    desk = desks.desk(competition, document_id, now, revision)
    source = request.args if request.method == "GET" else request.form
    carried = {key: value for key, value in source.items() if key in DocumentFilterSchema().fields}
    claim, user_id = desk.row.claim, current_actor().user_id
    places = [*PLACE_NAMES, *(each.name for each in desk.fields)]
    return render_template(
        "documents/review/desk.html",
        competition=competition,
        desk=desk,
        row=desk.row,
        now=now,
        mine=claim is not None and claim.by == user_id,
        others=claim is not None and claim.keeps_out(user_id, now),
        own=desk.row.leader_user_id == user_id,
        newest=desk.revision == desk.row.revision,
        listed=any(reviewing.is_listed(event.id) for event in competition.events),
        carried=carried,
        reasons={place: reasons_for(place, desk.fields) for place in places},
        field_types=FieldType,
        may_read_personal=current_actor().has(competition.id, Role.COMMITTEE),
        private=_of_member(private, desk.row.name),
        employment_names=EMPLOYMENT_NAMES,
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=values or {},
        longest=LONGEST_REASON,
        page=_chosen_page(desk),
    )


def _of_member(private: PrivateView | None, name: str) -> Any:
    """Of a pair only the player whose document it is."""
    return [each for each in private.players if each.name == name] if private else []


def _chosen_page(desk: desks.Desk) -> int:
    """Which picture a page without a script shows, from 1."""
    asked = request.args.get("page", "1")
    number = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 6 else 1
    return min(max(number, 1), max(len(desk.pictures), 1))


def _batch_page(slug: str, chosen: list[int], refusal: SaishiError | None = None) -> str:
    competition, now = competitions.competition(slug), clock.now()
    rows = {row.id: row for row in queries.rows_of(competition, chosen, now)}
    listed = [rows[DocumentId(each)] for each in dict.fromkeys(chosen) if each in rows]
    return render_template(
        "documents/review/batch.html",
        competition=competition,
        rows=listed,
        pictures={row.id: desks.pictures_of(row.id, row.revision) for row in listed},
        readings=desks.readings([row.id for row in listed]),
        refusal=refusal,
        errors=refusal.fields if refusal else {},
    )
