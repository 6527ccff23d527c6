"""Criteria of board games that look at one entrant's own rounds (附件2二, 附件3二).

Not here: what needs the opponents' points (`opponents`), the tied group (`head_to_head`) or the rounds before
(`earlier_rounds`).
"""

from collections.abc import Mapping

from scoring_engine.rules.options import OptionValue
from scoring_engine.tie_breaks.records import CriterionOptions, Played, StandingRecord
from scoring_engine.values import Figure

COUNTED = ("counted", "not_counted")
NOT_COUNTED = ("not_counted", "counted")


def match_points(record: StandingRecord, _options: CriterionOptions) -> Figure | None:
    """积分: the points of all rounds, byes included."""
    return None if record.rounds is None else record.points


def violations(record: StandingRecord, _options: CriterionOptions) -> Figure | None:
    """违例次数, 犯规: how often he broke the rules; fewer stands ahead."""
    return record.violations


_GAMES: Mapping[OptionValue, tuple[Played, ...]] = {
    "counted": (Played.GAME, Played.FORFEIT),
    "not_counted": (Played.GAME,),
}
"""What is a game by the option `forfeits`: one that was played, or a forfeit too."""


def wins(record: StandingRecord, options: CriterionOptions) -> Figure | None:
    """胜局: rounds won; a bye is none unless the option `byes` counts it (I-B-15), `forfeits` likewise (I-B-19)."""
    if record.rounds is None:
        return None
    games = _GAMES[options["forfeits"]]
    won = len([1 for part in record.rounds if part.won and part.played in games])
    if options["byes"] == "counted":
        won += len([part for part in record.rounds if part.played is Played.BYE and part.bye == "bye"])
    return won


def games_moving_second(record: StandingRecord, options: CriterionOptions) -> Figure | None:
    """后走局数: games in which he moved second; a bye is none."""
    if record.rounds is None:
        return None
    games = _GAMES[options["forfeits"]]
    return len([part for part in record.rounds if part.second and part.played in games])


def wins_moving_second(record: StandingRecord, options: CriterionOptions) -> Figure | None:
    """后走胜局: games won in which he moved second; a bye is none."""
    if record.rounds is None:
        return None
    games = _GAMES[options["forfeits"]]
    return len([part for part in record.rounds if part.second and part.won and part.played in games])
