"""The reader's language, and how moments and numbers are written in it."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

from flask import Response, current_app, has_request_context, request
from flask_babel import get_locale, gettext

from app.text import T, chinese_moment, english_moment, until

LANGUAGES = ("zh", "en")
COOKIE = "lang"


def choose_language() -> str:
    """``?lang=`` first, then the cookie, then the browser, then the installation's language."""
    default: str = current_app.config["SAISHI"].language
    if not has_request_context():
        return default
    asked = request.args.get("lang") or request.cookies.get(COOKIE)
    if asked in LANGUAGES:
        return asked
    return request.accept_languages.best_match(LANGUAGES, default) or default


def remember_language(response: Response) -> Response:
    asked = request.args.get("lang")
    if asked in LANGUAGES and request.cookies.get(COOKIE) != asked:
        response.set_cookie(COOKIE, asked, max_age=365 * 86400, samesite="Lax", httponly=True)
    return response


def language() -> str:
    """``zh`` or ``en``."""
    locale = get_locale()
    return locale.language if locale else "zh"


def show(text: T | str | None) -> str:
    """A ``T`` in the reader's language; other text as it is."""
    if text is None:
        return ""
    return text.render(gettext, show_moment) if isinstance(text, T) else str(text)


def show_moment(value: date | None) -> str:
    """A moment in Beijing time, or a date, with its weekday, in the reader's language."""
    if value is None:
        return ""
    return chinese_moment(value) if language() == "zh" else english_moment(value)


def show_last_moment(value: datetime) -> str:
    """The end of a window: midnight is written as 24:00 of the day before, as the regulations write it."""
    return show(until(value))


def signed(number: int | Fraction | Decimal | str) -> str:
    """``+24``, ``−6``, ``0``; halves as ``+1.5``."""
    value = Fraction(str(number))
    shown = (
        str(value.numerator)
        if value.denominator == 1
        else f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
    )
    if value > 0:
        return "+" + shown
    return shown.replace("-", "−")
