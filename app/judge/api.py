from __future__ import annotations

from typing import Any

from flask import url_for

from app.extensions import limiter
from app.judge import queries
from app.judge.rules import ASKS_PER_MINUTE
from app.judge.rules.questions import question_of
from app.judge.rules.verdicts import Verdict, verdict
from app.judge.schemas import QuestionSchema, VerdictSchema
from app.web import public
from app.web.api import ApiBlueprint
from app.web.i18n import show

blueprint = ApiBlueprint("judge_api", __name__, description="判牌 rules judge")


@blueprint.get("/competitions/<slug>/judge")
@public
@limiter.limit(ASKS_PER_MINUTE)
@blueprint.arguments(QuestionSchema, location="query")
@blueprint.response(200, VerdictSchema)
def ask(query: dict[str, Any], slug: str) -> dict[str, Any]:
    """Judge (判牌) a play of 二打一, or a trick or deal of 升级, by the regulation an event runs by.

    Nothing is kept. 404 for an event of a board game, which has no cards.
    """
    _, event = queries.event(slug, query.get("event"))
    question = question_of(event.regulation.game, query.get("ask"))
    return _shown(verdict(event.regulation, question, query), slug)


def _shown(found: Verdict, slug: str) -> dict[str, Any]:
    return {
        "question": found.question,
        "verdict": found.tone,
        "headline": show(found.headline),
        "reason": None if found.reason is None else show(found.reason),
        "clauses": [
            {
                "clause": clause,
                "url": url_for("competitions.regulation", slug=slug, _anchor=f"clause-{clause}"),
            }
            for clause in found.clauses
        ],
        "interpretation": found.interpretation,
        "notes": [{"text": show(text), "clause": clause} for text, clause in found.notes],
        "answer": found.answer,
    }
