"""Reading a stage of a knock-out event of 二打一: one round of tables of three."""

from scoring_engine.documents import Node
from scoring_engine.event_file.attendance import refuse_attendance
from scoring_engine.event_file.byes import read_ids_of_byes
from scoring_engine.event_file.ids import Ids
from scoring_engine.event_file.landlord_rounds import read_tables
from scoring_engine.records import RoundRecord, StageRecord
from scoring_engine.rules import PLAYOFF
from scoring_engine.stages.names import stage_words
from scoring_engine.values import StageCode


def read_knock_out_stage(node: Node, code: StageCode, ids: Ids) -> StageRecord:
    """One stage of one round; a play-off has a round for each tie."""
    rules, problems = ids.rules, ids.problems
    rounds: list[RoundRecord] = []
    rule = rules.stage(code)
    deals = rule.deals if rule else max(stage.playoff_deals for stage in rules.stages)
    for part in node.nodes("rounds"):
        number = part.integer("number", 1)
        if number is not None and any(other.number == number for other in rounds):
            problems.add(part.at("number"), f"第{number}轮出现了两次。", f"Round {number} stands twice.")
        elif code != PLAYOFF and rounds:
            problems.add(
                part.path,
                f"{stage_words(code)}只有一轮（规程 {rule.clause if rule else ''}）。",
                f"Stage {code} has one round (regulation, {rule.clause if rule else ''}).",
            )
        refuse_attendance(part)
        rounds.append(_read_round(part, number or 0, deals, code, ids))
    record = StageRecord(code, tuple(rounds), node.path)
    _check_byes(record, ids)
    return record


def _read_round(node: Node, number: int, deals: int, code: StageCode, ids: Ids) -> RoundRecord:
    tables, seating = read_tables(node, deals, code, ids)
    read_ids_of_byes(node, seating, ids)
    return RoundRecord(number, tables, seating.byes, node.path)


def _check_byes(record: StageRecord, ids: Ids) -> None:
    """A 剩余的1或2人 go straight on; a field too small for the text may be played as the committee rules."""
    first, field = ids.rules.stages[0], len(ids.entrants)
    if first.places is not None and field < first.places:
        return
    allowed = field % 3 if record.code == first.code else 0
    for part in record.rounds:
        for index in range(allowed, len(part.byes)):
            ids.problems.add(
                f"{part.path}.byes[{index}]",
                f"{field}人参赛，本阶段只能有{allowed}人直接晋级（规程 {first.clause}）。",
                f"With {field} entrants {allowed} may go straight on in this stage (regulation, {first.clause}).",
            )
