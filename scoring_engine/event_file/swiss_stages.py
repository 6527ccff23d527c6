"""Reading a Swiss stage (积分编排): several rounds, each read by its game (`swiss_games`)."""

from scoring_engine.documents import Node
from scoring_engine.event_file.attendance import is_upcoming, with_attendance
from scoring_engine.event_file.ids import Ids
from scoring_engine.event_file.round_numbers import RoundNumbers
from scoring_engine.event_file.swiss_games import SWISS_GAMES
from scoring_engine.records import RoundRecord, StageRecord
from scoring_engine.values import StageCode


def read_swiss_stage(node: Node, code: StageCode, ids: Ids) -> StageRecord:
    """A stage whose rounds are numbered from 1, none left out, and no more than the regulation has.

    A last round of which nothing has been drawn yet is `upcoming`, and is no round of the standings.
    """
    rule = next(stage for stage in ids.rules.stages if stage.code == code)
    numbers = RoundNumbers(rule, ids.problems)
    rounds: list[RoundRecord] = []
    for part in node.nodes("rounds"):
        read = SWISS_GAMES[ids.rules.game].read_round(part, numbers.read(part), rule, ids)
        rounds.append(with_attendance(part, read, ids))
    numbers.check_none_missing(node)
    rounds.sort(key=lambda each: each.number)
    upcoming = rounds.pop() if rounds and is_upcoming(rounds[-1]) else None
    return StageRecord(code, tuple(rounds), node.path, upcoming)
