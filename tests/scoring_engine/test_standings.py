"""Standings of small random events equal a slow reading of the definitions, round by round and opponent by opponent."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

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
Violations = Mapping[tuple[EntrantId, int], int]

SCORES: Mapping[str, Mapping[str, Any]] = {
    "whole": {},
    "halves": {
        "win": 1,
        "draw": "0.5",
        "forfeit_win": 1,
        "byes": {"bye": 1, "half": "0.5", "absent": 0},
    },
}
CHAIN = (
    "match_points",
    "opponent_score",
    "violations",
    "wins",
    "progressive_cut",
    "head_to_head",
    "previous_round_rank",
)
LOW = ("violations", "previous_round_rank")
OPTIONS = st.fixed_dictionaries(
    {
        "opponent_score": st.fixed_dictionaries(
            {
                "own_unplayed": st.sampled_from(["zero", "lowest_score", "own_score", "start_score"]),
                "forfeits": st.sampled_from(["opponent", "unplayed"]),
                "opponent_unplayed": st.sampled_from(["as_scored", "draws", "trailing_draws"]),
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
                "scope": st.sampled_from(["two", "group", "certain"]),
                "forfeits": st.sampled_from(["counted", "not_counted"]),
            }
        ),
        "previous_round_rank": st.fixed_dictionaries({"compares": st.sampled_from(["standings", "points"])}),
    }
)


class Event(NamedTuple):
    """An event to rank: the rules, what each round gave, where everybody began, how often he broke the rules."""

    rules: ScoringRules
    results: Results
    starts: Mapping[EntrantId, Points]
    violations: Violations


@st.composite
def events(draw: st.DrawFn) -> Event:
    """Four to seven players in one to four rounds: games, tables of three, forfeits, handicaps, byes, absences; some
    withdraw, some break the rules."""
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
        while len(order) > 2 and draw(st.integers(0, 3)) == 0:
            table, order = order[:3], order[3:]
            forfeit = draw(st.integers(0, 3)) == 0
            for own in table:
                worth = draw(st.sampled_from([board.win, board.draw, board.loss]))
                results[own].append(
                    RoundResult(
                        number,
                        Played.FORFEIT if forfeit else Played.GAME,
                        worth,
                        tuple(other for other in table if other != own),
                        won=worth == board.win,
                        drawn=worth == board.draw,
                        stones=draw(st.integers(-1, 1)),
                    )
                )
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
    violations = {
        (entrant, part.round): draw(st.sampled_from([0, 0, 1, 2]))
        for entrant, parts in results.items()
        for part in parts
    }
    return Event(found, results, starts, violations)


class Reference:
    """The definitions again, each written out for one entrant after one round, with nothing kept."""

    def __init__(self, event: Event) -> None:
        self.options = {link.code: link.options for link in event.rules.ranking}
        self.board = event.rules.board
        self.results = event.results
        self.starts = event.starts
        self.broken = event.violations

    def rounds(self, entrant: EntrantId, after: int) -> list[RoundResult]:
        return [part for part in self.results[entrant] if part.round <= after]

    def points(self, entrant: EntrantId, after: int) -> Fraction:
        total = Fraction(self.starts[entrant])
        for part in self.rounds(entrant, after):
            total += part.points
        return total

    def given(self, entrant: EntrantId, after: int) -> Fraction:
        total = self.points(entrant, after)
        wanted = self.options["opponent_score"]["opponent_unplayed"]
        rounds = self.rounds(entrant, after)
        for index, part in enumerate(rounds):
            if part.played is Played.GAME or wanted == "as_scored":
                continue
            played_later = any(later.played is Played.GAME for later in rounds[index:])
            if wanted == "draws" or (not played_later and part.points == 0):
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
                added = sum((self.given(each, after) for each in part.opponents), Fraction(0))
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
        """His points against the tied; None unless everybody tied has met everybody tied. `certain`: see there."""
        options = self.options["head_to_head"]
        if len(tied) < 2 or (options["scope"] == "two" and len(tied) > 2):
            return None
        if options["scope"] == "certain":
            return self.certainly_behind(entrant, tied, after)
        for one in tied:
            for other in tied:
                if one != other and not self.games(one, other, after):
                    return None
        return self.taken(entrant, tied, after)

    def taken(self, entrant: EntrantId, tied: Sequence[EntrantId], after: int) -> Fraction:
        met = [part for other in tied for part in self.games(entrant, other, after)]
        return sum(
            (Fraction(part.points) for part in {part.round: part for part in met}.values()), Fraction(0)
        )

    def certainly_behind(self, entrant: EntrantId, tied: Sequence[EntrantId], after: int) -> Fraction:
        """Over all ways to part the tied in two so that nobody below can reach anybody above: how many are then below
        him in one of them."""
        least = {each: self.taken(each, tied, after) for each in tied}
        most = {
            each: least[each]
            + sum(self.board.win for other in tied if other != each and not self.games(each, other, after))
            for each in tied
        }
        behind: set[EntrantId] = set()
        for size in range(1, len(tied)):
            for above in combinations(tied, size):
                below = set(tied) - set(above)
                if entrant in above and min(least[each] for each in above) > max(
                    most[each] for each in below
                ):
                    behind |= below
        return Fraction(len(behind))

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
                for value in sorted(set(found.values()), reverse=code not in LOW):
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
            case "violations":
                return sum(self.broken.get((entrant, part.round), 0) for part in self.rounds(entrant, after))
            case "wins":
                return self.wins(entrant, after)
            case "progressive_cut":
                return self.progressive(entrant, after)
            case "head_to_head":
                return self.head_to_head(entrant, tied, after)
        return self.earlier(entrant, after)


def ranked(event: Event) -> tuple[Placing, ...]:
    entrants = [Entrant(entrant, entrant, start=event.starts[entrant]) for entrant in event.results]
    scale = board_scale(event.rules)
    return rank_field(entrants, event.results, event.violations, None, event.rules, scale=scale)[1]


@settings(deadline=None)  # the reference is slow on purpose
@given(event=events())
def test_ranks_and_every_value_equal_those_of_the_definitions(event: Event) -> None:
    last = max(part.round for parts in event.results.values() for part in parts)
    expected = Reference(event).standings(last)
    placings = ranked(event)
    assert {placing.entrant: placing.rank for placing in placings} == {
        entrant: rank for entrant, (rank, _) in expected.items()
    }
    for placing in placings:
        assert tuple(each.value for each in placing.values) == expected[placing.entrant][1], placing.entrant


@settings(deadline=None)  # the first example pays for what is loaded then
@given(event=events())
def test_a_whole_number_of_points_is_an_int_and_nothing_is_a_float(event: Event) -> None:
    for placing in ranked(event):
        points = placing.values[0].value
        assert isinstance(points, int | Fraction)
        assert isinstance(points, int) == (points.denominator == 1)
        for each in placing.values:
            for part in each.value if isinstance(each.value, tuple) else (each.value,):
                assert part is None or isinstance(part, int | Fraction)
