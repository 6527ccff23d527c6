"""Reading a Swiss stage (积分编排): several rounds, each read by its game (`swiss_games`)."""

from scoring_engine.documents import Node
from scoring_engine.event_file.attendance import is_upcoming, with_attendance
from scoring_engine.event_file.ids import Ids
from scoring_engine.event_file.swiss_games import SWISS_GAMES
from scoring_engine.records import RoundRecord, StageRecord
from scoring_engine.values import StageCode


def read_swiss_stage(node: Node, code: StageCode, ids: Ids) -> StageRecord:
    """A stage whose rounds are numbered from 1, none left out, and no more than the regulation has.

    A last round of which nothing has been drawn yet is `upcoming`, and is no round of the standings.
    """
    rule = next(stage for stage in ids.rules.stages if stage.code == code)
    rounds: list[RoundRecord] = []
    numbers: set[int] = set()
    for part in node.nodes("rounds"):
        number = part.integer("number", 1)
        if number is not None and number in numbers:
            ids.problems.add(part.at("number"), f"第{number}轮出现了两次。", f"Round {number} stands twice.")
        elif number is not None and number > rule.rounds:
            ids.problems.add(
                part.at("number"),
                f"阶段 {code} 有{rule.rounds}轮，没有第{number}轮（规程 {rule.clause}）。",
                f"Stage {code} has {rule.rounds} rounds, there is no round {number} (regulation, {rule.clause}).",
            )
        numbers.add(number or 0)
        read = SWISS_GAMES[ids.rules.game].read_round(part, number or 0, rule, ids)
        rounds.append(with_attendance(part, read, ids))
    # The first number that is not there; a file may name a round of any size, so none counts up to the last.
    missing = next(number for number in range(1, len(numbers) + 2) if number not in numbers)
    if missing < max(numbers, default=0):
        ids.problems.add(node.at("rounds"), f"缺少第{missing}轮。", f"Round {missing} is missing.")
    rounds.sort(key=lambda each: each.number)
    upcoming = rounds.pop() if rounds and is_upcoming(rounds[-1]) else None
    return StageRecord(code, tuple(rounds), node.path, upcoming)
