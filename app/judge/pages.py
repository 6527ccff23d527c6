"""判牌: one form that anybody may open. It is read by GET, for an answer changes nothing and can be sent on as a link."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, render_template, request, url_for

from app.competitions.queries import CompetitionView, EventView
from app.errors import InvalidError
from app.extensions import limiter
from app.judge import queries
from app.judge.rules import ASKS_PER_MINUTE, keypad
from app.judge.rules.deal_words import DEFENDERS, DIG, UNIT_NAMES
from app.judge.rules.questions import PLAYERS, QUESTIONS, ROWS, Question, question_of
from app.judge.rules.verdicts import Verdict, verdict
from app.judge.schemas import LONGEST_ROW, QuestionSchema
from app.regulations import library
from app.regulations.rules import Regulation
from app.web import public
from app.web.forms import load
from app.web.i18n import language

blueprint = Blueprint("judge", __name__)

FIELDS = tuple(QuestionSchema().fields)


@blueprint.get("/judge")
@public
def index() -> str:
    """选择规程: the competitions here whose game has cards, and the shipped texts."""
    return render_template("judge/index.html", choices=queries.choices())


@blueprint.get("/c/<slug>/judge")
@public
@limiter.limit(ASKS_PER_MINUTE)
def show(slug: str) -> str | tuple[str, int]:
    """判牌 by the regulation an event runs by."""
    competition, event = queries.event(slug, request.args.get("event") or None)

    def clause_url(clause: str | None) -> str:
        anchor = None if clause is None else f"clause-{clause}"
        return url_for("competitions.regulation", slug=slug, _anchor=anchor)

    return _page(
        event.regulation,
        clause_url,
        competition=competition,
        event=event,
        here=url_for("judge.show", slug=slug),
        place={"slug": slug},
    )


@blueprint.get("/regulations/<regulation_id>/judge")
@public
@limiter.limit(ASKS_PER_MINUTE)
def by_regulation(regulation_id: str) -> str | tuple[str, int]:
    """判牌 by a shipped regulation with its defaults."""
    regulation = library.load(regulation_id)

    def clause_url(clause: str | None) -> str:
        anchor = None if clause is None else f"clause-{clause}"
        return url_for("regulations.show", regulation_id=regulation_id, _anchor=anchor)

    return _page(
        regulation,
        clause_url,
        here=url_for("judge.by_regulation", regulation_id=regulation_id),
        place={"regulation_id": regulation_id},
    )


def _page(
    regulation: Regulation,
    clause_url: Callable[[str | None], str],
    *,
    here: str,
    place: Mapping[str, str],
    competition: CompetitionView | None = None,
    event: EventView | None = None,
) -> str | tuple[str, int]:
    common = {
        "regulation": regulation,
        "competition": competition,
        "event": event,
        "here": here,
        "clause_url": clause_url,
    }
    if regulation.game not in QUESTIONS:
        return render_template("judge/board.html", **common)
    values = {name: request.args[name] for name in FIELDS if name in request.args}
    question = question_of(regulation.game, values.get("ask"))
    names = question.row_names
    active = request.args.get("active", "")
    if active not in names:
        empty = (row.name for row in question.rows if not row.optional and not values.get(row.name))
        active = next(empty, names[0] if names else "")
    suit = request.args.get("suit", "")
    pad = keypad.DIGITS if question.digits else _keypad(regulation)
    found, errors, refusal = _pressed(regulation, question, values, row=active, suit=suit, pad=pad)
    values["ask"] = question.code
    page = render_template(
        "judge/show.html",
        **common,
        **_words(regulation),
        questions=QUESTIONS[regulation.game],
        question=question,
        values=values,
        carried={name: text for name, text in values.items() if text and name != "ask"},
        active=active,
        suit=suit if suit in keypad.SUITS else keypad.SUITS[0],
        pad=pad,
        longest=LONGEST_ROW,
        verdict=found,
        errors=errors,
        refusal=refusal,
        link=lambda code: url_for(
            "judge.show" if competition else "judge.by_regulation",
            **{**place, **{name: text for name, text in values.items() if text}, "ask": code},
        ),
    )
    return (page, refusal.status) if refusal else page


def _pressed(
    regulation: Regulation,
    question: Question,
    values: dict[str, str],
    *,
    row: str,
    suit: str,
    pad: keypad.Keypad,
) -> tuple[Verdict | None, dict[str, Any], InvalidError | None]:
    """What the key that was pressed brings: an answer, a card in ``values``, or what is wrong beside its field."""
    key = request.args.get("press", "")
    try:
        if key == keypad.ASK:
            return verdict(regulation, question, load(QuestionSchema, values)), {}, None
        if key and row:
            if not pad.digits:
                load(QuestionSchema, {row: values.get(row, "")})
            values[row] = keypad.pressed(values.get(row, ""), key, pad, suit=suit, row=row)
    except InvalidError as refusal:
        return None, refusal.fields, refusal
    return None, {}, None


def _keypad(regulation: Regulation) -> keypad.Keypad:
    if regulation.game == "landlord":
        return keypad.keypad(1, suited=False, language=language())
    return keypad.keypad(regulation.scoring_rules().match.deck.decks, suited=True, language=language())


def _words(regulation: Regulation) -> dict[str, Any]:
    """What else a page of 升级 names; nothing of 二打一."""
    if regulation.game not in DEFENDERS:
        return {}
    rules = regulation.scoring_rules()
    return {
        "suits": keypad.SUIT_NAMES,
        "levels": keypad.LEVELS,
        "players": PLAYERS,
        "defenders": DEFENDERS[regulation.game],
        "dig": DIG[regulation.game],
        "units": [(kind.value, name) for kind, name in UNIT_NAMES.items() if rules.match.deck.longest(kind)],
        "lowered_clause": rules.tricks.lowered_clause,
        "rows": ROWS,
    }
