"""The committee's page of what is kept and until when (个人信息): the day of the purge, holds, reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, current_app, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock, signing
from app.actors import Role
from app.clock import beijing_date
from app.commands import command
from app.competitions import queries as competitions
from app.documents.handing_out import address_of_answer, published
from app.documents.pages.shared import REFUSALS, blueprint
from app.documents.queries import deletions as deletion_queries
from app.documents.queries import purging
from app.documents.rules.privacy import LAW, RequestState, UnknownRequestError, rule_for
from app.documents.rules.privacy import Answer as Deletion
from app.documents.rules.purging import READERS, ROLE_NAMES, ROW_NAMES
from app.documents.schemas.privacy import DeletionAnswerSchema, PurgeHoldSchema
from app.documents.service import deletions
from app.errors import SaishiError
from app.registrations import queries as registrations
from app.registrations import service as registrations_service
from app.regulations.rules import DOCUMENT_KINDS
from app.web import current_actor, load_form, staff

KEEPING = "/staff/c/<slug>/privacy"


@blueprint.get(KEEPING)
@staff(*READERS)
def keeping(slug: str) -> str:
    """个人信息: what is kept until when, and what was deleted."""
    return _page(slug)


@blueprint.post(f"{KEEPING}/hold")
@staff(Role.ORGANISER)
def hold_purge(slug: str) -> Answer | tuple[str, int]:
    try:
        body = load_form(PurgeHoldSchema)
        with command(current_actor()) as ctx:
            registrations_service.hold(ctx, slug=slug, **body)
    except REFUSALS as refusal:
        return _page(slug, refusal, request.form.to_dict()), refusal.status
    flash(gettext("已暂缓删除"), "success")
    return redirect(url_for("documents.keeping", slug=slug), 303)


@blueprint.post(f"{KEEPING}/hold/release")
@staff(Role.ORGANISER)
def release_purge(slug: str) -> Answer:
    with command(current_actor()) as ctx:
        registrations_service.release_hold(ctx, slug=slug)
    flash(gettext("已取消暂缓"), "success")
    return redirect(url_for("documents.keeping", slug=slug), 303)


@blueprint.get(f"{KEEPING}/requests/<int:request_id>")
@staff(*READERS)
def deletion_request(slug: str, request_id: int) -> str:
    """One request to delete: what is asked, what the table says, the answer."""
    return _request_page(slug, request_id)


@blueprint.post(f"{KEEPING}/requests/<int:request_id>")
@staff(*READERS)
def answer_deletion(slug: str, request_id: int) -> Answer | tuple[str, int]:
    try:
        body = load_form(DeletionAnswerSchema)
        with command(current_actor()) as ctx:
            deletions.answer(
                ctx,
                slug=slug,
                request_id=request_id,
                address=address_of_answer(slug),
                published=published,
                **body,
            )
    except REFUSALS as refusal:
        return _request_page(slug, request_id, refusal, request.form.to_dict()), refusal.status
    flash(gettext("已答复"), "success")
    return redirect(url_for("documents.keeping", slug=slug), 303)


@blueprint.get(f"{KEEPING}/reports/<int:report_id>")
@staff(*READERS)
def purge_report(slug: str, report_id: int) -> str:
    """删除报告: what was deleted, counted, and whether its signature is ours."""
    competition = competitions.competition(slug)
    found = purging.report(competition, report_id)
    by_sort: dict[tuple[str, str], list[int]] = {}
    for file in found.report["files"]:
        by_sort.setdefault((file["kind"], file["role"]), []).append(file["size"])
    return render_template(
        "documents/keeping/report.html",
        competition=competition,
        found=found,
        report=found.report,
        by_sort=by_sort,
        kinds=DOCUMENT_KINDS,
        role_names=ROLE_NAMES,
        row_names=ROW_NAMES,
        fits=signing.fits(found.body, found.signature, found.public_key),
        ours=found.public_key == signing.signer().public_key,
    )


@blueprint.get(f"{KEEPING}/reports/<int:report_id>.json")
@staff(*READERS)
def purge_report_file(slug: str, report_id: int) -> Response:
    """The signed report as a file."""
    found = purging.report(competitions.competition(slug), report_id)
    answer = Response(found.file, mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{slug}-purge-{report_id}.json"'
    return answer


def _request_page(
    slug: str,
    request_id: int,
    refusal: SaishiError | None = None,
    values: Mapping[str, Any] | None = None,
) -> str:
    competition, now = competitions.competition(slug), clock.now()
    asked = deletion_queries.request(competition, request_id)
    if asked is None:
        raise UnknownRequestError
    whose = deletion_queries.held_of(competition, asked)
    return render_template(
        "documents/keeping/request.html",
        competition=competition,
        asked=asked,
        rule=rule_for(deletion_queries.stage(competition, whose, published, now), asked.scope),
        answers=Deletion,
        states=RequestState,
        law=LAW,
        own=asked.asked_by_id == current_actor().user_id,
        kinds=DOCUMENT_KINDS,
        today=beijing_date(now),
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=values or {},
    )


def _page(slug: str, refusal: SaishiError | None = None, values: Mapping[str, Any] | None = None) -> str:
    competition, now = competitions.competition(slug), clock.now()
    purge_days = current_app.config["SAISHI"].purge_days
    return render_template(
        "documents/keeping/keeping.html",
        competition=competition,
        purge_days=purge_days,
        purge_day=registrations.purge_day_of(competition, purge_days),
        today=beijing_date(now),
        hold=registrations.hold_of(competition.id, now),
        open_cases=current_app.extensions["saishi_open_objections"](competition.id),
        reports=purging.reports(competition),
        requests=deletion_queries.requests(competition),
        kinds=DOCUMENT_KINDS,
        may_hold=current_actor().has(competition.id, Role.ORGANISER),
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=values or {},
    )
