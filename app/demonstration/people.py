"""Made-up people and units with valid check digits: nobody real, and every form accepts them."""

from __future__ import annotations

from datetime import date, timedelta

WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
CHECKS = "10X98765432"
SURNAMES = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜"
GIVEN = "一二三四五六七八九十甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥"


AREAS = tuple(f"1101{district:02d}" for district in (1, 2, *range(5, 10), *range(11, 20)))
"""Area codes of the districts of Beijing."""


def id_number(serial: int = 1, born: date = date(1985, 6, 15)) -> str:
    """A resident ID number of GB 11643 that nobody need have: odd serials are male, even ones female.

    A thousand people of one district share a birthday; further ones live in the next district, and after the last
    district are a day older, so that every serial has a number of its own.
    """
    group, sequence = divmod(serial, 1000)
    days, district = divmod(group, len(AREAS))
    body = f"{AREAS[district]}{born - timedelta(days=days):%Y%m%d}{sequence:03d}"
    return body + CHECKS[sum(int(digit) * weight for digit, weight in zip(body, WEIGHTS, strict=True)) % 11]


def person_name(serial: int) -> str:
    return SURNAMES[serial % len(SURNAMES)] + "试" + GIVEN[serial // len(SURNAMES) % len(GIVEN)]


def phone(serial: int = 1) -> str:
    """A mobile number of the range that numbering plans keep unassigned here."""
    return f"138{serial:08d}"


USCC_ALPHABET = "0123456789ABCDEFGHJKLMNPQRTUWXY"
USCC_WEIGHTS = (1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28)


def credit_code(serial: int = 1) -> str:
    """A unified social credit code of GB 32100 with the right check character."""
    organisation = f"{serial:08d}"
    weights = (3, 7, 9, 10, 5, 8, 4, 2)
    check = (
        11 - sum(int(digit) * weight for digit, weight in zip(organisation, weights, strict=True)) % 11
    ) % 11
    body = f"91110101{organisation}{'X' if check == 10 else check}"
    total = sum(USCC_ALPHABET.index(digit) * weight for digit, weight in zip(body, USCC_WEIGHTS, strict=True))
    return body + USCC_ALPHABET[(31 - total % 31) % 31]


UNIT_NAMES = (
    "示例一厂", "示例二厂", "示例机床厂", "示例纺织公司", "示例电力公司", "示例物流公司",
    "示例建筑公司", "示例出版社", "示例研究所", "示例医院", "示例银行", "示例地铁公司",
)  # fmt: skip


def sizes_of_units(members: int, units: int = len(UNIT_NAMES)) -> tuple[int, ...]:
    """How many members each unit sends when ``members`` are shared out as evenly as possible."""
    each, rest = divmod(members, units)
    return tuple(each + 1 if number < rest else each for number in range(units))
