"""What the chief referee rules on before a round is drawn (裁决): the engine's questions and the draw that breaks least."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.competitions.queries import EventView
from app.draws import queries as draws
from app.draws.queries import division as divisions
from app.draws.queries.rulings import Sentence, sentences
from app.draws.queries.seeds import CommitmentView, seed_to_draw
from app.draws.rules import SWISS, entry_of
from app.errors import RefusedError
from app.registrations.queries import EntrantView
from app.regulations.rules import Bilingual
from app.standings import queries
from scoring_engine import event_file as engine
from scoring_engine.values import EntrantId


@dataclass(frozen=True, slots=True)
class LeastBad:
    """The draw that breaks least, from its committed seed: by ids of the event file, in seat order. ``proof`` names it."""

    tables: tuple[tuple[EntrantId, ...], ...]
    byes: tuple[EntrantId, ...]
    proof: str


@dataclass(frozen=True, slots=True)
class RulingQuestion:
    """A round that no draw keeps every hard rule for. ``asked``: who, which rule, and the clause; ``breaks``: what the least
    bad draw still breaks; ``suggested``: what is usually done.

    ``least_bad`` is None while no seed is committed to, and where there is no draw at all.
    """

    stage: str
    number: int
    asked: tuple[Sentence, ...]
    suggested: tuple[Bilingual, ...]
    breaks: tuple[Sentence, ...]
    broken: tuple[Mapping[str, Any], ...]
    least_bad: LeastBad | None
    committed: CommitmentView | None
    people: Mapping[EntrantId, EntrantView]

    @property
    def concerned(self) -> frozenset[EntrantId]:
        """Whom a rule that is not kept concerns."""
        return frozenset(EntrantId(entrant) for each in self.broken for entrant in each["entrants"])

    @property
    def number_of_tables(self) -> int:
        return len(self.least_bad.tables) if self.least_bad else 0

    def tables_shown(self, most: int) -> tuple[tuple[int, tuple[EntrantId, ...]], ...]:
        """Up to ``most`` tables with their numbers: all, or those of the people concerned first."""
        if self.least_bad is None:
            return ()
        numbered = tuple(enumerate(self.least_bad.tables, start=1))
        if len(numbered) <= most:
            return numbered
        first = [each for each in numbered if self.concerned.intersection(each[1])]
        rest = [each for each in numbered if not self.concerned.intersection(each[1])]
        return tuple(sorted([*first, *rest][:most]))


def question(event: EventView, now: datetime) -> RulingQuestion | None:
    """What has to be ruled on before the round that is due can be drawn; None where nothing has to be, or none is due."""
    board = queries.stage_board(event.id)
    if board.due is None or board.due.stage != SWISS:
        return None
    stage, number = board.due.stage, board.due.number
    if number == 1:
        try:
            draws.final_list(event, now)
            divisions.require_divided(event, len(draws.list_from_round_one(event, now)[1]))
        except RefusedError:
            return None
    seed = seed_to_draw(event.id, stage, number)
    paired = engine.pair(queries.event_file(event.id), event.regulation.scoring_rules(), seed)
    if paired["needs_ruling"] is None:
        return None
    people = queries.people(event.id)
    entries = {entry_of(entrant): each for entrant, each in people.items()}
    report = paired["report"]
    questions = questions_of(report)
    return RulingQuestion(
        stage=stage,
        number=number,
        asked=sentences(questions, "reason", entries),
        suggested=tuple(
            each.text
            for each in sentences(
                [*{one["suggestion"]: one for one in questions if "suggestion" in one}.values()],
                "suggestion",
                entries,
            )
        ),
        breaks=sentences(report.get("broken", ()), "message", entries),
        broken=tuple(report.get("broken", ())),
        least_bad=least_bad_of(report) if seed is not None else None,
        committed=draws.open_commitment(event.id, stage, number),
        people={EntrantId(entrant): each for entrant, each in people.items()},
    )


def questions_of(report: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Every question of an answer of ``event_file.pair``."""
    asked: Sequence[Mapping[str, Any]] = report.get("rulings") or [report["needs_ruling"]]
    return asked


def least_bad_of(report: Mapping[str, Any]) -> LeastBad | None:
    """The draw that breaks least of an answer of ``event_file.pair``; None where it seats nobody."""
    made = report.get("least_bad")
    if made is None or not (made["tables"] or made["byes"]):
        return None
    return LeastBad(
        tuple(tuple(map(EntrantId, table["entrants"])) for table in made["tables"]),
        tuple(map(EntrantId, made["byes"])),
        made["proof"],
    )
