"""A published list on paper (名单 PDF): the frozen lines, its window, its fingerprint, room for the committee's seal."""

from __future__ import annotations

from app.competitions.queries import CompetitionView
from app.publications.queries import PublicationView
from app.publications.rules import COUNTED_FROM_NAMES, KIND_NAMES, Difference, PublishedEntry
from app.text import T, until
from app.web.i18n import language, show
from app.web.links import qr_svg
from app.web.printing import Sheet, sheet

TEMPLATE = "publications/list.typ"

LONG_NAME = 9
"""Characters from which on two names stand in a row of paper, not four."""


def list_sheet(
    competition: CompetitionView,
    publication: PublicationView,
    difference: Difference | None,
    *,
    event: str,
    address: str,
) -> Sheet:
    """The PDF of a list in the reader's language. ``address`` is where a reader checks that paper is the published list."""
    data = {
        "lang": language(),
        "competition": competition.name,
        "title": show(
            T("第 %(number)s 号%(kind)s", number=publication.number, kind=KIND_NAMES[publication.kind])
        ),
        "notice": show(
            T("本名单已由第 %(number)s 号更正名单取代。", number=publication.superseded_by)
            if publication.superseded_by is not None
            else None
        ),
        "facts": _facts(competition, publication, event),
        "reason": publication.reason or "",
        "left_out": [_line(each) for each in difference.left_out] if difference else [],
        "changed": [[_line(each.before), _line(each.after)] for each in difference.changed]
        if difference
        else [],
        "units": [
            {"name": unit, "lines": [[str(each.number), each.name] for each in entries]}
            for unit, entries in publication.by_unit
        ],
        "columns": 2 if any(len(each.name) >= LONG_NAME for each in publication.entries) else 4,
        "sha256": publication.sha256,
        "code": qr_svg(address).decode(),
        "words": {
            "reason": show(T("更正原因")),
            "left_out": show(T("去掉的")),
            "changed": show(T("改动的")),
            "colon": show(T("：")),
            "seal": show(T("组委会（盖章）")),
            "date": show(T("日期")),
            "check": show(T("扫码核对本名单是否与公布的一致，并逐行对照。")),
            "fingerprint": show(T("名单指纹（SHA-256）")),
            "beijing": show(T("时间均为北京时间。")),
        },
    }
    return sheet(TEMPLATE, data)


def _facts(competition: CompetitionView, publication: PublicationView, event: str) -> list[list[str]]:
    regulation = competition.event.regulation
    count = (
        T("%(count)s 对", count=len(publication.entries))
        if regulation.in_pairs
        else T("%(count)s 人", count=len(publication.entries))
    )
    replaced = publication.supersedes
    return [
        [show(T("项目")), event],
        *([[show(T("取代")), show(T("第 %(number)s 号", number=replaced))]] if replaced is not None else []),
        [show(T("数量")), show(count)],
        [show(T("发布于")), show(T("%(at)s", at=publication.published_at))],
        [
            show(T("公示期")),
            show(
                T(
                    "%(first)s至 %(end)s，%(days)s 个工作日（%(counted)s）",
                    first=publication.first_day,
                    end=until(publication.ends_at),
                    days=len(publication.days),
                    counted=COUNTED_FROM_NAMES[publication.counted_from],
                )
            ),
        ],
        [show(T("依据")), show(T("规程 %(clause)s", clause=regulation.publication.clause))],
    ]


def _line(line: PublishedEntry) -> str:
    return f"{line.number}  {line.name}（{line.unit}）"
