"""What a regulation says (规程), as typed values, and the decisions that need nothing else."""

from app.regulations.rules.calendar import CALENDAR_KEYS, Calendar, CalendarKey, Deadline
from app.regulations.rules.canonical import canonical_json, plain, sha256_of
from app.regulations.rules.documents import DOCUMENT_KINDS, REQUIRED_FOR, DocumentRule
from app.regulations.rules.eligibility import (
    ELIGIBILITY_RULES,
    EligibilityRule,
    Employment,
    Parameter,
    Person,
    Refusal,
    RuleKind,
    Sex,
)
from app.regulations.rules.engine_rows import criterion_name
from app.regulations.rules.errors import Problem, RegulationChangeError, RegulationFileError
from app.regulations.rules.page import (
    InterpretationRow,
    RuleSection,
    RulesPage,
    rules_page,
)
from app.regulations.rules.regulation import Regulation, anchor, runs_here
from app.regulations.rules.rows import RuleRow
from app.regulations.rules.terms import (
    Fee,
    Interpretation,
    Notice,
    Objections,
    Publication,
    Registration,
    TimeWindow,
)
from app.regulations.rules.texts import Bilingual

__all__ = [
    "CALENDAR_KEYS",
    "DOCUMENT_KINDS",
    "ELIGIBILITY_RULES",
    "REQUIRED_FOR",
    "Bilingual",
    "Calendar",
    "CalendarKey",
    "Deadline",
    "DocumentRule",
    "EligibilityRule",
    "Employment",
    "Fee",
    "Interpretation",
    "InterpretationRow",
    "Notice",
    "Objections",
    "Parameter",
    "Person",
    "Problem",
    "Publication",
    "Refusal",
    "Registration",
    "Regulation",
    "RegulationChangeError",
    "RegulationFileError",
    "RuleKind",
    "RuleRow",
    "RuleSection",
    "RulesPage",
    "Sex",
    "TimeWindow",
    "anchor",
    "canonical_json",
    "criterion_name",
    "plain",
    "rules_page",
    "runs_here",
    "sha256_of",
]
