"""What a round changed by hand would break of the regulation's rules of pairing, in words: warnings, never refusals.

The engine finds it (``scoring_engine.event_file.round_breaches``), by the same rules as ``saishi verify`` tells of a round
once it is played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.draws.rules import entry_of, with_names
from app.draws.rules.repairs import Names
from app.registrations.rules import EntryId
from app.regulations.rules import Bilingual
from app.text import T
from scoring_engine.event_file import Breach


@dataclass(frozen=True, slots=True)
class Warnings:
    """What a round would break: ``rules`` that a draw keeps wherever one can, and ``aims`` that it comes as near to as it can."""

    rules: tuple[T, ...] = ()
    aims: tuple[T, ...] = ()


def warnings_of(found: Sequence[Breach], names: Names) -> Warnings:
    """The engine's findings in people's names, each with its table and clause."""
    people = {entry_of(entrant): name for entrant, name in names.items()}
    return Warnings(
        tuple(_text(each, people) for each in found if each.kept),
        tuple(_text(each, people) for each in found if not each.kept),
    )


def _text(breach: Breach, people: Mapping[EntryId, str]) -> T:
    said = with_names(Bilingual(breach.text.zh, breach.text.en), people)
    if breach.table is None:
        return T("%(said)s（规程 %(clause)s）", said=said, clause=breach.clause)
    return T(
        "第 %(number)s 桌：%(said)s（规程 %(clause)s）",
        number=breach.table + 1,
        said=said,
        clause=breach.clause,
    )
