"""Verifying an event file: draws replayed, scores recomputed, who goes on and the published ranks compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring_engine.documents import Problem
from scoring_engine.event_file.reading import EventFileError, read
from scoring_engine.event_file.scoring import score_record
from scoring_engine.pairing.commitments import commitment_of, entrants_sha256, mixed_seed
from scoring_engine.pairing.groups_of_three import draw_groups, proof_of
from scoring_engine.records import DrawRecord, EventRecord
from scoring_engine.rules import Format, ScoringRules
from scoring_engine.stages.progression import progress
from scoring_engine.stages.seeding import draw_next_stage


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in the file that does not follow from it: `expected` was recomputed, `found` is written there."""

    path: str
    zh: str
    en: str
    expected: Any
    found: Any

    def to_json(self) -> dict[str, Any]:
        """The difference as a JSON object."""
        return {
            "path": self.path,
            "message": self.zh,
            "message_en": self.en,
            "expected": self.expected,
            "found": self.found,
        }


def verify(document: Mapping[str, Any], rules: ScoringRules) -> list[Difference]:
    """Every difference between the file and what follows from it; empty where it verifies.

    Raises EventFileError for a file that cannot be read at all.
    """
    event = read(document, rules)
    differences: list[Difference] = []
    if event.rules.format is Format.KNOCK_OUT:
        differences += [found for draw in event.draws for found in _draw_differences(event, draw)]
        differences += _progress_differences(event)
    elif event.draws and event.rules.format is Format.BRACKET:
        raise EventFileError([_bracket_draw(draw) for draw in event.draws])
    elif event.draws:
        raise EventFileError([_swiss_draw(draw) for draw in event.draws])
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
    if event.rules.format is not Format.KNOCK_OUT:
        raise EventFileError([_swiss_draw(draw) for draw in draws])
    return [found for draw in draws for found in _draw_differences(event, draw)]


def _swiss_draw(draw: DrawRecord) -> Problem:
    return Problem(
        draw.path,
        "本程序还不能核对积分编排赛的抽签。",
        "The draws of a Swiss event cannot be verified here yet.",
    )


def _bracket_draw(draw: DrawRecord) -> Problem:
    return Problem(
        draw.path,
        "本程序还不能核对单场淘汰赛的抽签。",
        "The draws of a bracket cannot be verified here yet.",
    )


def _draw_differences(event: EventRecord, draw: DrawRecord) -> list[Difference]:
    """The draw replayed from its seed, and the tables of the round compared with it."""
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
        tables, direct = (
            draw_next_stage(event, progress(event), draw.stage, draw.seed, draw.entrants).tables,
            (),
        )
    found += _commitment_differences(draw)
    found += _compare(f"{draw.path}.tables", "抽签结果", "The draw", _lists(tables), _lists(draw.tables))
    found += _compare(f"{draw.path}.byes", "直接晋级", "The direct entrants", list(direct), list(draw.direct))
    if draw.proof is not None:
        proof = proof_of(draw.seed, draw.entrants, tables, direct)
        found += _compare(f"{draw.path}.proof", "抽签证明", "The proof of the draw", proof, draw.proof)
    stage = event.stage(draw.stage)
    part = next((part for part in stage.rounds if part.number == draw.round), None) if stage else None
    if part is not None:
        seats = [list(table.seats) for table in sorted(part.tables, key=lambda table: table.number)]
        found += _compare(
            f"{part.path}.tables", "本轮各桌座位", "The seats of this round", _lists(tables), seats
        )
        found += _compare(
            f"{part.path}.byes", "本轮直接晋级", "The byes of this round", list(direct), list(part.byes)
        )
    return found


def _commitment_differences(draw: DrawRecord) -> list[Difference]:
    """Whether the seed is the one that was committed to, with the public contribution mixed in (docs/draws.md)."""
    prior = draw.committed
    if prior is None:
        return []
    committed = draw.seed if prior.seed is None else prior.seed
    found = _compare(
        f"{draw.path}.commitment",
        "种子的承诺",
        "The commitment to the seed",
        commitment_of(committed),
        prior.commitment,
    )
    mixed = mixed_seed(committed, prior.contribution).hex()
    found += _compare(f"{draw.path}.seed", "种子", "The seed", mixed, draw.seed.hex())
    if prior.entrants_sha256 is not None:
        digest = entrants_sha256(draw.entrants)
        found += _compare(
            f"{draw.path}.entrants_sha256",
            "承诺时名单的 SHA-256",
            "The SHA-256 of the list at the commitment",
            digest,
            prior.entrants_sha256,
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
        found += _compare(
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
        found += _compare(f"{path}.rank", f"{name} 的名次", f"The rank of {name}", expected, placing["rank"])
        for key in ("values", "decided_by"):
            if own and key in placing:
                found += _compare(
                    f"{path}.{key}", f"{name} 的 {key}", f"{key} of {name}", own[key], placing[key]
                )
    for entrant, placing in computed.items():
        found += _compare(
            "$.published.placings", f"{entrant} 的名次", f"The rank of {entrant}", placing["rank"], None
        )
    return found


def _compare(path: str, zh: str, en: str, expected: object, found: object) -> list[Difference]:
    if expected == found:
        return []
    return [
        Difference(
            path, f"{zh}与重新计算的不同。", f"{en} differs from what was recomputed.", expected, found
        )
    ]


def _lists(tables: Sequence[Sequence[str]]) -> list[list[str]]:
    return [list(table) for table in tables]
