"""Verifying an event file: draws replayed, scores recomputed, who goes on and the published ranks compared."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scoring_engine.documents import Problem
from scoring_engine.event_file.bracket_draws import bracket_draw_differences
from scoring_engine.event_file.differences import Difference, commitment_differences, compare, lists
from scoring_engine.event_file.reading import EventFileError, read
from scoring_engine.event_file.scoring import score_record
from scoring_engine.pairing.groups_of_three import draw_groups, proof_of
from scoring_engine.records import DrawRecord, EventRecord
from scoring_engine.rules import Format, ScoringRules
from scoring_engine.stages.progression import progress
from scoring_engine.stages.seeding import draw_next_stage


def verify(document: Mapping[str, Any], rules: ScoringRules) -> list[Difference]:
    """Every difference between the file and what follows from it; empty where it verifies.

    Raises EventFileError for a file that cannot be read at all.
    """
    event = read(document, rules)
    differences = _draws_differences(event, event.draws)
    if event.rules.format is Format.KNOCK_OUT:
        differences += _progress_differences(event)
    if event.published is not None:
        differences += _published_differences(event, event.published)
    return differences


def verify_draw(
    document: Mapping[str, Any], rules: ScoringRules, stage: str, number: int
) -> list[Difference]:
    """Every difference of the draws of one round, as `verify` finds them.

    Raises EventFileError as `verify` does, LookupError where the file holds no draw of that round.
    """
    event = read(document, rules)
    draws = [draw for draw in event.draws if (draw.stage, draw.round) == (stage, number)]
    if not draws:
        raise LookupError(f"no draw of {stage} {number}")
    return _draws_differences(event, draws)


def _draws_differences(event: EventRecord, draws: Sequence[DrawRecord]) -> list[Difference]:
    """Every draw replayed. Raises EventFileError where draws of this format cannot be."""
    replay = DRAW_REPLAYS.get(event.rules.format)
    if draws and replay is None:
        raise EventFileError([_swiss_draw(draw) for draw in draws])
    return [] if replay is None else [found for draw in draws for found in replay(event, draw)]


def _swiss_draw(draw: DrawRecord) -> Problem:
    return Problem(
        draw.path,
        "本程序还不能核对积分编排赛的抽签。",
        "The draws of a Swiss event cannot be verified here yet.",
    )


def _draw_differences(event: EventRecord, draw: DrawRecord) -> list[Difference]:
    """The draw replayed from its seed, and the tables of the round compared with it.

    The seats of a later stage may be written in seeding order, as `pair` answers them, or from the first bidder on.
    """
    found: list[Difference] = []
    rule = event.rules.stage(draw.stage)
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
        tables, direct = (again.seated if draw.tables == again.seated else again.tables), ()
    found += commitment_differences(draw)
    found += compare(f"{draw.path}.tables", "抽签结果", "The draw", lists(tables), lists(draw.tables))
    found += compare(f"{draw.path}.byes", "直接晋级", "The direct entrants", list(direct), list(draw.direct))
    if draw.proof is not None:
        proof = proof_of(draw.seed, draw.entrants, tables, direct)
        found += compare(f"{draw.path}.proof", "抽签证明", "The proof of the draw", proof, draw.proof)
    stage = event.stage(draw.stage)
    part = next((part for part in stage.rounds if part.number == draw.round), None) if stage else None
    if part is not None:
        seats = [list(table.seats) for table in sorted(part.tables, key=lambda table: table.number)]
        found += compare(
            f"{part.path}.tables", "本轮各桌座位", "The seats of this round", lists(tables), seats
        )
        found += compare(
            f"{part.path}.byes", "本轮直接晋级", "The byes of this round", list(direct), list(part.byes)
        )
    return found


def _progress_differences(event: EventRecord) -> list[Difference]:
    """Who sits in a later stage, against who came out of the stage before."""
    found: list[Difference] = []
    outcome = progress(event)
    for before, after in zip(outcome.stages, outcome.stages[1:], strict=False):
        record = event.stage(after.rule.code)
        if record is None or not record.seated or not before.decided:
            continue
        expected = sorted((*before.advance, *before.direct))
        found += compare(
            record.path,
            f"阶段 {after.rule.code} 的参赛者",
            f"The entrants of stage {after.rule.code}",
            expected,
            sorted(record.seated),
        )
    return found


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


DRAW_REPLAYS: Mapping[Format, Callable[[EventRecord, DrawRecord], list[Difference]]] = {
    Format.KNOCK_OUT: _draw_differences,
    Format.BRACKET: bracket_draw_differences,
}
"""How a published draw is replayed, by the format of the regulation."""
