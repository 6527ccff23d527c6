"""What becomes of whoever loses his place after the draw, by the format of the event, and who does what next.

| stages | later rounds | the round that is drawn | what the site does by itself |
|---|---|---|---|
| paired by points (积分编排) | without him | his sheet says that he forfeits | the attendance keeps him out of what is not drawn yet |
| a bracket (单场淘汰) | without him (I-D-36, I-D-37) | the sheet of that match says that he forfeits | leaves him out of what is not drawn yet |
| groups by the draw and by rank (初赛、复赛、决赛) | without him (I-A-27, I-A-28) | is played to its end | leaves him out of what is not drawn yet |
"""

from __future__ import annotations

from collections.abc import Mapping

from app.regulations.rules import Regulation
from app.text import T

BY_KIND: Mapping[str, tuple[T, ...]] = {
    "swiss": (
        T("还没有抽签的轮次：系统自动不再编排该选手，登记在“出席与裁决”。"),
        T("已经抽签、还没有打完的一轮：请裁判员在他的记分表上记弃权。"),
    ),
    "bracket": (
        T("已经抽签、还没有打完的一场：系统不改动对阵，请裁判长在那一场的记分表上记他弃权，对手即晋级。"),
        T("还没有抽签的各轮：系统自动不再编排该选手，他的位置归谁、是否排名次按规程的解释。"),
    ),
    "drawn": (
        T("正在打的一桌：照常打完，系统不改动座位。"),
        T("还没有编排的阶段：系统自动不再编排该选手，他的名额由谁递补、是否排名次按规程的解释。"),
    ),
}
"""Kind of the first stage -> what happens, point by point."""

PLAYED = T("已经打完的各轮：成绩保留，是否改动由裁判长裁定。")


def after_draw(regulation: Regulation) -> tuple[T, ...]:
    """What happens to whoever loses his place once rounds were drawn, at each point of the event."""
    stages = regulation.scoring_rules().stages
    return (*BY_KIND.get(stages[0].kind, ()), PLAYED)
