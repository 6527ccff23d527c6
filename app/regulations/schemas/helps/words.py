"""A name and a sentence of help, in Chinese and English."""

from dataclasses import dataclass

from app.regulations.rules.texts import Bilingual


@dataclass(frozen=True, slots=True)
class Help:
    """What a key is called, and what to write there."""

    label: Bilingual
    help: Bilingual


def words(label: str, label_en: str, help_: str, help_en: str) -> Help:
    """The help of one key: name and sentence, each in Chinese and English."""
    return Help(Bilingual(label, label_en), Bilingual(help_, help_en))
