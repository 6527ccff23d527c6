"""What the boards of one round give their players (围棋, 象棋): 附件2二, 附件3二.

| rule | here |
|---|---|
| points of a win, a draw, a loss, a forfeit, a double forfeit (I-B-15, I-B-19) | `game_points` |
| points of a bye, by its name (I-B-15) | `bye_result` |
| neither seat nor bye in a round: not paired, late, withdrawn (退赛) | the bye `absent`; earlier points stay |
"""

from collections.abc import Sequence

from scoring_engine.records import EventRecord, GameRecord, RoundRecord
from scoring_engine.rules import BoardRules, ScoringRules
from scoring_engine.stages.swiss import ABSENT, RoundResults, SwissScale
from scoring_engine.tie_breaks.records import Played, RoundResult
from scoring_engine.values import EntrantId, Points


def board_scale(rules: ScoringRules) -> SwissScale:
    """What rounds of a board game are worth."""
    return SwissScale(rules.board.win, rules.board.draw, whole_byes=rules.board.whole_byes)


def board_games(part: RoundRecord, _event: EventRecord) -> Sequence[GameRecord]:
    """The games of a round, by number; a game needs no scoring of its own."""
    return sorted(part.games, key=lambda game: game.number)


def board_results(part: RoundRecord, games: Sequence[GameRecord], event: EventRecord) -> RoundResults:
    """The round of every entrant; None for the players of a game without a result."""
    board = event.rules.board
    found: RoundResults = {entrant.id: bye_result(part.number, ABSENT, board) for entrant in event.entrants}
    for bye in part.byes:
        found[bye] = bye_result(part.number, part.bye_kinds[bye], board)
    for game in games:
        for seat in game.seats:
            found[seat] = _of_game(game, seat, part.number, board) if game.ended else None
    return found


def bye_result(number: int, kind: str, board: BoardRules) -> RoundResult:
    """A round without a game, by the name of the bye."""
    played = Played.ABSENT if kind == ABSENT else Played.BYE
    return RoundResult(number, played, board.byes[kind], bye=kind)


def game_points(game: GameRecord, seat: EntrantId, board: BoardRules) -> Points:
    """The points of one player of a game that has a result; of a double forfeit (双方弃权) both have those of a forfeit."""
    won = game.winner == seat
    if game.forfeits:
        return board.forfeit_win if won else board.forfeit_loss
    if game.winner is None:
        return board.draw
    return board.win if won else board.loss


def _of_game(game: GameRecord, seat: EntrantId, number: int, board: BoardRules) -> RoundResult:
    second = seat == game.second
    won = game.winner == seat
    drawn = game.winner is None and not game.forfeits
    return RoundResult(
        number,
        Played.FORFEIT if game.forfeits else Played.GAME,
        game_points(game, seat, board),
        (game.first if second else game.second,),
        second,
        won,
        drawn,
        game.stones if second else -game.stones,
    )


def board_forfeits(part: RoundRecord, _event: EventRecord) -> frozenset[EntrantId]:
    """Who did not appear in a round."""
    return frozenset(one for game in part.games for one in game.forfeits)
