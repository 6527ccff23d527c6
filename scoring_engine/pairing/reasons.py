"""Why these people meet, in sentences that each have a subject, so that a page can show them one below the other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring_engine.values import Text


class Topic(StrEnum):
    """What a sentence is about."""

    MEETING = "meeting"  # who meets, with what points
    FLOAT = "float"  # 浮动: why the points differ
    AVOIDED = "avoided"  # 避开: nearer opponents whom a rule excluded
    REMATCH = "rematch"  # 重复相遇 that could not be avoided
    SIDE = "side"  # 先后手
    SEATS = "seats"  # 座位
    NUMBER = "number"  # 桌号
    BYE = "bye"  # 轮空
    BROKEN = "broken"  # a rule that no draw keeps


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence of an explanation."""

    topic: Topic
    text: Text


def joined(parts: Iterable[Text]) -> Text:
    """Several sentences, one after the other."""
    found = tuple(parts)
    return Text("".join(part.zh for part in found), " ".join(part.en for part in found))


def whole(said: Sequence[Said]) -> Text:
    """The explanation as one text."""
    return joined(each.text for each in said)


def those(*parts: tuple[Topic, Text | None]) -> tuple[Said, ...]:
    """The sentences there are."""
    return tuple(Said(topic, text) for topic, text in parts if text is not None)
