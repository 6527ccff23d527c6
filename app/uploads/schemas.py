from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.uploads.queries import UploadView
from app.uploads.rules import MOST_PIECE_BYTES, PIECE_BYTES, PURPOSES, Purpose, UploadState
from app.web.schemas import Length, OneOf, Range, Schema, fields

KEY = Length(min=8, max=64)


class NewUploadSchema(Schema):
    """A file that is about to be sent."""

    purpose = fields.String(required=True, validate=OneOf(list(PURPOSES)))
    size = fields.Integer(required=True, validate=Range(min=0), metadata={"description": "bytes"})
    name = fields.String(
        load_default="",
        validate=Length(max=200),
        metadata={"description": "as the sender calls it; decides nothing"},
    )
    subject = fields.String(
        load_default="",
        validate=Length(max=16),
        metadata={"description": "whose document it is meant for: m12 a member, u3 the unit"},
    )
    kind = fields.String(
        load_default="",
        validate=Length(max=40),
        metadata={
            "description": "of which kind; with subject, the limits of that document hold from the start"
        },
    )
    idempotency_key = fields.String(required=True, validate=KEY)


class OffsetSchema(Schema):
    """Where a piece begins."""

    upload_offset = fields.Integer(
        required=True,
        data_key="Upload-Offset",
        validate=Range(min=0),
        metadata={"description": "the first byte of this piece within the file, from 0"},
    )


class UploadSchema(Schema):
    """An upload as its sender sees it."""

    token = fields.String(required=True)
    purpose = fields.String(required=True)
    name = fields.String(required=True)
    state = fields.String(required=True, validate=OneOf([state.value for state in UploadState]))
    size = fields.Integer(required=True, metadata={"description": "bytes"})
    offset = fields.Integer(required=True, metadata={"description": "bytes that are here without a gap"})
    piece_bytes = fields.Integer(required=True, metadata={"description": "what a piece should have"})
    most_piece_bytes = fields.Integer(required=True, metadata={"description": "what a piece may have"})
    pages = fields.Integer(allow_none=True, metadata={"description": "null until it is ready"})
    media_type = fields.String(allow_none=True, metadata={"description": "null until it is ready"})
    postponed = fields.Boolean(
        required=True, metadata={"description": "the check waits for the scanner or the store"}
    )
    claimed = fields.Boolean(required=True, metadata={"description": "a form holds it"})
    why = fields.String(allow_none=True, metadata={"description": "the sentence of a refused one"})
    next_step = fields.String(allow_none=True)
    notes = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "what cleaning changed in a ready one, a sentence each; mostly empty"},
    )


class PurposeSchema(Schema):
    """What files of a purpose may be."""

    code = fields.String(required=True)
    name = fields.String(required=True)
    picture_bytes = fields.Integer(required=True)
    pdf_bytes = fields.Integer(required=True)
    pages = fields.Integer(required=True, metadata={"description": "of all files of a form together"})
    accepted = fields.String(required=True)


def upload_document(view: UploadView, show: Any) -> dict[str, Any]:
    """An upload as JSON; ``show`` turns a sentence into the reader's language."""
    return {
        "token": view.token,
        "purpose": view.purpose,
        "name": view.name,
        "state": view.state.value,
        "size": view.size,
        "offset": view.received,
        "piece_bytes": PIECE_BYTES,
        "most_piece_bytes": MOST_PIECE_BYTES,
        "pages": view.pages,
        "media_type": view.media_type,
        "postponed": view.postponed,
        "claimed": view.claimed,
        "why": show(view.sentence) if view.sentence else None,
        "next_step": show(view.hint) if view.hint else None,
        "notes": [show(note) for note in view.notes],
    }


def purpose_documents(purposes: Mapping[str, Purpose], show: Any) -> list[dict[str, Any]]:
    return [
        {
            "code": code,
            "name": show(each.name),
            "picture_bytes": each.picture_bytes,
            "pdf_bytes": each.pdf_bytes,
            "pages": each.pages,
            "accepted": show(each.accepted),
        }
        for code, each in purposes.items()
    ]
