"""One waiting application for a change after the deadline (变更申请), where the list of the demonstration is in public.

Its letter is a file that a worker checks, so this is a job after the seed, like the documents of ``papers``. Nothing is done
where anything was applied for already.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime

from app.actors import Actor
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions.rules import UnknownCompetitionError
from app.demonstration import people, queries, rules, specimens
from app.demonstration.queries import Cast
from app.registrations import queries as registrations
from app.registrations.rules import EntryId, MemberForm
from app.registrations.rules.changes import ChangeKind, terms_of
from app.registrations.service import changes
from app.regulations.rules import Employment

SLUG = rules.PUBLISHED_SLUG
FILE_NAME = "样张.jpg"
SERIAL = 880
"""Serial number of the made-up player who is to come."""

REASON = "原选手临时承担值班任务，不能参赛。"


@dataclass(frozen=True, slots=True)
class Letter:
    """An application that is to be sent, with the picture of its letter."""

    leader: Actor
    entry_id: int
    member_id: int
    form: MemberForm
    picture: bytes

    @property
    def key(self) -> str:
        """The same for the same picture, so that a job that begins again goes on with its upload."""
        return f"demonstration-letter-{hashlib.sha256(self.picture).hexdigest()[:12]}"


def wanted(now: datetime) -> Letter | None:
    """What is to be applied for; None where something was, and where no change is possible now."""
    try:
        competition = competitions.competition(SLUG)
    except UnknownCompetitionError:
        return None
    event = competition.event
    terms = terms_of(event.regulation, ChangeKind.REPLACE, now, drawn=event.entries_closed)
    if terms.refusal is not None or registrations.applications(event):
        return None
    leader = queries.user_of(Cast.LEADER)
    mine = registrations.my(leader, competition)
    standing = [entry for entry in mine.entries if entry.state.value == "approved"]
    if not standing or mine.unit is None:
        return None
    leaves, name = standing[0].members[0], people.person_name(SERIAL)
    lines = (f"单位：{mine.unit.name}", f"换下：{leaves.name}", f"换上：{name}", "纯属虚构，仅供演示")
    form = MemberForm(
        name=name,
        id_number=people.id_number(SERIAL),
        phone=people.phone(SERIAL),
        employment=Employment.FULL_TIME.value,
        declared=frozenset(rule.rule for rule in event.regulation.declared_rules),
    )
    picture = specimens.picture("变更申请", lines)
    return Letter(Actor("person", leader), standing[0].entry_id, leaves.id, form, picture)


def apply(ctx: CommandContext, letter: Letter, token: str) -> int:
    """Send the application; ``ctx`` acts for the leader. Raises ``StillCheckedError`` while the file is not checked yet."""
    return changes.apply(
        ctx,
        slug=SLUG,
        kind=ChangeKind.REPLACE,
        idempotency_key=letter.key,
        entry_id=EntryId(letter.entry_id),
        member_id=letter.member_id,
        reason=REASON,
        members=[letter.form],
        tokens=[token],
    )
