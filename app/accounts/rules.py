"""Phone numbers, one-time codes, and who may grant which role."""

from __future__ import annotations

import re
import unicodedata
from datetime import timedelta

import phonenumbers

from app.actors import Actor, Role
from app.errors import InvalidError, NotFoundError, RefusedError, SaishiError, TooManyRequestsError
from app.text import T

EMAIL_NAME = re.compile(r"[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*")
"""What stands before the @; quoted forms, which nobody's mailbox has, are left out."""
DOMAIN_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")

CODE_DIGITS = 6
CODE_LIFETIME = timedelta(minutes=5)
CODE_TRIES = 5
RESEND_AFTER = timedelta(seconds=30)
CODES_PER_HOUR = 10

CONFIRM_HOURS = 24
CONFIRMATIONS_PER_HOUR = 5
"""Letters that ask for a confirmation, to whatever addresses one person types."""
CONFIRMATIONS_PER_DAY = 3
"""Such letters to one address, whoever types it: nobody is flooded through this site."""


class BadPhoneError(InvalidError):
    """Not a mobile number of mainland China."""

    def __init__(self, field: str = "phone") -> None:
        text = T("应为 11 位手机号，例如 13800138000。")
        super().__init__(text, fields={field: text})


class CodeRefusedError(InvalidError):
    """The code does not fit, is used up or too old."""

    def __init__(self, text: T) -> None:
        super().__init__(text, fields={"code": text}, next_step=T("可以重新获取验证码。"))


class TooManyCodesError(TooManyRequestsError):
    def __init__(self, text: T) -> None:
        super().__init__(text, fields={"phone": text})


class LinkRefusedError(SaishiError):
    """A sign-in link that is altered, too old or not of this demonstration."""

    status = 403
    code = "link_refused"


class BadEmailError(InvalidError):
    """Not an e-mail address that letters can be sent to."""

    def __init__(self, field: str = "email") -> None:
        text = T("应为邮箱地址，例如 name@example.com。")
        super().__init__(text, fields={field: text})


class TooManyEmailsError(TooManyRequestsError):
    def __init__(self) -> None:
        text = T("确认信发得太频繁了，请一小时后再试。")
        super().__init__(text, fields={"email": text}, next_step=T("请先找一下垃圾邮件夹，信可能已经到了。"))


class EmailLinkError(RefusedError):
    """A link to confirm an address that is altered, too old, or of an address that was changed since."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            T("这个确认链接不可用：它不完整、已过 24 小时，或者之后又换了邮箱。"),
            next_step=T("请登录后在“我的邮箱”里重新发送确认信。"),
        )


class NotHeldError(NotFoundError):
    """A role to withdraw that this person does not hold in this competition."""

    def __init__(self) -> None:
        super().__init__(
            T("此人在本赛事没有这个身份，没有什么可以取消。"), next_step=T("请刷新“人员与身份”页面核对。")
        )


class OwnOrganiserRoleError(RefusedError):
    """An organiser who would lock himself out."""

    def __init__(self) -> None:
        super().__init__(
            T("不能取消自己的主办方身份，否则您将无法再管理本赛事。"),
            next_step=T("请先添加另一位主办方，再由对方取消。"),
        )


def normal_phone(written: str, field: str = "phone") -> str:
    """A mobile number as ``+86…`` (E.164); full-width digits and spaces are understood. Raises ``BadPhoneError``."""
    try:
        number = phonenumbers.parse(written, "CN")
    except phonenumbers.NumberParseException as error:
        raise BadPhoneError(field) from error
    national = str(number.national_number)
    if (
        number.country_code != 86
        or len(national) != 11
        or not national.startswith("1")
        or national[1] in "012"
    ):
        raise BadPhoneError(field)
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def normal_email(written: str, field: str = "email") -> str:
    """An address as it is written to, its domain in small letters; full-width signs are understood. Raises ``BadEmailError``."""
    address = unicodedata.normalize("NFKC", written).strip()
    name, _, domain = address.rpartition("@")
    domain = domain.lower().rstrip(".")
    try:
        plain = domain.encode("idna").decode()
    except UnicodeError as error:
        raise BadEmailError(field) from error
    labels = plain.split(".")
    if (
        not EMAIL_NAME.fullmatch(name)
        or len(name.encode()) > 64
        or len(name.encode()) + len(plain) > 253
        or len(labels) < 2
        or not all(DOMAIN_LABEL.fullmatch(label) for label in labels)
        or labels[-1].isdigit()
    ):
        raise BadEmailError(field)
    return f"{name}@{domain}"


def normal_code(written: str) -> str:
    """The digits of a code however they were typed: full-width, or in two groups."""
    return "".join(char for char in unicodedata.normalize("NFKC", written) if char not in " -\t")


def masked_phone(phone: str) -> str:
    """``138****8000`` of ``+8613800138000``."""
    national = phone.removeprefix("+86")
    return f"{national[:3]}****{national[-4:]}"


def require_may_grant(actor: Actor, competition_id: int | None, role: Role) -> None:
    """Organisers grant every role of their competition; the chief referee names referees."""
    if competition_id is not None and role is Role.REFEREE:
        actor.require(competition_id, Role.ORGANISER, Role.CHIEF_REFEREE)
    else:
        actor.require(competition_id, Role.ORGANISER)


def require_may_withdraw(actor: Actor, competition_id: int, user_id: int, role: Role) -> None:
    """As for granting; but nobody locks themselves out."""
    require_may_grant(actor, competition_id, role)
    if role is Role.ORGANISER and actor.user_id == user_id and not actor.has(None, Role.ORGANISER):
        raise OwnOrganiserRoleError
