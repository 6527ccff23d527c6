"""What may be typed: numbers, names, the window, and every problem of a form at once."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from app.clock import BEIJING
from app.demonstration import people as demonstration
from app.errors import InvalidError
from app.registrations.rules import (
    MemberForm,
    MemberRefusedError,
    QuotaFullError,
    RegistrationClosedError,
    RegistrationNotOpenError,
    UnitRefusedError,
    check_member,
    check_unit,
    credit_code,
    id_number,
    masked_id_number,
    person_name,
    purge_day,
    require_open,
    require_room,
)
from app.regulations import library
from app.regulations.rules import Employment, Sex
from tests.factories import people
from tests.factories.registrations import member_form, unit_form

TODAY = date(2021, 10, 25)
REGULATION = library.load("beach-games-landlord-2021")


def sentence(call) -> str:  # type: ignore[no-untyped-def]  # a test helper
    with pytest.raises(InvalidError) as refused:
        call()
    return str(next(iter(refused.value.fields.values())))


def test_birth_date_and_sex_are_read_from_the_id_number() -> None:
    man = id_number(people.id_number(1, date(1985, 6, 15)), TODAY)
    woman = id_number(people.id_number(2, date(1990, 2, 28)), TODAY)
    assert (man.birth_date, man.sex) == (date(1985, 6, 15), Sex.MALE)
    assert (woman.birth_date, woman.sex) == (date(1990, 2, 28), Sex.FEMALE)


def test_an_identity_prints_without_its_number() -> None:
    number = people.id_number(1)
    assert number not in repr(id_number(number, TODAY))


def number_ending_in_x() -> str:
    return next(number for number in map(people.id_number, range(1, 100)) if number.endswith("X"))


@pytest.mark.parametrize(
    "write",
    [
        str.lower,
        lambda number: f"  {number[:6]} {number[6:14]} {number[14:]} ",
        lambda number: number.translate({ord("0") + digit: ord("０") + digit for digit in range(10)}),
        lambda number: f"{number[:6]}　{number[6:14]}-{number[14:]}\u200b",
    ],
    ids=["small x", "spaces", "full-width digits", "wide space, hyphen, zero-width space"],
)
def test_an_id_number_is_understood_as_people_write_it(write) -> None:  # type: ignore[no-untyped-def]
    number = number_ending_in_x()
    assert id_number(write(number), TODAY).number == number


def test_every_wrong_check_digit_is_refused() -> None:
    number = people.id_number(1)
    for digit in set("0123456789X") - {number[-1]}:
        assert "校验位" in sentence(lambda wrong=number[:-1] + digit: id_number(wrong, TODAY))


@pytest.mark.parametrize(
    ("written", "part"),
    [
        ("", "请填写"),
        ("1101018506150" + "11", "15 位旧身份证号已停用"),
        ("11010119850615001", "18 位"),
        ("1101011985061500112", "18 位"),
        ("X10101198506150011", "18 位"),
        ("11010119850615001Y", "18 位"),
    ],
)
def test_what_is_no_id_number_is_told_why(written: str, part: str) -> None:
    assert part in sentence(lambda: id_number(written, TODAY))


def with_birth(eight: str) -> str:
    body = f"110101{eight}001"
    total = sum(int(digit) * weight for digit, weight in zip(body, demonstration.WEIGHTS, strict=True))
    return body + demonstration.CHECKS[total % 11]


@pytest.mark.parametrize("eight", ["19850230", "19851301", "19850600", "18991231", "20230229"])
def test_a_birth_date_that_is_no_date_is_refused(eight: str) -> None:
    assert "出生日期不存在" in sentence(lambda: id_number(with_birth(eight), TODAY))


def test_a_birth_date_in_the_future_is_refused_and_today_is_not() -> None:
    assert id_number(people.id_number(1, TODAY), TODAY).birth_date == TODAY
    tomorrow = TODAY + timedelta(days=1)
    assert "还没有到" in sentence(lambda: id_number(people.id_number(1, tomorrow), TODAY))


def test_age_is_counted_in_full_years() -> None:
    who = id_number(people.id_number(1, date(2003, 12, 31)), TODAY)
    assert (who.age_on(date(2021, 12, 30)), who.age_on(date(2021, 12, 31))) == (17, 18)


def test_a_masked_number_keeps_four_digits_at_each_end() -> None:
    number = people.id_number(1)
    assert masked_id_number(number) == f"{number[:4]}**********{number[-4:]}"


@pytest.mark.parametrize("serial", range(1, 40))
def test_a_credit_code_with_the_right_check_character_is_accepted(serial: int) -> None:
    code = people.credit_code(serial)
    assert credit_code(f" {code[:8].lower()} {code[8:].lower()}") == code


@pytest.mark.parametrize(
    "code",
    ["", "9111010100000001", people.credit_code(1)[:-1] + "I", "91110101O000000123", "9111010A0000000123"],
)
def test_what_is_no_credit_code_is_refused(code: str) -> None:
    assert sentence(lambda: credit_code(code))


def test_a_wrong_check_character_of_a_credit_code_is_refused() -> None:
    code = people.credit_code(1)
    wrong = next(each for each in demonstration.USCC_ALPHABET if each != code[-1])
    assert "校验位" in sentence(lambda: credit_code(code[:-1] + wrong))


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("赵试", "赵试"),
        ("㛃𬭎", "㛃𬭎"),  # extensions A and E
        ("𰻝试", "𰻝试"),  # extension G
        ("〇试", "〇试"),
        ("买买提•试", "买买提·试"),
        ("阿依古丽・试", "阿依古丽·试"),
        ("  Anna   Müller ", "Anna Müller"),
        ("O’Neill-Test", "O’Neill-Test"),
        ("试" * 30, "试" * 30),
    ],
)
def test_names_are_kept_as_written(written: str, kept: str) -> None:
    assert person_name(written) == kept


@pytest.mark.parametrize(
    "written",
    [
        "",
        "赵",
        "赵1",
        "赵１试",
        "赵②试",
        "试" * 31,
        "赵试!",
        "·赵试",
        "赵试·",
        "赵<b>试",
        "Иван",
        "赵\ue863试",
    ],
)
def test_what_is_no_name_is_refused(written: str) -> None:
    assert sentence(lambda: person_name(written))


def check(**changes: str) -> None:
    check_member(MemberForm(**member_form(1, **changes)), REGULATION, TODAY)


def refusal(**changes: str) -> MemberRefusedError:
    with pytest.raises(MemberRefusedError) as refused:
        check(**changes)
    return refused.value


def test_a_right_member_passes_with_everything_normalised() -> None:
    form = member_form(1, phone="１３８ 0000 0001")
    data = check_member(MemberForm(**form), REGULATION, TODAY)
    assert data.phone == "+8613800000001"
    assert data.employment is Employment.FULL_TIME
    assert form["id_number"] not in repr(data)


def test_born_on_the_last_day_is_eligible_and_a_day_later_is_refused_with_the_clause() -> None:
    check(id_number=people.id_number(1, date(2003, 12, 31)))
    error = refusal(id_number=people.id_number(1, date(2004, 1, 1)))
    assert error.clause == "三(一)1"
    assert list(error.fields) == ["id_number"]
    assert "2003年12月31日" in str(error.fields["id_number"])
    assert "三(一)1" in str(error.fields["id_number"])


@pytest.mark.parametrize("kind", ["part_time", "dispatched", "seconded"])
def test_barred_employment_is_refused_with_the_clause(kind: str) -> None:
    error = refusal(employment=kind)
    assert error.clause == "三(一)3"
    assert "不得参赛" in str(error.fields["employment"])


def test_every_problem_is_said_at_once_in_the_order_of_the_form() -> None:
    error = refusal(name="赵1", id_number="123", phone="12", employment="")
    assert list(error.fields) == ["name", "id_number", "phone", "employment"]
    assert error.clause == "三(三)1"


def test_typing_errors_and_broken_rules_come_together() -> None:
    error = refusal(name="", id_number=people.id_number(1, date(2010, 1, 1)), phone="", employment="seconded")
    assert list(error.fields) == ["name", "id_number", "phone", "employment"]
    assert error.clause == "三(一)1"
    assert "三(一)3" in str(error.fields["employment"])


def test_an_unknown_employment_is_refused() -> None:
    assert list(refusal(employment="boss").fields) == ["employment"]


def test_every_problem_of_a_unit_is_said_at_once() -> None:
    form = unit_form(1, name="厂", credit_code="9", contact_name="1", contact_phone="2")
    with pytest.raises(UnitRefusedError) as refused:
        check_unit(**form, regulation=REGULATION)
    assert list(refused.value.fields) == ["name", "credit_code", "contact_name", "contact_phone"]


def at(clock: str) -> datetime:
    return datetime.fromisoformat(f"2021-{clock}").replace(tzinfo=BEIJING)


@pytest.mark.parametrize(
    "moment", ["10-22T00:00:00", "10-25T12:00:00", "10-31T18:00:00", "10-31T18:00:00.999999"]
)
def test_the_window_is_open_to_its_last_second(moment: str) -> None:
    require_open(REGULATION, at(moment))


@pytest.mark.parametrize("moment", ["10-31T18:00:01", "11-01T00:00:00"])
def test_a_second_late_is_refused_with_its_clause_and_the_next_step(moment: str) -> None:
    with pytest.raises(RegistrationClosedError) as refused:
        require_open(REGULATION, at(moment))
    assert refused.value.clause == "三(三)1"
    assert "2021年10月31日（周日）18:00" in str(refused.value.text)
    assert "书面申请" in str(refused.value.next_step)


def test_before_the_opening_the_moment_of_opening_is_named() -> None:
    with pytest.raises(RegistrationNotOpenError) as refused:
        require_open(REGULATION, at("10-21T23:59:59"))
    assert "2021年10月22日（周五）00:00" in str(refused.value.text)


def test_regulation_a_has_no_quota_and_a_quota_is_held_with_its_clause() -> None:
    require_room(REGULATION, 10_000)
    document = REGULATION.document
    document["registration"]["entries_per_unit"]["limit"] = 2
    limited = library.parse_document(document, "limited")
    require_room(limited, 1)
    with pytest.raises(QuotaFullError) as refused:
        require_room(limited, 2)
    assert refused.value.clause == "三(二)1"


def test_personal_data_goes_after_whole_days_counted_from_the_last_day_of_play() -> None:
    assert purge_day([date(2021, 12, 5), date(2021, 12, 3)], 90) == date(2021, 12, 5) + timedelta(days=91)
