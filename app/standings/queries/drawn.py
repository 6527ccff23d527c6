from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.actors import ROLE_NAMES
from app.draws.queries import ChangeView, RoundView, RulingView
from app.draws.queries.division import DivisionView
from app.draws.queries.seeds import CommitmentView
from app.draws.rules.repairs import as_stored
from app.regulations.rules import Regulation


def _repair(made: ChangeView) -> dict[str, Any]:
    """One change by hand; the role it was made in stands for the person."""
    return {
        "by": str(ROLE_NAMES[made.made_as]),
        "at": made.made_at.isoformat(),
        "reason": made.reason,
        "change": dict(made.change),
    }


def _ruling(given: RulingView) -> dict[str, Any]:
    """The ruling a round was drawn by; the role stands for the person."""
    return {
        "by": str(ROLE_NAMES[given.made_as]),
        "at": given.made_at.isoformat(),
        "reason": given.reason,
        "questions": [dict(each) for each in given.questions],
        "broken": [{"rule": each["rule"], "entrants": each["entrants"]} for each in given.broken],
    }


def earlier_json(
    version: Regulation, adjustments: list[dict[str, Any]], now: list[dict[str, Any]]
) -> dict[str, Any]:
    """One of ``earlier_regulations``, with the penalties in its own words where those of ``now`` are others."""
    return {"sha256": version.sha256, "regulation": version.document} | (
        {} if adjustments == now else {"adjustments": adjustments}
    )


def drawn_json(
    drawn: RoundView, earlier: Regulation | None = None, then: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """One drawn round as ``draws`` of the event file has it; ``earlier`` is the version it was drawn by, if not the one now, and
    ``then`` what of the results before it was otherwise."""
    shown: dict[str, Any] = {
        "stage": drawn.stage,
        "round": drawn.number,
        "seed": drawn.seed,
        "entrants": list(drawn.entrants),
        "tables": [list(seats) for seats in drawn.drawn.tables],
        "byes": list(drawn.drawn.byes),
        "proof": drawn.proof,
    }
    if earlier is not None:
        shown["regulation_sha256"] = earlier.sha256
    if then:
        shown["as_drawn"] = dict(then)
    if drawn.changes:
        shown |= {"repairs": [_repair(each) for each in drawn.changes], "repaired": as_stored(drawn.placed)}
    if drawn.ruling is not None:
        shown["ruling"] = _ruling(drawn.ruling)
    return shown | _committed(drawn.commitment)


def division_json(drawn: DivisionView) -> dict[str, Any]:
    """``division`` of the event file."""
    return {
        "stage": drawn.stage,
        "seed": drawn.seed,
        "entrants": list(drawn.entrants),
        "groups": [
            {"group": group.name, "entrants": list(members)}
            for group, members in zip(drawn.groups, drawn.ids, strict=True)
        ],
        "proof": drawn.proof,
    } | _committed(drawn.commitment)


def _committed(before: CommitmentView | None) -> dict[str, Any]:
    """What was published before a draw."""
    if before is None:
        return {}
    shown: dict[str, Any] = {
        "commitment": before.commitment,
        "committed_at": before.committed_at.isoformat(),
        "entrants_sha256": before.entrants_sha256,
    }
    if before.contribution is not None:
        shown |= {"committed_seed": before.committed_seed, "contribution": before.contribution}
    return shown
