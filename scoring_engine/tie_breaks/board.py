"""Criteria of board games that look at one entrant's own rounds (附件2二, 附件3二).

Not here: what needs the opponents' points (`opponents`), the tied group (`head_to_head`) or the rounds before
(`earlier_rounds`).
"""

from scoring_engine.tie_breaks.records import CriterionOptions, Played, RoundResult, StandingRecord
from scoring_engine.values import Figure

COUNTED = ("counted", "not_counted")
NOT_COUNTED = ("not_counted", "counted")


def match_points(record: StandingRecord, _options: CriterionOptions) -> Figure | None:
    """积分: the points of all rounds, byes included."""
    return None if record.rounds is None else record.points


def violations(record: StandingRecord, _options: CriterionOptions) -> Figure | None:
    """违例次数, 犯规: how often he broke the rules; fewer stands ahead."""
    return record.violations


def wins(record: StandingRecord, options: CriterionOptions) -> Figure | None:
    """胜局: rounds won; a bye is none unless the option `byes` counts it (I-B-15), `forfeits` likewise (I-B-19)."""
    if record.rounds is None:
        return None
    return sum(_is_win(part, options) for part in record.rounds)


def _is_win(part: RoundResult, options: CriterionOptions) -> bool:
    if part.played is Played.BYE:
        return part.bye == "bye" and options["byes"] == "counted"
    return part.won and _counts(part, options)


def _counts(part: RoundResult, options: CriterionOptions) -> bool:
    """Whether a round is a game here: one that was played, or a forfeit where the option says so."""
    return part.played is Played.GAME or (part.played is Played.FORFEIT and options["forfeits"] == "counted")


def games_moving_second(record: StandingRecord, options: CriterionOptions) -> Figure | None:
    """后走局数: games in which he moved second; a bye is none."""
    if record.rounds is None:
        return None
    return sum(part.second and _counts(part, options) for part in record.rounds)


def wins_moving_second(record: StandingRecord, options: CriterionOptions) -> Figure | None:
    """后走胜局: games won in which he moved second; a bye is none."""
    if record.rounds is None:
        return None
    return sum(part.second and part.won and _counts(part, options) for part in record.rounds)
