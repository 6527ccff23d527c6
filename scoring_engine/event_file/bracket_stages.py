"""Reading a stage of a bracket (单场淘汰): rounds of matches, none left out, and no more than the regulation has."""

from scoring_engine.documents import Node
from scoring_engine.event_file.attendance import refuse_attendance
from scoring_engine.event_file.ids import Ids
from scoring_engine.event_file.match_tables import read_round
from scoring_engine.records import EventRecord, RoundRecord, StageRecord
from scoring_engine.stages.bracket import faults
from scoring_engine.values import StageCode


def read_bracket_stage(node: Node, code: StageCode, ids: Ids) -> StageRecord:
    """The stage, its rounds in order. Who may play in a round is checked when the event has been read."""
    rule = ids.rules.stages[0]
    rounds: list[RoundRecord] = []
    numbers: set[int] = set()
    for part in node.nodes("rounds"):
        number = part.integer("number", 1)
        if number is not None and number in numbers:
            ids.problems.add(part.at("number"), f"第{number}轮出现了两次。", f"Round {number} stands twice.")
        elif number is not None and number > rule.rounds:
            ids.problems.add(
                part.at("number"),
                f"比赛共{rule.rounds}轮，没有第{number}轮（规程 {rule.clause}）。",
                f"There are {rule.rounds} rounds and no round {number} (regulation, {rule.clause}).",
            )
        numbers.add(number or 0)
        refuse_attendance(part)
        rounds.append(read_round(part, number or 0, rule, ids))
    # The first number that is not there; a file may name a round of any size, so none counts up to the last.
    missing = next(number for number in range(1, len(numbers) + 2) if number not in numbers)
    if missing < max(numbers, default=0):
        ids.problems.add(
            node.at("rounds"),
            f"缺少第{missing}轮（规程 {rule.clause}）。",
            f"Round {missing} is missing (regulation, {rule.clause}).",
        )
    return StageRecord(code, tuple(sorted(rounds, key=lambda each: each.number)), node.path)


def check_bracket(event: EventRecord, ids: Ids) -> None:
    """Note who cannot play in the round he is seated in, and who is left out of one."""
    for problem in faults(event):
        ids.problems.add(problem.path, problem.zh, problem.en)
