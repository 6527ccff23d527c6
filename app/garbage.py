"""How often a serving process looks for cyclic garbage (垃圾回收).

Standings of 900 make a hundred thousand objects that live for a moment; by default Python walks everything that lives hundreds of
times meanwhile. Measured of 900 entrants and 300 tables: a computation 74 ms, 43 with this; the public standings 26 ms, 17 with it;
a sheet handed in 36 ms, 27 with it.
"""

from __future__ import annotations

import gc

THRESHOLDS = (50_000, 20, 50)
"""New objects until the young ones are looked at; how often until those that outlived it are, and all. Python's own are 700, 10, 10."""


def settle() -> None:
    """Call once, when everything is imported: what lives now lives as long as the process, and is never walked again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
