"""Reading the published draws and the published result of an event file."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from scoring_engine.documents import Node, exact_number
from scoring_engine.event_file.as_drawn import read_as_drawn
from scoring_engine.event_file.drawn_rounds import read_ids, read_repairs, read_tables, require_moment
from scoring_engine.event_file.ids import Ids
from scoring_engine.event_file.rulings import read_ruling
from scoring_engine.event_file.versions import read_earlier, read_sha256, read_version
from scoring_engine.pairing.seeds import SeedError, seed_from_hex
from scoring_engine.records import DrawRecord, PriorCommitment
from scoring_engine.rules import ScoringRules
from scoring_engine.values import EntrantId, StageCode, points_text

_FRACTION = re.compile(r"-?[0-9]{1,15}/[1-9][0-9]{0,3}")


def read_draws(root: Node, rules: ScoringRules, ids: Ids) -> tuple[DrawRecord, ...]:
    """Every entry of `draws`: `{"stage", "round", "seed", "entrants", "tables", "byes", "proof"}`.

    `tables` are lists of ids, or objects with `entrants` as `saishi pair` prints them; `direct` is another word for
    `byes`; `round` (1) and `proof` may be left out. A draw whose seed was committed to has `commitment`, `committed_at`
    and, where the public added a `contribution`, `committed_seed` too (docs/draws.md). One that was changed by hand has
    `repairs` and `repaired` (`drawn_rounds`), one that was accepted by ruling `ruling` (`rulings`).
    One made by an earlier version of the regulation names it as `regulation_sha256` (`versions`); one made from results that
    were changed since has what stood then as `as_drawn`.
    """
    draws: list[DrawRecord] = []
    earlier = read_earlier(root)
    for node in root.nodes("draws"):
        before = len(ids.problems.found)
        code = node.choice("stage", rules.stage_codes)
        number = node.integer("round", 1) if node.has("round") else 1
        seed = read_seed(node)
        entrants = read_ids(node, "entrants", ids, required=True)
        direct = read_ids(node, "direct" if "direct" in node.value else "byes", ids)
        tables = read_tables(node, ids)
        proof = node.optional_text("proof")
        committed = read_commitment(node)
        repairs, repaired = read_repairs(node, ids)
        ruling = read_ruling(node, ids)
        version = read_version(node, earlier)
        then = read_as_drawn(root, node)
        if len(ids.problems.found) > before or code is None or number is None or seed is None:
            continue
        draws.append(
            DrawRecord(
                *(StageCode(code), number, seed, entrants, tables, direct, proof, node.path, committed),
                repairs=repairs,
                repaired=repaired,
                ruling=ruling,
                regulation_sha256=version,
                as_drawn=then,
            )
        )
    return tuple(draws)


def read_commitment(node: Node) -> PriorCommitment | None:
    """What was published before a draw; None where the entry has no `commitment`."""
    if not node.has("commitment"):
        for key in ("committed_at", "committed_seed", "contribution", "entrants_sha256"):
            if node.has(key):
                node.problems.add(
                    node.at(key),
                    "没有 commitment，这一项没有意义。",
                    "Without a commitment this means nothing.",
                )
        return None
    commitment = read_sha256(node, "commitment")
    at = node.text("committed_at")
    require_moment(node, "committed_at", at)
    seed = read_seed(node, "committed_seed") if node.has("committed_seed") else None
    contribution = node.optional_text("contribution")
    if contribution is not None and not node.has("committed_seed"):
        node.problems.add(
            node.at("committed_seed"),
            "写了 contribution，就要写承诺的种子 committed_seed。",
            "With a contribution the committed seed must be given as committed_seed.",
        )
    entrants_sha256 = read_sha256(node, "entrants_sha256") if node.has("entrants_sha256") else None
    return PriorCommitment(commitment or "", at or "", seed, contribution, entrants_sha256)


def read_seed(node: Node, key: str = "seed") -> bytes | None:
    """The seed under a key of an object, hexadecimal."""
    text = node.text(key)
    if text is None:
        return None
    try:
        return seed_from_hex(text)
    except SeedError:
        node.problems.add(
            node.at(key),
            "种子应为十六进制文字，每字节两位。",
            "A seed is hexadecimal, two digits to a byte.",
        )
        return None


def read_published(root: Node, ids: Ids) -> tuple[Mapping[str, Any], ...] | None:
    """The `published` result: `{"placings": [{"rank", "entrant", "values", "decided_by", …}]}`.

    `values` and `decided_by` may be left out, and values may be numbers or decimal strings: they are answered as the
    score document writes them, so 2.0 is `"2"`.
    """
    if not root.has("published"):
        return None
    published = root.node("published")
    if published is None:
        return None
    placings: list[Mapping[str, Any]] = []
    seen: set[EntrantId] = set()
    for node in published.nodes("placings"):
        rank = node.integer("rank", 1)
        entrant = ids.known(node.at("entrant"), node.value.get("entrant"))
        if entrant is not None and entrant in seen:
            ids.problems.add(node.at("entrant"), f"{entrant} 重复。", f"{entrant} stands twice.")
        elif entrant is not None:
            seen.add(entrant)
        placing: dict[str, Any] = {"rank": rank, "entrant": entrant}
        if "values" in node.value:
            placing["values"] = [_published_value(each) for each in node.nodes("values", required=True)]
        if "decided_by" in node.value:
            placing["decided_by"] = node.optional_text("decided_by")
        placings.append(placing)
    return tuple(placings)


def _published_value(node: Node) -> dict[str, Any]:
    """One published value of a criterion: a number, several compared in turn, or null where it is unknown."""
    value = node.value.get("value")
    shown: dict[str, Any] = {"criterion": node.text("criterion"), "value": None}
    if isinstance(value, list | tuple):
        shown["value"] = [_number(node, path, item) for path, item in node.items("value")]
    elif value is not None:
        shown["value"] = _number(node, node.at("value"), value)
    if "counted" in node.value and node.flag("counted") is False:
        shown["counted"] = False
    return shown


def _number(node: Node, path: str, value: object) -> str | None:
    number = exact_number(value)
    if number is None and isinstance(value, str) and _FRACTION.fullmatch(value):
        number = Fraction(value)  # as `points_text` writes a third
    if number is None:
        node.problems.add(path, '这里应为数，如 24 或 "3.5"。', 'This must be a number, such as 24 or "3.5".')
        return None
    return points_text(number)
