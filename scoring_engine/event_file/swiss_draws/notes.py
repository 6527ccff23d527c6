"""The rules of pairing that the rounds of a Swiss event break, as they were played: told, and no differences.

A draw may break a rule because no draw keeps all, a committee may have repaired it, and a file from elsewhere follows
rules of its own; whoever reads the file should see it.
"""

from collections.abc import Iterator
from itertools import combinations

from scoring_engine.event_file.differences import Note
from scoring_engine.event_file.swiss_draws.answers import history_of
from scoring_engine.event_file.swiss_draws.history import Away, Past, RoundToDraw
from scoring_engine.event_file.swiss_draws.kept import KeptRules
from scoring_engine.event_file.swiss_games import SWISS_GAMES
from scoring_engine.records import EventRecord, RoundRecord
from scoring_engine.tie_breaks.records import Played
from scoring_engine.values import EntrantId, Text


def swiss_notes(event: EventRecord) -> list[Note]:
    """What each round breaks, round after round; nothing where the regulation does not say how it is paired."""
    if event.rules.pairing is None:
        return []
    history, game = history_of(event, "$.regulation"), SWISS_GAMES[event.rules.game]
    found: list[Note] = []
    for part in history.stage.rounds[: history.due]:
        away = history.away(part.number)
        here = frozenset(entrant.id for entrant in event.entrants if entrant.id not in away)
        for name in history.groups:
            drawing = history.to_draw(part.number, name, here)
            found += _of_round(part, drawing, game.kept(drawing.pairing, drawing.number))
        for table in part.seated_tables:
            found += [
                _note(
                    table.path,
                    "stands_out",
                    (seat,),
                    Text(
                        f"{seat}连续弃权后没有恢复编排（reinstated）而上场。",
                        f"{seat} was paired after forfeits running without being reinstated.",
                    ),
                )
                for seat in table.seats
                if away.get(seat) is Away.STANDS_OUT
            ]
    return found


def _of_round(part: RoundRecord, drawing: RoundToDraw, kept: KeptRules) -> Iterator[Note]:
    past = drawing.past
    for table in part.seated_tables:
        if table.seats[0] not in past:
            continue
        for one, other in combinations(table.seats, 2):
            if kept.rematch and other in past[one].opponents:
                yield _note(table.path, "rematch", (one, other), _meets_again(one, other))
            unit = past[one].entrant.unit
            if kept.units and unit is not None and unit == past[other].entrant.unit:
                yield _note(table.path, "same_unit", (one, other), _one_unit(one, other))
        if kept.longest_run is not None:
            for place, seat in enumerate(table.seats):
                if _runs_on(past[seat], second=place > 0, longest=kept.longest_run):
                    yield _note(table.path, "same_side", (seat,), _same_side(seat, kept.longest_run))
    for index, bye in enumerate(part.byes):
        if bye not in past or bye in part.requested or not past[bye].byes:
            continue
        if kept.one_bye or any(not past[one].byes for one in drawing.available):
            path = f"{part.path}.byes[{index}]"
            yield _note(path, "second_bye", (bye,), _second_bye(bye))


def _runs_on(past: Past, *, second: bool, longest: int) -> bool:
    """Whether he has had this side as often running as is allowed, and has it again."""
    sides = [each.second for each in past.rounds if each.played is Played.GAME][-longest:]
    return len(sides) == longest and all(side is second for side in sides)


def _note(path: str, rule: str, entrants: tuple[EntrantId, ...], text: Text) -> Note:
    return Note(path, text, {"rule": rule, "entrants": list(entrants)})


def _meets_again(one: EntrantId, other: EntrantId) -> Text:
    return Text(f"{one}与{other}再次相遇。", f"{one} and {other} meet again.")


def _one_unit(one: EntrantId, other: EntrantId) -> Text:
    return Text(f"{one}与{other}同单位而相遇。", f"{one} and {other} are of one unit and meet.")


def _same_side(seat: EntrantId, longest: int) -> Text:
    return Text(
        f"{seat}连续超过{longest}次同一先后手。",
        f"{seat} has the same side more than {longest} times running.",
    )


def _second_bye(bye: EntrantId) -> Text:
    return Text(f"{bye}再次轮空。", f"{bye} has a second bye.")
