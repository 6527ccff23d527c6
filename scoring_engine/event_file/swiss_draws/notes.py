"""The rules of pairing that the rounds of a Swiss event break, as they were played: told, and no differences.

A draw may break a rule because no draw keeps all, a committee may have repaired it, and a file from elsewhere follows
rules of its own; whoever reads the file should see it. `round_breaches` says the same of a round that is still being changed.
"""

from scoring_engine.event_file.differences import Note
from scoring_engine.event_file.swiss_draws.answers import history_of
from scoring_engine.event_file.swiss_draws.breaches import Breach, aims_missed, breaches_of
from scoring_engine.event_file.swiss_draws.history import RoundToDraw, SwissHistory
from scoring_engine.event_file.swiss_draws.kept import KeptRules
from scoring_engine.event_file.swiss_games import SWISS_GAMES
from scoring_engine.pairing.repairs import Placed
from scoring_engine.records import EventRecord, RoundRecord


def swiss_notes(event: EventRecord) -> list[tuple[int, Note]]:
    """What each round breaks, with its number, round after round; nothing where the regulation does not say how it is paired."""
    if event.rules.pairing is None:
        return []
    history = history_of(event, "$.regulation")
    return [
        (part.number, _note(part, each))
        for part in history.stage.rounds[: history.due]
        for each in _breaches(history, part.number, _as_played(part))
    ]


def swiss_breaches(event: EventRecord, number: int, placed: Placed, drawn: Placed) -> list[Breach]:
    """What round `number` would break if it were played so: rules first, then the aims its changed tables give away."""
    if event.rules.pairing is None:
        return []
    history = history_of(event, "$.regulation")
    return [
        *_breaches(history, number, placed),
        *(
            each
            for drawing, kept in _groups(history, number)
            for each in aims_missed(drawing, kept, placed, drawn)
        ),
    ]


def _breaches(history: SwissHistory, number: int, placed: Placed) -> list[Breach]:
    away = history.away(number)
    return [
        each
        for drawing, kept in _groups(history, number)
        for each in breaches_of(drawing, kept, placed, away)
    ]


def _groups(history: SwissHistory, number: int) -> list[tuple[RoundToDraw, KeptRules]]:
    """Each group before the round, and what its round is held to."""
    away = history.away(number)
    here = frozenset(entrant.id for entrant in history.event.entrants if entrant.id not in away)
    game = SWISS_GAMES[history.event.rules.game]
    drawings = [history.to_draw(number, name, here) for name in history.groups]
    return [(drawing, game.kept(drawing.pairing, number)) for drawing in drawings]


def _as_played(part: RoundRecord) -> Placed:
    return Placed(tuple(table.seats for table in part.seated_tables), tuple(part.byes))


def _note(part: RoundRecord, breach: Breach) -> Note:
    if breach.table is not None:
        path = part.seated_tables[breach.table].path
    else:
        path = f"{part.path}.byes[{breach.bye}]"
    more = {"rule": breach.rule, "entrants": list(breach.entrants), "clause": breach.clause}
    return Note(path, breach.text, more)
