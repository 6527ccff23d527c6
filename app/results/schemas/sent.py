"""What travels with every change of a sheet."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from marshmallow import post_load

from app.results.service import Sent
from app.web.schemas import Length, Range, Schema, fields

KEY = Length(min=8, max=80)
DEVICE_ID = Length(min=8, max=64)


SENT_KEYS = ("base_revision", "idempotency_key", "device", "client_time", "device_id", "takeover_reason")


class SentSchema(Schema):
    """What travels with every change: loaded as ``sent``."""

    base_revision = fields.Integer(
        required=True, validate=Range(min=0), metadata={"description": "newest revision the sender has seen"}
    )
    idempotency_key = fields.String(
        required=True,
        validate=KEY,
        metadata={"description": "made once per change; sent again with every retry"},
    )
    device = fields.String(validate=Length(max=200))
    client_time = fields.AwareDateTime(
        format="iso", default_timezone=UTC, metadata={"description": "the device's clock when it was typed"}
    )
    device_id = fields.String(
        validate=DEVICE_ID,
        metadata={
            "description": "the key of this device: whoever writes first holds the sheet, another one takes it over. Without it only "
            "`base_revision` guards"
        },
    )
    takeover_reason = fields.String(
        validate=Length(max=500),
        metadata={"description": "接管: why this device writes on in place of the one that holds the sheet"},
    )

    @post_load
    def _gather(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        # one hook only: marshmallow does not say in which order several run
        parts = {key: body.pop(key, None) for key in SENT_KEYS}
        return self.shaped(body) | {"sent": Sent(**parts)}

    def shaped(self, body: dict[str, Any]) -> dict[str, Any]:
        """What the service takes beside ``sent``."""
        return body
