from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.draws import rules
from app.draws.models import DrawCommitment
from app.draws.rules import UnknownRoundError
from app.extensions import db
from app.text import T
from scoring_engine.pairing.commitments import entrants_sha256, mixed_seed


@dataclass(frozen=True, slots=True)
class CommitmentView:
    """A commitment (承诺) to the seed of one round. ``committed_seed`` is None while it is still secret."""

    stage: str
    number: int
    commitment: str
    committed_at: datetime
    entrants: tuple[str, ...]
    contribution: str | None
    contributed_at: datetime | None
    withdrawn_at: datetime | None
    withdrawn_reason: str | None
    fell_with: T | None
    """The earlier round that was taken back, where the commitment fell with it."""
    committed_seed: str | None

    @property
    def stage_name(self) -> T:
        return rules.stage_name(self.stage)

    @property
    def entrants_sha256(self) -> str:
        return entrants_sha256(self.entrants)

    @property
    def open(self) -> bool:
        """Whether it waits for its draw."""
        return self.committed_seed is None


def commitments(event_id: int) -> tuple[CommitmentView, ...]:
    """Every commitment of an event, also those drawn from and those withdrawn, in the order made."""
    return tuple(commitment_view(row) for row in commitment_rows(event_id))


def open_commitment(event_id: int, stage: str, number: int) -> CommitmentView | None:
    """The commitment that waits for the draw of this round, or None."""
    found = (each for each in commitments(event_id) if each.open)
    return next((each for each in found if (each.stage, each.number) == (stage, number)), None)


def last_commitment(event_id: int, stage: str, number: int) -> CommitmentView:
    """The newest commitment of a round, in whatever state. Raises ``UnknownRoundError``."""
    found = [each for each in commitments(event_id) if (each.stage, each.number) == (stage, number)]
    if not found:
        raise UnknownRoundError
    return found[-1]


def commitment_rows(event_id: int) -> Iterable[DrawCommitment]:
    """The rows of an event's commitments, in the order made."""
    return db.session.scalars(
        select(DrawCommitment).where(DrawCommitment.event_id == event_id).order_by(DrawCommitment.id)
    ).all()


def commitment_view(row: DrawCommitment) -> CommitmentView:
    """One commitment as it may be shown: its seed only once nothing can be drawn from it any more."""
    secret = row.round_id is None and row.withdrawn_at is None and row.division_id is None
    fell_with = row.withdrawn_with.rpartition("-") if row.withdrawn_with else None
    return CommitmentView(
        stage=row.stage,
        number=row.number,
        commitment=row.commitment,
        committed_at=row.committed_at,
        entrants=tuple(row.entrants),
        contribution=row.contribution,
        contributed_at=row.contributed_at,
        withdrawn_at=row.withdrawn_at,
        withdrawn_reason=row.withdrawn_reason,
        fell_with=rules.round_name(fell_with[0], int(fell_with[2])) if fell_with else None,
        committed_seed=None if secret else row.seed,
    )


def seed_to_draw(event_id: int, stage: str, number: int) -> bytes | None:
    """The seed this round would be drawn from, of its open commitment with the contribution so far. Never shown to anybody."""
    row = next(
        (
            each
            for each in commitment_rows(event_id)
            if (each.stage, each.number) == (stage, number)
            and each.round_id is None
            and each.withdrawn_at is None
        ),
        None,
    )
    return None if row is None else mixed_seed(bytes.fromhex(row.seed), row.contribution)
