from __future__ import annotations

from app.web.api import ApiBlueprint

blueprint = ApiBlueprint(
    "floor_api", __name__, description="赛场 rounds as they are played, calls, arrivals, players' cards"
)
