"""One letter waits, two letters wait: English sentences with a number in them, of every kind that the catalogue has."""

from __future__ import annotations

import re
from typing import Any

import pytest
from babel.messages.pofile import read_po
from flask import Flask, render_template_string
from flask_babel import gettext

from app.notifications import letters
from app.text import T, counted
from app.web.i18n import show
from tests.conftest import ROOT

FORMS = re.compile(r"\{(\w+):([^{}|]*)\|([^{}|]*)\}")
WAITING = T("%(count)s 份变更申请等待答复（最早：%(age)s前）", count=1, age="x")


def catalogue() -> dict[str, str]:
    path = ROOT / "app" / "translations" / "en" / "LC_MESSAGES" / "messages.po"
    with path.open("rb") as file:
        return {str(each.id): str(each.string) for each in read_po(file, locale="en") if each.id}


ENGLISH = catalogue()
COUNTED = [sentence for sentence in ENGLISH.values() if FORMS.search(sentence)]


@pytest.mark.parametrize(
    ("sentence", "values", "said"),
    [
        ("%(count)s {count:letter waits|letters wait}", {"count": 1}, "%(count)s letter waits"),
        ("%(count)s {count:letter waits|letters wait}", {"count": 0}, "%(count)s letters wait"),
        ("%(n)s {n:point|points}", {"n": "1"}, "%(n)s point"),
        ("%(n)s {n:point|points}", {"n": "1.5"}, "%(n)s points"),
        ("%(a)s {a:deal|deals} at %(b)s {b:table|tables}", {"a": 1, "b": 2}, "%(a)s deal at %(b)s tables"),
        ("{braces} stay", {"braces": 1}, "{braces} stay"),
    ],
)
def test_the_form_goes_with_the_number(sentence: str, values: dict[str, Any], said: str) -> None:
    assert counted(sentence, values) == said


def test_what_somebody_typed_is_never_taken_for_a_form(app: Flask) -> None:
    with app.test_request_context("/?lang=en"):
        said = show(T("%(name)s 迟到 %(minutes)s 分钟", name="{minutes:a|b}", minutes=1))
    assert said == "{minutes:a|b} was 1 minute late"


def test_every_form_asks_for_a_number_that_its_sentence_shows() -> None:
    assert len(COUNTED) > 90
    for sentence in COUNTED:
        for name, _, _ in FORMS.findall(sentence):
            assert f"%({name})s" in sentence
        assert "{" not in counted(sentence, {})


def test_no_english_sentence_has_the_plural_of_a_counted_word_after_any_number() -> None:
    plurals = {
        several
        for sentence in COUNTED
        for _, _, several in FORMS.findall(sentence)
        if several.isalpha() and several.endswith("s")
    }
    assert {"letters", "objections", "documents", "applications", "days"} <= plurals
    # a picture has more than one pixel; who plays by sex is no number
    excused = {"%(height)s pixels", "%(sex)s players"}
    after_a_number = re.compile(rf"%\(\w+\)s (?:working )?(?:{'|'.join(map(re.escape, sorted(plurals)))})\b")
    # a form may hold the number itself (``{minutes:the last minute|the last %(minutes)s minutes}``)
    bare = [FORMS.sub("", sentence) for sentence in ENGLISH.values()]
    found = {hit for sentence in bare for hit in after_a_number.findall(sentence)}
    assert found <= excused


def test_pages_letters_and_messages_of_a_page_all_count(app: Flask) -> None:
    said = "1 application for changes waits for an answer (the oldest: x ago)"
    with app.test_request_context("/?lang=en"):
        assert show(WAITING) == said
        assert gettext(WAITING.msgid, **WAITING.params) == said
        template = "{{ _('%(count)s 份变更申请等待答复（最早：%(age)s前）', count=count, age='<x>') }}"
        assert render_template_string(template, count=1) == said.replace("x ago", "&lt;x&gt; ago")
        assert render_template_string(template, count=2).startswith("2 applications for changes wait ")
    assert letters.translate(WAITING, "en") == said
    environment = letters._environment("en")
    found = environment.from_string("{{ _('%(count)s 封来信待分拣', count=1) }}").render()
    assert found == "1 letter to be sorted"


def test_every_badge_of_a_state_begins_with_a_capital() -> None:
    source = (ROOT / "templates" / "components" / "states.html").read_text(encoding="utf-8")
    names = re.findall(r'_\("([^"]+)"\)', source)
    for path in (ROOT / "templates").rglob("*.html"):
        names += re.findall(r'badge\(_\("([^"]+)"', path.read_text(encoding="utf-8"))
    said = {ENGLISH[each] for each in names if each in ENGLISH}
    assert len(said) > 40
    assert [each for each in said if each[:1].islower()] == []
