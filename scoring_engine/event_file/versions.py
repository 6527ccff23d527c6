"""Earlier versions of the regulation (规程版本) in an event file: a round is drawn by the version in force then.

    "regulation": {…}, "earlier_regulations": [{"sha256": "…", "regulation": {…}, "adjustments": […]}],
    "draws": [{"stage": "swiss", "round": 1, "regulation_sha256": "…", …}]

A draw that names no version was made by `regulation`. One that names an earlier version is replayed by it, from the rounds up
to those it drew, so that nothing recorded later, under rules it does not have, is read by it. `adjustments` are the penalties
in the words of that version, where they are others than the file's own.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scoring_engine.documents import Node
from scoring_engine.records import DrawRecord
from scoring_engine.rules import PLAYOFF, ScoringRules

Earlier = Mapping[str, ScoringRules]
"""The scoring rules of the earlier versions, by the SHA-256 of their regulations."""

SHA256 = re.compile(r"[0-9a-f]{64}")


def read_earlier(root: Node) -> frozenset[str]:
    """The SHA-256s of the earlier versions the file holds; every problem of their entries is noted."""
    known: set[str] = set()
    for node in root.nodes("earlier_regulations"):
        sha256 = read_sha256(node, "sha256")
        regulation = node.node("regulation")
        if regulation is not None:
            _require_same_id(root, regulation)
        if node.has("adjustments"):
            for _ in node.nodes("adjustments"):
                pass  # they are judged when that version reads them
        if sha256 in known:
            node.problems.add(
                node.at("sha256"), "同一版规程写了两次。", "The same version of the regulation stands twice."
            )
        elif sha256 is not None:
            known.add(sha256)
    return frozenset(known)


def _require_same_id(root: Node, regulation: Node) -> None:
    name, now = regulation.text("id"), root.value.get("regulation")
    own = now.get("id") if isinstance(now, Mapping) else now
    if name is not None and isinstance(own, str) and name != own:
        regulation.problems.add(
            regulation.at("id"),
            f"早先的一版规程是 {name}，不是 {own}。",
            f"An earlier version is of regulation {name}, not {own}.",
        )


def read_sha256(node: Node, key: str) -> str | None:
    """A SHA-256 in hexadecimal."""
    text = node.text(key)
    if text is not None and not SHA256.fullmatch(text):
        node.problems.add(
            node.at(key),
            "SHA-256 应为 64 位十六进制数（0–9、a–f）。",
            "A SHA-256 is 64 hexadecimal digits (0–9, a–f).",
        )
        return None
    return text


def read_version(node: Node, earlier: frozenset[str]) -> str | None:
    """The version a draw names; None where it was made by the file's own regulation."""
    if not node.has("regulation_sha256"):
        return None
    sha256 = read_sha256(node, "regulation_sha256")
    if sha256 is not None and sha256 not in earlier:
        node.problems.add(
            node.at("regulation_sha256"),
            "文件的 earlier_regulations 里没有这一版规程。",
            "The file's earlier_regulations do not hold this version.",
        )
    return sha256


def as_drawn_by(
    document: Mapping[str, Any],
    sha256: str | None,
    drawn: Sequence[DrawRecord],
    penalties: Sequence[Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """The file as a version reads it, None for its own: the rounds before the last of these draws, the seats of that one, and
    the penalties of those rounds; `penalties` are in place of those of the version."""
    version: Mapping[str, Any] = {"regulation": document["regulation"]}
    if sha256 is not None:
        version = next(each for each in document["earlier_regulations"] if each["sha256"] == sha256)
    recorded = list(document.get("stages") or ())
    codes = [stage["code"] for stage in recorded]
    places = [(codes.index(draw.stage), draw.round) for draw in drawn if draw.stage in codes]
    end, last = max(places, default=(len(codes), 0))
    stages: list[dict[str, Any]] = []
    before: set[tuple[str, int | None]] = set()
    for place, stage in enumerate(recorded):
        if (
            place > end and stage["code"] != PLAYOFF
        ):  # play-offs decide who goes on, wherever a file writes them
            continue
        rounds = stage.get("rounds") or ()
        played = [part for part in rounds if place != end or part["number"] < last]
        seated = [_seats_alone(part) for part in rounds if place == end and part["number"] == last]
        stages.append({**stage, "rounds": [*played, *seated]})
        before |= {(stage["code"], part["number"]) for part in played}
        if played and not seated:
            before.add((stage["code"], None))
    given = version.get("adjustments") if penalties is None else penalties
    adjustments = (document.get("adjustments") if given is None else given) or ()
    left_out = _LEFT_OUT if sha256 is None else (*_LEFT_OUT, "options")
    return {key: value for key, value in document.items() if key not in left_out} | {
        "regulation": version["regulation"],
        "stages": stages,
        "adjustments": [each for each in adjustments if (each.get("stage"), each.get("round")) in before],
    }


def _seats_alone(part: Mapping[str, Any]) -> dict[str, Any]:
    """A round as it was drawn: what was played at its tables came later, maybe under a later version."""
    tables = [{key: table[key] for key in _SEATS if key in table} for table in part.get("tables") or ()]
    return {**part, "tables": tables}


_LEFT_OUT = ("draws", "division", "lots", "published", "earlier_regulations")
_SEATS = ("number", "seats", "sides", "first", "second")
