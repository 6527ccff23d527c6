"""Players' cards on paper (选手卡): ten to a sheet of A4, unit by unit, each with its QR code and PIN, to be cut out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from app.competitions.queries import CompetitionView
from app.floor.queries import CardView
from app.text import T
from app.web.i18n import language, show
from app.web.links import qr_svg
from app.web.printing import Sheet, sheet

TEMPLATE = "floor/cards.typ"


def cards_sheet(
    competition: CompetitionView, cards: Sequence[CardView], *, address: Callable[[str], str]
) -> Sheet:
    """The PDF of these cards, which come sorted by unit. ``address``: the player's own page, by the token of his card."""
    units = groupby(cards, key=lambda each: (each.entrant.unit_id, each.entrant.unit_name))
    data = {
        "lang": language(),
        "competition": competition.name,
        "units": [
            {
                "name": name,
                "cards": [
                    {
                        "name": each.entrant.name,
                        "number": "" if each.number is None else str(each.number),
                        "unit": each.entrant.unit_name,
                        "pin": f"{each.pin[:3]} {each.pin[3:]}",
                        "code": qr_svg(address(each.token)).decode(),
                    }
                    for each in found
                ],
            }
            for (_, name), found in units
        ],
        "words": {
            "card": show(T("选手卡")),
            "number": show(T("参赛号")),
            "hint": show(T("扫码看本轮座位、报到、呼叫裁判、确认成绩。请勿拍照转发；遗失请立即换发。")),
            "cut": show(T("沿线剪开，当面发给本人。")),
        },
    }
    return sheet(TEMPLATE, data)
