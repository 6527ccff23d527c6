"""The receipt of a fee (收据) on half an A4 sheet, for signature and seal."""

from __future__ import annotations

from functools import partial

from app.appeals.queries.ledger import ReceiptView
from app.appeals.rules import FEE_KIND_NAMES, FEE_WAY_NAMES, yuan
from app.appeals.rules.states import FeeKind
from app.competitions.queries import CompetitionView
from app.notifications.letters import translate
from app.text import T
from app.web.printing import OWN_FONT, Sheet, sheet

TEMPLATE = "appeals/receipt.typ"


def receipt(competition: CompetitionView, view: ReceiptView, language: str) -> Sheet:
    """The PDF in ``zh`` or ``en``; nothing in a name is read as markup."""
    say = partial(translate, language=language)
    line = view.line
    paid_in = line.kind is FeeKind.RECEIVED
    facts = [
        (T("赛事"), competition.name),
        (T("申诉"), line.appeal),
        (T("交款人") if paid_in else T("收款人"), f"{view.payer} · {view.unit_name}"),
        (T("事由"), say(T("申诉费")) + " · " + say(FEE_KIND_NAMES[line.kind])),
        (T("金额（元）"), yuan(line.amount)),
        (T("方式"), say(FEE_WAY_NAMES[line.way]) + (f" · {line.reference}" if line.reference else "")),
        (T("时间"), say(T("%(at)s", at=line.at))),
        (T("经办"), line.by or ""),
    ]
    data = {
        "lang": language,
        "title": say(T("申诉费收据") if paid_in else T("申诉费退款凭证")),
        "number": line.number,
        "facts": [[say(label), value] for label, value in facts],
        "void": say(T("已冲正：%(number)s", number=line.reversed_by)) if line.reversed_by else "",
        "words": {
            "signature": say(T("交款人签名") if paid_in else T("收款人签名")),
            "seal": say(T("收款单位（盖章）") if paid_in else T("退款单位（盖章）")),
            "beijing": say(T("时间均为北京时间。")),
        },
    }
    return sheet(TEMPLATE, data, font=OWN_FONT)
