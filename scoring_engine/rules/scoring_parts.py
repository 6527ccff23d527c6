"""Reads the `scoring` table of a regulation, for each game its own keys."""

from collections.abc import Mapping
from typing import Any

from scoring_engine.documents import Node, Problems, exact_number, key_path
from scoring_engine.landlord.deals import CLAUSE_KEYS
from scoring_engine.rules.model import BYE_KINDS, DOUBLINGS, BoardRules, LandlordRules
from scoring_engine.rules.options import OptionValue, resolved
from scoring_engine.rules.round_parts import RoundReader
from scoring_engine.tractor.matches.formats import MatchFormat
from scoring_engine.values import Points, points_of

_MOST_POINTS = 1000
_BOARD_POINTS = ("win", "draw", "loss", "forfeit_win", "forfeit_loss")


def read_landlord(node: Node, _options: Mapping[str, OptionValue]) -> LandlordRules:
    """`bids`, `doublings`, `clauses`."""
    _refuse_others(node, ("bids", "doublings", "clauses"))
    return LandlordRules(_bids(node), _doublings(node), _deal_clauses(node))


_ROUND_KEYS = ("seats", "first_bidder", "match_points", "byes", "forfeit", "lateness")
SEATS = ("west", "south", "east")
"""The seats of a table of three, in the order of play (西、南、东)."""


def read_landlord_rounds(node: Node, options: Mapping[str, OptionValue]) -> LandlordRules | None:
    """`bids`, `doublings`, `clauses`, and for rounds `seats`, `first_bidder`, `match_points`, `byes`, `forfeit`, `lateness`."""
    _refuse_others(node, ("bids", "doublings", "clauses", *_ROUND_KEYS))
    bids, doublings, clauses = _bids(node), _doublings(node), _deal_clauses(node)
    seats = [item for _, item in node.items("seats", required=True)]
    if sorted(map(str, seats)) != sorted(SEATS):
        node.problems.add(
            node.at("seats"),
            f"应为三个座位的次序：{'、'.join(SEATS)}。",
            f"This must be the order of the three seats: {', '.join(SEATS)}.",
        )
        return None
    first = node.choice("first_bidder", SEATS)
    rounds = RoundReader(node, options, BYE_KINDS).read()
    if first is None or rounds is None:
        return None
    return LandlordRules(bids, doublings, clauses, seats.index(first), rounds)


def _refuse_others(node: Node, known: tuple[str, ...]) -> None:
    for key in node.value:
        if key not in (*known, "clause"):
            node.problems.add(
                node.at(str(key)),
                f"这个项目的计分没有 {key} 这一项；可用的有：{'、'.join(known)}。",
                f"The scoring of this game has no key {key}; there are {', '.join(known)}.",
            )


def _bids(node: Node) -> tuple[int, ...]:
    bids = [item for _, item in node.items("bids", required=True)]
    numbers = tuple(bid for bid in bids if isinstance(bid, int) and not isinstance(bid, bool) and bid > 0)
    if not bids or len(numbers) != len(bids) or list(numbers) != sorted(set(numbers)):
        node.problems.add(
            node.at("bids"), "叫分应为由小到大的正整数。", "Bids must be rising whole numbers above 0."
        )
    return numbers


def _doublings(node: Node) -> tuple[str, ...]:
    words = [item for _, item in node.items("doublings", required=True)]
    known = tuple(word for word in words if word in DOUBLINGS)
    if len(known) != len(words) or len(set(known)) != len(known):
        node.problems.add(
            node.at("doublings"),
            f"加倍项只能是：{'、'.join(DOUBLINGS)}，各一次。",
            f"Doublings can only be {', '.join(DOUBLINGS)}, each once.",
        )
    return known


def _deal_clauses(node: Node) -> dict[str, str]:
    """`clauses`: the clause of a single key of a deal, where the text treats it apart."""
    if not node.has("clauses") or (table := node.node("clauses")) is None:
        return {}
    found: dict[str, str] = {}
    for key in table.value:
        clause = table.text(str(key))
        if key not in CLAUSE_KEYS:
            known = "、".join(CLAUSE_KEYS)
            table.problems.add(
                table.at(str(key)),
                f"一副牌没有 {key} 这一项；可用的有：{known}。",
                f"A deal has no key {key}; there are {', '.join(CLAUSE_KEYS)}.",
            )
        elif clause is not None:
            found[key] = clause
    return found


def read_board(node: Node, options: Mapping[str, OptionValue]) -> BoardRules | None:
    """`win`, `draw`, `loss`, `forfeit_win`, `forfeit_loss`, `byes`, `whole_byes`."""
    _refuse_others(node, (*_BOARD_POINTS, "byes", "whole_byes"))
    points = {key: _points(node, key, options) for key in _BOARD_POINTS}
    byes: dict[str, Points] = {}
    table = node.node("byes")
    for key in table.value if table is not None else ():
        assert table is not None
        worth = _points(table, str(key), options)
        if key not in BYE_KINDS:
            table.problems.add(
                table.at(str(key)),
                f"没有轮空方式 {key}；可用的有：{'、'.join(BYE_KINDS)}。",
                f"There is no bye {key}; there are {', '.join(BYE_KINDS)}.",
            )
        elif worth is not None:
            byes[str(key)] = worth
    for needed in ("bye", "absent"):
        if table is not None and needed not in table.value:
            table.problems.add(
                table.at(needed), f"缺少轮空方式 {needed} 的分数。", f"The points of {needed} are missing."
            )
    whole = node.flag("whole_byes")
    win, draw, loss = points["win"], points["draw"], points["loss"]
    forfeit_win, forfeit_loss = points["forfeit_win"], points["forfeit_loss"]
    if win is None or draw is None or loss is None or forfeit_win is None or forfeit_loss is None:
        return None
    if not win > draw >= loss:
        node.problems.add(
            node.at("win"),
            "胜应多于和，和不少于负。",
            "A win is worth more than a draw, a draw no less than a loss.",
        )
    if whole is None or node.problems:
        return None
    return BoardRules(win, draw, loss, forfeit_win, forfeit_loss, byes, whole)


def _points(node: Node, key: str, options: Mapping[str, OptionValue]) -> Points | None:
    number = exact_number(resolved(node, key, options))
    if number is None or not 0 <= number <= _MOST_POINTS:
        node.problems.add(
            node.at(key), "这里应为不小于 0 的分数。", "This must be a number of points not below 0."
        )
        return None
    return points_of(number)


_MATCH_TABLES = ("scoring", "penalties", "lateness")


def read_matches(root: Node, options: Mapping[str, OptionValue]) -> MatchFormat | None:
    """The `scoring`, `penalties` and `lateness` of a whole regulation of 升级, options put in."""
    tables = {
        key: _put_in(root.value[key], root.at(key), options, root.problems)
        for key in _MATCH_TABLES
        if key in root.value
    }
    return MatchFormat.read(Node(tables, root.path, root.problems), options)


def read_match_rounds(root: Node, options: Mapping[str, OptionValue]) -> MatchFormat | None:
    """As `read_matches`, for rounds that are ranked by points (积分): there `match.points` may not be left out."""
    format_ = read_matches(root, options)
    if format_ is not None and format_.points is None:
        root.problems.add(
            f"{root.at('scoring')}.match.points",
            "积分编排赛要写明胜、平、负和轮空一轮的积分。",
            "A Swiss event says what a win, a draw, a loss and a bye are worth.",
        )
        return None
    return format_


def _put_in(value: Any, path: str, options: Mapping[str, OptionValue], problems: Problems) -> Any:
    """The value with every `{ option = "name" }` inside replaced by what the option says."""
    if isinstance(value, Mapping):
        inner = Node(value, path, problems)
        return {
            key: resolved(inner, str(key), options)
            if isinstance(each, Mapping) and set(each) == {"option"}
            else _put_in(each, key_path(path, str(key)), options, problems)
            for key, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [_put_in(each, f"{path}[{index}]", options, problems) for index, each in enumerate(value)]
    return value
