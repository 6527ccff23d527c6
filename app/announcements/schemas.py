"""Announcements (公告) as forms and API send and read them."""

from __future__ import annotations

from typing import Any

from marshmallow import post_load

from app.announcements.rules import (
    LONGEST_BODY,
    LONGEST_BODY_EN,
    LONGEST_REASON,
    LONGEST_TITLE,
    LONGEST_TITLE_EN,
    MOST_FILES,
    AnnouncementState,
    AnnouncementText,
)
from app.text import BEIJING
from app.web.schemas import Length, OneOf, Range, Schema, fields

STATES = OneOf([state.value for state in AnnouncementState])


class AnnouncementTextSchema(Schema):
    """What is written, and when and where it is shown. A moment without a zone is Beijing time."""

    title = fields.String(required=True, validate=Length(max=LONGEST_TITLE))
    body = fields.String(
        required=True,
        validate=Length(max=LONGEST_BODY),
        metadata={"description": "plain text; an empty line parts paragraphs, web addresses become links"},
    )
    title_en = fields.String(load_default=None, validate=Length(max=LONGEST_TITLE_EN))
    body_en = fields.String(
        load_default=None,
        validate=Length(max=LONGEST_BODY_EN),
        metadata={"description": "English: both title and body, or neither"},
    )
    publish_at = fields.DateTime(
        load_default=None,
        metadata={
            "description": "when it goes public; at once where it is left out, and left out of a published one"
        },
    )
    pinned = fields.Boolean(load_default=False)
    phones_public = fields.Boolean(
        load_default=False,
        metadata={"description": "the writer confirms that the mobile numbers in it may be public"},
    )
    uploads = fields.List(
        fields.String(validate=Length(max=64)),
        load_default=list,
        validate=Length(max=MOST_FILES),
        metadata={"description": "tokens of ready uploads of the purpose announcement, in order"},
    )

    @post_load
    def _read(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        moment = body["publish_at"]
        if moment is not None and moment.tzinfo is None:
            body["publish_at"] = moment.replace(tzinfo=BEIJING)
        text = AnnouncementText(*(body.pop(name) for name in ("title", "body", "title_en", "body_en")))
        return body | {"text": text, "tokens": body.pop("uploads")}


class NewAnnouncementSchema(AnnouncementTextSchema):
    idempotency_key = fields.String(
        required=True,
        validate=Length(min=8, max=64),
        metadata={"description": "made once per announcement; sent again it changes nothing"},
    )


class ChangedAnnouncementSchema(AnnouncementTextSchema):
    """The whole text again; attachments stay unless they are named in ``removed``."""

    base_revision = fields.Integer(
        required=True, metadata={"description": "the revision that was read; another one is a conflict (409)"}
    )
    removed = fields.List(
        fields.Integer(validate=Range(min=1, max=2**31 - 1)),
        load_default=list,
        validate=Length(max=MOST_FILES),
        metadata={"description": "ids of attachments that are deleted"},
    )


class AnnouncementWithdrawalSchema(Schema):
    reason = fields.String(
        required=True, validate=Length(max=LONGEST_REASON), metadata={"description": "shown to everybody"}
    )


class AnnouncementAttachmentSchema(Schema):
    id = fields.Integer(required=True)
    name = fields.String(required=True)
    media_type = fields.String(required=True)
    size = fields.Integer(required=True, metadata={"description": "bytes"})
    url = fields.String(required=True)


class AnnouncementSchema(Schema):
    """An announcement. Of a withdrawn one the public reads no text and no attachments, only the reason."""

    id = fields.Integer(required=True)
    state = fields.String(required=True, validate=STATES)
    title = fields.String(allow_none=True)
    body = fields.String(allow_none=True)
    title_en = fields.String(allow_none=True)
    body_en = fields.String(allow_none=True)
    pinned = fields.Boolean(required=True)
    revision = fields.Integer(required=True)
    publish_at = fields.DateTime(required=True)
    changed_at = fields.DateTime(allow_none=True)
    withdrawn_at = fields.DateTime(allow_none=True)
    withdrawn_reason = fields.String(allow_none=True)
    attachments = fields.List(fields.Nested(AnnouncementAttachmentSchema), required=True)
    url = fields.String(required=True, metadata={"description": "its page"})
