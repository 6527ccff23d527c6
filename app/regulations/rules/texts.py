"""Sentences that come from a regulation file in both languages, not from the message catalogue."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from app.text import T

LANGUAGE = T("zh")
"""The code of the language a catalogue leads to: its English translation is `en`."""


class Bilingual(T):
    """A text of the regulation, written there in Chinese and English.

    It is a `T`, so pages and sentences take it like any other; only its English does not come from the catalogue.
    """

    __slots__ = ("en",)

    def __init__(self, zh: str, en: str) -> None:
        super().__init__(zh)
        self.en = en

    @classmethod
    def of(cls, texts: Mapping[str, Any]) -> "Bilingual":
        """From a `{ zh = "…", en = "…" }` table."""
        return cls(texts["zh"], texts["en"])

    @property
    def zh(self) -> str:
        return self.msgid

    def in_language(self, language: str) -> str:
        return self.en if language == "en" else self.zh

    def render(
        self,
        translate: Callable[[str], str] = lambda msgid: msgid,
        show_moment: Callable[[date], str] | None = None,
    ) -> str:
        return self.in_language(translate(LANGUAGE.msgid))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bilingual) and (self.zh, self.en) == (other.zh, other.en)

    def __hash__(self) -> int:
        return hash((self.zh, self.en))


ENDED = T("%(phrase)s。", phrase="")


class Sentence(T):
    """A phrase as a sentence of its own: with its full stop, in English with a capital."""

    __slots__ = ()

    def __init__(self, phrase: T) -> None:
        super().__init__(ENDED.msgid, phrase=phrase)

    def render(
        self,
        translate: Callable[[str], str] = lambda msgid: msgid,
        show_moment: Callable[[date], str] | None = None,
    ) -> str:
        said = super().render(translate, show_moment)
        return said[:1].upper() + said[1:]


MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def day_in_words(day: date) -> Bilingual:
    """A day as the texts write it, without its weekday: 2003年12月31日, 31 December 2003."""
    return Bilingual(f"{day.year}年{day.month}月{day.day}日", f"{day.day} {MONTHS[day.month - 1]} {day.year}")
