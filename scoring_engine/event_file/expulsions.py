"""Who was expelled from a knock-out (取消参赛资格), as an event file says it.

    "entrants": [{"id": "e5", "expelled_after": {"stage": "prelim", "round": 1}}]

The stage and round are the last whose draw has him; he is in none after it. `"reinstated": true` where it was taken back after the next
round had been drawn: that round stays, and he has a rank again.
"""

from scoring_engine.documents import Node
from scoring_engine.event_file.ids import Ids
from scoring_engine.records import EventRecord
from scoring_engine.rules import Format, ScoringRules
from scoring_engine.stages.expulsion import left_out
from scoring_engine.stages.names import stage_words
from scoring_engine.values import Expulsion, StageCode

KEY = "expelled_after"


def read_expulsion(node: Node, rules: ScoringRules) -> Expulsion | None:
    """`expelled_after` of an entrant; None where he was not expelled."""
    if not node.has(KEY):
        return None
    if rules.format is Format.SWISS:
        node.problems.add(
            node.at(KEY),
            f"积分编排赛没有 {KEY} 这一项，请写 withdrawn_after。",
            f"A Swiss event has no key {KEY}; withdrawn_after says it.",
        )
        return None
    part = node.node(KEY)
    if part is None:
        return None
    code = part.choice("stage", tuple(stage.code for stage in rules.stages))
    rule = None if code is None else rules.stage(code)
    most = 1 if rule is None or rules.format is Format.KNOCK_OUT else rule.rounds
    number = part.integer("round", 1, most) if part.has("round") else 1
    reinstated = part.flag("reinstated")
    if code is None or number is None:
        return None
    return Expulsion(StageCode(code), number, bool(reinstated))


def check_expelled(event: EventRecord, ids: Ids) -> None:
    """Note who has a seat or a bye in a round after he was expelled. A play-off is of the stage it decides."""
    earlier = frozenset[str]()
    own = {stage.code for stage in event.rules.stages}
    for stage in (stage for stage in event.stages if stage.code in own):
        codes = [each.code for each in event.rules.stages]
        place = codes.index(stage.code)
        earlier = (
            left_out(event, codes[place - 1], event.rules.stages[place - 1].rounds or 1) if place else earlier
        )
        for part in stage.rounds:
            out = left_out(event, stage.code, part.number - 1) if part.number > 1 else earlier
            seats = [(table.path, seat) for table in part.seated_tables for seat in table.seats]
            byes = [(f"{part.path}.byes[{index}]", bye) for index, bye in enumerate(part.byes)]
            for path, entrant in (*seats, *byes):
                if entrant in out:
                    words = stage_words(stage.code)
                    ids.problems.add(
                        path,
                        f"{entrant} 此前已被取消参赛资格（{KEY}），不能在{words}第{part.number}轮编排。",
                        f"{entrant} was expelled before ({KEY}) and is not in {stage.code}, round {part.number}.",
                    )
