"""What is typed beside a document (填写项): one table, kind to fields, each with why it is asked.

Only what a rule checks, or what a reviewer needs to compare, is asked (PIPL 6: no more than the purpose needs). A
regulation that sets an age or a validity adds the date it needs, whatever the kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from app.regulations.rules import DocumentRule
from app.text import T


class FieldType(StrEnum):
    DATE = "date"
    TEXT = "text"
    CHOICE = "choice"


class Role(StrEnum):
    """What a date says for the rules: since when the document is (出具、采样), and from when to when it holds."""

    ISSUED = "issued"
    VALID_FROM = "valid_from"
    VALID_TO = "valid_to"


@dataclass(frozen=True, slots=True)
class DocumentField:
    """One field. ``why`` is shown beside it. ``wanted``: of the choices the one that will do, None where each does."""

    name: str
    label: T
    why: T
    type: FieldType = FieldType.DATE
    role: Role | None = None
    required: bool = True
    choices: Mapping[str, T] = field(default_factory=dict, hash=False)
    wanted: str | None = None


_ISSUED = DocumentField("issued_on", T("出具日期"), T("核对是否在规定的日期以后出具。"), role=Role.ISSUED)
_VALID_FROM = DocumentField("valid_from", T("生效日期"), T("核对报到当天是否已生效。"), role=Role.VALID_FROM)
_VALID_TO = DocumentField("valid_to", T("有效期至"), T("核对在规定的日期是否仍然有效。"), role=Role.VALID_TO)
_ISSUER = DocumentField(
    "issuer", T("出具单位"), T("有疑问时向出具单位核实。"), FieldType.TEXT, required=False
)

FIELDS: Mapping[str, tuple[DocumentField, ...]] = {
    "medical_certificate": (_ISSUED, _ISSUER),
    "accident_insurance": (
        DocumentField("issuer", T("保险公司"), T("有疑问时向保险公司核实。"), FieldType.TEXT, required=False),
        DocumentField("number", T("保单号"), T("有疑问时凭保单号核实。"), FieldType.TEXT, required=False),
        _VALID_FROM,
        DocumentField("valid_to", T("保险期至"), T("核对是否保到比赛结束。"), role=Role.VALID_TO),
    ),
    "vaccination_certificate": (
        DocumentField("issued_on", T("最近一剂接种日期"), T("与证明核对。"), role=Role.ISSUED),
    ),
    "nucleic_acid_report": (
        DocumentField("sampled_on", T("采样日期"), T("核对采样是否在规定的日期以后。"), role=Role.ISSUED),
        DocumentField(
            "result",
            T("结果"),
            T("规程要求阴性报告。"),
            FieldType.CHOICE,
            choices={"negative": T("阴性"), "positive": T("阳性")},
            wanted="negative",
        ),
    ),
    "health_code": (
        DocumentField(
            "valid_to",
            T("有效期至"),
            T("核对报到当天是否有效；健康码上没有写有效期的，填截图当天。"),
            role=Role.VALID_TO,
        ),
        DocumentField(
            "result",
            T("颜色"),
            T("规程要求绿码。"),
            FieldType.CHOICE,
            choices={"green": T("绿码"), "yellow": T("黄码"), "red": T("红码")},
            wanted="green",
        ),
    ),
    "waiver": (DocumentField("issued_on", T("签署日期"), T("与承诺书上的日期核对。"), role=Role.ISSUED),),
    "employment_proof": (_ISSUED,),
    "union_proof": (),
    "residence_proof": (_ISSUED,),
    "identity_card": (),
    "entry_form": (),
    "sealed_letter": (
        DocumentField("issued_on", T("函件日期"), T("与函件上的日期核对。"), role=Role.ISSUED),
    ),
}
"""Every kind; one that has none is handed in as it is."""


def fields_of(rule: DocumentRule) -> tuple[DocumentField, ...]:
    """The fields of a kind, and a date that this rule needs and the kind does not have by itself."""
    asked = FIELDS.get(rule.kind, ())
    roles = {each.role for each in asked}
    if rule.within_days is not None and Role.ISSUED not in roles:
        asked = (*asked, _ISSUED)
    if rule.valid_at and Role.VALID_TO not in roles:
        asked = (*asked, _VALID_TO)
    return asked
