"""Reading a stage of a bracket (单场淘汰): rounds of matches, none left out, and no more than the regulation has."""

from scoring_engine.documents import Node
from scoring_engine.event_file.attendance import refuse_attendance
from scoring_engine.event_file.ids import Ids
from scoring_engine.event_file.match_tables import read_round
from scoring_engine.event_file.round_numbers import RoundNumbers
from scoring_engine.records import EventRecord, RoundRecord, StageRecord
from scoring_engine.stages.bracket import faults
from scoring_engine.values import StageCode


def read_bracket_stage(node: Node, code: StageCode, ids: Ids) -> StageRecord:
    """The stage, its rounds in order. Who may play in a round is checked when the event has been read."""
    rule = ids.rules.stages[0]
    numbers = RoundNumbers(rule, ids.problems)
    rounds: list[RoundRecord] = []
    for part in node.nodes("rounds"):
        refuse_attendance(part)
        rounds.append(read_round(part, numbers.read(part), rule, ids))
    numbers.check_none_missing(node)
    return StageRecord(code, tuple(sorted(rounds, key=lambda each: each.number)), node.path)


def check_bracket(event: EventRecord, ids: Ids) -> None:
    """Note who cannot play in the round he is seated in, and who is left out of one."""
    for problem in faults(event):
        ids.problems.add(problem.path, problem.zh, problem.en)
