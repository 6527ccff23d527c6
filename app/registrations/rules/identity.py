"""Numbers and names that say who a person or a unit is.

| what | standard | checked |
|---|---|---|
| resident ID number (居民身份证号) | GB 11643 | 18 places, check digit, a real birth date that has passed |
| unified social credit code (统一社会信用代码) | GB 32100 | 18 places, alphabet, check character |
| name (姓名) | | 2–30 letters: Han with all extensions, ·, Latin |

Not checked: whether the area code of an ID number existed in the birth year. It is the code of the year of issue,
numbers were first issued in 1985, and no list of all codes is complete; python-stdnum's own place check refuses
people born before their county's code.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from datetime import date

from stdnum.cn import ric, uscc
from stdnum.exceptions import InvalidComponent

from app.errors import InvalidError
from app.regulations.rules import Sex
from app.text import T

ID_NUMBER = re.compile(r"[0-9]{17}[0-9X]")
OLD_ID_NUMBER = re.compile(r"[0-9]{15}")
CREDIT_CODE = re.compile(r"[0-9A-HJ-NPQRTUWXY]{2}[0-9]{6}[0-9A-HJ-NPQRTUWXY]{10}")
SEPARATORS = re.compile(r"[\s\u200b-\u200f\ufeff\-‐-―]+")

MIDDLE_DOTS = str.maketrans(dict.fromkeys("•・･‧∙⋅●．", "·"))
"""The dots that input methods offer for the interpunct of a name; U+00B7 is the one of the ID card."""

HAN = (
    (0x3007, 0x3007),  # 〇
    (0x3400, 0x4DBF),  # extension A
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),  # compatibility ideographs
    (0x20000, 0x3FFFF),  # the ideographic planes: extensions B to J and what is still to come
)


class BadValueError(InvalidError):
    """One field's value that cannot be used."""

    def __init__(self, name: str, text: T) -> None:
        super().__init__(text, fields={name: text})


@dataclass(frozen=True, slots=True)
class Identity:
    """A checked ID number with what it says. It prints without the number."""

    number: str = field(repr=False)
    birth_date: date = field(repr=False)
    sex: Sex

    def age_on(self, day: date) -> int:
        """Full years (周岁) on ``day``."""
        had_birthday = (day.month, day.day) >= (self.birth_date.month, self.birth_date.day)
        return day.year - self.birth_date.year - (not had_birthday)


def id_number(written: str, today: date) -> Identity:
    """The resident ID number in ``written``; full-width digits, spaces and a small x are understood.

    Raises ``BadValueError`` for the field ``id_number``.
    """
    number = _compact(written)
    if not number:
        raise BadValueError("id_number", T("请填写。"))
    if OLD_ID_NUMBER.fullmatch(number):
        raise BadValueError("id_number", T("15 位旧身份证号已停用，请填写 18 位居民身份证号。"))
    if not ID_NUMBER.fullmatch(number):
        raise BadValueError("id_number", T("应为 18 位居民身份证号，最后一位可以是 X。"))
    if ric.calc_check_digit(number) != number[-1]:
        raise BadValueError("id_number", T("身份证号的校验位不对，请逐位核对。"))
    identity = read_id_number(number)
    if identity is None:
        raise BadValueError("id_number", T("身份证号中的出生日期不存在，请逐位核对。"))
    if identity.birth_date > today:
        raise BadValueError("id_number", T("身份证号中的出生日期还没有到，请逐位核对。"))
    return identity


def read_id_number(number: str) -> Identity | None:
    """What an 18-place number says; None if its birth date is no date."""
    try:
        birth_date: date = ric.get_birth_date(number)
    except InvalidComponent:
        return None
    if birth_date.year < 1900:
        return None
    return Identity(number, birth_date, Sex.MALE if int(number[16]) % 2 else Sex.FEMALE)


def masked_id_number(number: str) -> str:
    """``1101**********0013``: enough for the leader to recognise, not enough to use."""
    return f"{number[:4]}{'*' * (len(number) - 8)}{number[-4:]}"


def credit_code(written: str) -> str:
    """The unified social credit code in ``written``. Raises ``BadValueError`` for the field ``credit_code``.

    The first two places may be letters (GB 32100, for example N for rural economic organisations), which
    python-stdnum's whole check does not allow; its check character is used.
    """
    code = _compact(written)
    if not code:
        raise BadValueError("credit_code", T("请填写。"))
    if not CREDIT_CODE.fullmatch(code):
        raise BadValueError(
            "credit_code", T("应为 18 位统一社会信用代码，由数字和大写字母组成（不含 I、O、S、V、Z）。")
        )
    if uscc.calc_check_digit(code) != code[-1]:
        raise BadValueError("credit_code", T("统一社会信用代码的校验位不对，请对照营业执照或法人证书核对。"))
    return code


def person_name(written: str, name: str = "name") -> str:
    """A person's name as written, with single spaces and the interpunct ·. Raises ``BadValueError``."""
    text = " ".join(written.split()).translate(MIDDLE_DOTS)
    if all(ord(letter) < 0x2E80 for letter in text):
        text = unicodedata.normalize("NFC", text)  # never for Han: it would change compatibility ideographs
    if not text:
        raise BadValueError(name, T("请填写。"))
    if any(letter.isdigit() for letter in text):
        raise BadValueError(name, T("姓名中不能有数字。"))
    ends_are_letters = _is_letter(text[0]) and _is_letter(text[-1])
    if (
        not 2 <= len(text) <= 30
        or not ends_are_letters
        or not all(_is_letter(each) or each in "· -'’" for each in text)
    ):
        raise BadValueError(name, T("姓名应为 2–30 个字，用汉字、字母和间隔号（·），与身份证一致。"))
    return text


def _is_letter(letter: str) -> bool:
    point = ord(letter)
    if any(first <= point <= last for first, last in HAN):
        return True
    return letter.isalpha() and unicodedata.name(letter, "").startswith("LATIN ")


def _compact(written: str) -> str:
    return SEPARATORS.sub("", unicodedata.normalize("NFKC", written)).upper()
