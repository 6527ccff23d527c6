"""Who may have the bye (轮空) when one is left over."""

from collections.abc import Mapping, Sequence

from scoring_engine.values import EntrantId

BYE_READINGS = ("spread", "any")
"""`spread`: nobody twice while another has had fewer (default of the regulations); `any`: the draw alone decides."""


def bye_candidates(
    entrants: Sequence[EntrantId], had: Mapping[EntrantId, int], reading: str
) -> tuple[EntrantId, ...]:
    """Who of these may have the bye, sorted as text; `had` counts the byes each has had (left out: none)."""
    if reading not in BYE_READINGS:
        raise ValueError(f"no reading of byes: {reading}")
    fewest = min((had.get(entrant, 0) for entrant in entrants), default=0)
    return tuple(sorted(entrant for entrant in entrants if reading == "any" or had.get(entrant, 0) == fewest))
