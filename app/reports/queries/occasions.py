"""What each occasion is about, in words: two rows of the page that tell of two things say so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date

from sqlalchemy import select

from app.draws.models import Round
from app.draws.rules import round_name
from app.extensions import db
from app.notifications.letters import LetterKind
from app.publications.models import Publication
from app.text import T

_LIST = re.compile(r"(\d+)-(out|final)")
_ROUND = re.compile(r"\d+-r(\d+)-v(\d+)")
_FINAL = re.compile(r"(\d+)-v(\d+)")
_DAY = re.compile(r"\d+-(\d{4}-\d\d-\d\d)(-early)?")


def about(told: Iterable[tuple[LetterKind, str]]) -> Mapping[tuple[LetterKind, str], T]:
    """A sentence for each kind and occasion that needs one beside its kind: which list, which round, which day."""
    pairs = tuple(told)
    return _lists(pairs) | _rounds(pairs) | _finals(pairs) | _days(pairs)


def _matched(
    pairs: tuple[tuple[LetterKind, str], ...], kind: LetterKind, pattern: re.Pattern[str]
) -> dict[tuple[LetterKind, str], re.Match[str]]:
    found = {(each, name): pattern.fullmatch(name) for each, name in pairs if each is kind}
    return {pair: match for pair, match in found.items() if match is not None}


def _lists(pairs: tuple[tuple[LetterKind, str], ...]) -> dict[tuple[LetterKind, str], T]:
    found = _matched(pairs, LetterKind.LIST_PUBLISHED, _LIST)
    ids = {int(match[1]) for match in found.values()}
    rows = db.session.execute(select(Publication.id, Publication.number).where(Publication.id.in_(ids))).all()
    numbers: dict[int, int] = {row[0]: row[1] for row in rows}
    words = {
        "out": T("第 %(number)s 号名单开始公示", number=0).msgid,
        "final": T("第 %(number)s 号名单公示期满", number=0).msgid,
    }
    return {
        pair: T(words[match[2]], number=numbers[int(match[1])])
        for pair, match in found.items()
        if int(match[1]) in numbers
    }


def _rounds(pairs: tuple[tuple[LetterKind, str], ...]) -> dict[tuple[LetterKind, str], T]:
    found = _matched(pairs, LetterKind.ROUND_RESULTS, _ROUND)
    ids = {int(match[1]) for match in found.values()}
    rows = db.session.execute(select(Round.id, Round.stage, Round.number).where(Round.id.in_(ids))).all()
    # a round that was taken back has another number now, which nobody knows it by
    names = {row[0]: round_name(row[1], row[2]) if row[2] >= 0 else T("已作废的一轮") for row in rows}
    first = _first({pair: (int(match[1]), int(match[2])) for pair, match in found.items()})
    return {
        pair: names[int(match[1])] if pair in first else T("%(round)s，更正", round=names[int(match[1])])
        for pair, match in found.items()
        if int(match[1]) in names
    }


def _finals(pairs: tuple[tuple[LetterKind, str], ...]) -> dict[tuple[LetterKind, str], T]:
    found = _matched(pairs, LetterKind.FINAL_REPORT, _FINAL)
    first = _first({pair: (int(match[1]), int(match[2])) for pair, match in found.items()})
    return {pair: T("成绩更正以后") for pair in found if pair not in first}


def _first(
    versions: Mapping[tuple[LetterKind, str], tuple[int, int]],
) -> frozenset[tuple[LetterKind, str]]:
    """The first that was told of each subject: of versions (subject, number) the lowest number."""
    lowest: dict[int, int] = {}
    for subject, number in versions.values():
        lowest[subject] = min(number, lowest.get(subject, number))
    return frozenset(pair for pair, (subject, number) in versions.items() if lowest[subject] == number)


def _days(pairs: tuple[tuple[LetterKind, str], ...]) -> dict[tuple[LetterKind, str], T]:
    found = _matched(pairs, LetterKind.DIGEST, _DAY)
    return {
        pair: T("%(day)s，提前发送", day=date.fromisoformat(match[1]))
        if match[2]
        else T("%(day)s", day=date.fromisoformat(match[1]))
        for pair, match in found.items()
    }
