"""What the pages of appeals share: the blueprint, which refusals are shown on the form, names, and the files of a form."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from flask import Blueprint, request

from app.appeals.queries.rounds import RoundClock
from app.appeals.rules import (
    FEE_KIND_NAMES,
    FEE_WAY_NAMES,
    PAPER_NAMES,
    STATE_NAMES,
    STEP_NAMES,
    SUBJECT_NAMES,
    yuan,
)
from app.appeals.rules.handling import LONGEST_MINUTES, LONGEST_NOTE, LONGEST_SUMMARY, LONGEST_TEXT
from app.appeals.rules.states import UPLOADED_FOR
from app.errors import ConflictError, ForbiddenError, InvalidError, RefusedError, SaishiError
from app.uploads import sending as uploads
from app.uploads.pages import field_values
from app.web.i18n import show

blueprint = Blueprint("appeals", __name__)

REFUSALS = (InvalidError, RefusedError, ConflictError, ForbiddenError)
"""What is said on the form itself, with what was typed."""


def names() -> dict[str, Any]:
    """What every template of appeals looks up."""
    return {
        "state_names": STATE_NAMES,
        "step_names": STEP_NAMES,
        "subject_names": SUBJECT_NAMES,
        "paper_names": PAPER_NAMES,
        "fee_kind_names": FEE_KIND_NAMES,
        "fee_way_names": FEE_WAY_NAMES,
        "yuan": yuan,
        "longest": LONGEST_TEXT,
        "longest_minutes": LONGEST_MINUTES,
        "longest_note": LONGEST_NOTE,
        "longest_summary": LONGEST_SUMMARY,
    }


def subjects() -> list[tuple[str, str]]:
    return [(each.value, show(name)) for each, name in SUBJECT_NAMES.items()]


def sent_tokens() -> list[str]:
    return [token for token in request.form.getlist("upload") if token.strip()]


def sent_evidence(slug: str, tokens: Sequence[str]) -> list[str]:
    """The files of a form: sent before, or with it where the browser runs no script."""
    return [*tokens, *uploads.whole(slug, UPLOADED_FOR, request.files.getlist("files"))]


def file_field(slug: str, tokens: Sequence[str]) -> dict[str, Any]:
    return field_values(slug, UPLOADED_FOR, tokens) | {"deletes_here": True}


def with_key(values: dict[str, str]) -> dict[str, str]:
    """Made with the page: two taps, or a retry after a lost answer, carry the same key."""
    return {"idempotency_key": secrets.token_urlsafe(24)} | values


def round_choices(found: Sequence[RoundClock]) -> list[tuple[str, str]]:
    """The rounds that ended, the newest first, as a form names them."""
    return [(f"{each.head.stage}-{each.head.number}", show(each.name)) for each in found if each.ended_at]


def chosen_round() -> dict[str, str]:
    """The round that a form names: ``swiss-3``."""
    stage, _, number = request.form.get("where", "").rpartition("-")
    return {"stage": stage, "round": number}


def errors_of(refusal: SaishiError | None) -> dict[str, Any]:
    """Beside the fields of a form: what is wrong with stage and round stands at the field that names both."""
    errors = dict(refusal.fields) if refusal else {}
    for path in ("stage", "round"):
        if path in errors:
            errors.setdefault("where", errors.pop(path))
            errors.pop(path, None)
    return errors


def sent_fields(*wanted: str) -> dict[str, str]:
    return {name: request.form.get(name, "") for name in wanted}
