"""Who goes on to the next stage (晋级), and what happens when the last place is tied.

Two tied for the last place play three deals with the best-ranked eliminated player; the winner takes the place
(A, 四(二)初赛, "复赛……规则同初赛"). The formula needs exactly three; anything else is a ruling (I-A-6).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring_engine.ranking import Placing
from scoring_engine.rules import ScoringRules, StageRule
from scoring_engine.values import EntrantId, NeedsRuling, Text, names_of

_PLAYERS = 3
_LOTS = Text("建议抽签。", "Drawing lots is suggested.")


@dataclass(frozen=True, slots=True)
class Tie:
    """A tie across the last place.

    tied: who shares it. places: how many places are left for them. candidates: the best-ranked eliminated, one or, if
    they share that rank, more. entrants: who plays, or empty where the text gives no answer, which `ruling` asks for.
    """

    tied: tuple[EntrantId, ...]
    places: int
    candidates: tuple[EntrantId, ...]
    entrants: tuple[EntrantId, ...]
    ruling: NeedsRuling | None


@dataclass(frozen=True, slots=True)
class Cut:
    """The line under the last place: who is through without a play-off, and the tie across the line, if any."""

    through: tuple[EntrantId, ...]
    tie: Tie | None


def cut(placings: Sequence[Placing], places: int, stage: StageRule, rules: ScoringRules) -> Cut:
    """Draw the line after `places` placings of a stage that has ended."""
    if len(placings) <= places:
        return Cut(tuple(placing.entrant for placing in placings), None)
    if places <= 0 or placings[places - 1].rank != placings[places].rank:
        return Cut(tuple(placing.entrant for placing in placings[: max(places, 0)]), None)
    rank = placings[places].rank
    tied = tuple(placing.entrant for placing in placings if placing.rank == rank)
    through = tuple(placing.entrant for placing in placings[: rank - 1])
    below = placings[rank - 1 + len(tied) :]
    candidates = tuple(placing.entrant for placing in below if placing.rank == below[0].rank)
    entrants: tuple[EntrantId, ...] = ()
    ruling = None
    if len(tied) == _PLAYERS and rules.option("cut_off_tie") == "three_tied_play":
        entrants = tied
    elif len(tied) == 2 and len(candidates) == 1:
        entrants = (*tied, *candidates)
    else:
        ruling = _ruling(tied, candidates, stage, rules)
    return Cut(through, Tie(tied, places - len(through), candidates, entrants, ruling))


def _ruling(
    tied: Sequence[EntrantId], candidates: Sequence[EntrantId], stage: StageRule, rules: ScoringRules
) -> NeedsRuling:
    reading = rules.interpretation_of("cut_off_tie")
    names, rivals = names_of(tied), names_of(candidates)
    if len(tied) > 2:
        reason = Text(
            f"最后一个晋级名额有{len(tied)}人并列（{names.zh}），规程只规定了两人并列的办法（{reading}）。",
            f"{len(tied)} entrants are tied for the last place ({names.en}); the text provides for two ({reading}).",
        )
    elif not candidates:
        reason = Text(
            f"{names.zh}并列最后一个晋级名额，但没有已被淘汰的选手可以同打三局（{reading}）。",
            f"{names.en} are tied for the last place, and there is no eliminated player for the three deals ({reading}).",
        )
    else:
        reason = Text(
            f"{names.zh}并列最后一个晋级名额，而已被淘汰者中有{len(candidates)}人并列最高"
            f"（{rivals.zh}），规程没有规定由谁参加三局（{reading}）。",
            f"{names.en} are tied for the last place, and {len(candidates)} share the best rank of the eliminated "
            f"({rivals.en}); the text does not say who plays ({reading}).",
        )
    return NeedsRuling(reason, stage.clause, _LOTS)
