"""The ledger of appeal fees (申诉费台账): the page, its CSV, and the printed receipt of one entry."""

from __future__ import annotations

import csv
from io import StringIO

from flask import Response, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.appeals import printing, service
from app.appeals.pages.shared import REFUSALS, blueprint, errors_of, names, with_key
from app.appeals.queries import ledger
from app.appeals.rules import CLERKS, FEE_KIND_NAMES, FEE_WAY_NAMES, LEDGER_READERS, yuan
from app.appeals.rules.handling import TREASURERS
from app.appeals.schemas.handling import FeeReversalSchema
from app.clock import beijing
from app.commands import command
from app.competitions import queries as competitions
from app.errors import SaishiError
from app.text import T
from app.web import current_actor, load_form, staff
from app.web.i18n import language, show
from app.web.printing import pdf

LEDGER = "/staff/c/<slug>/appeal-fees"
HEAD = (
    T("凭证号"),
    T("时间"),
    T("申诉"),
    T("类别"),
    T("金额（元）"),
    T("方式"),
    T("流水号"),
    T("冲正的凭证"),
    T("原因"),
    T("经办"),
)
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins so would be a formula of a spreadsheet."""


@blueprint.get(LEDGER)
@staff(*LEDGER_READERS)
def staff_ledger(slug: str) -> str:
    """Every fee that came in, went back or was kept, and that the sums agree."""
    return _page(slug)


@blueprint.get(f"{LEDGER}.csv")
@staff(*LEDGER_READERS)
def ledger_csv(slug: str) -> Response:
    """The ledger for a spreadsheet: UTF-8 with a mark, amounts in yuan."""
    view = ledger.ledger(competitions.competition_id(slug))
    out = StringIO()
    rows = csv.writer(out)
    rows.writerow([show(each) for each in HEAD])
    for line in view.lines:
        rows.writerow(
            [
                line.number,
                f"{beijing(line.at):%Y-%m-%d %H:%M:%S}",
                line.appeal,
                show(FEE_KIND_NAMES[line.kind]),
                yuan(line.amount),
                show(FEE_WAY_NAMES[line.way]),
                _text(line.reference),
                line.reverses or "",
                _text(line.reason),
                line.by or "",
            ]
        )
    answer = Response("\ufeff" + out.getvalue(), mimetype="text/csv")
    answer.headers["Content-Disposition"] = f'attachment; filename="{slug}-appeal-fees.csv"'
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.get(f"{LEDGER}/<string(maxlength=30):number>.pdf")
@staff(*dict.fromkeys((*CLERKS, *LEDGER_READERS)))
def receipt_pdf(slug: str, number: str) -> Answer:
    """收据, to print and sign."""
    competition = competitions.competition(slug)
    made = printing.receipt(competition, ledger.receipt(competition.id, number), language())
    answer = pdf(made, f"{slug}-{number}")
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


@blueprint.post(f"{LEDGER}/<string(maxlength=30):number>/reversal")
@staff(*TREASURERS)
def reverse(slug: str, number: str) -> Answer | tuple[str, int]:
    """冲正."""
    try:
        body = load_form(FeeReversalSchema)
        with command(current_actor()) as ctx:
            made = service.reverse(ctx, slug=slug, entry=number, **body)
    except REFUSALS as refusal:
        return _page(slug, refusal, number), 422 if refusal.fields else refusal.status
    flash(gettext("已冲正，凭证 %(number)s", number=made), "success")
    return redirect(url_for("appeals.staff_ledger", slug=slug), 303)


def _page(slug: str, refusal: SaishiError | None = None, reversing: str = "") -> str:
    competition = competitions.competition(slug)
    return render_template(
        "appeals/staff_ledger.html",
        competition=competition,
        ledger=ledger.ledger(competition.id),
        may_reverse=current_actor().has(competition.id, *TREASURERS),
        clerk=current_actor().has(competition.id, *CLERKS),
        reversing=reversing,
        values=with_key(request.form.to_dict()),
        errors=errors_of(refusal),
        refusal=refusal,
        now=clock.now(),
        **names(),
    )


def _text(written: str | None) -> str:
    found = written or ""
    return f"'{found}" if found.startswith(FORMULA) else found
