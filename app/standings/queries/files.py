"""The public event file, made from what is stored, and draws replayed from it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.draws import queries as draws
from app.draws.queries import RoundView
from app.draws.queries import division as divisions
from app.draws.queries.division import DivisionView
from app.draws.rules import (
    SWISS,
    UnknownRoundError,
    entrant_of,
)
from app.draws.rules.attendance import Presence, round_json
from app.registrations import queries as registrations
from app.registrations.queries import EntrantView
from app.regulations import queries as regulations
from app.regulations.rules import Regulation
from app.results import queries as results
from app.results.rules import Content, game_of
from app.standings.queries.as_drawn import adjustments_of, as_drawn
from app.standings.queries.drawn import division_json, drawn_json, earlier_json
from app.standings.queries.expelled import expelled_after
from app.standings.queries.lots import lots_of_file
from app.standings.rules import canonical_bytes
from app.standings.rules.given import Adjustment, given_rulings, known_to
from app.standings.rules.impact import Supposed
from scoring_engine import event_file as engine
from scoring_engine.event_file import Difference
from scoring_engine.rules import ScoringRules
from scoring_engine.values import EntrantId


@dataclass(frozen=True, slots=True)
class EventFile:
    """The public event file as it is sent, and its SHA-256 (hex)."""

    content: bytes
    sha256: str


def event_file(
    event_id: int, by: Regulation | None = None, supposed: Supposed | None = None
) -> dict[str, Any]:
    """The public event file (``saishi-event``): confirmed results only, no personal data but names and units.

    The same state of the database always gives the same document, whatever order rows come in. It is of the version of the
    regulation in force; a round drawn by an earlier one names it, and the file holds it. With ``by`` everything is written
    for that version, as if every round had been drawn by it; with ``supposed`` as it would be if that were so, and as if every
    round were drawn from that.
    """
    event = competitions.event(event_id)
    terms = by or event.regulation
    regulation, rules = terms.document, terms.scoring_rules()
    rounds = draws.rounds(event_id)
    as_it_is, supposed = supposed is None, supposed or Supposed()
    contents = _supposed_contents(event_id, supposed)
    given = (*given_rulings(event_id), *supposed.given)
    presences = draws.standing_presences(event_id)
    everyone = _entrants(event_id, rounds, presences)
    division = divisions.division(event_id)
    groups = divisions.groups(event_id)
    out = expelled_after(event_id, rounds, rules, supposed)
    units = {each.unit_id: each.unit_name for each in everyone}
    lots = lots_of_file(event_id, {entrant for each in rounds for entrant in each.entrants})
    adjustments = adjustments_of(rounds, contents, rules, given, supposed.lifted)
    earlier = {} if by else _earlier_versions(event, rounds)
    then = as_drawn(rounds, contents, given, lambda each: earlier.get(each.id, terms)) if as_it_is else {}
    return {
        "format": "saishi-event",
        "version": 1,
        "regulation": regulation,
        "options": dict(regulation.get("options", {})),
        **(
            {
                "earlier_regulations": [
                    earlier_json(
                        each,
                        _earlier_adjustments(rounds, contents, each, given, supposed.lifted),
                        adjustments,
                    )
                    for each in dict.fromkeys(earlier.values())
                ]
            }
            if earlier
            else {}
        ),
        "units": [{"id": f"u{unit_id}", "name": units[unit_id]} for unit_id in sorted(units)],
        "entrants": [
            {
                "id": entrant_of(each.entry_id),
                "name": each.name,
                **({"players": list(each.players)} if len(each.players) > 1 else {}),
                "unit": f"u{each.unit_id}",
                **({"team": f"u{each.unit_id}"} if each.in_team else {}),
                **({"group": groups[entrant_of(each.entry_id)]} if groups else {}),
                **presences.get(entrant_of(each.entry_id), Presence()).entrant_json(),
                **(
                    {"expelled_after": out[entrant_of(each.entry_id)]}
                    if entrant_of(each.entry_id) in out
                    else {}
                ),
            }
            for each in everyone
        ],
        "stages": _stages(rounds, contents, rules, presences),
        "adjustments": adjustments,
        **({} if division is None else {"division": division_json(division)}),
        "draws": [drawn_json(each, earlier.get(each.id), then.get(each.id)) for each in rounds],
        **({} if lots is None else {"lots": lots.file_json()}),
    }


def event_file_download(event_id: int) -> EventFile:
    """The event file as bytes; the same bytes are hashed for the snapshot, so a reader can compare."""
    content = canonical_bytes(event_file(event_id))
    return EventFile(content, hashlib.sha256(content).hexdigest())


def replayed(
    event: EventView, stage: str, number: int
) -> tuple[RoundView | DivisionView, Sequence[Difference]]:
    """One drawn round, or the division into groups for ``number`` 0, and every difference between it and what its seed gives
    again, from the public event file: as `saishi verify` finds them.

    It is replayed by the version of the regulation it was drawn by. Raises ``UnknownRoundError``.
    """
    drawn = draws.round_of(event.id, stage, number) if number else divisions.division(event.id)
    if drawn is None:
        raise UnknownRoundError
    document, rules = event_file(event.id), event.regulation.scoring_rules()
    return drawn, engine.verify_draw(document, rules, stage, number, earlier_rules(event))


def earlier_rules(event: EventView) -> dict[str, ScoringRules]:
    """The scoring rules of the earlier versions that rounds were drawn by, by the SHA-256 of their regulations."""
    return {
        each.sha256: each.scoring_rules()
        for each in _earlier_versions(event, draws.rounds(event.id)).values()
    }


def _earlier_versions(event: EventView, rounds: tuple[RoundView, ...]) -> dict[int, Regulation]:
    """The version of each round that was drawn by another than the one in force, by the round's id."""
    return {
        each.id: regulations.version(each.regulation_version_id)
        for each in rounds
        if each.regulation_version_id not in (None, event.regulation_version_id)
    }


def _supposed_contents(event_id: int, supposed: Supposed) -> dict[int, Content]:
    contents = {**results.in_force(event_id), **supposed.contents}
    return {table_id: content for table_id, content in contents.items() if content is not None}


def _earlier_adjustments(
    rounds: tuple[RoundView, ...],
    contents: Mapping[int, Content],
    version: Regulation,
    given: Sequence[Adjustment],
    lifted: Collection[str],
) -> list[dict[str, Any]]:
    """A ruling by a rule that an earlier version does not have came after it, and says nothing of what was drawn by it."""
    rules = version.scoring_rules()
    return adjustments_of(rounds, contents, rules, known_to(rules, given), lifted)


def _entrants(
    event_id: int, rounds: tuple[RoundView, ...], presences: Mapping[EntrantId, Presence]
) -> list[EntrantView]:
    """Who was drawn, and of the approved who is absent so far or enters later; before the first draw, who is approved."""
    found = {each.entry_id: each for drawn in rounds for _, each in drawn.people}
    if presences or not rounds:
        found |= {
            each.entry_id: each
            for each in registrations.approved_entries(event_id)
            if not rounds or entrant_of(each.entry_id) in presences
        }
    return [found[entry_id] for entry_id in sorted(found)]


def _stages(
    rounds: tuple[RoundView, ...],
    contents: Mapping[int, Content],
    rules: ScoringRules,
    presences: Mapping[EntrantId, Presence],
) -> list[dict[str, Any]]:
    """The stages with their rounds; of one paired by points also what is known of the round to be drawn next."""
    game = game_of(rules)
    stages: dict[str, dict[str, Any]] = {}
    for each in rounds:
        stage = stages.setdefault(each.stage, {"code": each.stage, "rounds": []})
        stage["rounds"].append(
            {
                "number": each.number,
                "tables": [
                    game.table_json(
                        table.number,
                        [entrant_of(seat.entry_id) for seat in table.seats],
                        contents.get(table.id),
                    )
                    for table in each.tables
                ],
                "byes": [entrant_of(entrant.entry_id) for entrant in each.direct],
                **(round_json(presences, each.number) if each.stage == SWISS else {}),
            }
        )
    first = rules.stages[0]
    upcoming = len(rounds) + 1
    if first.kind == SWISS and upcoming <= first.rounds and (known := round_json(presences, upcoming)):
        stage = stages.setdefault(first.code, {"code": first.code, "rounds": []})
        stage["rounds"].append({"number": upcoming, **known})
    return list(stages.values())
