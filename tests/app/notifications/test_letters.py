"""Every kind of letter, in both languages, from the made-up context that the preview shows too."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from bs4 import BeautifulSoup
from jinja2 import UndefinedError

from app.notifications import letters, links
from app.notifications.letters import LETTERS, Address, LetterKind, Rendered
from app.text import T
from tests.conftest import ROOT

KINDS = list(LetterKind)
LANGUAGES = ("zh", "en")
SITE = "https://saishi.example"


@pytest.fixture(autouse=True)
def site(monkeypatch: pytest.MonkeyPatch) -> None:
    """The site knows its own address, as a real one does."""
    monkeypatch.setattr(links._State, "base_url", SITE)


def render(kind: LetterKind, language: str) -> Rendered:
    stop = None if LETTERS[kind].essential else Address("/mail/token")
    return letters.render(kind, language, LETTERS[kind].sample, stop=stop)


def test_every_kind_stands_in_the_table_with_its_two_templates_and_no_template_is_of_no_kind() -> None:
    assert set(LETTERS) == set(LetterKind)
    stems = {path.name for path in (ROOT / "templates" / "emails").iterdir() if not path.name.startswith("_")}
    assert stems == {f"{kind.value}.{form}" for kind in LetterKind for form in ("txt", "html")}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_letter_says_the_same_in_words_and_as_html(kind: LetterKind, language: str) -> None:
    made = render(kind, language)
    assert made.subject
    assert len(made.subject) <= 200
    assert "\n" not in made.subject
    assert not re.search(r"%\(|\{\{|\bNone\b|Undefined|<[a-z]+[ >]", made.text)
    assert set(re.findall(rf"{SITE}[^\s<]*", made.text)) == {
        link["href"] for link in BeautifulSoup(made.html, "html.parser").find_all("a")
    }


@pytest.mark.parametrize("kind", KINDS)
def test_the_english_of_a_letter_has_no_chinese_but_names_and_the_chinese_no_english(
    kind: LetterKind,
) -> None:
    zh, en = render(kind, "zh"), render(kind, "en")
    assert zh.subject != en.subject
    assert re.search(r"[\u4e00-\u9fff]", zh.subject)
    assert re.search(r"[A-Za-z]{3}", en.subject)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_html_fetches_nothing_runs_nothing_and_is_readable_without_its_sheet(
    kind: LetterKind, language: str
) -> None:
    html = render(kind, language).html
    page = BeautifulSoup(html, "html.parser")
    assert page.find_all(["img", "script", "link", "iframe", "form", "svg", "video"]) == []
    assert "url(" not in html
    assert letters.REPEAT_PLACE in html
    assert page.html is not None
    assert page.html["lang"] == language
    for text in page.body.find_all(["p", "td", "th", "a", "h2", "li"]) if page.body else []:
        assert text.get("style") or text.name == "td", text


@pytest.mark.parametrize("kind", KINDS)
def test_what_one_can_do_without_says_how_to_stop_it_and_nothing_else_does(kind: LetterKind) -> None:
    made = render(kind, "zh")
    for form in (made.text, made.html):
        assert (f"{SITE}/mail/token" in form) == (not LETTERS[kind].essential)


def test_values_are_written_in_the_reader_s_language_and_never_as_markup() -> None:
    noon = datetime(2021, 10, 31, 10, 0, tzinfo=UTC)
    context = {"hours": T("%(hours)s 小时", hours=2), "link_to": Address("/x?a=1&b=<b>")}
    made = letters.render(LetterKind.CONFIRM_EMAIL, "en", context)
    assert "within 2 h hours" in made.text
    assert "<b>" not in made.html
    assert letters.translate(T("截止：%(at)s", at=noon), "zh").endswith("2021年10月31日（周日）18:00")


def test_a_letter_that_lacks_a_value_is_not_written() -> None:
    with pytest.raises(UndefinedError):
        letters.render(LetterKind.CONFIRM_EMAIL, "zh", {"hours": 24})


def test_a_site_that_does_not_know_its_address_says_where_to_look_in_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(links._State, "base_url", "")
    made = render(LetterKind.CONFIRM_EMAIL, "zh")
    assert "在本站网址后面加上 /me/email/confirm/sample 打开" in made.text
    assert "在本站网址后面加上 /me/email/confirm/sample 打开" in made.html
    assert "href" not in made.html
