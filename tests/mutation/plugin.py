"""pytest plugin of the mutation run: tests that keep their names, and properties that fail at once.

A property stops at its first counterexample instead of looking for a smaller one, and has the same examples each time.

pytest escapes the non-ASCII names of cases anew at each collection in one process, and mutmut collects for every mutant. A
name it does not find again is an error, which would count as a mutant killed. So names are left as they are written
(pyproject.toml), and values without a name of their own get a printable one here.
"""

from typing import Any

from hypothesis import Phase, settings

settings.register_profile("mutation", settings.get_profile("ci"), phases=(Phase.explicit, Phase.generate))


def pytest_make_parametrize_id(val: Any) -> str | None:
    """The name of a text as its source; None leaves other values to pytest."""
    return ascii(val) if isinstance(val, str | bytes) else None
