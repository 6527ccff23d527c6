"""Values that the engine checks, as fields of the schema."""

from collections.abc import Iterable, Mapping
from typing import Any

from app.regulations.schemas.fields import (
    EVERY_KEY,
    Checked,
    Kind,
    refuse,
)
from app.text import T


class Given(Checked):
    """A value that the engine checks."""

    def __init__(
        self,
        kind: Kind,
        allowed: Iterable[Any] = (),
        *,
        required: bool = False,
        least: int | None = None,
        most: int | None = None,
        example: str | None = None,
        takes_option: bool = False,
    ) -> None:
        super().__init__(required=required)
        self.kind = kind
        self.allowed = tuple(str(each) for each in allowed)
        self.least, self.most, self.example = least, most, example
        self.takes_option = takes_option

    def check(self, value: Any) -> None:
        if value is None:
            raise refuse(T("不能为空。"))


class Inner(Given):
    """A table or rows that the engine checks, with the keys inside."""

    def __init__(
        self,
        kind: Kind,
        keys: Iterable[tuple[str, Checked]],
        allowed: Iterable[Any] = (),
        *,
        required: bool = False,
    ) -> None:
        super().__init__(kind, allowed, required=required)
        self.keys = tuple(keys)

    def inside(self) -> Iterable[tuple[str, Checked]]:
        return self.keys


def choice(allowed: Iterable[Any], *, required: bool = False, takes_option: bool = False) -> Given:
    return Given(Kind.CHOICE, allowed, required=required, takes_option=takes_option)


def whole(least: int, most: int, *, required: bool = False, takes_option: bool = False) -> Given:
    return Given(Kind.WHOLE, least=least, most=most, required=required, takes_option=takes_option)


def points(*, required: bool = False, takes_option: bool = False, least: int | None = 0) -> Given:
    return Given(
        Kind.POINTS, least=least, most=1000, example="1.5", required=required, takes_option=takes_option
    )


def name(example: str) -> Given:
    return Given(Kind.NAME, example=example, required=True)


def table(keys: Mapping[str, Checked], *, required: bool = False) -> Inner:
    return Inner(Kind.TABLE, keys.items(), required=required)


def rows(keys: Mapping[str, Checked], *, required: bool = False) -> Inner:
    return Inner(Kind.ROWS, keys.items(), required=required)


def keyed(of: Checked, allowed: Iterable[str] = (), *, required: bool = False) -> Inner:
    return Inner(Kind.MAP, [(EVERY_KEY, of)], allowed, required=required)


def words(*, required: bool = False) -> Given:
    return Given(Kind.WORDS, required=required)
