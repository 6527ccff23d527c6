"""Regulations C and D as match formats (of the golden files) and trick formats (as shipped), with any options chosen."""

import copy
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from app.regulations import library
from scoring_engine.documents import DocumentError, Node, Problems
from scoring_engine.rules import ScoringRules
from scoring_engine.tractor.bottom import BottomMultipliers
from scoring_engine.tractor.levels import LevelTable
from scoring_engine.tractor.matches import Deal, MatchFormat
from scoring_engine.tractor.matches.records import Match, read_match
from scoring_engine.tractor.penalties import Effect, Infringement
from scoring_engine.tractor.tricks import TrickFormat
from scoring_engine.values import EntrantId
from tests.scoring_engine.events import golden

MATCHES = golden("tractor_matches")
SHIPPED = {"C": "baiyun-tractor-2016", "D": "siming-eighty-2023"}
SIDES = (EntrantId("e1"), EntrantId("e2"))


def regulation(text: str) -> dict[str, Any]:
    """A copy of regulation C or D, to be changed."""
    return copy.deepcopy(MATCHES["regulations"][text])


def match_format(text: str, options: Mapping[str, Any] | None = None) -> MatchFormat:
    """The format of regulation C or D; `options` go over its defaults."""
    document = regulation(text)
    defaults = document.pop("options")
    return MatchFormat.from_mapping(document, {**defaults, **(options or {})})


FORMATS = {text: match_format(text) for text in ("C", "D")}


@cache
def shipped(text: str) -> ScoringRules:
    """Regulation C or D as it is shipped."""
    return library.load(SHIPPED[text]).scoring_rules()


def trick_format(text: str, options: Mapping[str, Any] | None = None) -> TrickFormat:
    """How tricks are judged under regulation C or D with these options chosen."""
    return shipped(text).with_options(options or {}).tricks


def levels(text: str) -> LevelTable:
    """The level table of regulation C or D, read anew."""
    return match_format(text).levels


def multipliers(text: str) -> BottomMultipliers:
    """The multipliers of regulation C or D, read anew."""
    return match_format(text).bottom


def infringement(short: Any, number: int = 1, **more: Any) -> Infringement:
    """`["revoke", "e1", 2]`, or an object with the other keys."""
    if isinstance(short, list):
        short = dict(zip(("rule", "offender", "deal"), short, strict=True))
    given = {"id": f"p{number}", "offender": "e1", **more, **short}
    if "outcome" in given:
        given["outcome"] = Effect(given["outcome"])
    return Infringement(**given)


def match(case: Mapping[str, Any]) -> Match:
    """The table of a golden case between e1 and e2."""
    document = {key: case[key] for key in ("deals", "forfeits", "announced_in") if case.get(key) is not None}
    document.update(case.get("end", {}))
    node = Node(document, "$", Problems())
    found = read_match(node, SIDES)
    if found is None:
        raise DocumentError(node.problems.found)
    late = {EntrantId(side): Fraction(minutes) for side, minutes in case.get("late", {}).items()}
    return Match(found.sides, found.deals, found.end, found.forfeits, late, found.announced_in)


def deal(points: int, banker: str = "e1") -> Deal:
    """A deal that was played out, without a bottom."""
    return Deal(EntrantId(banker), points)
