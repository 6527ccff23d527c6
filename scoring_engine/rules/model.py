"""The frozen types of ScoringRules."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from scoring_engine.documents import DocumentError, Problems
from scoring_engine.penalties.effects import Effect
from scoring_engine.rules.award_points import AwardPoints
from scoring_engine.rules.options import OptionValue
from scoring_engine.rules.pairing_parts import PairingRules
from scoring_engine.rules.round_points import RoundPoints
from scoring_engine.rules.stage_kinds import Format, format_of
from scoring_engine.tractor.matches.formats import MatchFormat
from scoring_engine.tractor.tricks.formats import LOWERED, TrickFormat
from scoring_engine.values import Points, StageCode, Text

DOUBLINGS = ("rockets", "bombs", "spring", "anti_spring")
BYE_KINDS = ("bye", "half", "zero", "absent")
"""What a round not played can be called in an event file; a regulation says what each it knows is worth."""
PLAYOFF = StageCode("playoff")
"""The stage code of deals played to break a tie; every regulation with `playoff_deals` has it, none declares it."""


class RulesError(DocumentError):
    """A regulation the engine cannot use; `.path`, `.message` are its first problem, `.problems` all."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """One link of the ranking chain (名次依据), with its options (`tie_breaks.CRITERIA`) resolved.

    label: the text's own word, where it is not that of `CRITERIA` (场分 for 积分).
    """

    code: str
    clause: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    label: Text | None = None


@dataclass(frozen=True, slots=True)
class LandlordRules:
    """How a deal of 二打一 is scored. `deal_clauses` are those of single keys of a deal.

    first_seat: the seat (0…2) that bids first in deal 1, None where it is drawn. rounds: what a round is worth, where the
    game is played in rounds (B3); None in a knock-out.
    """

    bids: tuple[int, ...]
    doublings: tuple[str, ...]
    deal_clauses: Mapping[str, str]
    first_seat: int | None = None
    rounds: RoundPoints | None = None


@dataclass(frozen=True, slots=True)
class BoardRules:
    """What a round of a board game (围棋, 象棋) is worth.

    win, draw, loss: points of a game. forfeit_win, forfeit_loss: points where one side forfeits (弃权); where both do,
    each has forfeit_loss. byes: points of a round without a game, by its name; `absent` is the one of an entrant who is
    neither seated nor has a bye. whole_byes: the sum of all byes is rounded down to a whole point.
    """

    win: Points
    draw: Points
    loss: Points
    forfeit_win: Points
    forfeit_loss: Points
    byes: Mapping[str, Points]
    whole_byes: bool


@dataclass(frozen=True, slots=True)
class StageRule:
    """One stage (阶段). `deals` is per table; `places` counts direct entrants too and is None for the last stage.

    rounds: how many rounds the stage has. group: how few and how many entrants a group (组别) may have; None where the
    text says nothing. minutes: how long a round lasts; None where the text says nothing or the sheet does not need it.
    call_minutes: how many minutes before its end the last deals are announced; None where the text says nothing.
    """

    code: StageCode
    kind: str
    deals: int
    places: int | None
    playoff_deals: int
    clause: str
    rounds: int = 1
    group: tuple[int, int] | None = None
    minutes: int | None = None
    call_minutes: int | None = None


@dataclass(frozen=True, slots=True)
class PenaltyRule:
    """One penalty (罚则). `points` is the signed amount each time; `every` the number of warnings that cost it."""

    id: str
    effect: Effect
    points: int
    every: int
    name: Text
    clause: str


@dataclass(frozen=True, slots=True)
class TeamRule:
    """How team results (团体) are made: the sum of `size` members of one unit (附件4七(二), I-B-10).

    unnamed: of a unit that names nobody the `best` make the team, or it has `none`. ties: equal sums are separated by the
    sums in the rest of the `chain`, by those of `game_points` alone, or are `shared`.
    """

    size: int
    unnamed: str
    ties: str
    clause: str


@dataclass(frozen=True, slots=True)
class PrizeRule:
    """One prize (奖项): for the ranks `first_rank`…`last_rank`, `chosen` times by the organiser, or for a round.

    `amount` is in yuan; None where the text names none. goods: it is paid in goods (奖品), not in money. share: how the prize
    finds its winners in a bracket. of_teams: the ranks are those of teams.
    """

    prize: str
    label: Text
    first_rank: int | None
    last_rank: int | None
    chosen: int | None
    amount: Fraction | None
    clause: str
    share: "PrizeShare | None" = None
    of_teams: bool = False
    goods: bool = False


@dataclass(frozen=True, slots=True)
class PrizeShare:
    """A prize that follows the rounds of a bracket (I-D-6), or a number of entrants the organiser sets instead.

    by: `rounds` – everybody who passed exactly `passed` rounds –; `counts` – the next `count` in the order of the
    placings –; `percents` – the next `percent` of the field, the sum of the percentages rounded up.
    """

    by: str
    passed: int
    count: int | None = None
    percent: int | None = None


@dataclass(frozen=True, slots=True)
class Rewarded:
    """How much of the field is rewarded (总计排名前50%): all prizes together must come to it, rounded up."""

    percent: int
    clause: str


def allows(allowed: tuple[OptionValue, ...] | range, value: object) -> bool:
    """Whether an option may take this value; true and 1 are different values."""
    if isinstance(allowed, range):
        return isinstance(value, int) and not isinstance(value, bool) and value in allowed
    return any(type(choice) is type(value) and choice == value for choice in allowed)


def shown(allowed: tuple[OptionValue, ...] | range, comma: str = ", ") -> str:
    """The values an option may take, as a sentence lists them."""
    if isinstance(allowed, range):
        return f"{allowed.start}…{allowed.stop - 1}"
    return comma.join(as_written(choice) for choice in allowed)


def as_written(value: OptionValue) -> str:
    """A value of an option as a document writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One reading of a silent or contradictory sentence: an option, its default and the values it may take.

    clause: where the sentence stands; empty where the document does not say.
    """

    id: str
    option: str
    default: OptionValue
    allowed: tuple[OptionValue, ...] | range
    clause: str = ""

    def problem_with(self, value: object) -> Text | None:
        """What is wrong with a chosen value, or None."""
        if allows(self.allowed, value):
            return None
        return Text(
            f"选项 {self.option}（{self.id}）只能取：{shown(self.allowed, '、')}。",
            f"Option {self.option} ({self.id}) can only be: {shown(self.allowed)}.",
        )


@dataclass(frozen=True, slots=True)
class ScoringRules:
    """The engine's part of one regulation, options resolved. Build it with `from_mapping`.

    `scoring` is the part of its game (`rules.games.GAMES`); `landlord`, `board` and `match` give it typed. `penalties` are
    those of the score sheet; 升级 has its own in `match.penalties`. points: what places are worth beyond the event. pairing: how a Swiss event is paired; None where the
    regulation does not say, so that it can be scored alone.
    """

    id: str
    game: str
    scoring: LandlordRules | BoardRules | MatchFormat
    scoring_clause: str
    ranking: tuple[Criterion, ...]
    stages: tuple[StageRule, ...]
    penalties: Mapping[str, PenaltyRule]
    prizes: tuple[PrizeRule, ...]
    interpretations: Mapping[str, Interpretation]
    options: Mapping[str, OptionValue]
    source: Mapping[str, Any] = field(repr=False, compare=False)
    rewarded: Rewarded | None = None
    teams: TeamRule | None = None
    pairing: PairingRules | None = None
    points: AwardPoints | None = None

    @classmethod
    def from_mapping(
        cls, mapping: Mapping[str, Any], options: Mapping[str, Any] | None = None
    ) -> "ScoringRules":
        """Read a regulation document; see the module's example for its keys.

        `options` overrides the document's own `options` table, which overrides the defaults.
        Raises `RulesError` holding every problem with its path (`$.ranking[0].criterion`).
        """
        if not isinstance(mapping, Mapping):
            problems = Problems()
            problems.wrong_type("$", dict)
            raise RulesError(problems.found)
        from scoring_engine.rules.reading import read_rules  # reading builds these types

        return read_rules(mapping, options or {})

    def with_options(self, options: Mapping[str, Any]) -> "ScoringRules":
        """The same regulation with these options chosen as well; `RulesError` paths start at `$.options`."""
        return self.from_mapping(self.source, {**self.options, **options}) if options else self

    @property
    def landlord(self) -> LandlordRules:
        """The part of 二打一. Raises TypeError for a regulation of another game."""
        if not isinstance(self.scoring, LandlordRules):
            raise TypeError(f"{self.id} is no regulation of landlord")
        return self.scoring

    @property
    def rounds(self) -> RoundPoints:
        """What a round of 二打一 is worth. Raises TypeError for a regulation that is not played in rounds."""
        if self.landlord.rounds is None:
            raise TypeError(f"{self.id} is not played in rounds")
        return self.landlord.rounds

    @property
    def board(self) -> BoardRules:
        """The part of a board game. Raises TypeError for a regulation of another game."""
        if not isinstance(self.scoring, BoardRules):
            raise TypeError(f"{self.id} is no regulation of a board game")
        return self.scoring

    @property
    def match(self) -> MatchFormat:
        """The part of 升级. Raises TypeError for a regulation of another game."""
        if not isinstance(self.scoring, MatchFormat):
            raise TypeError(f"{self.id} is no regulation of 升级")
        return self.scoring

    @property
    def tricks(self) -> TrickFormat:
        """How tricks of 升级 are judged, by the options in force. Raises TypeError for a regulation of another game."""
        match = self.match
        return TrickFormat.build(
            match.deck.decks,
            self.options,
            {option: (reading.id, reading.clause) for option, reading in self.interpretations.items()},
            match.clause_of,
            match.clauses.get(LOWERED),
        )

    @property
    def bids(self) -> tuple[int, ...]:
        """叫分, lowest first."""
        return self.landlord.bids

    @property
    def doublings(self) -> tuple[str, ...]:
        """加倍项: what n of 2^n counts."""
        return self.landlord.doublings

    @property
    def deal_clauses(self) -> Mapping[str, str]:
        """The clauses of single keys of a deal."""
        return self.landlord.deal_clauses

    @property
    def format(self) -> Format:
        """Knock-out (淘汰) or Swiss (积分编排); all stages of a regulation are of one format."""
        return format_of(self.stages[0].kind)

    def clause_of(self, key: str) -> str:
        """The clause behind one key of a deal (`bid`, `spring` …): its own, else that of the scoring."""
        return self.deal_clauses.get(key, self.scoring_clause)

    def option(self, name: str) -> str:
        """The chosen word of an option, e.g. `option("zero_score") == "exact"`."""
        return str(self.options[name])

    def interpretation_of(self, option: str) -> str:
        """The id of the interpretation behind an option, e.g. I-A-12."""
        return self.interpretations[option].id

    def stage(self, code: str) -> StageRule | None:
        """The rule of a stage, or None where the regulation has no such stage."""
        return next((stage for stage in self.stages if stage.code == code), None)

    @property
    def stage_codes(self) -> tuple[str, ...]:
        """Every stage code an event file of this regulation may use."""
        extra = (PLAYOFF,) if any(stage.playoff_deals for stage in self.stages) else ()
        return (*(stage.code for stage in self.stages), *extra)

    @property
    def chain(self) -> tuple[str, ...]:
        """The codes of the ranking chain, in order."""
        return tuple(criterion.code for criterion in self.ranking)
