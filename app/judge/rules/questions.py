"""What a page asks of a referee, question by question: rows of cards, and what else must be known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.errors import NotFoundError
from app.text import T


@dataclass(frozen=True, slots=True)
class Row:
    """A row of cards, or of digits. structured: cards may be parted into units (甩牌结构); optional: it may stay empty."""

    name: str
    label: T
    optional: bool = False
    structured: bool = False
    digits: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """One question. more: what the optional rows are for, where they are folded away."""

    code: str
    name: T
    rows: tuple[Row, ...]
    more: T | None = None

    @property
    def digits(self) -> bool:
        """Whether numbers are tapped instead of cards."""
        return any(row.digits for row in self.rows)

    @property
    def row_names(self) -> tuple[str, ...]:
        return tuple(row.name for row in self.rows)


NEXT, PARTNER, BEFORE = T("下家"), T("对家"), T("上家")
PLAYERS = (T("领出者"), NEXT, PARTNER, BEFORE)
"""The players of a trick in the order of play, counted from the leader (0…3)."""
OTHERS = ("next", "partner", "before")
"""The rows of the three others, in the order of play."""


def _others(*, optional: bool) -> tuple[Row, ...]:
    return tuple(Row(name, label, optional) for name, label in zip(OTHERS, PLAYERS[1:], strict=True))


PLAY = Question(
    "play",
    T("能不能出，管不管得上"),
    (Row("play", T("出的牌")), Row("other", T("要管的牌（选填）"), optional=True)),
)
LEAD = Question(
    "lead",
    T("领出、甩牌"),
    (
        Row("play", T("领出的牌"), structured=True),
        Row("hand", T("领出者手牌"), optional=True),
        *_others(optional=True),
    ),
    T("核对手牌，看甩牌是否成立（选填）"),
)
DUTY = Question(
    "duty", T("该跟什么"), (Row("lead", T("领出的牌"), structured=True), Row("hand", T("他的手牌")))
)
FOLLOW = Question(
    "follow",
    T("跟得对吗"),
    (Row("lead", T("领出的牌"), structured=True), Row("hand", T("出牌前手牌")), Row("play", T("跟的牌"))),
)
TRICK = Question(
    "trick",
    T("谁大、底牌"),
    (
        Row("lead", T("领出的牌"), structured=True),
        *_others(optional=False),
        Row("bottom", T("底牌"), optional=True),
    ),
    T("最后一轮：底牌计多少（选填）"),
)
LEVELS = Question(
    "levels",
    T("升几级"),
    (
        Row("points", T("得分（不含底牌）"), digits=True),
        Row("bottom_points", T("底牌分"), optional=True, digits=True),
    ),
)

QUESTIONS: Mapping[str, tuple[Question, ...]] = {
    "landlord": (PLAY,),
    "tractor": (LEAD, DUTY, FOLLOW, TRICK, LEVELS),
    "eighty": (LEAD, DUTY, FOLLOW, TRICK, LEVELS),
}
"""Game -> its questions, the first one asked where none is chosen; board games have none."""

ROWS = tuple(dict.fromkeys(row.name for asked in QUESTIONS.values() for each in asked for row in each.rows))
"""The name of every row of cards."""


class NoCardsError(NotFoundError):
    """A board game, of which no card can be judged."""

    def __init__(self) -> None:
        super().__init__(T("这个项目是棋类，没有牌可判。"), next_step=T("规则和违例的判罚在规程页。"))


class UnknownQuestionError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("这个项目没有这个问题。"), next_step=T("请在判牌页重新选择。"))


def question_of(game: str, code: str | None) -> Question:
    """The question of this code, or the game's first one. Raises NoCardsError, UnknownQuestionError."""
    if game not in QUESTIONS:
        raise NoCardsError
    for question in QUESTIONS[game]:
        if code in (None, question.code):
            return question
    raise UnknownQuestionError
