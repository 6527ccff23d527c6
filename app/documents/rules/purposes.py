"""What is said before a document is taken (告知): for which purpose, who sees it, when it is gone (PIPL 17, 30)."""

from __future__ import annotations

from collections.abc import Mapping

from app.text import T

PURPOSES: Mapping[str, T] = {
    "medical_certificate": T("用来确认本人身体状况适合参赛。健康信息是敏感个人信息，只看结论。"),
    "accident_insurance": T("用来确认赛会期间有人身意外伤害保险。"),
    "vaccination_certificate": T("用来确认规程要求的疫苗接种。接种信息是敏感个人信息。"),
    "nucleic_acid_report": T("用来确认规定日期以后的检测结果为阴性。检测结果是敏感个人信息。"),
    "health_code": T("用来确认报到当天健康码为绿码。健康码是敏感个人信息。"),
    "waiver": T("用来确认本人已签署参赛承诺书。签名只用于这份承诺书。"),
    "identity_card": T("用来核对姓名和出生日期与报名信息一致。证件照片是敏感个人信息。"),
    "employment_proof": T("用来核对与所代表单位的用工关系。"),
    "union_proof": T("用来核对工会会员身份。"),
    "residence_proof": T("用来核对居住地符合规程的要求。"),
    "entry_form": T("用来确认单位同意名单上的人员参赛。"),
    "sealed_letter": T("用来确认单位的书面意见。"),
}
"""One sentence a kind; every kind of a regulation has one."""

SEEN_BY = T(
    "只有您和本次比赛的组委会能看到；文件加密保存，组委会每次查看都有记录，不公开，不提供给其他任何人。"
)
