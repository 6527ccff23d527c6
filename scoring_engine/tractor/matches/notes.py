"""What the committee should look at in a match of 升级 that is scored all the same."""

from collections.abc import Iterator

from scoring_engine.tractor.matches.formats import MatchFormat
from scoring_engine.tractor.matches.records import Deal
from scoring_engine.values import NeedsRuling, Text


def points_notes(number: int, deal: Deal, format_: MatchFormat) -> Iterator[NeedsRuling]:
    """Points that tricks alone cannot give: below 0, or with the bottom more than the packs hold (用牌, `deck`).

    A penalty is added to the defenders' score (C 八(十九) 扣罚60或增加60; D 五12, 五22), so a sheet that nets penalties can
    hold such a number. Nobody but the hall knows whether this one does.
    """
    if deal.points is None:
        return
    total = format_.deck.points
    below = Text(
        f"第{number}副防家得{deal.points}分，全副牌共{total}分：",
        f"Deal {number}: the defenders have {deal.points} points, and the packs hold {total}. ",
    )
    bottom = 0 if deal.bottom is None else deal.bottom.points
    if deal.points in range(total + 1):
        if deal.points + bottom <= total:
            return
        below = Text(
            f"第{number}副防家得{deal.points}分，底牌又有{bottom}分，全副牌共{total}分：",
            f"Deal {number}: the defenders have {deal.points} points and the bottom {bottom}; the packs hold {total}. ",
        )
    yield NeedsRuling(
        Text(
            below.zh + "只有判罚已计入得分才可能。请核对记分表，已计入的判罚不要另记。",
            below.en
            + "That can only be right with penalties already counted in. Check the score sheet, and do not "
            "record a penalty again that is in the points.",
        ),
        format_.clause_of("deck"),
    )
