"""People's names where the engine has ids of the event file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from app.draws.rules import (
    entrant_of,
    with_names,
)
from app.registrations import queries as registrations
from app.registrations.queries import EntrantView
from app.registrations.rules import EntryId
from app.regulations.rules import Bilingual


def notes(event_id: int, stage: Mapping[str, Any]) -> tuple[Bilingual, ...]:
    """What the committee should see of a stage although it changes no score, with names."""
    name = naming(event_id)
    return tuple(name(Bilingual(note["reason"], note["reason_en"])) for note in stage["notes"])


def naming(event_id: int) -> Callable[[Bilingual], Bilingual]:
    """What puts people's names into sentences of the engine, where it has ids of the event file. Everybody is read once, and
    only where there is a sentence."""

    @cache
    def known() -> tuple[dict[EntryId, str], dict[int, str]]:
        everybody = registrations.entrants(event_id)
        return (
            {entry_id: each.name for entry_id, each in everybody.items()},
            {each.unit_id: each.unit_name for each in everybody.values()},
        )

    return lambda sentence: with_names(sentence, *known())


def people(event_id: int) -> dict[str, EntrantView]:
    """Everyone of the event by the event file's id, for names and units."""
    return {entrant_of(entry_id): each for entry_id, each in registrations.entrants(event_id).items()}
