"""Documents that an entry needs (报名时提交的材料): what a later feature says of them, and when an entry is refused for them.

Registrations know no documents. The feature that does is bound once, when the application is made; without it no entry
needs any.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from app.errors import RefusedError
from app.registrations.rules.refusals import with_clause
from app.text import T


@dataclass(frozen=True, slots=True)
class NeededProof:
    """One document that is due with an entry. ``subject`` and ``kind`` name it in addresses, ``whose`` to people.

    ``entry_ids``: the entries that need it; of a document of the unit all of its entries that were asked about.
    """

    subject: str
    whose: str
    kind: str
    name: T
    clause: str
    entry_ids: frozenset[int]
    handed_in: bool
    accepted: bool


class Proofs(Protocol):
    """What is due with these entries, handed in or not. ``now`` is the moment of the act."""

    def __call__(
        self, competition_id: int, entry_ids: Collection[int], now: datetime
    ) -> Sequence[NeededProof]: ...


class _Bound:
    proofs: Proofs | None = None


def bind_proofs(proofs: Proofs) -> None:
    """Ask this from now on; called once by ``create_app``."""
    _Bound.proofs = proofs


def needed_proofs(competition_id: int, entry_ids: Collection[int], now: datetime) -> Sequence[NeededProof]:
    return () if _Bound.proofs is None else _Bound.proofs(competition_id, entry_ids, now)


class ProofsMissingError(RefusedError):
    """An entry is handed in without what the text wants with it; ``extra`` names each document."""

    code = "documents_missing"

    def __init__(self, missing: Sequence[NeededProof]) -> None:
        first = missing[0]
        super().__init__(
            T("还缺报名时应提交的材料：%(whose)s的%(name)s。", whose=first.whose, name=first.name)
            if len(missing) == 1
            else T(
                "还缺 %(count)s 份报名时应提交的材料，先是%(whose)s的%(name)s。",
                count=len(missing),
                whose=first.whose,
                name=first.name,
            ),
            clause=first.clause,
            next_step=T("请先提交这些材料，再提交报名。"),
            extra={
                "missing": [
                    {"subject": each.subject, "kind": each.kind, "clause": each.clause} for each in missing
                ]
            },
        )


def require_handed_in(proofs: Sequence[NeededProof]) -> None:
    """Refuse entries while a document that is due with them is missing. Raises ``ProofsMissingError``."""
    missing = [each for each in proofs if not each.handed_in]
    if missing:
        raise ProofsMissingError(missing)


def not_accepted(proofs: Sequence[NeededProof], entry_id: int) -> tuple[NeededProof, ...]:
    """The documents of an entry that nobody accepted yet."""
    return tuple(each for each in proofs if entry_id in each.entry_ids and not each.accepted)


def approval_problem(missing: Sequence[NeededProof]) -> T:
    """Why an entry cannot be approved yet, for beside the decision."""
    first = missing[0]
    said = (
        T("%(whose)s的%(name)s还没有审核通过。", whose=first.whose, name=first.name)
        if len(missing) == 1
        else T(
            "%(whose)s的%(name)s等 %(count)s 份材料还没有审核通过。",
            whose=first.whose,
            name=first.name,
            count=len(missing),
        )
    )
    return with_clause(said, first.clause)
