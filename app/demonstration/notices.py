"""The announcements (公告) of the demonstration, where entries are open: one from the start, and a pinned one with an attachment.

The attachment is a file that a worker checks, so the pinned one is written by a job after the seed, like the documents of
``papers``. Its key makes it exist once.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.accounts import queries as accounts
from app.actors import Actor
from app.announcements import queries as announcements
from app.announcements import service
from app.announcements.rules import AnnouncementText
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions.rules import UnknownCompetitionError
from app.demonstration import queries, rules, specimens
from app.demonstration.queries import Cast

SLUG = rules.OPEN_SLUG
FILE_NAME = "场馆与路线（样张）.jpg"

WELCOME = AnnouncementText(
    "报名已经开始",
    "请各单位领队在报名截止前填写队员并交齐材料。\n\n规程和日程见赛事主页。这是一场演示赛事，纯属虚构。",
    "Entries are open",
    "Leaders, please enter your members and hand in their documents before entries close.\n\n"
    "Regulation and dates are on the home page. This is a demonstration; everything in it is made up.",
)
VENUE = AnnouncementText(
    "场馆与到场时间",
    "比赛在示例市体育馆进行，请提前一小时到场检录。\n\n路线见附件，交通信息见 https://example.org/venue 。",
    "The venue, and when to come",
    "Play is in the sports hall of the made-up city; please check in an hour before.\n\n"
    "How to get there is in the attachment, and at https://example.org/venue.",
)


@dataclass(frozen=True, slots=True)
class Notice:
    """The pinned one, still to be written."""

    writer: Actor
    picture: bytes
    key: str = "demonstration-venue"


def welcome(ctx: CommandContext) -> None:
    """Write the first one; ``ctx`` acts for the committee."""
    service.announce(ctx, SLUG, WELCOME, idempotency_key="demonstration-welcome")


def wanted() -> Notice | None:
    """The pinned one, where there is a demonstration and it is not there yet."""
    try:
        competition_id = competitions.competition_id(SLUG)
    except UnknownCompetitionError:
        return None
    if any(each.text.title == VENUE.title for each in announcements.for_staff(competition_id)):
        return None
    writer = accounts.session_user(queries.user_of(Cast.COMMITTEE))
    assert writer is not None
    lines = (
        "地铁：示例线 示例站 A 口",
        "公交：1 路、2 路 示例市体育馆站",
        "停车：北门停车场",
        "纯属虚构，仅供演示",
    )
    return Notice(writer.actor, specimens.picture("场馆与路线", lines))


def announce(ctx: CommandContext, notice: Notice, token: str) -> int:
    """Write it; ``ctx`` acts for the committee. Raises ``StillCheckedError`` while the file is not checked yet."""
    return service.announce(ctx, SLUG, VENUE, idempotency_key=notice.key, pinned=True, tokens=[token])
