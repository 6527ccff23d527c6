"""What is still missing or wrong in a draft, page by page, each problem with a link to its field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.regulations.rules import RegulationFileError
from app.regulations.schemas.form import SECTIONS, view_section
from app.regulations.schemas.form.layout import Section
from app.regulations.schemas.form.views import GroupView, RowView, View
from app.text import T


@dataclass(frozen=True, slots=True)
class Missing:
    """One problem: its page, its field there, what the field is called, what is wrong and at which clause."""

    section: Section | None
    field: str
    label: T | None
    path: str
    text: T
    clause: str | None


def missing(document: Mapping[str, Any], error: RegulationFileError | None) -> tuple[Missing, ...]:
    """Every problem in the order of the pages."""
    if error is None:
        return ()
    texts = {problem.path: problem.message for problem in error.problems}
    clauses = {problem.path: problem.clause for problem in error.problems}
    found: list[Missing] = []
    placed: set[str] = set()
    for section in SECTIONS.values():
        keys = {key.key for key in section.keys}
        here = {path: text for path, text in texts.items() if path.partition(".")[0] in keys}
        if not here:
            continue
        placed |= set(here)
        views, homeless = view_section(section, document, here)
        inside: dict[str, list[View]] = {}
        for top in views:
            for view in top.inside():
                inside.setdefault(view.path, []).append(view)
        found += [_found(section, path, text, inside, clauses.get(path)) for path, text in here.items()]
        assert not homeless, "every key of a page has a place on it"
    rest = [
        Missing(None, "", None, path, text, clauses.get(path))
        for path, text in texts.items()
        if path not in placed
    ]
    return (*found, *rest)


def _found(
    section: Section, path: str, text: T, inside: Mapping[str, list[View]], clause: str | None
) -> Missing:
    around = [view for place in _around(path) for view in inside.get(place, ())]
    near = around[-1]
    rows = [view for view in around if isinstance(view, RowView)]
    words = [row.title if str(row.title) else row.label for row in rows]
    # a field such as “date or time” is named with the group it stands in
    inner = [view for view in around if "." in view.path and not isinstance(view, RowView)]
    groups = (
        [] if rows else [view for view in around if isinstance(view, GroupView) and view is not near][-1:]
    )
    words += [view.label for view in (*groups, *inner[-1:]) if str(view.label)]
    if not words and str(near.label):
        words.append(near.label)
    return Missing(section, near.name, chain(words) if words else section.title, path, text, clause)


def chain(words: Sequence[T]) -> T:
    """From the outer to the inner: 总得分 › 出处."""
    phrase = words[0]
    for word in words[1:]:
        phrase = T("%(outer)s › %(inner)s", outer=phrase, inner=word)
    return phrase


def _around(path: str) -> list[str]:
    """The places a place is in, from the outside, and it itself."""
    keys = path.split(".")
    return ["", *(".".join(keys[:count]) for count in range(1, len(keys) + 1))]
