"""Letters that came by mail (来信), so that the page where they are sorted is not empty. No mailbox is needed for that: what a mailbox would
give is read and stored as the poller does, and a worker deals with it like with any other.

Each is written as a mail program writes it, bytes and all. One is known again by its bytes, so a start that begins again stores
nothing twice. None of them concerns a list that is in public, which would then wait for a visitor to sort them.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.competitions.rules import UnknownCompetitionError
from app.demonstration import queries, rules, specimens
from app.demonstration.queries import Cast
from app.demonstration.seeding import EMAILS
from app.objections.queries import own as objections
from app.text import BEIJING

OFFICE = "office@example.org"
FILE_NAME = "参赛证明申请（样张）.jpg"


def wanted() -> tuple[tuple[bytes, datetime], ...]:
    """Each message with the moment at which it came; none where there is no demonstration."""
    played, listed = _competition(rules.PLAYED_SLUG), _competition(rules.PUBLISHED_SLUG)
    if played is None:
        return ()
    letters = [_question(played), _newsletter(), _absence()]
    if listed is not None and (addition := _addition(listed)) is not None:
        letters.append(addition)
    return tuple(_sent(letter, number, queries.seeded_at()) for number, letter in enumerate(letters, 1))


def _competition(slug: str) -> CompetitionView | None:
    try:
        return competitions.competition(slug)
    except UnknownCompetitionError:
        return None


def _question(played: CompetitionView) -> EmailMessage:
    """It names its competition, no player and no list: somebody of the committee reads it."""
    letter = _letter("展览部 <desk@unit.example.cn>", f"关于“{played.name}”的参赛证明")
    letter.set_content(
        f"组委会：\n\n我单位参加了“{played.name}”，请问参赛证明怎样领取？申请见附件。\n\n谢谢！\n（演示来信，纯属虚构）\n"
    )
    picture = specimens.picture("参赛证明申请", ("申请单位：示例单位", "事由：存档", "纯属虚构，仅供演示"))
    letter.add_attachment(picture, maintype="image", subtype="jpeg", filename=FILE_NAME)
    return letter


def _newsletter() -> EmailMessage:
    letter = _letter("体育器材通讯 <news@shop.example.com>", "本周器材优惠")
    letter["List-Id"] = "<news.shop.example.com>"
    letter["List-Unsubscribe"] = "<https://shop.example.com/stop>"
    letter.set_content("计时器、棋具、记分牌，本周优惠。（演示来信，纯属虚构）\n")
    return letter


def _absence() -> EmailMessage:
    letter = _letter("赵经理 <manager@other.example.cn>", "自动回复：外出")
    letter["Auto-Submitted"] = "auto-replied"
    letter.set_content("本人外出，下周一回复邮件。（演示来信，纯属虚构）\n")
    return letter


def _addition(listed: CompetitionView) -> EmailMessage | None:
    """To the case of the leader of the cast: his address, and the number of the case, and nothing that proves it is his."""
    own = objections.mine(listed.id, queries.user_of(Cast.LEADER))
    if not own:
        return None
    number = own[0].number
    letter = _letter(f"领队 <{EMAILS[Cast.LEADER]}>", f"补充说明 {number}")
    letter.set_content(f"编号 {number}：盖章的公函正在办理，办好后在网上补交。（演示来信，纯属虚构）\n")
    return letter


def _letter(sender: str, subject: str) -> EmailMessage:
    letter = EmailMessage(policy=SMTP)
    letter["From"], letter["To"], letter["Subject"] = sender, OFFICE, subject
    return letter


def _sent(letter: EmailMessage, number: int, seeded_at: datetime) -> tuple[bytes, datetime]:
    """Its bytes, the same at every start, and when it came."""
    moment = seeded_at.astimezone(BEIJING).replace(microsecond=0) - timedelta(minutes=20 * number)
    letter["Date"] = format_datetime(moment)
    letter["Message-ID"] = f"<demonstration-{number}@example.cn>"
    if letter.is_multipart():
        letter.set_boundary(f"=_demonstration_{number}")
    return letter.as_bytes(), moment
