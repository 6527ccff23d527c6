"""Why pairs meet in a round of a bracket (单场淘汰), sentence by sentence, in the words of `swiss_draws`."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring_engine.event_file.swiss_draws.drawn import said_json
from scoring_engine.pairing.bracket import BracketRound
from scoring_engine.pairing.reasons import Topic, those
from scoring_engine.values import EntrantId, Text

_IN_ORDER_DRAWN = Text(
    "按抽到的先后：最先抽到的两对在第1桌，依次往后。",
    "Tables are numbered in the order drawn: the first two at table 1.",
)
_IN_TABLE_ORDER = Text(
    "桌号按上一轮的桌号排，轮空的在最后。",
    "Tables follow those of the round before, a bye last.",
)


def reasons_json(
    drawn: BracketRound, number: int, method: str, came_from: Mapping[EntrantId, int | None], bye_reading: str
) -> dict[str, Any]:
    """`reasons` of the tables and `bye_reasons`, as the report of a Swiss round has them.

    method: `drawn` or `table_order`. came_from: the table each won in the round before, None for a bye there; empty in round 1.
    """
    tables = [
        {
            "number": place,
            **said_json(
                those(
                    (Topic.MEETING, _meeting(sides, place, number, method, came_from)),
                    (Topic.NUMBER, _IN_ORDER_DRAWN if method == "drawn" else _IN_TABLE_ORDER),
                )
            ),
        }
        for place, sides in enumerate(drawn.tables, start=1)
    ]
    byes = [
        {"entrant": bye, **said_json(those((Topic.BYE, _bye(bye, number, bye_reading))))}
        for bye in drawn.byes
    ]
    return {"reasons": tables, "bye_reasons": byes}


def _meeting(
    sides: Sequence[EntrantId],
    place: int,
    number: int,
    method: str,
    came_from: Mapping[EntrantId, int | None],
) -> Text:
    one, other = sides
    if method == "table_order":
        return Text(
            f"{_came_zh(one, came_from)}，{_came_zh(other, came_from)}，按桌号依次相遇。",
            f"{_came_en(one, came_from)} and {_came_en(other, came_from)}; they meet in the order of those tables.",
        )
    first, second = 2 * place - 1, 2 * place
    if number == 1:
        return Text(
            f"首轮抽签：{one}抽在第{first}位，{other}抽在第{second}位，相邻的两对相遇。",
            f"The first round is drawn: {one} came at place {first}, {other} at {second}; neighbours meet.",
        )
    return Text(
        f"本轮重新抽签：{one}抽在第{first}位，{other}抽在第{second}位，相邻的两对相遇。",
        f"This round is drawn anew: {one} came at place {first}, {other} at {second}; neighbours meet.",
    )


def _came_zh(side: EntrantId, came_from: Mapping[EntrantId, int | None]) -> str:
    table = came_from[side]
    return f"{side}上一轮轮空" if table is None else f"{side}在上一轮第{table}桌胜出"


def _came_en(side: EntrantId, came_from: Mapping[EntrantId, int | None]) -> str:
    table = came_from[side]
    return f"{side} had the bye before" if table is None else f"{side} won table {table} before"


def _bye(bye: EntrantId, number: int, reading: str) -> Text:
    if number == 1:
        return Text(
            f"对数为单数，最后抽到的{bye}轮空，直接进入下一轮。",
            f"The number of pairs is odd: {bye}, drawn last, has the bye and goes on.",
        )
    among = (
        Text("从轮空最少的各对中抽出", "drawn among those with fewest byes")
        if reading == "spread"
        else Text("从各对中抽出", "drawn among all")
    )
    return Text(
        f"对数为单数，{among.zh}{bye}轮空，直接进入下一轮。",
        f"The number of pairs is odd: {bye}, {among.en}, has the bye and goes on.",
    )
