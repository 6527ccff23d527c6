"""A published draw of a Swiss round, made again: from its seed, its list, and the results of the rounds before it alone."""

from scoring_engine.event_file.differences import Difference, compare
from scoring_engine.event_file.replaying import Redrawn, Replay, draw_differences, round_of
from scoring_engine.event_file.rulings import ruling_differences
from scoring_engine.event_file.swiss_draws.answers import history_of
from scoring_engine.event_file.swiss_draws.rounds import draw_whole_round
from scoring_engine.event_file.swiss_games import SWISS_GAMES
from scoring_engine.pairing.repairs import Placed
from scoring_engine.records import DrawRecord, EventRecord


def swiss_replay(event: EventRecord) -> Replay:
    """The replay of every draw of this event; its rounds are scored once for all of them."""
    history = history_of(event, event.draws[0].path if event.draws else "$.earlier_regulations")
    game = SWISS_GAMES[event.rules.game]

    def differences(draw: DrawRecord) -> list[Difference]:
        due = min(history.due, history.rule.rounds)
        if draw.round > due:
            return compare(f"{draw.path}.round", "抽签的轮次", "The round of the draw", due, draw.round)
        away = history.away(draw.round)
        expected = sorted(entrant.id for entrant in event.entrants if entrant.id not in away)
        found = compare(
            f"{draw.path}.entrants", "抽签名单", "The list drawn from", expected, sorted(draw.entrants)
        )
        drawn = draw_whole_round(history, game.draw, draw.round, draw.seed, draw.entrants)
        redrawn = Redrawn(
            tuple(sorted(draw.entrants)),
            Placed(drawn.tables, drawn.byes),
            ordered_seats=game.ordered_seats,
        )
        found += ruling_differences(draw, [one for group in drawn.groups for one in group.drawn.broken])
        return found + draw_differences(draw, redrawn, round_of(event, draw))

    return differences
