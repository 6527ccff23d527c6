"""工作台/工作日: the known years, and the form for one that is not known yet."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from app.actors import Role
from app.commands import command
from app.errors import InvalidError
from app.text import T
from app.web import current_actor, load_form, staff
from app.workdays import queries, service
from app.workdays.rules import OfficialYearError, YearSource
from app.workdays.schemas import YearFormSchema

blueprint = Blueprint("workdays", __name__)


@blueprint.get("/staff/workdays")
@staff(Role.ORGANISER, Role.COMMITTEE)
def index() -> str:
    """The known years and the form; `?year=` fills it for a year that is missing or was entered."""
    return _page(values=_typed(request.args.get("year", type=int)), errors={})


@blueprint.post("/staff/workdays")
@staff(Role.ORGANISER, Role.COMMITTEE)
def enter() -> Response | tuple[str, int]:
    """Store the typed year."""
    try:
        body = load_form(YearFormSchema)
        with command(current_actor()) as ctx:
            year = service.enter_year(ctx, **body)
    except InvalidError as error:
        return _page(values=request.form.to_dict(), errors=error.fields), error.status
    except OfficialYearError as error:
        return _page(values=request.form.to_dict(), errors={"year": error.text}), error.status
    flash(gettext("%(year)s 年的工作日安排已保存。", year=year), "success")
    return redirect(url_for("workdays.index"), 303)


def _page(values: Mapping[str, object], errors: Mapping[str, T]) -> str:
    return render_template(
        "workdays/index.html", years=queries.years(), values=values, errors=errors, entered=YearSource.ENTERED
    )


def _typed(year: int | None) -> dict[str, object]:
    """The form of one year: what was entered before, or the first year nobody knows."""
    known = queries.years()
    if year is None:
        return {"year": max(view.year for view in known) + 1}
    entered = queries.entered_year(year)
    if entered is None:
        return {"year": year}
    return {
        "year": year,
        "holidays": "\n".join(day.isoformat() for day in entered.holidays),
        "makeup_workdays": "\n".join(day.isoformat() for day in entered.makeup_workdays),
        "source": entered.source,
    }
