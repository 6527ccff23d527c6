"""``python -m tests.benchmarks.uploads``: 200 uploads at once on two web processes, and how many of them are lost.

Each is announced, sent in two or three pieces and finished over the API, all from threads of this process; one is whole when the
database has, for every piece in its place, the hash of what was sent. The target is that none is lost. How long it takes says more of
the machine than of the site, so it has no target; there is no peer.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.journeys.instances import ENGINES
from tests.journeys.test_uploads import UPLOADS, all_at_once, site

WEB_PROCESSES = "2"


def main() -> int:
    print(f"\n上传 (uploads), {UPLOADS} at once on {WEB_PROCESSES} web processes")
    lost = 0
    for engine in ENGINES:
        with (
            tempfile.TemporaryDirectory(prefix="saishi-bench-") as name,
            site(engine, Path(name), SAISHI_WEB_WORKERS=WEB_PROCESSES) as running,
        ):
            burst = all_at_once(running)
        missing = UPLOADS - burst.whole
        lost += missing
        print(
            f"  {engine}: {burst.whole} whole, {missing} lost, target 0: {'met' if not missing else 'MISSED'}"
            f"   ({burst.size / 1e6:.1f} MB in {burst.seconds:.1f} s)"
        )
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
