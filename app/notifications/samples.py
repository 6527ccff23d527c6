"""Made-up contexts of the reports, for the preview and for the test that renders every kind. The people are invented."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from app.notifications.links import Address
from app.text import T, until

_HEAD: dict[str, Any] = {
    "competition": "演练赛事",
    "event": None,
    "home": Address("/c/sample"),
}

DIGEST: Mapping[str, Any] = _HEAD | {
    "day": date(2021, 11, 5),
    "since": datetime(2021, 11, 4, 0, 30, tzinfo=UTC),
    "several": False,
    "events": [
        {
            "name": "竞技二打一",
            "new": 3,
            "ending": [
                T(
                    "第 %(number)s 号名单今天公示期满：%(end)s",
                    number=1,
                    end=until(datetime(2021, 11, 5, 16, 0, tzinfo=UTC)),
                )
            ],
            "lines": [
                T("%(count)s 名队员等待审核（最早：%(age)s前）", count=4, age=T("%(days)s 天", days=2))
            ],
            "to_do": 1,
        }
    ],
    "cases": [{"number": "YY2021-0003", "state": T("办理中")}],
    "unknown_year": None,
    "board": Address("/staff/c/sample"),
    "calendar": Address("/staff/workdays"),
}

LIST_PUBLISHED: Mapping[str, Any] = _HEAD | {
    "number": 2,
    "kind": T("更正公示名单"),
    "final": False,
    "published_at": datetime(2021, 11, 2, 2, 0, tzinfo=UTC),
    "window_end": until(datetime(2021, 11, 5, 16, 0, tzinfo=UTC)),
    "reason": "资格复核后更正。",
    "supersedes": 1,
    "list": Address("/c/sample/publications/2"),
    "members": [
        {"name": "赵一", "state": T("公示中，序号 %(number)s", number=1), "reason": None},
        {"name": "钱二", "state": T("审核未通过"), "reason": "年龄不符合规程。"},
    ],
    "changes": [T("%(name)s（序号 %(number)s）不再在名单上", name="钱二", number=2)],
}

ENTRY_DECIDED: Mapping[str, Any] = _HEAD | {
    "approved": ["赵一", "孙三"],
    "rejected": [("钱二", "年龄不符合规程。")],
    "mine": Address("/c/sample/my"),
}

ROUND_RESULTS: Mapping[str, Any] = _HEAD | {
    "round": T("%(stage)s第 %(number)s 轮", stage=T("积分编排"), number=2),
    "corrected": True,
    "at": datetime(2021, 11, 12, 4, 0, tzinfo=UTC),
    "members": [
        {
            "name": "赵一",
            "points": [(T("积分"), "2")],
            "bye": False,
            "rank": T("第 %(rank)s 名", rank=3),
            "total": (T("积分"), "3.5"),
        },
        {
            "name": "孙三",
            "points": [],
            "bye": True,
            "rank": T("第 %(rank)s 名", rank=7),
            "total": (T("积分"), "2"),
        },
    ],
    "changes": [
        T(
            "%(name)s：%(label)s由 %(before)s 改为 %(after)s",
            name="赵一",
            label=T("名次"),
            before="4",
            after="3",
        )
    ],
    "standings": Address("/c/sample/standings"),
}

FINAL_REPORT: Mapping[str, Any] = _HEAD | {
    "corrected": False,
    "at": datetime(2021, 11, 14, 8, 0, tzinfo=UTC),
    "winners": [(1, "赵一", "第一机械厂"), (2, "李四", "第二机械厂"), (3, "周五", "第三机械厂")],
    "counts": [(T("名次表人数"), 36), (T("异议"), 1), (T("处罚次数"), 2)],
    "sha256": "0123456789abcdef" * 4,
    "reports": Address("/staff/c/sample/reports"),
}
