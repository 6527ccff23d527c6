"""pytest plugin of the mutation run: a test keeps its name however often one process collects it.

pytest escapes the non-ASCII names of cases anew at each collection in one process, and mutmut collects for every mutant. A
name it does not find again is an error, which would count as a mutant killed. So names are left as they are written
(pyproject.toml), and values without a name of their own get a printable one here.
"""

from typing import Any


def pytest_make_parametrize_id(val: Any) -> str | None:
    """The name of a text as its source; None leaves other values to pytest."""
    return ascii(val) if isinstance(val, str | bytes) else None
