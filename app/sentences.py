"""Sentences in templates: translated, told one from several (``text.counted``), and then given their values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from app.text import counted


def in_templates(translate: Callable[[str], str]) -> Callable[..., str]:
    """What ``_("…", count=…)`` is in a template; escaped where the template escapes."""

    @pass_context
    def gettext(context: Context, sentence: str, /, **variables: Any) -> str:
        found = counted(translate(sentence), variables)
        return (Markup(found) if context.eval_ctx.autoescape else found) % variables  # noqa: S704 - of our catalogue; values are escaped

    return gettext
