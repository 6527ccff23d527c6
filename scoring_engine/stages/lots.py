"""Lots (抽签): the order a published seed gives those whom nothing else separates."""

from collections.abc import Iterable, Mapping

from scoring_engine.pairing.seeds import SeedStream
from scoring_engine.values import EntrantId


def lots_of(seed: bytes | None, entrants: Iterable[EntrantId]) -> Mapping[EntrantId, int] | None:
    """The place drawn for everybody, from 1; None where no lots were drawn. The order of `entrants` does not matter."""
    if seed is None:
        return None
    drawn = SeedStream(seed).shuffle(sorted(entrants))
    return {entrant: place for place, entrant in enumerate(drawn, start=1)}
