"""What the pages of objections share: the blueprint, which refusals are shown on the form, and the files of a form."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from flask import Blueprint, request

from app.errors import ConflictError, ForbiddenError, InvalidError, RefusedError
from app.objections.service import Files
from app.uploads import queries as uploads
from app.uploads import sending
from app.uploads.pages import field_values
from app.web import current_actor

blueprint = Blueprint("objections", __name__)

REFUSALS = (InvalidError, RefusedError, ConflictError, ForbiddenError)
"""What is said on the form itself, with what was typed."""

LETTER, EVIDENCE = "letter", "evidence"


def sent_tokens() -> list[str]:
    return [token for token in request.form.getlist("upload") if token.strip()]


def sent_files(slug: str, tokens: Sequence[str]) -> Files:
    """The files of a form with a field for the letter and one for evidence, told apart by what they were sent for."""
    user_id = current_actor().require_signed_in()
    letters = {each.token for each in uploads.some_of_mine(user_id, tokens) if each.purpose == LETTER}
    whole = {
        purpose: sending.whole(slug, purpose, request.files.getlist(f"files-{purpose}"))
        for purpose in (LETTER, EVIDENCE)
    }
    return Files(
        [*(token for token in tokens if token in letters), *whole[LETTER]],
        [*(token for token in tokens if token not in letters), *whole[EVIDENCE]],
    )


def file_fields(slug: str, tokens: Sequence[str]) -> dict[str, Any]:
    """Both fields as a form shows them (again), each with its own files."""
    fields = {purpose: field_values(slug, purpose, tokens) for purpose in (LETTER, EVIDENCE)}
    for purpose, field in fields.items():
        field["uploads"] = tuple(each for each in field["uploads"] if each.purpose == purpose)
        field["deletes_here"] = True
    return fields


def with_key(values: dict[str, str]) -> dict[str, str]:
    """Made with the page: two taps, or a retry after a lost answer, carry the same key."""
    return {"idempotency_key": secrets.token_urlsafe(24)} | values
