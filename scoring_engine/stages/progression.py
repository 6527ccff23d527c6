"""A whole knock-out event: prelim -> semifinal -> final, and the placings it gives (A, 四(二)).

The final gives the first three places, the semifinal the next (4th to 9th, I-A-16), the prelim the rest. While the
event runs the placings are provisional: each entrant stands by the last stage he has a score in. Entrants without any
score are `unplaced`, never counted as 0.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring_engine.ranking import CriterionValue, Placing, compare, rank
from scoring_engine.records import EventRecord, StageRecord
from scoring_engine.rules import PLAYOFF, ScoringRules, StageRule
from scoring_engine.stages import expulsion, questions
from scoring_engine.stages.playoffs import PlayedPlayoff, PlayoffTables
from scoring_engine.stages.qualification import cut
from scoring_engine.stages.questions import forfeit, is_small, small_field
from scoring_engine.stages.results import TableResult, table_results
from scoring_engine.tie_breaks.records import StandingRecord
from scoring_engine.values import EntrantId, NeedsRuling, StageCode, Text, reading_order

TABLE = 3


@dataclass(frozen=True, slots=True)
class Playoff:
    """Three deals for a tie (加赛三局): who sits down, for how many places, and, once played, who got them."""

    stage: StageCode
    entrants: tuple[EntrantId, ...]
    places: int
    played: PlayedPlayoff | None
    winners: tuple[EntrantId, ...] | None


@dataclass(frozen=True, slots=True)
class StageOutcome:
    """What one stage gives.

    placings: of everyone with a score. direct: entrants who go straight on, in draw order. advance: who is in the
    next stage besides them for certain, best first: nobody before the stage has ended, and while a tie across the last
    place is open those clear of it. Only of a `decided` stage is it everybody. ended: all seats are filled and all tables
    have ended. decided: nothing is open, neither a play-off nor a ruling. unfilled: places of the next stage that expulsions
    left free and nobody is there to fill.
    """

    rule: StageRule
    tables: tuple[TableResult, ...]
    placings: tuple[Placing, ...]
    direct: tuple[EntrantId, ...]
    advance: tuple[EntrantId, ...]
    needs_ruling: NeedsRuling | None
    playoffs: tuple[Playoff, ...]
    notes: tuple[NeedsRuling, ...]
    ended: bool
    unfilled: int = 0

    @property
    def due(self) -> Playoff | None:
        """The play-off that is not decided yet, if there is one."""
        return next((playoff for playoff in self.playoffs if playoff.winners is None), None)

    @property
    def decided(self) -> bool:
        """Whether the stage has ended and who goes on (or who won) is certain."""
        return self.ended and self.due is None and self.needs_ruling is None


@dataclass(frozen=True, slots=True)
class EventPlacing:
    """A placing of the whole event, with the stage it comes from."""

    placing: Placing
    stage: StageCode


@dataclass(frozen=True, slots=True)
class EventOutcome:
    """The event as it stands: every stage in order, the play-off tables, the placings, and whether all is decided."""

    stages: tuple[StageOutcome, ...]
    playoff_tables: tuple[TableResult, ...]
    placings: tuple[EventPlacing, ...]
    unplaced: tuple[EntrantId, ...]
    complete: bool

    def stage(self, code: str) -> StageOutcome:
        """The outcome of a stage by its code."""
        return next(stage for stage in self.stages if stage.rule.code == code)


def progress(event: EventRecord) -> EventOutcome:
    """Everything the records of an event give."""
    rules = event.rules
    playoff_stage = event.stage(PLAYOFF)
    playoff_deals = max((stage.playoff_deals for stage in rules.stages), default=0)
    playoff_tables = (
        table_results(playoff_stage, event.adjustments, rules, playoff_deals) if playoff_stage else ()
    )
    playoffs = PlayoffTables(playoff_tables, rules.chain)
    found: list[StageOutcome] = []
    for rule in rules.stages:
        before = found[-1] if found else None
        found.append(_with_seat_notes(event, before, _stage(event, rule, before, playoffs)))
    stages = tuple(found)
    gone = expulsion.unranked(event)
    placings = _event_placings(stages, rules, gone)
    placed = {item.placing.entrant for item in placings} | gone
    return EventOutcome(
        stages,
        playoff_tables,
        placings,
        tuple(entrant.id for entrant in event.entrants if entrant.id not in placed),
        complete=_is_complete(event, stages),
    )


def _is_complete(event: EventRecord, stages: Sequence[StageOutcome]) -> bool:
    """Whether the last stage is decided and so is the way there.

    Every stage has to be played. Only a field too small for the text may leave stages out, as the committee ruled;
    then everyone must have had a seat or gone straight on somewhere. A question the committee answered by seating the
    next stage is closed; a play-off that was not played is not.
    """
    *earlier, last = stages
    if is_small(len(event.entrants), event.rules):
        took_part = {seat for stage in event.stages for seat in stage.seated}
        took_part |= {entrant for stage in stages for entrant in stage.direct}
        took_part |= {entrant.id for entrant in event.entrants if entrant.expelled is not None}
        if len(took_part) < len(event.entrants):
            return False
        earlier = [stage for stage in earlier if stage.tables]
    return last.decided and all(stage.ended and stage.due is None for stage in earlier)


def _stage(
    event: EventRecord, rule: StageRule, before: StageOutcome | None, playoffs: PlayoffTables
) -> StageOutcome:
    rules = event.rules
    record = event.stage(rule.code) or StageRecord(rule.code, (), "")
    tables = table_results(record, event.adjustments, rules, rule.deals)
    direct = _direct(event, rule, record)
    records = {entrant: found for table in tables for entrant, found in table.records.items()}
    ended = bool(tables) and all(result.score.ended for result in tables)
    if before is None:
        ended = ended and len(record.seated) + len(direct) == len(event.entrants)
    elif not is_small(len(event.entrants), rules) and not before.unfilled:
        ended = ended and len(record.seated) >= (before.rule.places or 0)
    outcome = StageOutcome(
        rule,
        tables,
        rank(records.values(), rules.chain),
        direct,
        advance=(),
        needs_ruling=(small_field(len(event.entrants), rules) if before is None else None)
        or forfeit(rule, tables, rules),
        playoffs=(),
        notes=questions.of_tables(tables, rule),
        ended=ended,
    )
    if not ended or outcome.needs_ruling is not None:
        return outcome
    if rule.places is None:
        return _final(event, outcome, records, playoffs)
    return _qualify(event, outcome, rule.places, playoffs)


def _direct(event: EventRecord, rule: StageRule, record: StageRecord) -> tuple[EntrantId, ...]:
    """Who goes straight on, in draw order.

    A file that seats everyone but the one or two left over, and names no byes, can only mean those; their draw order
    is not known then, and they stand in the reading order of their ids.
    """
    byes = tuple(bye for part in record.rounds for bye in part.byes)
    seated = set(record.seated)
    if byes or rule.kind != "drawn" or not seated:
        return byes
    left = [entrant.id for entrant in event.entrants if entrant.id not in seated]
    return tuple(sorted(left, key=reading_order)) if len(left) == len(event.entrants) % TABLE else ()


def _with_seat_notes(event: EventRecord, before: StageOutcome | None, stage: StageOutcome) -> StageOutcome:
    record = event.stage(stage.rule.code)
    if before is None or record is None or not record.seated:
        return stage
    if before.decided:
        notes = questions.of_seats(stage.rule, record.seated, (*before.advance, *before.direct))
    elif before.ended or is_small(len(event.entrants), event.rules):
        return stage  # the committee ruled who sits here
    else:
        notes = questions.of_seats(stage.rule, record.seated, None)
    return replace(stage, notes=stage.notes + notes)


def _qualify(event: EventRecord, outcome: StageOutcome, places: int, playoffs: PlayoffTables) -> StageOutcome:
    """Who goes on from a stage that has ended, by the line and by a play-off across it; who was expelled does not (I-A-27)."""
    rules = event.rules
    gone = expulsion.left_out(event, outcome.rule.code)
    placings: Sequence[Placing] = outcome.placings
    lost: list[EntrantId] = []
    if gone:
        as_played = cut(placings, places - len(outcome.direct), outcome.rule, rules)
        lost = [each for each in (*as_played.through, *outcome.direct) if each in gone]
        direct = tuple(each for each in outcome.direct if each not in gone)
        if lost and expulsion.reading(rules, "expelled_place") == "ruling":
            return replace(
                outcome,
                advance=tuple(each for each in as_played.through if each not in gone),
                direct=direct,
                needs_ruling=expulsion.free_places(event, lost, len(lost), outcome.rule.clause),
                unfilled=len(lost),
            )
        placings = _close_up([placing for placing in placings if placing.entrant not in gone])
        outcome = replace(outcome, direct=direct)
    places -= len(outcome.direct)
    line = cut(placings, places, outcome.rule, rules)
    tie = line.tie
    outcome = replace(outcome, advance=line.through)
    if lost:
        up = [each for each in line.through if each not in as_played.through]
        told = expulsion.note(event, lost, up, outcome.rule.clause)
        outcome = replace(outcome, notes=(*outcome.notes, told))
    if gone and (missing := places - len(placings)) > 0:
        question = expulsion.free_places(event, sorted(gone), missing, outcome.rule.clause)
        return replace(outcome, needs_ruling=question, unfilled=missing)
    if tie is None:
        return outcome
    notes = outcome.notes + _unknown_note(outcome, tie.tied)
    played = None
    if outcome.rule.playoff_deals and len(tie.tied) <= TABLE:
        others = tie.entrants or tie.candidates
        played = playoffs.take(set(tie.tied), set(others))
    if played is None:
        if tie.ruling is not None or not outcome.rule.playoff_deals:
            return replace(outcome, needs_ruling=tie.ruling, notes=notes)
        pending = Playoff(outcome.rule.code, tie.entrants, tie.places, None, None)
        return replace(outcome, playoffs=(pending,), notes=notes)
    entrants = tie.entrants or played.tables[0].score.table.seats
    if played.running:
        running = Playoff(outcome.rule.code, entrants, tie.places, played, None)
        return replace(outcome, playoffs=(running,), notes=notes)
    order = played.placings(entrants)
    if order[tie.places - 1].rank == order[tie.places].rank:
        question = NeedsRuling(
            Text(
                f"{'、'.join(entrants)}三局之后仍不能分出晋级者，规程没有规定下一步。",
                f"{', '.join(entrants)}: three deals left the place tied, and the text does not say what follows.",
            ),
            outcome.rule.clause,
            Text("建议再加赛三局或抽签。", "Three more deals or lots are suggested."),
        )
        undecided = Playoff(outcome.rule.code, entrants, tie.places, played, None)
        return replace(outcome, needs_ruling=question, playoffs=(undecided,), notes=notes)
    winners = tuple(placing.entrant for placing in order[: tie.places])
    decided = Playoff(outcome.rule.code, entrants, tie.places, played, winners)
    return replace(outcome, advance=line.through + winners, playoffs=(decided,), notes=notes)


def _final(
    event: EventRecord,
    outcome: StageOutcome,
    records: dict[EntrantId, StandingRecord],
    playoffs: PlayoffTables,
) -> StageOutcome:
    """The last stage: each shared rank is played off, as often as it takes (决赛……如果有排名相同则加赛三局).

    A game needs three, so the untied finalist takes a seat too; his own rank stands.
    """
    if not outcome.rule.playoff_deals:
        return outcome
    found: list[Playoff] = []
    notes, rules, question = outcome.notes, event.rules, None
    gone = expulsion.unranked(event)
    ranked = _close_up([placing for placing in outcome.placings if placing.entrant not in gone])
    finalists = tuple(placing.entrant for placing in ranked)
    chain = (*rules.chain, "playoff")
    for tied in _shared_groups(ranked):
        notes += _unknown_note(outcome, tied)
        entrants = tied
        if len(tied) < TABLE:
            others = [entrant for entrant in finalists if entrant not in tied]
            entrants = (*tied, *others[: TABLE - len(tied)])
            if len(entrants) < TABLE:
                question = expulsion.no_third(tied, outcome.rule.clause)
                continue
        played = playoffs.take(set(tied), set(entrants)) if len(tied) <= TABLE else None
        winners = None
        if played is not None:
            for entrant in tied:
                records[entrant] = replace(records[entrant], playoff_ranks=played.ranks[entrant])
            order = played.placings(tied)
            if not played.running and not any(placing.shared for placing in order):
                winners = tuple(placing.entrant for placing in order)
        found.append(Playoff(outcome.rule.code, entrants, len(tied), played, winners))
    placings = rank(records.values(), chain) if found else outcome.placings
    return replace(outcome, placings=placings, playoffs=tuple(found), notes=notes, needs_ruling=question)


def _shared_groups(placings: Sequence[Placing]) -> list[tuple[EntrantId, ...]]:
    shared: dict[int, list[EntrantId]] = {}
    for placing in placings:
        if placing.shared:
            shared.setdefault(placing.rank, []).append(placing.entrant)
    return [tuple(tied) for tied in shared.values()]


def _unknown_note(outcome: StageOutcome, tied: Sequence[EntrantId]) -> tuple[NeedsRuling, ...]:
    return questions.of_unknown(
        outcome.rule, [placing for placing in outcome.placings if placing.entrant in tied]
    )


def _event_placings(
    stages: Sequence[StageOutcome], rules: ScoringRules, gone: frozenset[EntrantId]
) -> tuple[EventPlacing, ...]:
    """Final, then semifinal, then prelim; each entrant once, in the last stage he has a score in, but those who are `gone`."""
    scored = [stage for stage in stages if stage.placings]
    several = len(scored) > 1
    seen = set(gone)
    found: list[EventPlacing] = []
    for stage in reversed(scored):
        number = stages.index(stage) + 1
        reached = CriterionValue("round_reached", number, counted=True)
        own = [placing for placing in stage.placings if placing.entrant not in seen]
        offset = len(found)
        below = bool(found)  # a later stage has placed somebody above these
        share = below and stage.rule.kind == "seeded" and rules.option("semifinal_places") == "shared"
        for position, placing in enumerate(_close_up(own)):
            decided_by = placing.decided_by
            values = placing.values
            if share:
                values = tuple(value._replace(counted=False) for value in values)
            if position == 0 and below and not placing.shared:
                decided_by = "round_reached"
            moved = placing._replace(
                rank=offset + (1 if share else placing.rank),
                values=(reached, *values) if several else values,
                decided_by=None if share and len(own) > 1 else decided_by,
                shared=placing.shared or (share and len(own) > 1),
            )
            found.append(EventPlacing(moved, stage.rule.code))
            seen.add(placing.entrant)
    return tuple(found)


def _close_up(placings: Sequence[Placing]) -> list[Placing]:
    """The ranks of a part of a ranking, counted anew from 1, and what decided each against the entrant above now."""
    closed: list[Placing] = []
    holders = Counter(placing.rank for placing in placings)
    standing = 1
    for index, placing in enumerate(placings):
        above = placings[index - 1] if index else None
        if above is not None and above.rank != placing.rank:
            standing = index + 1
        shared = holders[placing.rank] > 1
        decided_by = None if shared or above is None else compare(above, placing).decided_by
        closed.append(placing._replace(rank=standing, shared=shared, decided_by=decided_by))
    return closed
