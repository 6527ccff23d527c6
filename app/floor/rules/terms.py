"""The terms (办赛方式) on which the sheets of an event are confirmed and published, and who chooses them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.actors import Actor, Role
from app.errors import InvalidError
from app.regulations.rules import Regulation
from app.text import T

TERM_MAKERS = (Role.COMMITTEE,)
"""Who chooses the terms."""

LONGEST_MINUTES = 24 * 60


class Confirmation(StrEnum):
    """How a handed-in sheet is confirmed (确认方式)."""

    AT_TABLE = "at_table"
    PLAYERS = "players"
    BLIND = "blind"


CONFIRMATION_NAMES: dict[Confirmation, T] = {
    Confirmation.AT_TABLE: T("选手当场核对，裁判交表即确认"),
    Confirmation.PLAYERS: T("每名（对）选手各自确认后才算确认"),
    Confirmation.BLIND: T("另一名裁判不看原表重录，两份一致才算确认"),
}


class Publication(StrEnum):
    """When a confirmed result is published (公布方式)."""

    AT_ONCE = "at_once"
    BY_ROUND = "by_round"
    LAST_ROUND = "last_round"


PUBLICATION_NAMES: dict[Publication, T] = {
    Publication.AT_ONCE: T("逐桌公布：确认后立即公布"),
    Publication.BY_ROUND: T("逐轮公布：裁判长一轮一轮公布"),
    Publication.LAST_ROUND: T("最后一轮封盘：只有最后阶段的最后一轮由裁判长公布，其余逐桌公布"),
}


@dataclass(frozen=True, slots=True)
class Terms:
    """How sheets are confirmed and published, and how long a round lasts.

    ``round_minutes``: the clock of a round; None: no clock. ``call_minutes``: so many minutes before its end the last
    deals are announced; None: nothing is announced. Both are those of the regulation where the committee set none.
    """

    confirmation: Confirmation = Confirmation.AT_TABLE
    publication: Publication = Publication.AT_ONCE
    round_minutes: int | None = None
    call_minutes: int | None = None


def default_terms(regulation: Regulation) -> Terms:
    """The terms of an event whose committee chose none: confirmed at the table, published at once, the text's times."""
    for stage in regulation.stages:
        if stage.minutes is not None:
            return Terms(round_minutes=stage.minutes, call_minutes=stage.call_minutes)
    return Terms()


def held_back(publication: Publication, *, stage: str, number: int, last: tuple[str, int]) -> bool:
    """Whether the chief referee publishes this round as a whole. ``last``: stage and number of the last round of all."""
    if publication is Publication.LAST_ROUND:
        return (stage, number) == last
    return publication is Publication.BY_ROUND


def last_round(regulation: Regulation) -> tuple[str, int]:
    """The stage and the number of the last round of the last stage (决赛)."""
    stage = regulation.stages[-1]
    return str(stage.code), stage.rounds


def require_may_set_terms(actor: Actor, competition_id: int) -> None:
    actor.require(competition_id, *TERM_MAKERS)


def require_minutes(round_minutes: int | None, call_minutes: int | None) -> None:
    """Refuse a clock that cannot run: no minutes, more than a day, or a call before its start."""
    fields: dict[str, T] = {}
    if round_minutes is not None and not 1 <= round_minutes <= LONGEST_MINUTES:
        fields["round_minutes"] = T("每轮时间应为 1 到 %(most)s 分钟。", most=LONGEST_MINUTES)
    if call_minutes is not None and (round_minutes is None or not 1 <= call_minutes < round_minutes):
        fields["call_minutes"] = T("提醒的时刻应在一轮之内：至少提前 1 分钟，且少于每轮时间。")
    if fields:
        raise InvalidError(next(iter(fields.values())), fields=fields)
