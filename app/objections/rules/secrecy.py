"""Who objected stays with the handling committee: texts that others read are looked through before they are kept.

A name that stands on the published list anyway (the player's, the unit's objected to) is no secret, and is taken out before the text is
searched: 示例一厂分厂 does not give 示例一厂 away.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from app.text import T

GIVES_AWAY = T("这段文字对方或公众看得到，其中有提出人的姓名、单位、电话或邮箱，请改写。")
NAMES_SOMEBODY = T("摘要对公众公开，不要写选手、单位的名称，也不要写电话或证件号码。")

_APART = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Identity:
    """What would say who objected. ``also``: more names, numbers and addresses of the same people."""

    name: str | None
    unit: str | None
    phone: str | None
    email: str | None
    also: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """Each as it would be recognised: names of two characters and more, the number without its country."""
        given = [self.name, self.unit, self.phone, self.email, *self.also]
        given = [(each or "").removeprefix("+86") for each in given]
        return tuple(word for each in given if each and len(word := folded(each)) >= 2)


def folded(text: str) -> str:
    """Without spaces, marks, widths and cases: ``１３８ 0000-0001`` and ``13800000001`` are one."""
    return _APART.sub("", unicodedata.normalize("NFKC", text)).casefold()


def gives_away(text: str, identity: Identity, public: Iterable[str] = ()) -> bool:
    """Whether a text says who objected; ``public`` names stand on the list anyway."""
    left = _without(folded(text), public)
    return any(word in left for word in identity.words)


def names_one_of(text: str, names: Iterable[str]) -> bool:
    """Whether a text says one of these names."""
    searched = folded(text)
    return any(len(word := folded(each)) >= 2 and word in searched for each in names)


def holds_number(text: str) -> bool:
    """Whether a text holds a phone or ID number: seven digits in a row."""
    return re.search(r"\d{7}", folded(text)) is not None


def _without(searched: str, public: Iterable[str]) -> str:
    for word in sorted((folded(each) for each in public), key=len, reverse=True):
        if len(word) >= 2:
            searched = searched.replace(word, "\n")
    return searched
