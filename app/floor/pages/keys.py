"""选手卡: made for everybody, printed unit by unit, renewed for who lost his. The file holds the PINs: who got it is on record."""

from __future__ import annotations

from flask import Response as Answer
from flask import render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from app.commands import CommandContext, command
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.errors import SaishiError
from app.floor import printing, queries, service
from app.floor.pages.shared import answer, blueprint, refused
from app.floor.rules.keys import KEY_MAKERS, NoCardsError, NoPlayerKeyError
from app.floor.schemas import RenewSchema
from app.web import current_actor, load_form, staff
from app.web.i18n import language
from app.web.links import external_url

HERE = "/staff/c/<slug>/floor/cards"


@blueprint.get(HERE)
@staff(*KEY_MAKERS)
def cards(slug: str) -> str:
    return _cards(competitions.competition(slug), None)


def _cards(competition: CompetitionView, refusal: SaishiError | None) -> str:
    return render_template(
        "floor/cards.html",
        competition=competition,
        count=queries.key_count(competition.event.id),
        units=queries.card_units(competition.event.id),
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=request.form.to_dict() if refusal else {},
    )


@blueprint.post(HERE)
@staff(*KEY_MAKERS)
def make_keys(slug: str) -> Response | tuple[str, int]:
    """制作选手卡."""

    def act(ctx: CommandContext, event_id: int) -> None:
        service.make_player_keys(ctx, event_id)

    return answer(slug, _cards, act, gettext("选手卡已制作，可以打印"), url_for("floor.cards", slug=slug))


@blueprint.post(f"{HERE}/renewal")
@staff(*KEY_MAKERS)
def renew_key(slug: str) -> Response | tuple[str, int]:
    """换发: the old card opens nothing any more."""

    def act(ctx: CommandContext, event_id: int) -> None:
        entry_id = queries.entry_of_number(event_id, load_form(RenewSchema)["number"])
        if entry_id is None:
            raise NoPlayerKeyError
        service.renew_player_key(ctx, event_id, entry_id)

    done = gettext("新卡已生成，旧卡作废。请打印新卡。")
    return answer(slug, _cards, act, done, url_for("floor.cards", slug=slug))


@blueprint.post(f"{HERE}/print")
@staff(*KEY_MAKERS)
def print_cards(slug: str) -> Response | tuple[str, int]:
    """The cards as a PDF: of one unit, of one player, or of all. A form, not a link: nobody fetches PINs by looking ahead."""
    competition = competitions.competition(slug)
    unit, number = request.form.get("unit", type=int), request.form.get("number", type=int)
    found = [
        each
        for each in queries.cards(competition.event.id)
        if (unit is None or each.entrant.unit_id == unit) and (number is None or each.number == number)
    ]
    if not found:
        return refused(competition, _cards, NoCardsError())
    with command(current_actor()) as ctx:
        service.note_printed(ctx, competition.event.id, count=len(found))
    made = printing.cards_sheet(
        competition, found, address=lambda token: external_url("floor.player", slug=slug, token=token)
    )
    answered = Answer(made.content, mimetype="application/pdf")
    answered.headers["Content-Disposition"] = f'inline; filename="{slug}-cards-{language()}.pdf"'
    answered.headers["Cache-Control"] = "no-store"
    return answered
