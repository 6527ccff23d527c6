"""What a rehearsal would come to, played by the engine alone: nothing is created of an event that a text leaves to a ruling."""

from __future__ import annotations

import random
from typing import Any

from app.cli.rehearsal_results import RESULTS
from app.regulations.rules import Regulation
from app.results.rules import game_of
from scoring_engine import event_file


def ruling_ahead(regulation: Regulation, units: dict[str, int], seed: str) -> tuple[str, str] | None:
    """The first question the committee would have to answer, with its clause; None where the event plays to its end.

    ``units`` is the number of the unit of each entrant. Results are made up from the seed.
    """
    rules, chance = regulation.scoring_rules(), random.Random(seed)  # noqa: S311 - nothing secret, it must repeat
    game = game_of(rules)
    document: dict[str, Any] = {
        "format": "saishi-event",
        "version": 1,
        "regulation": regulation.document,
        "entrants": [{"id": one, "unit": f"u{unit}"} for one, unit in units.items()],
        "stages": [],
    }
    stages: dict[str, dict[str, Any]] = {}
    while True:
        made = event_file.pair(document, rules, chance.randbytes(32))
        ruling = made["needs_ruling"] or made["report"]["needs_ruling"]
        if ruling is not None:
            return str(ruling["reason"]), str(ruling["clause"])
        if made["report"].get("complete") or not (made["tables"] or made["byes"]):
            return None
        rule = rules.stage(made["stage"]) or rules.stages[-1]
        if made["stage"] not in stages:
            stages[made["stage"]] = {"code": made["stage"], "rounds": []}
            document["stages"].append(stages[made["stage"]])
        tables = []
        for table in made["tables"]:
            seats = [{"entrant": one} for one in table["entrants"]]
            said = RESULTS[regulation.game]({"seats": seats, "deals_wanted": rule.deals}, chance)
            tables.append({"number": table["number"], **game.seats(table["entrants"]), **said})
        stages[made["stage"]]["rounds"].append(
            {"number": made.get("round", 1), "tables": tables, "byes": made["byes"]}
        )
