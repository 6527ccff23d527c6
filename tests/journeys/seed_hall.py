"""``python -m tests.journeys.seed_hall 900 [SEED]``: a drawn field in the database of the environment, printed as JSON.

With a seed the round is played as well, in peace, and the placings are printed.

Written by the product's own services and the factories, in a process of its own: thousands of sign-ups through the site take
minutes, and nothing of them is what a full hall is about.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime

from app import clock, create_app, jobs
from app.accounts import tokens
from app.actors import SYSTEM
from app.commands import command
from app.standings import queries, service
from tests.factories import results
from tests.journeys.driver import DURING_ENTRIES
from tests.journeys.hall import HallTable


def main(entrants: int, seed: str | None) -> None:
    app = create_app()

    def travel(moment: datetime) -> None:
        clock.now = lambda: moment.astimezone(UTC)

    jobs.send = lambda *_job, **_arguments: True  # the sweeps of the running worker find what there is to do
    travel(DURING_ENTRIES)
    with app.app_context():
        drawn = results.prelim(travel, entrants)
        if seed is not None:
            for table in drawn.tables:
                played = HallTable(table.token, table.number, tuple(results.seats(table)))
                results.confirmed(table, played.sheet(seed))
            with command(SYSTEM) as ctx:
                service.recompute(ctx, drawn.event_id)
        snapshot = queries.latest(drawn.event_id)
        referee = results.referee().require_signed_in()
        print(
            json.dumps(
                {
                    "slug": "beach",
                    "event_id": drawn.event_id,
                    "bearer": tokens.issue(app.config["SECRET_KEY"], "bearer", referee),
                    "tables": [
                        {"token": table.token, "number": table.number, "seats": results.seats(table)}
                        for table in drawn.tables
                    ],
                    "placings": snapshot.result["placings"] if snapshot else [],
                }
            )
        )


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
