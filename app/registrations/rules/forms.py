"""A unit's and a member's form: every problem at once, each beside its field."""

from __future__ import annotations

from collections.abc import Callable
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
    """A member (队员) whose every field was checked and who is eligible; the employment only where a rule looks at it."""

    name: str
    identity: Identity
    phone: str = field(repr=False)
    employment: Employment | None


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
    *, name: str, id_number: str, phone: str, employment: str, regulation: Regulation, today: date
) -> MemberData:
    """Raises ``MemberRefusedError`` with every wrong field and every rule of the regulation that is not met."""
    problems: dict[str, T] = {}
    checked_name = _try(problems, identity.person_name, name)
    who = _try(problems, lambda typed: identity.id_number(typed, today), id_number)
    checked_phone = _try(problems, lambda typed: _phone(typed, "phone"), phone)
    kind = _try(problems, _employment, employment) if regulation.asks_employment else None
    broken_clauses = []
    for refusal in regulation.judge(person_of(who, kind)):
        place = FIELD_OF_JUDGEMENT.get(refusal.field, refusal.field)
        if place in problems or (place == "id_number" and who is None):
            continue  # what was not typed well is said already, and cannot be judged
        problems[place] = with_clause(refusal.text, refusal.clause)
        broken_clauses.append(refusal.clause)
    if problems or checked_name is None or who is None or checked_phone is None:
        # 三(三)1 asks for each member's data; a broken rule of eligibility is the nearer reason
        clause = broken_clauses[0] if broken_clauses else regulation.registration.clause
        raise MemberRefusedError(_in_form_order(problems), clause)
    return MemberData(checked_name, who, checked_phone, kind)


def person_of(who: Identity | None, employment: Employment | None) -> Person:
    """What the eligibility rules may look at."""
    return Person(
        birth_date=who.birth_date if who else None, sex=who.sex if who else None, employment=employment
    )


def unit_name(written: str) -> str:
    """A unit's full name, 2 to 60 letters. Raises ``BadValueError``."""
    text = " ".join(written.split())
    if not text:
        raise identity.BadValueError("name", T("请填写。"))
    if not 2 <= len(text) <= 60 or not text.isprintable():
        raise identity.BadValueError("name", T("单位全称应为 2–60 个字，与公章一致。"))
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
    order = ("name", "id_number", "phone", "employment")
    return {place: problems[place] for place in order if place in problems}
