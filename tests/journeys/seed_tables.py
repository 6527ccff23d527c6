"""``python -m tests.journeys.seed_tables``: three drawn competitions in the database of the environment, printed as JSON.

One each of 升级, 象棋 and 二打一, with the cards of everybody who plays and the sign-ins of the staff. Written by the product's own
services and the factories: what happens before the first table is no matter of the walks at the tables.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from flask_login.utils import encode_cookie

from app import clock, create_app, jobs
from app.actors import Role
from app.competitions import queries as competitions
from app.draws.queries import RoundView
from app.floor.rules import Confirmation
from app.results import queries
from tests.factories import accounts, duels, results, rounds, sheets
from tests.journeys.driver import DURING_ENTRIES

SECOND = 9102
"""Phone serial of the referee who enters sheets again."""


def travel(moment: datetime) -> None:
    clock.now = lambda: moment.astimezone(UTC)


def competition(round_: RoundView, slug: str, confirmation: Confirmation) -> dict[str, Any]:
    sheets.terms(round_.event_id, slug=slug, confirmation=confirmation)
    event = competitions.competition_id(slug)
    staff = {
        "referee": results.referee(slug),
        "chief": results.chief(slug),
        "second": accounts.user(SECOND, Role.REFEREE, competition_id=event),
    }
    cards = sheets.cards(round_.event_id, slug)
    return {
        "slug": slug,
        "stage": round_.stage,
        "staff": {role: str(encode_cookie(str(person.user_id))) for role, person in staff.items()},
        "tables": [
            {
                "token": table.token,
                "number": table.number,
                "seats": [
                    {"entrant": str(entrant), "name": seat.name, "card": card.token, "pin": card.pin}
                    for entrant, seat in queries.seats_of(table).items()
                    for card in [cards[seat.entry_id]]
                ],
            }
            for table in round_.tables
        ],
    }


def main() -> None:
    app = create_app()
    jobs.send = lambda *_job, **_arguments: True  # the sweeps of the running worker find what there is to do
    with app.app_context():
        duels.field(travel, duels.TRACTOR, 4)
        match = competition(rounds.drawn(duels.SLUG), duels.SLUG, Confirmation.BLIND)
        rounds.field(travel, rounds.XIANGQI, 4)
        board = competition(rounds.drawn(), rounds.SLUG, Confirmation.PLAYERS)
        travel(DURING_ENTRIES)
        deals = competition(results.prelim(travel), "beach", Confirmation.AT_TABLE)
    print(json.dumps({"match": match, "board": board, "deals": deals}))


if __name__ == "__main__":
    main()
