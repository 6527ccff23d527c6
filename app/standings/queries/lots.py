from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from app.competitions.queries import EventView
from app.extensions import db
from app.registrations import queries as registrations
from app.standings.models import LotsDraw
from app.standings.rules.lots import ties_of
from scoring_engine.pairing.commitments import entrants_sha256, mixed_seed
from scoring_engine.pairing.groups_of_three import proof_of
from scoring_engine.values import EntrantId

if TYPE_CHECKING:
    from app.standings.queries import SnapshotView


@dataclass(frozen=True, slots=True)
class LotsView:
    """Lots (抽签定名次) as everybody may read them; ``seed`` and ``committed_seed`` are None while they are secret.

    ``ties`` and ``team_ties`` are in the order drawn once ``drawn_at`` is set.
    """

    commitment: str | None
    committed_at: datetime
    entrants: tuple[str, ...]
    ties: tuple[tuple[str, ...], ...]
    team_ties: tuple[tuple[str, ...], ...]
    contribution: str | None
    committed_seed: str | None
    seed: str | None
    drawn_at: datetime | None
    withdrawn_at: datetime | None
    withdrawn_reason: str | None

    @property
    def open(self) -> bool:
        """Whether a committed seed waits for its draw."""
        return self.drawn_at is None and self.withdrawn_at is None

    @property
    def entrants_sha256(self) -> str:
        return entrants_sha256(self.entrants)

    @property
    def proof(self) -> str | None:
        """SHA-256 of seed, list and order."""
        if self.seed is None or self.drawn_at is None:
            return None
        tables = [tuple(map(EntrantId, tie)) for tie in (*self.ties, *self.team_ties)]
        return proof_of(bytes.fromhex(self.seed), [EntrantId(each) for each in self.entrants], tables, ())

    def file_json(self) -> dict[str, Any]:
        """``lots`` of the event file."""
        shown: dict[str, Any] = {
            "seed": self.seed,
            "entrants": list(self.entrants),
            "ties": [list(tie) for tie in self.ties],
            "team_ties": [list(tie) for tie in self.team_ties],
            "proof": self.proof,
        }
        if self.commitment is not None:
            shown |= {
                "commitment": self.commitment,
                "committed_at": self.committed_at.isoformat(),
                "entrants_sha256": self.entrants_sha256,
            }
            if self.contribution is not None:
                shown |= {"committed_seed": self.committed_seed, "contribution": self.contribution}
        return shown


def all_lots(event_id: int) -> tuple[LotsView, ...]:
    """Every lots draw of an event and every commitment to one, in the order made."""
    rows = db.session.scalars(
        select(LotsDraw).where(LotsDraw.event_id == event_id).order_by(LotsDraw.id)
    ).all()
    return tuple(_view(row) for row in rows)


def standing_lots(event_id: int) -> LotsView | None:
    """The lots that are committed to or drawn and not withdrawn, or None."""
    return next((each for each in all_lots(event_id) if each.withdrawn_at is None), None)


def knows_seed(event_id: int, seed: bytes) -> bool:
    """Whether lots of this event were drawn from this seed, or it was committed to for them; also given up, or still open."""
    rows = db.session.scalars(select(LotsDraw).where(LotsDraw.event_id == event_id))
    return any(
        seed in (committed, mixed_seed(committed, row.contribution))
        for row in rows
        for committed in [bytes.fromhex(row.seed)]
    )


def lots_of_file(event_id: int, took_part: Iterable[str]) -> LotsView | None:
    """The lots that decide: drawn, and of exactly those who took part as the rounds stand now."""
    found = standing_lots(event_id)
    if found is None or found.drawn_at is None or found.entrants != tuple(sorted(took_part)):
        return None
    return found


def _view(row: LotsDraw) -> LotsView:
    secret = row.drawn_at is None and row.withdrawn_at is None
    committed = bytes.fromhex(row.seed)
    return LotsView(
        commitment=row.commitment if row.committed else None,
        committed_at=row.committed_at,
        entrants=tuple(row.entrants),
        ties=tuple(tuple(tie) for tie in row.ties),
        team_ties=tuple(tuple(tie) for tie in row.team_ties),
        contribution=row.contribution,
        committed_seed=None if secret else row.seed,
        seed=None if row.drawn_at is None else mixed_seed(committed, row.contribution).hex(),
        drawn_at=row.drawn_at,
        withdrawn_at=row.withdrawn_at,
        withdrawn_reason=row.withdrawn_reason,
    )


def shown(event: EventView, snapshot: SnapshotView | None) -> dict[str, Any]:
    """What pages show of lots: all of them, the newest first; who is equal in a snapshot; names of units by their ids."""
    found = all_lots(event.id)
    ties = ties_of(snapshot.result, event.regulation.scoring_rules()) if snapshot else None
    people = registrations.entrants(event.id).values() if found or ties else ()
    return {
        "lots": tuple(reversed(found)),
        "ties": ties,
        "lots_units": {f"u{each.unit_id}": each.unit_name for each in people},
    }
