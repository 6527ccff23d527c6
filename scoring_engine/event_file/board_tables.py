"""Reading one round of a board game (围棋, 象棋) from an event file.

A table is `{"number": 1, "first": "e1", "second": "e5", "winner": "e1"}`; `"winner": null` is a draw, no `winner` at all a
game without a result yet; `"forfeits": ["e5"]` names who did not appear, and `winner` may then be left out; `"handicap": 2`
are the stones the first mover received. A bye is an id, or `{"entrant": "e4", "kind": "half"}` with a kind of the
regulation.
"""

from scoring_engine.documents import Node
from scoring_engine.event_file.byes import read_byes
from scoring_engine.event_file.ids import Ids
from scoring_engine.event_file.seating import Seating, read_forfeits
from scoring_engine.records import GameRecord, RoundRecord
from scoring_engine.rules import StageRule
from scoring_engine.values import EntrantId

_MOST_STONES = 50
_KEYS = ("number", "first", "second", "winner", "forfeits", "handicap", "note")


def read_round(node: Node, number: int, rule: StageRule, ids: Ids) -> RoundRecord:
    """One round; every entrant has one seat or one bye, or neither."""
    seating = Seating(ids.problems)
    games: list[GameRecord] = []
    for part in node.nodes("tables"):
        game = _game(part, rule, ids)
        if game is None:
            continue
        seating.open_table(part.at("number"), game.number)
        for key, seat in zip(("first", "second"), game.seats, strict=True):
            seating.seat(part.at(key), seat, game.number)
        games.append(game)
    kinds = read_byes(node, seating, ids.rules.board.byes, ids)
    return RoundRecord(number, (), seating.byes, node.path, tuple(games), kinds)


def _game(node: Node, rule: StageRule, ids: Ids) -> GameRecord | None:
    before = len(ids.problems.found)
    for key in node.value:
        if key not in _KEYS:
            node.problems.add(node.at(str(key)), f"一台棋没有 {key} 这一项。", f"A board has no key {key}.")
    number = node.integer("number", 1)
    first = ids.known(node.at("first"), node.value.get("first"))
    second = ids.known(node.at("second"), node.value.get("second"))
    forfeits = read_forfeits(node, (first, second), ids)
    stones = node.integer("handicap", 0, _MOST_STONES) if node.has("handicap") else 0
    if number is None or first is None or second is None or stones is None:
        return None
    if first == second:
        node.problems.add(
            node.at("second"), f"{first} 不能与自己对局。", f"{first} cannot play against himself."
        )
    if ids.groups.get(first) != ids.groups.get(second):
        node.problems.add(
            node.at("second"),
            f"{first} 与 {second} 不在同一组。",
            f"{first} and {second} are not in one group.",
        )
    winner = _winner(node, (first, second), forfeits, rule, ids)
    if len(ids.problems.found) > before:
        return None
    ended = "winner" in node.value or bool(forfeits)
    return GameRecord(number, first, second, winner, ended, forfeits, stones, node.path)


def _winner(
    node: Node, seats: tuple[EntrantId, EntrantId], forfeits: frozenset[EntrantId], rule: StageRule, ids: Ids
) -> EntrantId | None:
    """The winner written there, or the one a forfeit leaves; None for a draw, a double forfeit, and no result."""
    written = node.value.get("winner")
    present = [seat for seat in seats if seat not in forfeits]
    if written is not None:
        winner = ids.known(node.at("winner"), written)
        if winner is None:
            return None
        if winner not in seats:
            node.problems.add(node.at("winner"), f"{winner} 不在本桌。", f"{winner} is not at this table.")
        elif winner in forfeits:
            clause = ids.rules.scoring_clause
            node.problems.add(
                node.at("winner"),
                f"{winner} 弃权，不能是胜方（规程 {clause}）。",
                f"{winner} forfeited and cannot be the winner (regulation, {clause}).",
            )
        return winner
    if len(forfeits) == 1:
        if "winner" in node.value:
            node.problems.add(
                node.at("winner"),
                f"一方弃权，胜方是 {present[0]}，不是和棋（规程 {rule.clause}）。",
                f"One side forfeited: {present[0]} wins, it is no draw (regulation, {rule.clause}).",
            )
        return present[0]
    return None
