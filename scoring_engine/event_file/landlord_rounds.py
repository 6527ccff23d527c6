"""Reading the rounds of 二打一 from an event file: tables of three, in which everybody has one seat at most."""

from scoring_engine.documents import Node
from scoring_engine.event_file.byes import read_byes
from scoring_engine.event_file.ids import Ids
from scoring_engine.event_file.landlord_tables import read_table
from scoring_engine.event_file.seating import Seating
from scoring_engine.records import RoundRecord, TableRecord
from scoring_engine.rules import StageRule
from scoring_engine.values import StageCode


def read_tables(
    node: Node, deals: int, stage: StageCode, ids: Ids
) -> tuple[tuple[TableRecord, ...], Seating]:
    """The tables of a round, and who sits at them."""
    seating = Seating(ids.problems)
    tables: list[TableRecord] = []
    for part in node.nodes("tables"):
        table = read_table(part, deals, stage, ids)
        if table is None:
            continue
        seating.open_table(part.at("number"), table.number)
        for index, seat in enumerate(table.seats):
            seating.seat(f"{part.at('seats')}[{index}]", seat, table.number)
        tables.append(table)
    return tuple(tables), seating


def read_round(node: Node, number: int, rule: StageRule, ids: Ids) -> RoundRecord:
    """One round of a Swiss event; every entrant has one seat or one bye, or neither."""
    tables, seating = read_tables(node, rule.deals, rule.code, ids)
    for table in tables:
        first, *others = table.seats
        for index, other in enumerate(others, start=1):
            if ids.groups.get(first) != ids.groups.get(other):
                ids.problems.add(
                    f"{table.path}.seats[{index}]",
                    f"{first} 与 {other} 不在同一组。",
                    f"{first} and {other} are not in one group.",
                )
    kinds = read_byes(node, seating, ids.rules.rounds.byes, ids)
    return RoundRecord(number, tables, seating.byes, node.path, bye_kinds=kinds)
