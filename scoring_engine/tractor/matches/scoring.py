"""Scoring a whole match: lateness and forfeits, the deals in turn, the end."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scoring_engine.documents import key_path
from scoring_engine.tractor.lateness import LateTier
from scoring_engine.tractor.matches.faults import (
    Fault,
    ImpossibleMatchError,
    banker_faults,
    committed_faults,
    end_faults,
    order_faults,
    penalty_faults,
    points_faults,
)
from scoring_engine.tractor.matches.formats import MatchFormat
from scoring_engine.tractor.matches.notes import points_notes
from scoring_engine.tractor.matches.playing import State, play_deal
from scoring_engine.tractor.matches.records import Deal, Ended, Match
from scoring_engine.tractor.matches.results import DealScore, MatchScore, decide, match_points
from scoring_engine.tractor.penalties import Effect, Infringement, PenaltyLine, effect_of, signed
from scoring_engine.values import EntrantId, NeedsRuling, Text


def faults_of(match: Match, format_: MatchFormat, given: Sequence[Infringement] = ()) -> list[Fault]:
    """Everything that makes a match and its penalties impossible, with its path; empty where it can have happened."""
    return _Walk(match, format_, given).faults


def score_match(match: Match, format_: MatchFormat, given: Sequence[Infringement] = ()) -> MatchScore:
    """Both sides' levels, the bank and the result, with every deal explained. Raises ImpossibleMatchError.

    given: the penalties of this match, in the order they were given. Where lateness gives up the first deal, that deal may
    be left out of `deals`; it is number 1 all the same. Raises ValueError where the two sides are one.
    """
    walk = _Walk(match, format_, given)
    if walk.faults:
        raise ImpossibleMatchError(walk.faults)
    return walk.score()


class _Walk:
    """One pass over a match: the state after each deal, what was scored, what cannot be."""

    def __init__(self, match: Match, format_: MatchFormat, given: Sequence[Infringement]) -> None:
        if len(set(match.sides)) != 2:
            raise ValueError(f"a table has two sides, not {match.sides}")
        self.match, self.format, self.faults = match, format_, list[Fault]()
        self.state = State(dict.fromkeys(match.sides, format_.start))
        self.scores: list[DealScore] = []
        self.notes: list[NeedsRuling] = []
        self.late = dict(self._late_tiers())
        self.usable: list[tuple[int, Infringement]] = []
        for index, one in enumerate(given):
            wrong = penalty_faults(index, one, match, format_)
            self.faults.extend(wrong)
            if not wrong:
                self.usable.append((index, one))
        self.given = tuple(one for _, one in self.usable)
        self.forfeits = frozenset(self._forfeits())
        for side in sorted(self.forfeits.difference(match.sides)):
            text = Text(f"{side} 不在本桌。", f"{side} is not at this table.")
            self.faults.append(Fault("forfeits", text, format_.clause_of("forfeit")))
        self._play()
        if not self.faults:
            self.faults.extend(end_faults(match, dict(self.state.levels), self.state.standing, format_))

    def _late_tiers(self) -> Iterator[tuple[EntrantId, LateTier]]:
        for side, minutes in self.match.late.items():
            if side not in self.match.sides or minutes < 0:
                text = Text(f"{side} 迟到{minutes}分钟？", f"{side} late by {minutes} minutes?")
                self.faults.append(Fault(key_path("late", side), text, self.format.clause))
            elif minutes and self.format.lateness is None:
                text = Text(
                    "本规程没有迟到的规定，请由裁判长裁定。",
                    "This regulation has no rule on lateness; the chief referee rules.",
                )
                self.faults.append(Fault(key_path("late", side), text, self.format.clause))
            elif (
                self.format.lateness is not None and (tier := self.format.lateness.tier(minutes)) is not None
            ):
                yield side, tier

    def _forfeits(self) -> Iterator[EntrantId]:
        yield from self.match.forfeits
        yield from (side for side, tier in self.late.items() if tier.effect is Effect.ROUND_LOST)
        book = self.format.penalties
        yield from (one.offender for one in self.given if effect_of(one, book) is Effect.ROUND_LOST)

    def _deals(self) -> list[tuple[str, Deal]]:
        """The deals with their paths; a first deal given up by lateness is put in front where it was left out."""
        deals = [(f"deals[{index}]", deal) for index, deal in enumerate(self.match.deals or ())]
        giving_up = [side for side, tier in self.late.items() if tier.effect is Effect.DEAL_LOST]
        # Where both gave it up, neither goes up.
        if self.match.deals is None or self.forfeits or len(giving_up) != 1:
            return deals
        first = Deal(None, ended=Ended.GIVEN_UP, by=giving_up[0])
        listed = bool(deals) and (deals[0][1].ended, deals[0][1].by) == (first.ended, first.by)
        return deals if listed else [("late", first), *deals]

    def _late_lines(self, banker: EntrantId | None) -> list[PenaltyLine]:
        """What lateness costs in the first deal, signed like every penalty (I-C-7)."""
        lines = []
        for side, tier in self.late.items():
            if tier.points and banker is not None:
                change = signed(-tier.points, offender_banks=side == banker)
                text = Text(f"迟到：防家{change:+d}分", f"late: defenders {change:+d}")
                lines.append(PenaltyLine("late", side, change, text, tier.clause))
        return lines

    def _play(self) -> None:
        deals = self._deals()
        further, is_first = 0, True
        for number, (path, deal) in enumerate(deals, start=1):
            announced = self.match.announced_in
            further += announced is not None and number > announced and deal.ended is not Ended.REPLAYED
            banker = deal.banker or self.state.bank
            here = [(index, one) for index, one in self.usable if one.deal == number]
            standing, last = self.state.standing, number == len(deals)
            wrong = [
                *order_faults(path, deal, standing, self.format, further=further, last=last),
                *banker_faults(path, deal, standing, self.match, self.format),
                *points_faults(path, deal, self.format),
                *(
                    fault
                    for index, one in here
                    for fault in committed_faults(index, one, deal, banker, self.format)
                ),
            ]
            self.faults.extend(wrong)
            if wrong:
                # Who banks next is not known, so the next deal is taken as it is written.
                self.state = replace(self.state, bank=None, seat=None)
            else:
                late = self._late_lines(banker) if is_first else []
                self.state, score = play_deal(
                    self.state, number, deal, self.format, given=self.given, late=late
                )
                self.scores.append(score)
                self.notes.extend(points_notes(number, deal, self.format))
            is_first = is_first and deal.ended is Ended.REPLAYED
        for index, one in self.usable:
            if one.deal is not None and one.deal > len(deals):
                text = Text(f"第{one.deal}副还没有成绩。", f"Deal {one.deal} has not been played.")
                clause = self.format.penalties.rules[one.rule].clause
                self.faults.append(Fault(f"penalties[{index}].deal", text, clause))

    def score(self) -> MatchScore:
        """The score of a match without faults."""
        levels, bank, past_a = dict(self.state.levels), self.state.bank, self.state.past_a
        if self.match.deals is None and self.match.end is not None:
            end = self.match.end
            levels = {side: end.levels[side] for side in self.match.sides}
            bank, past_a = end.bank, end.past_a
        begun = bool(self.scores) or self.match.deals is None or bool(self.forfeits)
        for side in self.forfeits:
            levels[side] = self.format.start  # 该轮弃权: no levels (I-C-14), so that forfeiting cannot pay
        found = decide(levels, bank, self.format, past_a=past_a, forfeits=self.forfeits) if begun else None
        ruling = found if isinstance(found, NeedsRuling) else None
        outcome = None if isinstance(found, NeedsRuling) else found
        points = None if outcome is None else match_points(outcome, self.match.sides, self.format)
        scores, notes = tuple(self.scores), tuple(self.notes)
        return MatchScore(scores, levels, bank, outcome, ruling, points, self.late, notes)
