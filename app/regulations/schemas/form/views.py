"""What a page shows of a regulation that is being edited: fields, groups of fields, lists of rows."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.regulations.rules.texts import Bilingual
from app.text import T

OptionName = tuple[str, T]


@dataclass(slots=True)
class View:
    """One place of the document on the page. name: of its field, path: in the document, as an error names it."""

    name: str
    path: str
    label: T
    help: T | None = None
    errors: list[T] = field(default_factory=list)
    aside: bool = False
    """Whether it may be left out and is: the page folds it away."""

    kind = ""

    def inside(self) -> Iterator["View"]:
        """The places inside, however deep, this one first."""
        yield self

    @property
    def wrong(self) -> int:
        """How many errors stand here and inside."""
        return sum(len(each.errors) for each in self.inside())


@dataclass(slots=True)
class FieldView(View):
    """One field. texts: what it holds; choices: what can be chosen; option: the interpretation that decides it."""

    widget: str = "text"
    texts: Sequence[str] = ()
    choices: Sequence[tuple[str, T]] = ()
    was: str | None = None
    option: str | None = None
    options: Sequence[OptionName] = ()
    required: bool = False
    present: bool = False
    """Whether something stands in the document here, an empty list too."""
    clause: str | None = None

    kind = "field"

    @property
    def text(self) -> str:
        return self.texts[0] if self.texts else ""


@dataclass(slots=True)
class GroupView(View):
    """Fields that belong together. empty: it stands in the document with nothing in it."""

    views: list[View] = field(default_factory=list)
    empty: bool = False

    kind = "group"

    def inside(self) -> Iterator[View]:
        yield self
        for view in self.views:
            yield from view.inside()


@dataclass(slots=True)
class RowView(GroupView):
    """One row of a list, with what it says in words."""

    title: T = field(default_factory=lambda: Bilingual("", ""))
    place: Sequence[Any] = ()

    kind = "row"

    def act(self, what: str) -> str:
        return json.dumps([what, *self.place], ensure_ascii=False)


@dataclass(slots=True)
class RowsView(View):
    """A list of rows, which can be added, removed and moved. adds: the kinds a new row can be of."""

    rows: list[RowView] = field(default_factory=list)
    adds: Sequence[tuple[str, T]] = ()
    place: Sequence[Any] = ()
    empty: bool = False

    kind = "rows"

    def inside(self) -> Iterator[View]:
        yield self
        for row in self.rows:
            yield from row.inside()

    @property
    def act(self) -> str:
        return json.dumps(["add", *self.place], ensure_ascii=False)


def place_errors(views: Sequence[View], errors: Mapping[str, T]) -> list[tuple[str, T]]:
    """Put every error beside its field, or at the nearest place around it; the ones that have no place here are answered."""
    places = {view.path: view for top in views for view in top.inside()}
    homeless = []
    for path, text in errors.items():
        near = path
        while near and near not in places:
            near = near.rpartition(".")[0]
        if near:
            places[near].errors.append(text)
        else:
            homeless.append((path, text))
    return homeless
