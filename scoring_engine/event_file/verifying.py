"""Verifying an event file: draws replayed, scores recomputed, who goes on and the published ranks compared.

A draw that names an earlier version of the regulation is replayed by it, and so is who goes on into its round and what its
round breaks; one made from results that were changed since, from those. Scores and ranks are those of the file.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from scoring_engine.documents import Problem
from scoring_engine.event_file.as_drawn import tables_then
from scoring_engine.event_file.bracket_draws import bracket_replay
from scoring_engine.event_file.differences import Difference, Note, compare, lists
from scoring_engine.event_file.lots import lots_differences
from scoring_engine.event_file.reading import EventFileError, read
from scoring_engine.event_file.replaying import DIRECT, Redrawn, Replay, draw_differences, round_of
from scoring_engine.event_file.rulings import ruling_notes
from scoring_engine.event_file.scoring import score_record
from scoring_engine.event_file.swiss_draws.breaches import Breach
from scoring_engine.event_file.swiss_draws.divisions import division_differences, division_notes
from scoring_engine.event_file.swiss_draws.notes import swiss_breaches, swiss_notes
from scoring_engine.event_file.swiss_draws.replays import swiss_replay
from scoring_engine.event_file.versions import Earlier, as_drawn_by
from scoring_engine.pairing.groups_of_three import draw_groups
from scoring_engine.pairing.repairs import Placed
from scoring_engine.records import DrawRecord, EventRecord
from scoring_engine.rules import Format, ScoringRules
from scoring_engine.stages.names import stage_words
from scoring_engine.stages.progression import progress
from scoring_engine.stages.seeding import draw_next_stage
from scoring_engine.values import EntrantId, Text

NO_EARLIER: Earlier = {}


def verify(
    document: Mapping[str, Any], rules: ScoringRules, earlier: Earlier = NO_EARLIER
) -> list[Difference]:
    """Every difference between the file and what follows from it; empty where it verifies.

    `earlier` are the rules of the earlier versions that draws name. Raises EventFileError for a file that cannot be read at
    all; where a version cannot read the results before its draw, that is a difference.
    """
    event = read(document, rules)
    read_by = _reader(document, event, earlier)
    differences = division_differences(event) + _draws_differences(event.draws, read_by)
    seated = SEATED_DIFFERENCES.get(event.rules.format)
    if seated is not None:
        differences += seated(event, read_by)
    differences += lots_differences(event)
    if event.published is not None:
        differences += _published_differences(event, event.published)
    return differences


def verify_draw(
    document: Mapping[str, Any],
    rules: ScoringRules,
    stage: str,
    number: int,
    earlier: Earlier = NO_EARLIER,
) -> list[Difference]:
    """Every difference of the draws of one round, as `verify` finds them; `number` 0 is the division into groups.

    Raises EventFileError as `verify` does, LookupError where the file holds no draw of that round.
    """
    event = read(document, rules)
    if not number and event.division is not None and event.division.stage == stage:
        return division_differences(event)
    draws = [draw for draw in event.draws if (draw.stage, draw.round) == (stage, number)]
    if not draws:
        raise LookupError(f"no draw of {stage} {number}")
    return _draws_differences(draws, _reader(document, event, earlier))


def notes(document: Mapping[str, Any], rules: ScoringRules, earlier: Earlier = NO_EARLIER) -> list[Note]:
    """What a reader of the file should see beside its differences: draws repaired by hand, each with the draw as it was made
    and as it was repaired, draws accepted by ruling, and the rules of pairing that rounds break as they were played (Swiss).

    Raises EventFileError as `verify` does.
    """
    event = read(document, rules)
    found = division_notes(event)
    found += [_repair_note(draw, draw.repaired) for draw in event.draws if draw.repaired is not None]
    found += ruling_notes(event.draws)
    broken = ROUND_NOTES.get(event.rules.format)
    return found if broken is None else found + broken(event, _reader(document, event, earlier))


def round_breaches(
    document: Mapping[str, Any], rules: ScoringRules, number: int, placed: Placed, drawn: Placed
) -> list[Breach]:
    """What round `number` of a Swiss event breaks of its rules of pairing if it is played as `placed`, from the results of
    the rounds before it; then the aims that tables not in `drawn` give away. Empty for other formats, whose later rounds
    follow from the standings.

    The rules are those `notes` tells of the round once it is played. Raises EventFileError as `verify` does.
    """
    event = read(document, rules)
    broken = CHANGED_ROUNDS.get(event.rules.format)
    return [] if broken is None else broken(event, number, placed, drawn)


def _repair_note(draw: DrawRecord, repaired: Placed) -> Note:
    text = Text(
        f"{stage_words(draw.stage)}第{draw.round}轮抽签后有{len(draw.repairs)}项人工调整。",
        f"The draw of {draw.stage} round {draw.round} was changed by hand {len(draw.repairs)} times.",
    )
    return Note(
        f"{draw.path}.repairs",
        text,
        {
            "rule": "repaired",
            "stage": draw.stage,
            "round": draw.round,
            "drawn": {"tables": lists(draw.tables), "byes": list(draw.direct)},
            "repaired": {"tables": lists(repaired.tables), "byes": list(repaired.byes)},
            "repairs": [
                {"by": each.by, "at": each.at, "reason": each.reason, "change": each.kind.value}
                for each in draw.repairs
            ],
        },
    )


ReadBy = Callable[[DrawRecord | None], EventRecord]
"""The event as this draw was made from it, by the version of the regulation and with the results of then; None for the file as it
is. Raises EventFileError where it cannot be read so."""

Reading = tuple[str | None, str | None]
"""What draws that are replayed from one reading of the file share."""

_AS_IT_IS: Reading = (None, None)


def _reading(draw: DrawRecord | None) -> Reading:
    """The version a draw was made by, and its path where the results were others then."""
    if draw is None:
        return _AS_IT_IS
    return draw.regulation_sha256, None if draw.as_drawn is None else draw.path


def _reader(document: Mapping[str, Any], event: EventRecord, earlier: Earlier) -> ReadBy:
    """Reads the file by each version, and with the results of each draw, once."""

    @cache
    def read_as(reading: Reading) -> EventRecord:
        if reading == _AS_IT_IS:
            return event
        sha256, path = reading
        if sha256 is not None and sha256 not in earlier:
            raise EventFileError([_NOT_GIVEN])
        drawn = [draw for draw in event.draws if _reading(draw) == reading]
        rules = event.rules if sha256 is None else earlier[sha256]
        if path is None:
            return read(as_drawn_by(document, sha256, drawn), rules)
        then = drawn[0].as_drawn
        assert then is not None
        return read(as_drawn_by(tables_then(document, then), sha256, drawn, then.get("adjustments")), rules)

    return lambda draw: read_as(_reading(draw))


_NOT_GIVEN = Problem(
    "$.earlier_regulations", "没有这一版规程的计分规则。", "The scoring rules of this version are not given."
)


def _draws_differences(draws: Sequence[DrawRecord], read_by: ReadBy) -> list[Difference]:
    """Every draw replayed, by the version and from the results it was made by and from."""
    replays: dict[Reading, Replay] = {}
    found: list[Difference] = []
    for draw in draws:
        reading = _reading(draw)
        try:
            if reading not in replays:
                event = read_by(draw)
                replays[reading] = DRAW_REPLAYS[event.rules.format](event)
        except EventFileError as error:
            if reading == _AS_IT_IS:
                raise
            found.append(_unreadable(draw, error))
        else:
            found += replays[reading](draw)
    return found


def _unreadable(draw: DrawRecord, error: EventFileError) -> Difference:
    """What a draw was made from cannot be read: by its version results that were changed since, or as they are said to have been."""
    first = error.problems[0]
    if draw.as_drawn is not None:
        return Difference(
            f"{draw.path}.as_drawn",
            f"抽签时的成绩读不了，无法重新抽签：{first.path} {first.zh}",
            f"The results at the draw cannot be read, so it is not made again: {first.path} {first.en}",
            None,
            dict(draw.as_drawn),
        )
    return Difference(
        f"{draw.path}.regulation_sha256",
        f"按抽签时的规程版本读不了此前的成绩，无法重新抽签：{first.path} {first.zh}",
        f"The version of the draw cannot read the results before it, so it is not made again: {first.path} {first.en}",
        None,
        draw.regulation_sha256,
    )


def _knock_out_replay(event: EventRecord) -> Replay:
    """The replay of the draws of a knock-out event of 二打一."""
    return lambda draw: _knock_out_differences(event, draw)


def _knock_out_differences(event: EventRecord, draw: DrawRecord) -> list[Difference]:
    """The draw replayed from its seed, and the tables of the round compared with it.

    The seats of a later stage may be written in seeding order, as `pair` answers them, or from the first bidder on.
    """
    found: list[Difference] = []
    rule = event.rules.stage(draw.stage)
    direct: tuple[EntrantId, ...] = ()
    if rule is not None and rule.kind == "drawn":
        replayed = draw_groups(draw.entrants, draw.seed)
        tables, direct = replayed.tables, replayed.direct
        everyone = sorted(entrant.id for entrant in event.entrants)
        if sorted(draw.entrants) != everyone:
            found.append(
                Difference(
                    f"{draw.path}.entrants",
                    "抽签名单与参赛名单不同。",
                    "The draw is not of the entrants of the event.",
                    everyone,
                    sorted(draw.entrants),
                )
            )
    else:
        again = draw_next_stage(event, progress(event), draw.stage, draw.seed, draw.entrants)
        tables = again.seated if draw.tables == again.seated else again.tables
    redrawn = Redrawn(draw.entrants, Placed(tables, direct), DIRECT, ordered_byes=True)
    return found + draw_differences(draw, redrawn, round_of(event, draw))


def _progress_differences(event: EventRecord, read_by: ReadBy) -> list[Difference]:
    """Who sits in a later stage, against who came out of the stage before by the version it was drawn by."""
    found: list[Difference] = []
    drawn = {draw.stage: draw for draw in event.draws}
    for place, after in enumerate(event.rules.stages[1:], start=1):
        record = event.stage(after.code)
        if record is None or not record.seated:
            continue
        try:
            outcome = progress(read_by(drawn.get(after.code)))
        except EventFileError:
            continue  # told of its draw
        before = outcome.stages[place - 1]
        if not before.decided:
            continue
        expected = sorted((*before.advance, *before.direct))
        found += compare(
            record.path,
            f"{stage_words(after.code)}的参赛者",
            f"The entrants of stage {after.code}",
            expected,
            sorted(record.seated),
        )
    return found


def _swiss_notes(event: EventRecord, read_by: ReadBy) -> list[Note]:
    """What each round breaks of the rules it was drawn by, round after round."""
    stage = event.rules.stages[0].code
    drawn = {draw.round: draw for draw in event.draws if draw.stage == stage}
    found: list[tuple[int, Note]] = []
    for draw in {_reading(each): each for each in (None, *drawn.values())}.values():
        try:
            told = swiss_notes(read_by(draw))
        except EventFileError:
            continue  # told of its draw
        found += [(number, note) for number, note in told if _reading(drawn.get(number)) == _reading(draw)]
    return [note for _, note in sorted(found, key=lambda each: each[0])]


def _published_differences(event: EventRecord, published: Sequence[Mapping[str, Any]]) -> list[Difference]:
    """The published ranks, and values where they were published, against the recomputed ones."""
    found: list[Difference] = []
    computed = {placing["entrant"]: placing for placing in score_record(event)["placings"]}
    for index, placing in enumerate(published):
        path = f"$.published.placings[{index}]"
        own = computed.pop(placing["entrant"], None)
        name = placing["entrant"]
        expected = own["rank"] if own else None
        found += compare(f"{path}.rank", f"{name} 的名次", f"The rank of {name}", expected, placing["rank"])
        for key in ("values", "decided_by"):
            if own and key in placing:
                found += compare(
                    f"{path}.{key}", f"{name} 的 {key}", f"{key} of {name}", own[key], placing[key]
                )
    for entrant, placing in computed.items():
        found += compare(
            "$.published.placings", f"{entrant} 的名次", f"The rank of {entrant}", placing["rank"], None
        )
    return found


DRAW_REPLAYS: Mapping[Format, Callable[[EventRecord], Replay]] = {
    Format.KNOCK_OUT: _knock_out_replay,
    Format.BRACKET: bracket_replay,
    Format.SWISS: swiss_replay,
}
"""How the published draws of an event are replayed, by the format of the regulation."""

SEATED_DIFFERENCES: Mapping[Format, Callable[[EventRecord, ReadBy], list[Difference]]] = {
    Format.KNOCK_OUT: _progress_differences
}
"""Who sits where the stages before do not lead; formats without an entry refuse such a file, or have one stage."""

ROUND_NOTES: Mapping[Format, Callable[[EventRecord, ReadBy], list[Note]]] = {Format.SWISS: _swiss_notes}
"""What rounds as played break; formats without an entry have no rules of pairing beside their draw."""

CHANGED_ROUNDS: Mapping[Format, Callable[[EventRecord, int, Placed, Placed], list[Breach]]] = {
    Format.SWISS: swiss_breaches
}
"""What a round that is changed by hand breaks; formats without an entry as for `ROUND_NOTES`."""
