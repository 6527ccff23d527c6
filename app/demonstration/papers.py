"""Documents of the demonstration in different states: a leader's checklist to go on with, and a review desk with work on it.

A file needs several commands and a worker that checks it, so this is a job after the seed: the uploads first, each by its
leader, and once all are checked every document is handed in and the first of them decided in one transaction. Nothing is done
where anything was handed in already, so a second start changes nothing a visitor did.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from app.accounts import queries as accounts
from app.actors import Actor
from app.clock import beijing_date
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.competitions.rules import Phase, UnknownCompetitionError
from app.demonstration import people, queries, rules, specimens
from app.demonstration.queries import Cast
from app.demonstration.seeding import ENDING_KIND
from app.documents import queries as documents
from app.documents import service
from app.documents.rules import DocumentId
from app.documents.rules.fields import FIELDS
from app.documents.rules.review import DecisionKind, Written
from app.documents.service import review
from app.registrations import queries as registrations
from app.regulations.rules import DOCUMENT_KINDS

SLUG = rules.OPEN_SLUG
FILE_NAME = "样张.jpg"
FICTION = "纯属虚构，仅供演示"
ASKED_KIND = "vaccination_certificate"
ASKED_FOR = timedelta(days=3)
"""The committee wants one by then, which the leader's list warns of."""

ENDS_IN = timedelta(days=4)
"""When the health codes end, which list and desk warn of."""

DIFFERS = {"valid_to": Written("differs", "保险单上写的期满日早一个月，请核对。")}


@dataclass(frozen=True, slots=True)
class _Planned:
    """A document of the ``member``-th member (from 0) of the ``unit``-th unit, and what became of it; None waits for review."""

    unit: int
    member: int
    kind: str
    decision: DecisionKind | None = None
    reasons: Mapping[str, Written] = field(default_factory=dict)


PLAN = (
    _Planned(0, 0, "medical_certificate", DecisionKind.ACCEPT),
    _Planned(0, 0, "accident_insurance", DecisionKind.NEEDS_CHANGES, DIFFERS),
    _Planned(0, 0, "vaccination_certificate"),
    _Planned(0, 0, ENDING_KIND, DecisionKind.ACCEPT),
    _Planned(1, 0, "medical_certificate"),
    _Planned(1, 0, "accident_insurance"),
    _Planned(1, 0, ENDING_KIND),
    _Planned(1, 1, "medical_certificate", DecisionKind.REJECT, {"pages": Written("other_document")}),
    _Planned(2, 0, "medical_certificate"),
    _Planned(3, 0, "vaccination_certificate", DecisionKind.ACCEPT),
)
"""The unit 0 is that of the cast's leader, whose second member has everything still to hand in."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A document that is to be handed in, with its picture."""

    planned: _Planned
    leader: Actor
    subject: str
    values: Mapping[str, str]
    picture: bytes

    @property
    def key(self) -> str:
        """The same for the same picture, so that a job that begins again goes on with its uploads."""
        place = f"{self.planned.unit}-{self.planned.member}-{self.planned.kind}"
        return f"demonstration-{place}-{hashlib.sha256(self.picture).hexdigest()[:12]}"


def wanted(now: datetime) -> tuple[Paper, ...]:
    """What is to be handed in; empty where it was, where entries are closed, and where the text asks for no such document."""
    try:
        competition = competitions.competition(SLUG)
    except UnknownCompetitionError:
        return ()
    if competition.phase(now) is not Phase.OPEN or documents.any_document(competition.id):
        return ()
    asked = {rule.kind for rule in competition.event.regulation.documents}
    units = {unit.name: unit for unit in registrations.led_units(competition.id)}
    members = registrations.entered_members(unit_ids=[unit.id for unit in units.values()])
    found = []
    for planned in PLAN:
        unit = units.get(people.UNIT_NAMES[planned.unit])
        ours = [each for each in members if unit is not None and each.unit_id == unit.id]
        if unit is None or planned.kind not in asked or len(ours) <= planned.member:
            continue
        whose = ours[planned.member]
        values = _values(planned.kind, competition, beijing_date(now))
        found.append(
            Paper(
                planned,
                _person(unit.leader_user_id),
                f"m{whose.id}",
                values,
                _picture(planned, whose.name, values),
            )
        )
    return tuple(found)


def hand_in(
    ctx: CommandContext,
    papers: Mapping[str, Paper],
    address: Callable[[DocumentId], str],
) -> None:
    """Hand in the papers, by the token of their upload, and decide about some. ``address``: the leader's page of a document.

    Raises ``StillCheckedError`` while a file is not checked yet; nothing has happened then.
    """
    committee = replace(ctx, actor=_person(queries.user_of(Cast.COMMITTEE)))
    for token, paper in papers.items():
        document_id = service.hand_in(
            replace(ctx, actor=paper.leader),
            slug=SLUG,
            subject=paper.subject,
            kind=paper.planned.kind,
            idempotency_key=paper.key,
            tokens=[token],
            values=paper.values,
        )
        if paper.planned.decision is None:
            continue
        review.claim(committee, slug=SLUG, document_id=document_id)
        review.decide(
            committee,
            slug=SLUG,
            document_id=document_id,
            kind=paper.planned.decision,
            revision=1,
            reasons=paper.planned.reasons,
            address=address(document_id),
        )
    service.ask(committee, slug=SLUG, kind=ASKED_KIND, until=beijing_date(ctx.now) + ASKED_FOR)


def _person(user_id: int) -> Actor:
    found = accounts.session_user(user_id)
    assert found is not None
    return found.actor


def _values(kind: str, competition: CompetitionView, today: date) -> Mapping[str, str]:
    """What is typed beside it, such that the regulation takes it."""
    ends = competition.event.regulation.calendar.play_to + timedelta(days=1)
    typed: Mapping[str, Mapping[str, object]] = {
        "medical_certificate": {"issued_on": today - timedelta(days=6), "issuer": "示例医院"},
        "accident_insurance": {
            "issuer": "示例保险公司",
            "number": "YZ-0001",
            "valid_from": today,
            "valid_to": ends,
        },
        "vaccination_certificate": {"issued_on": today - timedelta(days=90)},
        ENDING_KIND: {"valid_to": today + ENDS_IN, "result": "green"},
    }
    return {name: str(value) for name, value in typed[kind].items()}


def _picture(planned: _Planned, name: str, values: Mapping[str, str]) -> bytes:
    """The sheet that these values stand on; the one that is sent back says another day."""
    shown = dict(values)
    if planned.decision is DecisionKind.NEEDS_CHANGES:
        shown["valid_to"] = str(date.fromisoformat(shown["valid_to"]) - timedelta(days=30))
    if planned.decision is DecisionKind.REJECT:
        return specimens.picture("示例单位通讯录", (f"第一行：{name}", FICTION))
    fields = {each.name: each for each in FIELDS[planned.kind]}
    lines = [
        f"{fields[key].label.render()}：{fields[key].choices[value].render() if fields[key].choices else value}"
        for key, value in shown.items()
    ]
    return specimens.picture(DOCUMENT_KINDS[planned.kind].render(), (f"姓名：{name}", *lines, FICTION))
