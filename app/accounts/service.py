from __future__ import annotations

import hmac
import secrets
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError

from app.accounts import queries
from app.accounts.models import RoleGrant, SignInCode, User
from app.accounts.rules import (
    CODE_DIGITS,
    CODE_LIFETIME,
    CODE_TRIES,
    CODES_PER_HOUR,
    CONFIRM_HOURS,
    CONFIRMATIONS_PER_DAY,
    CONFIRMATIONS_PER_HOUR,
    RESEND_AFTER,
    CodeRefusedError,
    EmailLinkError,
    NotHeldError,
    TooManyCodesError,
    TooManyEmailsError,
    normal_code,
    normal_email,
    normal_phone,
    require_may_grant,
    require_may_withdraw,
)
from app.actors import Role
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.database import lock_name, person_hash
from app.notifications import links
from app.notifications import queries as mail
from app.notifications import service as notifications
from app.notifications.letters import Address, LetterKind
from app.notifications.queries import address_hash
from app.notifications.rules import Channel, Recipient
from app.text import T


def request_code(ctx: CommandContext, *, phone: str) -> str:
    """Send a one-time code to ``phone`` and return it (shown on the page only in the demonstration).

    Raises ``BadPhoneError``, or ``TooManyCodesError`` when this number asks too often.
    """
    number = normal_phone(phone)
    phone_hash = person_hash(number)
    lock_name(ctx.session, f"sign-in code {phone_hash}")  # two taps at once send one code
    recent = ctx.session.scalars(
        select(SignInCode.sent_at)
        .where(
            SignInCode.phone_hash == phone_hash,
            SignInCode.sent_at > ctx.now - timedelta(hours=1),
            SignInCode.sent_at <= ctx.now,  # a moved clock may have been set back
        )
        .order_by(SignInCode.sent_at.desc())
    ).all()
    if recent and ctx.now < recent[0] + RESEND_AFTER:
        raise TooManyCodesError(
            T("刚刚发过验证码，请 %(seconds)s 秒后再试。", seconds=int(RESEND_AFTER.total_seconds()))
        )
    if len(recent) >= CODES_PER_HOUR:
        raise TooManyCodesError(
            T("这个手机号一小时内已发送 %(count)s 次验证码，请稍后再试。", count=len(recent))
        )
    plain = f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}d}"
    code = SignInCode(phone_hash=phone_hash, code_hash=_code_hash(phone_hash, plain), sent_at=ctx.now)
    ctx.session.add(code)
    ctx.session.flush()
    ctx.record(AuditAction.SIGN_IN_CODE_REQUESTED, code)
    notifications.queue_message(
        ctx,
        channel=Channel.SMS,
        recipient=number,
        subject=T("验证码"),
        body=T("您的验证码是 %(code)s，5 分钟内有效，请勿告诉他人。", code=plain),
    )
    return plain


def try_code(ctx: CommandContext, *, phone: str, code: str) -> int | CodeRefusedError:
    """The id of the person whose number and code fit, made on first sign-in; else why not.

    A wrong try must be counted and committed, so the refusal is returned, for the caller to raise after the command.
    """
    number = normal_phone(phone)
    phone_hash = person_hash(number)
    latest = ctx.session.scalar(
        select(SignInCode)
        .where(SignInCode.phone_hash == phone_hash, SignInCode.used_at.is_(None))
        .order_by(SignInCode.id.desc())
        .limit(1)
        .with_for_update(key_share=True)
    )
    if latest is None:
        return CodeRefusedError(T("请先获取验证码。"))
    if ctx.now >= latest.sent_at + CODE_LIFETIME:
        return CodeRefusedError(T("验证码已过期（5 分钟内有效）。"))
    if latest.tries >= CODE_TRIES:
        return CodeRefusedError(T("验证码已输错 %(tries)s 次，不能再用。", tries=CODE_TRIES))
    latest.tries += 1
    ctx.record(AuditAction.SIGN_IN_CODE_TRIED, latest, tries=latest.tries)
    if not hmac.compare_digest(latest.code_hash, _code_hash(phone_hash, normal_code(code))):
        left = CODE_TRIES - latest.tries
        if not left:
            return CodeRefusedError(T("验证码已输错 %(tries)s 次，不能再用。", tries=CODE_TRIES))
        return CodeRefusedError(T("验证码不对，还可以试 %(left)s 次。", left=left))
    latest.used_at = ctx.now
    user_id = ensure_user(ctx, phone=number)
    ctx.record(AuditAction.SIGNED_IN, ("User", user_id))
    return user_id


def ensure_user(ctx: CommandContext, *, phone: str) -> int:
    """The id of the person with this number, made now if there is none."""
    number = normal_phone(phone)
    phone_hash = person_hash(number)
    known = ctx.session.scalar(select(User.id).where(User.phone_hash == phone_hash))
    if known is not None:
        return known
    user = User(phone_hash=phone_hash, phone=number, created_at=ctx.now)
    try:
        with ctx.session.begin_nested():
            ctx.session.add(user)
    except IntegrityError:
        # the same person signed in on two devices at once: the other transaction made the row first
        return ctx.session.scalars(select(User.id).where(User.phone_hash == phone_hash)).one()
    user_id: int = user.id
    return user_id


def grant_role(ctx: CommandContext, *, phone: str, role: Role, competition_id: int | None) -> int:
    """Give ``role`` to the person with this number; giving it twice is the same as once. Returns the user's id."""
    require_may_grant(ctx.actor, competition_id, role)
    user_id = ensure_user(ctx, phone=phone)
    give_role(ctx, user_id=user_id, role=role, competition_id=competition_id)
    return user_id


def give_role(ctx: CommandContext, *, user_id: int, role: Role, competition_id: int | None) -> None:
    """Store a grant whose permission the caller has settled; giving it twice is the same as once."""
    same_competition = (
        RoleGrant.competition_id.is_(None)
        if competition_id is None
        else RoleGrant.competition_id == competition_id
    )
    held = ctx.session.scalar(
        select(RoleGrant.id).where(
            RoleGrant.user_id == user_id, RoleGrant.role == role.value, same_competition
        )
    )
    if held is None:
        # two taps at once: the other transaction gave it first
        with suppress(IntegrityError), ctx.session.begin_nested():
            ctx.session.add(RoleGrant(user_id=user_id, competition_id=competition_id, role=role.value))
    ctx.record(AuditAction.ROLE_GRANTED, ("User", user_id), role=role.value, competition_id=competition_id)


def withdraw_role(ctx: CommandContext, *, user_id: int, role: Role, competition_id: int) -> None:
    """Take a role away again. Raises ``NotHeldError``, ``OwnOrganiserRoleError``."""
    require_may_withdraw(ctx.actor, competition_id, user_id, role)
    withdrawn = ctx.session.scalars(
        delete(RoleGrant)
        .where(
            RoleGrant.user_id == user_id,
            RoleGrant.role == role.value,
            RoleGrant.competition_id == competition_id,
        )
        .returning(RoleGrant.id)
    ).all()
    if not withdrawn:
        raise NotHeldError
    ctx.record(AuditAction.ROLE_WITHDRAWN, ("User", user_id), role=role.value, competition_id=competition_id)


def give_email(ctx: CommandContext, *, email: str) -> None:
    """Note one's e-mail address and send it a letter to confirm; until then text messages are sent.

    Again: another letter, unless the address is confirmed and letters arrive. Raises ``BadEmailError``, ``TooManyEmailsError``.
    """
    user = _self(ctx)
    address = normal_email(email)
    hashed = address_hash(address)
    if user.email_hash == hashed and queries.recipient(user.id).email:
        return
    lock_name(ctx.session, f"confirm e-mail {hashed}")
    asked = partial(mail.written_since, LetterKind.CONFIRM_EMAIL)
    if (
        asked(ctx.now - timedelta(hours=1), user_id=user.id) >= CONFIRMATIONS_PER_HOUR
        or asked(ctx.now - timedelta(days=1), recipient_hash=hashed) >= CONFIRMATIONS_PER_DAY
    ):
        raise TooManyEmailsError
    user.email, user.email_hash, user.email_confirmed_at = address, hashed, None
    ctx.session.flush()
    ctx.record(AuditAction.EMAIL_GIVEN, user)
    token = confirmation_token(user.id, address, ctx.now)
    notifications.queue_letter(
        ctx,
        kind=LetterKind.CONFIRM_EMAIL,
        to=Recipient(user.id, address, None, user.language or "zh"),
        context={"link_to": Address(f"/me/email/confirm/{token}"), "hours": CONFIRM_HOURS},
    )


def confirmation_token(user_id: int, email: str, now: datetime) -> str:
    """What the link in a letter to ``email`` holds: good for ``CONFIRM_HOURS``."""
    until = int((now + timedelta(hours=CONFIRM_HOURS)).timestamp())
    return links.sign(CONFIRMATION, [user_id, address_hash(normal_email(email)), until])


CONFIRMATION = "e-mail confirmation"
"""What the signed link in a letter is for; it names a person by number and an address by its keyed hash."""


def confirm_email(ctx: CommandContext, *, token: str) -> None:
    """Whoever opens the link reads the mailbox: from now on letters go there. Again: nothing more. Raises ``EmailLinkError``."""
    match links.read(CONFIRMATION, token):
        case [int(user_id), str(hashed), int(until)] if ctx.now.timestamp() < until:
            user = ctx.session.get(User, user_id, with_for_update={"key_share": True})
        case _:
            raise EmailLinkError
    if user is None or user.email_hash != hashed:
        raise EmailLinkError
    if user.email_confirmed_at is None:
        user.email_confirmed_at = ctx.now
        ctx.session.flush()
        ctx.record(AuditAction.EMAIL_CONFIRMED, user)


def remove_email(ctx: CommandContext) -> None:
    """Take one's address away; what was sent to it stays in the outbox no longer. Again: nothing more happens."""
    user = _self(ctx)
    if user.email_hash is None:
        return
    hashed = user.email_hash
    user.email = user.email_hash = user.email_confirmed_at = None
    ctx.session.flush()
    notifications.forget_people(ctx, (), {hashed} - _others_hashes(ctx, user.id, hashed))
    ctx.record(AuditAction.EMAIL_REMOVED, user)


def choose_letters(ctx: CommandContext, *, language: str, optional: bool) -> None:
    """In which language letters are written to oneself, and whether those one can do without are sent at all."""
    user = _self(ctx)
    user.language = language
    ctx.session.flush()
    ctx.record(AuditAction.LANGUAGE_CHOSEN, user, language=language)
    (notifications.resume if optional else notifications.stop)(ctx, queries.hashes_of(user.id))


def _self(ctx: CommandContext) -> User:
    user_id = ctx.actor.require_signed_in()
    return ctx.session.get_one(User, user_id, with_for_update={"key_share": True})


def _others_hashes(ctx: CommandContext, user_id: int, hashed: str) -> set[str]:
    """``hashed`` again if somebody else has the same mailbox, else nothing."""
    return set(
        ctx.session.scalars(select(User.email_hash).where(User.email_hash == hashed, User.id != user_id))
    )


def forget_users(ctx: CommandContext, user_ids: Collection[int]) -> int:
    """Erase phone number and e-mail address of people who hold no role, with every message to them. Returns how many.

    Who signs in later is a new person.
    """
    users = ctx.session.scalars(
        select(User)
        .where(User.id.in_(user_ids), ~User.grants.any(), ~User.phone_hash.startswith("forgotten "))
        .order_by(User.id)
        .with_for_update(key_share=True)
    ).all()
    if users:
        notifications.forget_people(
            ctx, [user.id for user in users], {address_hash(user.phone) for user in users if user.phone}
        )
    for user in users:
        user.phone, user.phone_hash = "", f"forgotten {user.id}"
        user.email = user.email_hash = user.email_confirmed_at = user.language = None
    if users:
        ctx.record(AuditAction.USERS_FORGOTTEN, ("User", "all"), user_ids=[user.id for user in users])
    return len(users)


def purge_codes(ctx: CommandContext) -> int:
    """Delete codes a day after they were sent. Returns how many."""
    old = ctx.session.scalar(
        select(func.count()).select_from(SignInCode).where(SignInCode.sent_at < ctx.now - timedelta(days=1))
    )
    if old:
        ctx.session.execute(delete(SignInCode).where(SignInCode.sent_at < ctx.now - timedelta(days=1)))
        ctx.record(AuditAction.SIGN_IN_CODES_PURGED, ("SignInCode", "all"), count=old)
    return old or 0


def _code_hash(phone_hash: str, code: str) -> str:
    return person_hash(f"{phone_hash}:{code}")
