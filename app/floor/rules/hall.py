"""The hall: referees at their tables, calls for one, who has arrived, and what is announced to every phone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from fractions import Fraction

from app.actors import Actor, Role
from app.errors import ConflictError, InvalidError, NotFoundError, RefusedError
from app.text import T, holds_long_number

HALL_STAFF = (Role.REFEREE, Role.CHIEF_REFEREE, Role.COMMITTEE)
"""Who sees the calls and the arrivals, takes calls, and records who came."""

PLACERS = (Role.CHIEF_REFEREE, Role.COMMITTEE)
"""Who puts referees at tables, and speaks to every phone."""

NOTICE_STANDS = timedelta(hours=2)
"""For how long an announcement is shown, unless it is withdrawn before."""

LONGEST_NOTICE = 200
LONGEST_NOTICE_EN = 300
LONGEST_NOTE = 200
LONGEST_OUTCOME = 500


class CallKind(StrEnum):
    """Whom a table calls for (呼叫裁判): a referee, the chief referee, or the chief referee over a disputed sheet."""

    REFEREE = "referee"
    CHIEF = "chief"
    DISPUTE = "dispute"


CALL_KIND_NAMES: dict[CallKind, T] = {
    CallKind.REFEREE: T("呼叫裁判"),
    CallKind.CHIEF: T("请裁判长"),
    CallKind.DISPUTE: T("成绩有争议"),
}

CALL_TAKERS: Mapping[CallKind, tuple[Role, ...]] = {
    CallKind.REFEREE: (Role.REFEREE, Role.CHIEF_REFEREE),
    CallKind.CHIEF: (Role.CHIEF_REFEREE,),
    CallKind.DISPUTE: (Role.CHIEF_REFEREE,),
}
"""Who goes to a table that calls."""


class ArrivalWay(StrEnum):
    """How an arrival was recorded (到场): the referee scanned the card, the player said so himself, or the referee saw him."""

    CARD = "card"
    OWN = "own"
    REFEREE = "referee"


ARRIVAL_WAY_NAMES: dict[ArrivalWay, T] = {
    ArrivalWay.CARD: T("扫卡"),
    ArrivalWay.OWN: T("本人报到"),
    ArrivalWay.REFEREE: T("裁判登记"),
}


class NotARefereeError(InvalidError):
    def __init__(self) -> None:
        text = T("这个人没有裁判员或裁判长身份。")
        super().__init__(
            text, fields={"user_id": text}, next_step=T("请主办方或裁判长先在“人员与身份”中加入。")
        )


class NoRefereesError(RefusedError):
    def __init__(self) -> None:
        super().__init__(
            T("这个赛事还没有裁判员，无法安排。"), next_step=T("请先在“人员与身份”中加入裁判员。")
        )


class NotAssignedError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("这名裁判没有安排在这一桌。"), next_step=T("请刷新页面核对。"))


class NotAtTableError(RefusedError):
    """A player calls from, and arrives at, his own table."""

    def __init__(self) -> None:
        super().__init__(T("您不在这一桌。"), next_step=T("请在您的选手页上看这一轮坐哪一桌。"))


class UnknownCallError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有这一次呼叫。"), next_step=T("请刷新呼叫列表。"))


class CallTakenError(ConflictError):
    """Somebody else is on the way to this table."""

    def __init__(self, taken_at: datetime) -> None:
        super().__init__(
            T("已有另一名裁判于 %(taken)s 接下这次呼叫。", taken=taken_at), next_step=T("请接下一个呼叫。")
        )


class CallClosedError(RefusedError):
    def __init__(self, closed_at: datetime) -> None:
        super().__init__(T("这次呼叫已于 %(closed)s 办结。", closed=closed_at))


class NotInRoundError(RefusedError):
    def __init__(self) -> None:
        super().__init__(T("这名选手本轮没有安排在任何一桌。"), next_step=T("请在对阵页核对本轮名单。"))


class NotArrivedError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有这名选手本轮的到场记录。"), next_step=T("请刷新页面核对。"))


class ArrivalAheadError(InvalidError):
    """An arrival is written down when it has happened."""

    def __init__(self) -> None:
        text = T("到场时间不能晚于现在。")
        super().__init__(text, fields={"at": text})


class UnknownNoticeError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有这条广播。"), next_step=T("请刷新页面核对。"))


def require_hall_staff(actor: Actor, competition_id: int) -> None:
    actor.require(competition_id, *HALL_STAFF)


def require_may_place(actor: Actor, competition_id: int) -> None:
    actor.require(competition_id, *PLACERS)


def require_may_take(actor: Actor, competition_id: int, kind: CallKind) -> None:
    """A referee goes to a table that calls for one; the chief referee goes to any."""
    actor.require(competition_id, *CALL_TAKERS[kind])


def call_kind(code: str) -> CallKind:
    """Raises ``InvalidError``."""
    try:
        return CallKind(code)
    except ValueError:
        text = T("请选择呼叫谁。")
        raise InvalidError(text, fields={"kind": text}) from None


def parse_note(written: str | None) -> str | None:
    """What a table says with its call; None where it says nothing."""
    note = (written or "").strip()
    if len(note) > LONGEST_NOTE:
        text = T("说明最多 %(most)s 个字。", most=LONGEST_NOTE)
        raise InvalidError(text, fields={"note": text})
    return note or None


def parse_outcome(written: str | None) -> str | None:
    """What came of a call; None where nothing was written. No numbers of persons: it stays on record."""
    outcome = (written or "").strip()
    if len(outcome) > LONGEST_OUTCOME:
        text = T("处理结果最多 %(most)s 个字。", most=LONGEST_OUTCOME)
        raise InvalidError(text, fields={"outcome": text})
    if holds_long_number(outcome):
        text = T("请不要写手机号或证件号。")
        raise InvalidError(text, fields={"outcome": text})
    return outcome or None


def parse_notice(written: str, written_en: str | None) -> tuple[str, str | None]:
    """An announcement in Chinese and, where one was written, in English. Raises ``InvalidError``."""
    text, text_en = " ".join(written.split()), " ".join((written_en or "").split()) or None
    fields: dict[str, T] = {}
    if not 1 <= len(text) <= LONGEST_NOTICE:
        fields["text"] = T("广播应为 1 到 %(most)s 个字。", most=LONGEST_NOTICE)
    elif holds_long_number(text):
        fields["text"] = T("广播所有人都能看到，请不要写手机号或证件号。")
    if text_en is not None and len(text_en) > LONGEST_NOTICE_EN:
        fields["text_en"] = T("英文广播最多 %(most)s 个字符。", most=LONGEST_NOTICE_EN)
    elif text_en is not None and holds_long_number(text_en):
        fields["text_en"] = T("广播所有人都能看到，请不要写手机号或证件号。")
    if fields:
        raise InvalidError(next(iter(fields.values())), fields=fields)
    return text, text_en


def lateness(arrived_at: datetime, scheduled_at: datetime) -> Fraction:
    """How many minutes after the scheduled time, exactly; 0 for who was in time."""
    late = arrived_at - scheduled_at
    seconds = Fraction(late.days * 86_400 + late.seconds) + Fraction(late.microseconds, 1_000_000)
    return max(Fraction(0), seconds / 60)


def spread(referees: Sequence[int], tables: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Referees over tables as evenly as it goes: whoever has several has neighbours; with more referees than tables
    some tables have several. ``referees``: user ids; ``tables``: numbers in order."""
    placed: dict[int, list[int]] = {number: [] for number in tables}
    if referees and len(referees) <= len(tables):
        for index, number in enumerate(tables):
            placed[number].append(referees[index * len(referees) // len(tables)])
    elif tables:
        for index, user_id in enumerate(referees):
            placed[tables[index * len(tables) // len(referees)]].append(user_id)
    return {number: tuple(each) for number, each in placed.items()}
