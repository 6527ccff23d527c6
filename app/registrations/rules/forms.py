"""A unit's and a member's form: every problem at once, each beside its field."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TypeVar

from app.accounts.rules import normal_phone
from app.errors import InvalidError
from app.registrations.rules import identity
from app.registrations.rules.identity import Identity
from app.registrations.rules.refusals import MemberRefusedError, UnitRefusedError, with_clause
from app.regulations.rules import Employment, Person, Regulation
from app.text import T

Value = TypeVar("Value")

A_PAIR = 2

FIELD_OF_JUDGEMENT = {"birth_date": "id_number", "sex": "id_number"}
"""What a rule judges -> the field in which it was typed."""


@dataclass(frozen=True, slots=True)
class UnitData:
    """A unit (单位) whose every field was checked. No credit code where entrants need not be employed by it."""

    name: str
    credit_code: str | None
    contact_name: str = field(repr=False)
    contact_phone: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class MemberData:
    """A member (队员) whose every field was checked and who is eligible.

    The employment is there only where a rule looks at it, the unit only where players enter themselves.
    """

    name: str
    identity: Identity
    phone: str = field(repr=False)
    employment: Employment | None
    unit_name: str | None = None
    declared: frozenset[str] = frozenset()
    in_team: bool | None = None


@dataclass(frozen=True, slots=True)
class MemberForm:
    """What was typed of one player. ``declared``: the rules of eligibility that were ticked, by name.

    ``in_team``: whether the form names him for the unit's team; read where the regulation has teams.
    """

    name: str = ""
    id_number: str = field(default="", repr=False)
    phone: str = field(default="", repr=False)
    employment: str = ""
    unit_name: str = ""
    declared: frozenset[str] = frozenset()
    in_team: bool = False


def without_code(leader_user_id: int) -> str:
    """What stands for the credit code of a unit that has none: a mark that no code has, unique as its leader is."""
    return f"-{leader_user_id}"


def shown_code(stored: str) -> str | None:
    """The credit code of a unit, None where it has none."""
    return None if stored.startswith("-") else stored


def check_unit(
    *, name: str, credit_code: str, contact_name: str, contact_phone: str, regulation: Regulation
) -> UnitData:
    """Raises ``UnitRefusedError`` with every wrong field.

    The credit code may be left out where the regulation does not ask who employs the entrants: its members are
    individuals too.
    """
    problems: dict[str, T] = {}
    checked_name = _try(problems, unit_name, name)
    needs_code = regulation.asks_employment or bool(credit_code.strip())
    code = _try(problems, identity.credit_code, credit_code) if needs_code else None
    contact = _try(problems, lambda typed: identity.person_name(typed, "contact_name"), contact_name)
    phone = _try(problems, lambda typed: _phone(typed, "contact_phone"), contact_phone)
    if problems or checked_name is None or contact is None or phone is None:
        raise UnitRefusedError(problems, regulation.registration.clause)
    return UnitData(checked_name, code, contact, phone)


def check_member(
    typed: MemberForm, regulation: Regulation, today: date, *, set_aside: str | None = None
) -> MemberData:
    """Raises ``MemberRefusedError`` with every wrong field and every rule of the regulation that is not met.

    ``set_aside``: the clause that the committee set aside for this player (特批).
    """
    checked, problems, broken = _member(typed, regulation, today, set_aside)
    if checked is None:
        # 三(三)1 asks for each member's data; a broken rule of eligibility is the nearer reason
        raise MemberRefusedError(problems, broken or regulation.registration.clause)
    return checked


def check_pair(
    typed: Sequence[MemberForm], regulation: Regulation, today: date
) -> tuple[MemberData, MemberData]:
    """Two players, each as ``check_member``, every problem beside the right one: ``members.1.id_number``.

    A form with one player is no entry: 六2 of the text of 思明 says so, and elsewhere two are what is entered.
    """
    if len(typed) > A_PAIR:
        text = T("一对为两名选手。")
        raise MemberRefusedError({"members": text}, regulation.entry.clause)
    both = [*typed, *[MemberForm()] * (A_PAIR - len(typed))]
    read = [_member(each, regulation, today) for each in both]
    problems = {
        f"members.{place}.{name}": text
        for place, (_, wrong, _) in enumerate(read)
        for name, text in wrong.items()
    }
    clause = next((broken for _, _, broken in read if broken), None)
    first, second = (checked for checked, _, _ in read)
    if first is not None and second is not None and first.identity.number == second.identity.number:
        clause = regulation.entry.clause
        problems["members.1.id_number"] = with_clause(T("一对须是两名不同的选手。"), clause)
    if problems or first is None or second is None:
        missing = any(each == MemberForm() for each in both)
        raise MemberRefusedError(
            problems, clause or (regulation.entry.clause if missing else regulation.registration.clause)
        )
    return first, second


def _member(
    typed: MemberForm, regulation: Regulation, today: date, set_aside: str | None = None
) -> tuple[MemberData | None, dict[str, T], str | None]:
    """The checked member or None, what is wrong by field in the order of the form, and the first broken rule's clause."""
    problems: dict[str, T] = {}
    name = _try(problems, identity.person_name, typed.name)
    who = _try(problems, lambda written: identity.id_number(written, today), typed.id_number)
    phone = _try(problems, lambda written: _phone(written, "phone"), typed.phone)
    unit = (
        _try(problems, lambda written: unit_name(written, "unit_name"), typed.unit_name)
        if regulation.by_players
        else None
    )
    kind = _try(problems, _employment, typed.employment) if regulation.asks_employment else None
    asked = frozenset(rule.rule for rule in regulation.declared_rules)
    declared = typed.declared & asked
    broken: str | None = None
    for refusal in regulation.judge(person_of(who, kind, declared)):
        place = FIELD_OF_JUDGEMENT.get(refusal.field, refusal.field)
        if refusal.clause == set_aside or place in problems or (place == "id_number" and who is None):
            continue  # what was not typed well is said already, and cannot be judged
        problems[place] = with_clause(refusal.text, refusal.clause)
        broken = broken or refusal.clause
    if problems or name is None or who is None or phone is None:
        return None, _in_form_order(problems), broken
    in_team = typed.in_team if regulation.teams is not None and not regulation.in_pairs else None
    return MemberData(name, who, phone, kind, unit, declared, in_team), {}, None


def person_of(who: Identity | None, employment: Employment | None, declared: Collection[str] = ()) -> Person:
    """What the eligibility rules may look at."""
    return Person(
        birth_date=who.birth_date if who else None,
        sex=who.sex if who else None,
        employment=employment,
        declared=frozenset(declared),
    )


def unit_name(written: str, place: str = "name") -> str:
    """A unit's full name, 2 to 60 letters. Raises ``BadValueError``."""
    text = " ".join(written.split())
    if not text:
        raise identity.BadValueError(place, T("请填写。"))
    if not 2 <= len(text) <= 60 or not text.isprintable():
        raise identity.BadValueError(place, T("单位全称应为 2–60 个字，与公章一致。"))
    return text


def _phone(typed: str, place: str) -> str:
    if not typed.strip():
        raise identity.BadValueError(place, T("请填写。"))
    return normal_phone(typed, place)


def _employment(typed: str) -> Employment:
    if not typed:
        raise identity.BadValueError("employment", T("请选择。"))
    if typed not in set(Employment):
        raise identity.BadValueError("employment", T("请从列出的用工关系中选择。"))
    return Employment(typed)


def _try(problems: dict[str, T], check: Callable[[str], Value], typed: str) -> Value | None:
    try:
        return check(typed)
    except InvalidError as error:
        problems.update(error.fields)
        return None


def _in_form_order(problems: dict[str, T]) -> dict[str, T]:
    order = ("name", "id_number", "phone", "unit_name", "employment")
    declared = sorted(set(problems) - set(order))
    return {place: problems[place] for place in (*order, *declared) if place in problems}
