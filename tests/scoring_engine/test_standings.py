"""Standings of small random events equal a slow reading of the definitions, round by round and opponent by opponent."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring_engine.ranking import Placing
from scoring_engine.rules import ScoringRules
from scoring_engine.stages.board_rounds import board_scale
from scoring_engine.stages.swiss import rank_field
from scoring_engine.tie_breaks.records import Played, RoundResult
from scoring_engine.values import Entrant, EntrantId, Points
from tests.scoring_engine.board_events import rules

Results = Mapping[EntrantId, Sequence[RoundResult]]

SCORES: Mapping[str, Mapping[str, Any]] = {
    "whole": {},
    "halves": {
        "win": 1,
        "draw": "0.5",
        "forfeit_win": 1,
        "byes": {"bye": 1, "half": "0.5", "absent": 0},
    },
}
CHAIN = ("match_points", "opponent_score", "wins", "progressive_cut", "head_to_head", "previous_round_rank")
OPTIONS = st.fixed_dictionaries(
    {
        "opponent_score": st.fixed_dictionaries(
            {
                "own_unplayed": st.sampled_from(["zero", "lowest_score", "own_score", "start_score"]),
                "forfeits": st.sampled_from(["opponent", "unplayed"]),
                "opponent_unplayed": st.sampled_from(["as_scored", "draws"]),
                "cut": st.integers(0, 2),
                "handicap": st.sampled_from(["ignored", "counted"]),
            }
        ),
        "wins": st.fixed_dictionaries(
            {
                "byes": st.sampled_from(["counted", "not_counted"]),
                "forfeits": st.sampled_from(["counted", "not_counted"]),
            }
        ),
        "progressive_cut": st.fixed_dictionaries(
            {"variant": st.sampled_from(["opponents", "own_last", "own_first"])}
        ),
        "head_to_head": st.fixed_dictionaries(
            {
                "scope": st.sampled_from(["two", "group"]),
                "forfeits": st.sampled_from(["counted", "not_counted"]),
            }
        ),
        "previous_round_rank": st.fixed_dictionaries({"compares": st.sampled_from(["standings", "points"])}),
    }
)


@st.composite
def events(draw: st.DrawFn) -> tuple[ScoringRules, Results, Mapping[EntrantId, Points]]:
    """Four to seven players in one to four rounds: games, forfeits, handicaps, byes, absences; some withdraw."""
    scores = draw(st.sampled_from(sorted(SCORES)))
    found = rules(CHAIN, draw(OPTIONS), scoring=SCORES[scores])
    board = found.board
    everybody = [EntrantId(f"e{number}") for number in range(1, draw(st.integers(4, 7)) + 1)]
    results: dict[EntrantId, list[RoundResult]] = {entrant: [] for entrant in everybody}
    playing = list(everybody)
    for number in range(1, draw(st.integers(1, 4)) + 1):
        if draw(st.booleans()) and len(playing) > 2:
            playing.remove(draw(st.sampled_from(playing)))
        order = draw(st.permutations(playing))
        for first, second in zip(order[::2], order[1::2], strict=False):
            kind = draw(st.sampled_from("+-=FfX"))
            stones = draw(st.integers(0, 2))
            for own, other, mine in ((first, second, "+"), (second, first, "-")):
                forfeit = kind in "FfX"
                won = kind == mine or kind == {"+": "f", "-": "F"}[mine]
                points = {
                    (True, True): board.forfeit_win,
                    (True, False): board.forfeit_loss,
                    (False, True): board.win,
                    (False, False): board.draw if kind == "=" else board.loss,
                }[forfeit, won]
                played = Played.FORFEIT if forfeit else Played.GAME
                received = stones if own == second else -stones
                results[own].append(
                    RoundResult(number, played, points, (other,), own == second, won, kind == "=", received)
                )
        for entrant in everybody:
            if len(results[entrant]) < number:
                name = draw(st.sampled_from(sorted(board.byes)))
                played = Played.ABSENT if name == "absent" else Played.BYE
                results[entrant].append(RoundResult(number, played, board.byes[name], bye=name))
    starts: dict[EntrantId, Points] = {entrant: draw(st.sampled_from([0, 0, 1])) for entrant in everybody}
    return found, results, starts


class Reference:
    """The definitions again, each written out for one entrant after one round, with nothing kept."""

    def __init__(self, found: ScoringRules, results: Results, starts: Mapping[EntrantId, Points]) -> None:
        self.options = {link.code: link.options for link in found.ranking}
        self.board = found.board
        self.results = results
        self.starts = starts

    def rounds(self, entrant: EntrantId, after: int) -> list[RoundResult]:
        return [part for part in self.results[entrant] if part.round <= after]

    def points(self, entrant: EntrantId, after: int) -> Fraction:
        total = Fraction(self.starts[entrant])
        for part in self.rounds(entrant, after):
            total += part.points
        return total

    def given(self, entrant: EntrantId, after: int) -> Fraction:
        total = self.points(entrant, after)
        if self.options["opponent_score"]["opponent_unplayed"] == "draws":
            for part in self.rounds(entrant, after):
                if part.played is not Played.GAME:
                    total = total - part.points + self.board.draw
        return total

    def contributions(self, entrant: EntrantId, after: int) -> list[Fraction]:
        options = self.options["opponent_score"]
        worth: list[tuple[Fraction, bool]] = []
        for part in self.rounds(entrant, after):
            forfeit = part.played is Played.FORFEIT
            if not part.opponents or (forfeit and options["forfeits"] == "unplayed"):
                added = {
                    "zero": Fraction(0),
                    "lowest_score": min(self.points(each, after) for each in self.results),
                    "own_score": self.points(entrant, after),
                    "start_score": Fraction(self.starts[entrant]),
                }[str(options["own_unplayed"])]
                worth.append((added, False))
            else:
                added = self.given(part.opponents[0], after)
                worth.append((added + part.stones if options["handicap"] == "counted" else added, True))
        left = list(range(len(worth)))
        for _ in range(min(int(options["cut"]), len(worth))):
            left.remove(min(left, key=lambda index: (worth[index], index)))
        return [worth[index][0] if index in left else Fraction(0) for index in range(len(worth))]

    def wins(self, entrant: EntrantId, after: int) -> int:
        options = self.options["wins"]
        count = 0
        for part in self.rounds(entrant, after):
            if part.bye == "bye":
                count += options["byes"] == "counted"
            elif part.played is Played.FORFEIT:
                count += part.won and options["forfeits"] == "counted"
            elif part.won:
                count += 1
        return count

    def progressive(self, entrant: EntrantId, after: int) -> tuple[Fraction, ...]:
        variant = self.options["progressive_cut"]["variant"]
        own = [Fraction(part.points) for part in self.rounds(entrant, after)]
        if variant == "opponents":
            own = self.contributions(entrant, after)
        answer = []
        for cut in range(1, len(own) + 1):
            if variant == "own_first":
                answer.append(
                    sum((sum(own[:end], Fraction(0)) for end in range(cut + 1, len(own) + 1)), Fraction(0))
                )
            else:
                answer.append(sum(own[: len(own) - cut], Fraction(0)))
        return tuple(answer)

    def head_to_head(self, entrant: EntrantId, tied: Sequence[EntrantId], after: int) -> Fraction | None:
        """His points against the tied; None unless everybody tied has met everybody tied."""
        options = self.options["head_to_head"]
        if len(tied) < 2 or (options["scope"] == "two" and len(tied) > 2):
            return None
        for one in tied:
            for other in tied:
                if one != other and not self.games(one, other, after):
                    return None
        return sum(
            (Fraction(part.points) for other in tied for part in self.games(entrant, other, after)),
            Fraction(0),
        )

    def games(self, one: EntrantId, other: EntrantId, after: int) -> list[RoundResult]:
        counted = self.options["head_to_head"]["forfeits"] == "counted"
        return [
            part
            for part in self.rounds(one, after)
            if other in part.opponents and (part.played is Played.GAME or counted)
        ]

    def earlier(self, entrant: EntrantId, after: int) -> tuple[int, ...] | None:
        if after < 2:
            return None
        if self.options["previous_round_rank"]["compares"] == "points":
            return tuple(
                1 + sum(self.points(each, number) > self.points(entrant, number) for each in self.results)
                for number in range(after - 1, 0, -1)
            )
        return tuple(self.standings(number)[entrant][0] for number in range(after - 1, 0, -1))

    def standings(self, after: int) -> dict[EntrantId, tuple[int, tuple[Any, ...]]]:
        """Rank and values of everybody: who is ahead in the first value that both have and that differs."""
        tied_groups = [list(self.results)]
        values: dict[EntrantId, list[Any]] = {entrant: [] for entrant in self.results}
        for code in CHAIN:
            split: list[list[EntrantId]] = []
            for tied in tied_groups:
                found = {entrant: self.value(code, entrant, tied, after) for entrant in tied}
                for entrant in tied:
                    values[entrant].append(found[entrant])
                if any(value is None for value in found.values()):
                    split.append(tied)
                    continue
                for value in sorted(set(found.values()), reverse=code != "previous_round_rank"):
                    split.append([entrant for entrant in tied if found[entrant] == value])
            tied_groups = split
        answer: dict[EntrantId, tuple[int, tuple[Any, ...]]] = {}
        for tied in tied_groups:
            rank = len(answer) + 1
            for entrant in tied:
                answer[entrant] = (rank, tuple(values[entrant]))
        return answer

    def value(self, code: str, entrant: EntrantId, tied: Sequence[EntrantId], after: int) -> Any:
        match code:
            case "match_points":
                return self.points(entrant, after)
            case "opponent_score":
                return sum(self.contributions(entrant, after), Fraction(0))
            case "wins":
                return self.wins(entrant, after)
            case "progressive_cut":
                return self.progressive(entrant, after)
            case "head_to_head":
                return self.head_to_head(entrant, tied, after)
        return self.earlier(entrant, after)


def ranked(found: ScoringRules, results: Results, starts: Mapping[EntrantId, Points]) -> tuple[Placing, ...]:
    entrants = [Entrant(entrant, entrant, start=starts[entrant]) for entrant in results]
    return rank_field(entrants, results, {}, None, found, scale=board_scale(found))[1]


@settings(deadline=None)  # the reference is slow on purpose
@given(event=events())
def test_ranks_and_every_value_equal_those_of_the_definitions(
    event: tuple[ScoringRules, Results, Mapping[EntrantId, Points]],
) -> None:
    found, results, starts = event
    last = max(part.round for parts in results.values() for part in parts)
    expected = Reference(found, results, starts).standings(last)
    placings = ranked(*event)
    assert {placing.entrant: placing.rank for placing in placings} == {
        entrant: rank for entrant, (rank, _) in expected.items()
    }
    for placing in placings:
        assert tuple(each.value for each in placing.values) == expected[placing.entrant][1], placing.entrant


@settings(deadline=None)  # the first example pays for what is loaded then
@given(event=events())
def test_a_whole_number_of_points_is_an_int_and_nothing_is_a_float(
    event: tuple[ScoringRules, Results, Mapping[EntrantId, Points]],
) -> None:
    for placing in ranked(*event):
        points = placing.values[0].value
        assert isinstance(points, int | Fraction)
        assert isinstance(points, int) == (points.denominator == 1)
        for each in placing.values:
            for part in each.value if isinstance(each.value, tuple) else (each.value,):
                assert part is None or isinstance(part, int | Fraction)
