"""What in an event file does not follow from it, and the comparisons every kind of draw needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from scoring_engine.pairing.commitments import commitment_of, entrants_sha256, mixed_seed
from scoring_engine.records import PriorCommitment
from scoring_engine.values import EntrantId, Text


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


@dataclass(frozen=True, slots=True)
class Note:
    """Something a reader should see that is no difference: a rule broken by a round as played, or a draw repaired by hand."""

    path: str
    text: Text
    more: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """The note as a JSON object."""
        return {"path": self.path, "message": self.text.zh, "message_en": self.text.en, **self.more}


def compare(path: str, zh: str, en: str, expected: object, found: object) -> list[Difference]:
    """One difference where the recomputed value is not the one in the file."""
    if expected == found:
        return []
    return [
        Difference(
            path, f"{zh}与重新计算的不同。", f"{en} differs from what was recomputed.", expected, found
        )
    ]


def lists(tables: Sequence[Sequence[str]]) -> list[list[str]]:
    """Tables as a JSON document has them."""
    return [list(table) for table in tables]


class Committed(Protocol):
    """A draw, of whatever kind, whose seed may have been committed to."""

    @property
    def path(self) -> str: ...
    @property
    def seed(self) -> bytes: ...
    @property
    def entrants(self) -> tuple[EntrantId, ...]: ...
    @property
    def committed(self) -> PriorCommitment | None: ...


def commitment_differences(draw: Committed) -> list[Difference]:
    """Whether the seed is the one that was committed to, with the public contribution mixed in (docs/draws.md)."""
    prior = draw.committed
    if prior is None:
        return []
    committed = draw.seed if prior.seed is None else prior.seed
    found = compare(
        f"{draw.path}.commitment",
        "种子的承诺",
        "The commitment to the seed",
        commitment_of(committed),
        prior.commitment,
    )
    mixed = mixed_seed(committed, prior.contribution).hex()
    found += compare(f"{draw.path}.seed", "种子", "The seed", mixed, draw.seed.hex())
    if prior.entrants_sha256 is not None:
        digest = entrants_sha256(draw.entrants)
        found += compare(
            f"{draw.path}.entrants_sha256",
            "承诺时名单的 SHA-256",
            "The SHA-256 of the list at the commitment",
            digest,
            prior.entrants_sha256,
        )
    return found
