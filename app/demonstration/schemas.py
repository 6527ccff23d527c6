from __future__ import annotations

from app.text import BEIJING
from app.web.schemas import Schema, fields


class ClockSchema(Schema):
    """Where to move the clock: a moment (Beijing time unless it names a zone), or back to real time."""

    moment = fields.AwareDateTime(
        format="iso", default_timezone=BEIJING, metadata={"example": "2026-12-05T18:00:01+08:00"}
    )
    reset = fields.Boolean(load_default=False, metadata={"description": "back to real time"})


class ClockNowSchema(Schema):
    now = fields.AwareDateTime(format="iso")
    ahead_seconds = fields.Integer(metadata={"description": "how far this clock runs ahead of real time"})
