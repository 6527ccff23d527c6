"""The form of an application, checked as a registration's is: every wrong field at once, beside its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.clock import beijing_date
from app.commands import CommandContext
from app.registrations.models import Entry
from app.registrations.rules import (
    MemberData,
    MemberForm,
    MemberRefusedError,
    UnknownMemberError,
    check_member,
    check_pair,
)
from app.registrations.rules.changes import (
    ChangeKind,
    ChangeRefusedError,
    ChangeTerms,
    NothingCorrectedError,
    reason_problems,
)
from app.registrations.rules.refusals import with_clause
from app.registrations.service.access import Party
from app.registrations.service.entries import Row, same
from app.text import T


@dataclass(frozen=True, slots=True)
class Asked:
    """An application as it was sent, with what it is judged by."""

    party: Party
    terms: ChangeTerms
    entry: Entry | None
    rows: Sequence[Row]
    member_id: int | None
    people: tuple[MemberData, ...] = ()

    @property
    def chosen(self) -> Row:
        """Who leaves or is corrected; of a single player's entry he."""
        found = [row for row in self.rows if row[0].id == self.member_id]
        if len(self.rows) == 1 and self.member_id is None:
            found = list(self.rows)
        if len(found) != 1:
            raise UnknownMemberError
        return found[0]

    @property
    def set_aside(self) -> str | None:
        """The clause that the committee set aside for who is corrected (特批); for who comes, none."""
        correcting = self.terms.kind is ChangeKind.CORRECT and self.entry is not None
        return self.entry.override_clause if correcting and self.entry else None

    @property
    def kept(self) -> list[Row]:
        return [row for row in self.rows if row is not self.chosen]


def checked(
    ctx: CommandContext, asked: Asked, members: Sequence[MemberForm], reason: str, tokens: Sequence[str]
) -> Asked:
    """With the people of the form, checked as in a registration; every wrong field at once."""
    terms, regulation = asked.terms, asked.party.event.regulation
    problems = reason_problems(terms, reason, len(tokens))
    clause = terms.clause
    people: tuple[MemberData, ...] = ()
    if terms.kind is not ChangeKind.WITHDRAW:
        today = beijing_date(ctx.now)
        try:
            if terms.kind is ChangeKind.ADD and regulation.in_pairs:
                people = check_pair(members, regulation, today)
            else:
                form = members[0] if members else MemberForm()
                if terms.kind is ChangeKind.CORRECT:
                    member, _ = asked.chosen
                    form = replace(
                        form,
                        id_number=form.id_number or member.id_number or "",
                        phone=form.phone or member.phone or "",
                    )
                people = (_member(form, asked, ctx),)
        except MemberRefusedError as refusal:
            problems |= refusal.fields
            clause = refusal.clause or clause
    if problems:
        raise ChangeRefusedError(problems, clause)
    return replace(asked, people=people)


def _member(form: MemberForm, asked: Asked, ctx: CommandContext) -> MemberData:
    """One player's form, its problems by their place in the list of forms."""
    regulation = asked.party.event.regulation
    try:
        data = check_member(form, regulation, beijing_date(ctx.now), set_aside=asked.set_aside)
    except MemberRefusedError as refusal:
        refusal.fields = {f"members.0.{name}": text for name, text in refusal.fields.items()}
        raise
    if asked.terms.kind is ChangeKind.CORRECT:
        member, _ = asked.chosen
        if same(member, data) and (asked.entry is None or asked.entry.in_team == data.in_team):
            raise NothingCorrectedError
        if member.name != data.name and member.id_number != data.identity.number:
            clause = asked.terms.clause
            text = with_clause(T("姓名和身份证号都不同，是另一个人；换人请申请“换人”。"), clause)
            raise MemberRefusedError({"members.0.id_number": text}, clause)
    return data
