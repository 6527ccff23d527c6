"""The key of a player (选手卡): an address only his card has, and a PIN that anybody may try only a few times."""

from __future__ import annotations

from datetime import datetime, timedelta

from app.actors import Actor, Role
from app.errors import InvalidError, NotFoundError, RefusedError, TooManyRequestsError
from app.text import T

KEY_MAKERS = (Role.COMMITTEE, Role.CHIEF_REFEREE)
"""Who makes, prints and renews the keys."""

TOKEN_BYTES = 24
PIN_DIGITS = 6
PIN_TRIES = 5
"""Wrong PINs in a row until nobody can try for a while."""
BLOCKED_FOR = timedelta(minutes=15)


class UnknownPlayerKeyError(NotFoundError):
    """A key that was never made, or was renewed since."""

    def __init__(self) -> None:
        super().__init__(
            T("这张选手卡不能用：卡不对，或已经换发新卡。"), next_step=T("请向裁判或组委会换一张新卡。")
        )


class NoPlayerKeyError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("这名选手还没有选手卡。"), next_step=T("请组委会先制作选手卡。"))


class NoCardsError(RefusedError):
    def __init__(self) -> None:
        super().__init__(T("没有可以打印的选手卡。"), next_step=T("请先制作选手卡，并核对单位或参赛号。"))


class UnknownPinError(InvalidError):
    """A competition number that nobody has, or whose card was not made."""

    def __init__(self) -> None:
        text = T("参赛号或 PIN 不对。")
        super().__init__(text, fields={"pin": text}, next_step=T("请照选手卡上的参赛号和 PIN 输入。"))


class WrongPinError(InvalidError):
    def __init__(self, left: int) -> None:
        text = T("PIN 不对，还可以试 %(left)s 次。", left=left)
        super().__init__(text, fields={"pin": text}, next_step=T("PIN 印在选手卡上，共 6 位数字。"))


class BlockedError(TooManyRequestsError):
    def __init__(self, until: datetime) -> None:
        text = T("PIN 已连续输错 %(tries)s 次，%(until)s以后才能再试。", tries=PIN_TRIES, until=until)
        super().__init__(
            text, fields={"pin": text}, next_step=T("请改用选手卡上的二维码，或请组委会换发新卡。")
        )


def require_may_make_keys(actor: Actor, competition_id: int) -> None:
    actor.require(competition_id, *KEY_MAKERS)


def normal_pin(written: str) -> str:
    """A PIN as it is compared: full-width digits as usual ones, without spaces."""
    return "".join(str(int(each)) if each.isdecimal() else each for each in written if not each.isspace())
