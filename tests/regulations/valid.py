"""Valid regulations of every format: shipped and small files, changed within what a regulation allows."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from app.regulations import library
from app.regulations.rules import CalendarKey
from app.regulations.rules.calendar import MOMENTS
from app.regulations.rules.documents import (
    AFTER_SIGNING,
    DOCUMENT_KINDS,
    DUE,
    REQUIRED_FOR,
    SIGNED_KINDS,
)
from app.regulations.rules.terms import OBJECTORS, WINDOW_STARTS
from app.text import BEIJING
from scoring_engine import event_file
from scoring_engine.rules import ScoringRules

Document = dict[str, Any]
Change = Callable[[Document, st.DrawFn], None]

SMALL = sorted((Path(__file__).parent / "small").glob("*.toml"))
DOCUMENTS = [library.load(each).document for each in library.shipped()] + [
    library.parse_toml(path.read_text(encoding="utf-8"), path.name).document for path in SMALL
]
WORDS = st.sampled_from(
    ["甲", "“引号”与 \\ 反斜杠", "两行\n文字", "a = 1 # not a comment", "emoji 🀄", "'", "中 [x] {y}"]
)
CLAUSES = st.sampled_from(["一", "四(二)8(十)", "附件1七4", "§3", "2.1", "补充规定1"])


def _texts(document: Document, draw: st.DrawFn) -> None:
    document["name"] = {"zh": draw(WORDS), "en": draw(WORDS)}
    document["event"]["zh"] = draw(WORDS)
    document["event"]["clause"] = draw(CLAUSES)
    document.setdefault("notices", []).append(
        {"clause": draw(CLAUSES), "text": {"zh": draw(WORDS), "en": draw(WORDS)}}
    )


def _calendar(document: Document, draw: st.DrawFn) -> None:
    """Every date moved, each a little after the one before."""
    moment = datetime(draw(st.integers(2001, 2090)), 1, 1, tzinfo=BEIJING) + timedelta(
        minutes=draw(st.integers(0, 500_000))
    )
    for key in CalendarKey:
        if key not in document["calendar"]:
            if key in (CalendarKey.NOTICE, CalendarKey.LEAVE_BY) and draw(st.booleans()):
                document["calendar"][key.value] = {"clause": draw(CLAUSES)}
            else:
                continue
        moment += timedelta(minutes=draw(st.integers(1, 60_000)))
        at = moment if key in MOMENTS else moment.date()
        document["calendar"][key.value]["at"] = at.isoformat()


def _eligibility(document: Document, draw: st.DrawFn) -> None:
    region = {"zh": draw(WORDS), "en": draw(WORDS)}
    rows: list[Document] = [
        {"rule": "born_on_or_before", "date": draw(st.dates(date(1900, 1, 1), date(2100, 1, 1))).isoformat()},
        {"rule": "age_on", "years": draw(st.integers(1, 120)), "day": "registration_deadline"},
        {"rule": "sexes", "allowed": draw(st.sampled_from([["female"], ["male"], ["male", "female"]]))},
        {
            "rule": "employment_barred",
            "kinds": draw(st.sampled_from([["part_time"], ["seconded", "dispatched"]])),
        },
        {"rule": "employed_by_unit", "team_kinds": ["employer"]},
        {"rule": "healthy"},
        {"rule": "not_in_region", "region": region, "days": draw(st.integers(1, 366))},
        {"rule": "residence_days", "region": region, "days": draw(st.integers(1, 366))},
    ]
    chosen = draw(st.lists(st.sampled_from(range(len(rows))), min_size=1, max_size=4, unique=True))
    document["eligibility"] = [{**rows[index], "clause": draw(CLAUSES)} for index in chosen]


def _documents(document: Document, draw: st.DrawFn) -> None:
    days = [key.value for key in CalendarKey if key in document["calendar"]]
    row: Document = {"kind": draw(st.sampled_from(sorted(DOCUMENT_KINDS))), "clause": draw(CLAUSES)}
    row["due"] = draw(st.sampled_from(sorted(DUE)))
    row["valid_at"] = draw(st.lists(st.sampled_from(days), min_size=1, unique=True))
    row["required_for"] = draw(st.sampled_from(sorted(REQUIRED_FOR)))
    row |= {"max_pages": draw(st.integers(1, 20)), "max_megabytes": draw(st.integers(1, 20))}
    if row["kind"] in SIGNED_KINDS:
        row["statement"] = {"zh": draw(WORDS), "en": draw(WORDS)}
        row["after_signing"] = draw(st.sampled_from(sorted(AFTER_SIGNING)))
    asked = any(each["rule"].startswith("employ") for each in document["eligibility"])
    if asked and row["required_for"] == "everyone":
        row["employments"] = draw(st.sampled_from([["part_time"], ["seconded", "dispatched"]]))
    if draw(st.booleans()):
        row |= {"within_days": draw(st.integers(1, 366)), "before": draw(st.sampled_from(days))}
    document["documents"] = [row]


def _registration(document: Document, draw: st.DrawFn) -> None:
    limits = st.integers(1, 10_000) | st.just("unlimited")
    document["registration"]["entries_per_unit"]["limit"] = draw(limits)
    document["registration"]["entries_in_all"] = {"limit": draw(limits), "clause": draw(CLAUSES)}
    document["registration"]["changes"] = {
        "after_deadline": draw(st.booleans()),
        "by_written_application": draw(st.booleans()),
        "published_again": draw(st.booleans()),
        "clause": draw(CLAUSES),
    }


def _publication(document: Document, draw: st.DrawFn) -> None:
    document["publication"] = {
        "workdays": draw(st.integers(1, 60)),
        "deadline_day": draw(st.sampled_from(["excluded", "counted"])),
        "clause": draw(CLAUSES),
    }
    needs = {key: draw(st.booleans()) for key in ("written", "seal", "evidence")}
    document["objections"] = {
        "by": draw(st.sampled_from(sorted(OBJECTORS))),
        **needs,
        "clause": draw(CLAUSES),
    }


def _windows(document: Document, draw: st.DrawFn) -> None:
    document["windows"] = [
        {
            "code": code,
            "minutes": draw(st.integers(1, 1440)),
            "from": draw(st.sampled_from(sorted(WINDOW_STARTS))),
            "clause": draw(CLAUSES),
        }
        for code in draw(st.permutations(["correction", "appeal_oral", "appeal_written"]))
    ]
    document["windows"][0]["fee"] = "appeal"
    document["fees"] = [
        {
            "code": "appeal",
            "amount": draw(st.integers(0, 1_000_000)),
            "refunded_when_won": draw(st.booleans()),
            "clause": draw(CLAUSES),
        }
    ]


def _options(document: Document, draw: st.DrawFn) -> None:
    chosen = {
        row["option"]: draw(
            st.integers(row["allowed"]["min"], min(row["allowed"]["max"], row["allowed"]["min"] + 12))
            if isinstance(row["allowed"], Mapping)
            else st.sampled_from(row["allowed"])
        )
        for row in document["interpretations"]
        if draw(st.booleans())
    }
    if chosen.get("time_up") == "stop":
        chosen.pop("further_deals", None)
    if chosen:
        document["options"] = chosen


def _scoring(document: Document, draw: st.DrawFn) -> None:
    scoring = document["scoring"]
    if document["game"] == "landlord":
        scoring["bids"] = draw(st.sampled_from([[1, 2, 3], [1], [2, 5]]))
        scoring["doublings"] = draw(st.sampled_from([[], ["bombs"], ["spring", "rockets"]]))
    elif document["game"] in ("go", "xiangqi"):
        loss = draw(st.sampled_from(["0", "0.5", 1]))
        scoring |= {"win": 3, "draw": draw(st.sampled_from([1, "1.5", 2])), "loss": loss}
    else:
        # a threshold moved by steps of 5, both rows at it
        rows = scoring["levels"]["rows"]
        index = draw(st.integers(1, len(rows) - 1))
        if rows[index].get("to", 10**6) - rows[index]["from"] >= 10:
            rows[index]["from"] += 5
            rows[index - 1]["to"] += 5


def _prizes(document: Document, draw: st.DrawFn) -> None:
    first, more = draw(st.integers(1, 5)), draw(st.integers(0, 20))
    label = {"zh": draw(WORDS), "en": draw(WORDS)}
    document["prizes"] = [
        {"prize": "a", "label": label, "ranks": [first, first + more], "clause": draw(CLAUSES)},
        {"prize": "b", "label": label, "chosen": draw(st.integers(1, 9)), "clause": draw(CLAUSES)},
    ]
    document["prizes"][0]["amount"] = draw(st.sampled_from([0, 100, "99.50"]))
    document.pop("rewarded", None)


def _points(document: Document, draw: st.DrawFn) -> None:
    best = draw(st.integers(2, 1000))
    document["points"] = {
        "event_grade": draw(WORDS),
        "places": [{"from": 1, "to": 1, "points": best}, {"from": 2, "to": 8, "points": best - 1}],
        "grades": [{"name": {"zh": draw(WORDS), "en": draw(WORDS)}, "least": draw(st.integers(0, 9))}],
        "clause": draw(CLAUSES),
    }


def _stages(document: Document, draw: st.DrawFn) -> None:
    first = document["stages"][0]
    if first["kind"] == "swiss":
        first["rounds"] = draw(st.integers(1, 4))
        first.pop("group", None)
    first["clause"] = draw(CLAUSES)


def _less(document: Document, draw: st.DrawFn) -> None:
    """What a text may leave out."""
    for part in ("documents", "points", "notices", "penalties"):
        if draw(st.booleans()):
            document.pop(part, None)


CHANGES: tuple[Change, ...] = (
    *(_texts, _calendar, _eligibility, _documents, _registration, _publication, _windows),
    *(_options, _scoring, _prizes, _points, _stages, _less),
)


@st.composite
def valid_documents(draw: st.DrawFn) -> Document:
    """A document with some of these changes; the calendar first, for other parts name its days."""
    import copy

    document = copy.deepcopy(draw(st.sampled_from(DOCUMENTS)))
    chosen = draw(st.lists(st.sampled_from(range(len(CHANGES))), unique=True, max_size=6))
    for index in sorted(chosen):
        CHANGES[index](document, draw)
    return document


def played(rules: ScoringRules, entrants: int, chance: random.Random) -> Document:
    """A whole event by these rules, from the draw of the first round to the end, or to where a ruling is needed."""
    document: Document = {
        "format": "saishi-event",
        "version": 1,
        "regulation": rules.id,
        "entrants": [{"id": f"e{number}", "unit": f"u{number % 7}"} for number in range(1, entrants + 1)],
        "stages": [],
    }
    for _ in range(40):
        drawn = event_file.pair(document, rules, chance.randbytes(16))
        if drawn["needs_ruling"] is not None or not drawn["tables"]:
            break
        stages = {stage["code"]: stage for stage in document["stages"]}
        if drawn["stage"] not in stages:
            stages[drawn["stage"]] = {"code": drawn["stage"], "rounds": []}
            document["stages"].append(stages[drawn["stage"]])
        tables = [
            {"number": table["number"], **_result(rules, table["entrants"], chance)}
            for table in drawn["tables"]
        ]
        stages[drawn["stage"]]["rounds"].append(
            {"number": drawn["round"], "tables": tables, "byes": drawn["byes"]}
        )
    return document


def _result(rules: ScoringRules, seats: list[str], chance: random.Random) -> Document:
    if rules.game in ("go", "xiangqi"):
        return {"first": seats[0], "second": seats[1], "winner": chance.choice([*seats, None])}
    if rules.game == "landlord":
        one, other = chance.randrange(-20, 21), chance.randrange(-20, 21)
        return {"seats": seats, "game_points": dict(zip(seats, (one, other, -one - other), strict=True))}
    winner = chance.choice(seats)
    return {"sides": seats, "levels": {one: "9" if one == winner else "7" for one in seats}, "bank": winner}
