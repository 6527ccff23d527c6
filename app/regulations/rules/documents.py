"""Documents that entrants hand in (参赛材料): which, by when, how old one may be, and when it must still be valid."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from app.regulations.rules.calendar import CALENDAR_KEYS, Calendar, CalendarKey
from app.regulations.rules.eligibility import EMPLOYMENTS_IN_WORDS, Employment, listed
from app.regulations.rules.texts import Bilingual, Sentence, day_in_words
from app.text import T

DOCUMENT_KINDS: Mapping[str, T] = {
    "medical_certificate": T("有效体检证明"),
    "accident_insurance": T("赛会期间人身意外伤害保险"),
    "vaccination_certificate": T("新冠肺炎疫苗接种证明"),
    "nucleic_acid_report": T("核酸检测阴性报告"),
    "health_code": T("绿色个人健康码"),
    "waiver": T("参赛免责和防疫承诺书"),
    "identity_card": T("居民身份证"),
    "employment_proof": T("在职证明"),
    "union_proof": T("工会会员证明"),
    "residence_proof": T("居住证明"),
    "entry_form": T("加盖公章的报名表"),
    "sealed_letter": T("加盖公章的函件"),
}

REQUIRED_FOR: Mapping[str, Bilingual] = {
    "everyone": Bilingual("每名参赛者", "each player"),
    "unit": Bilingual("每个参赛单位一份", "one for each unit"),
    "nobody": Bilingual("不要求", "nobody"),
}
"""Whose a document is: each player's own, or one of the whole unit. `nobody` is what an option says where it asks for none."""

_OF_A_UNIT = frozenset({"entry_form", "sealed_letter"})
"""Kinds that a unit hands in once, where a row does not say otherwise."""

_PAGES: Mapping[str, int] = {
    "identity_card": 2,
    "health_code": 1,
    "medical_certificate": 10,
    "accident_insurance": 10,
    "entry_form": 10,
}
MOST_PAGES, MOST_MEGABYTES = 20, 20
_USUAL_PAGES = 4

SIGNED_KINDS = frozenset({"waiver"})
"""Kinds that a player may sign on the phone instead of sending a photo of the signed paper."""

AFTER_SIGNING: Mapping[str, Bilingual] = {
    "review": Bilingual("审核签名", "a reviewer looks at the signature"),
    "accept": Bilingual("签名即通过", "accepted by being signed"),
}
"""What becomes of an undertaking signed on the phone; where the text does not say, somebody looks at the signature."""

DUE: Mapping[str, Bilingual] = {
    "registration": Bilingual("报名时提交", "with the entry"),
    "check_in": Bilingual("报到时提交", "at check-in"),
}
"""By when a document is handed in (何时提交); where the text does not say, when the committee asks for it."""


SAMPLED_KINDS = frozenset({"nucleic_acid_report"})
"""Kinds whose age counts from the day of the sample (采样日期)."""


def _phrase(text: Bilingual) -> Bilingual:
    """A text of the file without its full stop: what is added stands before it."""
    return Bilingual(text.zh.removesuffix("。"), text.en.removesuffix("."))


@dataclass(frozen=True, slots=True)
class DocumentRule:
    """One document. due: one of DUE, None where the text does not say. within_days: it is issued no earlier than so many
    days before the day `before`; None where the text sets no age. valid_at: days of the calendar on which it is valid.
    required_for: one of REQUIRED_FOR. employments: only of players who work for the unit in one of these ways; empty for
    all. max_pages, max_megabytes: the most that one may have. statement: the organiser's own text of an undertaking, None
    for the general wording; after_signing: one of AFTER_SIGNING.
    """

    kind: str
    clause: str
    due: str | None = None
    within_days: int | None = None
    before: CalendarKey = CalendarKey.CHECK_IN
    valid_at: tuple[CalendarKey, ...] = ()
    text: Bilingual | None = None
    required_for: str = "everyone"
    employments: frozenset[Employment] = frozenset()
    max_pages: int = _USUAL_PAGES
    max_megabytes: int = MOST_MEGABYTES
    statement: Bilingual | None = None
    after_signing: str = "review"

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "DocumentRule":
        text, statement, kind = row.get("text"), row.get("statement"), row["kind"]
        return cls(
            kind,
            row["clause"],
            row.get("due"),
            row.get("within_days"),
            CalendarKey(row.get("before", CalendarKey.CHECK_IN)),
            tuple(map(CalendarKey, row.get("valid_at", ()))),
            Bilingual.of(text) if text else None,
            row.get("required_for", "unit" if kind in _OF_A_UNIT else "everyone"),
            frozenset(map(Employment, row.get("employments", ()))),
            row.get("max_pages", _PAGES.get(kind, _USUAL_PAGES)),
            row.get("max_megabytes", MOST_MEGABYTES),
            Bilingual.of(statement) if statement else None,
            row.get("after_signing", "review"),
        )

    @property
    def of_unit(self) -> bool:
        """Whether it is one document of the whole unit, not one of each player."""
        return self.required_for == "unit"

    @property
    def signable(self) -> bool:
        """Whether each player may sign it on the phone."""
        return self.kind in SIGNED_KINDS and not self.of_unit

    def concerns(self, employment: Employment | None) -> bool:
        """Whether a player who works for the unit in this way (None where it is not asked) hands one in."""
        if self.required_for != "everyone":
            return False
        return not self.employments or employment in self.employments

    def describe(self) -> T:
        what = self._by_itself() if self.text is None else _phrase(self.text)
        if self.valid_at:
            days = listed([CALENDAR_KEYS[key] for key in self.valid_at])
            what = T("%(what)s（%(days)s时须有效）", what=what, days=days)
        if self.of_unit:
            what = T("%(what)s（%(whose)s）", what=what, whose=REQUIRED_FOR[self.required_for])
        elif self.employments:
            kinds = listed([EMPLOYMENTS_IN_WORDS[each] for each in Employment if each in self.employments])
            what = T("%(what)s（限%(kinds)s人员）", what=what, kinds=kinds)
        if self.due is not None:
            what = T("%(what)s（%(due)s）", what=what, due=DUE[self.due])
        return Sentence(what)

    def _by_itself(self) -> T:
        kind = DOCUMENT_KINDS[self.kind]
        if self.within_days is None:
            return kind
        if self.before is CalendarKey.CHECK_IN:
            return T("报到前 %(days)s 日内的%(kind)s", days=self.within_days, kind=kind)
        day = CALENDAR_KEYS[self.before]
        return T("%(day)s前 %(days)s 日内的%(kind)s", day=day, days=self.within_days, kind=kind)

    @property
    def sampled(self) -> bool:
        """Whether its age counts from the day of the sample, not from that of the paper."""
        return self.kind in SAMPLED_KINDS

    def earliest(self, calendar: Calendar) -> date | None:
        """The first day on which it may be issued; None where the text sets no age, or its day is not announced yet.

        5 days before check-in on the 2nd is the 27th, that day itself counts (I-A-17).
        """
        if self.within_days is None or self.before not in calendar.dates:
            return None
        return calendar.day(self.before) - timedelta(days=self.within_days)

    def must_hold(self, calendar: Calendar) -> tuple[date, date] | None:
        """The first and the last of the days on which it is valid; None where none is named, or none announced yet."""
        days = [calendar.day(key) for key in self.valid_at if key in calendar.dates]
        return (min(days), max(days)) if days else None

    def refusal(
        self, calendar: Calendar, *, issued: date | None = None, valid_until: date | None = None
    ) -> T | None:
        """Why a document issued on this day, and valid to the end of the other, does not do; None where it does.

        What the rule asks for and the document does not say is never taken for a yes.
        """
        return self.too_old(calendar, issued) or self.too_short(calendar, valid_until)

    def too_old(self, calendar: Calendar, issued: date | None) -> T | None:
        """Why a document issued on this day does not do, for its age."""
        earliest = self.earliest(calendar)
        if earliest is None or (issued is not None and issued >= earliest):
            return None
        kind = DOCUMENT_KINDS[self.kind]
        day = day_in_words(earliest)
        if self.sampled:
            return T("%(kind)s须在%(day)s及以后采样。", kind=kind, day=day)
        return T("%(kind)s须在%(day)s及以后出具。", kind=kind, day=day)

    def too_short(self, calendar: Calendar, valid_until: date | None) -> T | None:
        """Why a document that is valid to the end of this day does not do."""
        held = self.must_hold(calendar)
        if held is None or (valid_until is not None and valid_until >= held[1]):
            return None
        return T("%(kind)s须在%(day)s仍然有效。", kind=DOCUMENT_KINDS[self.kind], day=day_in_words(held[1]))

    def too_late(self, calendar: Calendar, valid_from: date | None) -> T | None:
        """Why a document that is valid from this day on does not do; one that names no first day holds since it was made."""
        held = self.must_hold(calendar)
        if held is None or valid_from is None or valid_from <= held[0]:
            return None
        return T("%(kind)s须在%(day)s已经生效。", kind=DOCUMENT_KINDS[self.kind], day=day_in_words(held[0]))
