"""Regulation A against what its text says (竞技二打一, 中国职工沙滩运动会 2021): values, clauses, no contact details."""

import re
from datetime import timedelta
from typing import Any

import pytest

from app.regulations import library
from app.regulations.library import FOLDER

REGULATION = library.load("beach-games-landlord-2021")
DOCUMENT = REGULATION.document


def test_the_calendar_is_the_one_of_the_text() -> None:
    assert {str(date.key): (date.at.isoformat(), date.clause) for date in REGULATION.calendar.in_order()} == {
        "notice": ("2021-10-22", "题注"),
        "registration_opens": ("2021-10-22T00:00:00+08:00", "三(三)1"),
        "registration_closes": ("2021-10-31T18:00:00+08:00", "三(三)1"),
        "check_in": ("2021-12-02", "一(一)"),
        "play_from": ("2021-12-03", "一(一)"),
        "play_to": ("2021-12-05", "一(一)"),
        "leave_by": ("2021-12-06T12:00:00+08:00", "一(一)"),
    }


def test_the_stages_are_preliminary_semifinal_and_final_of_ten_deals() -> None:
    assert [(s.code, s.deals, s.places, s.playoff_deals) for s in REGULATION.stages] == [
        ("prelim", 10, 9, 3),
        ("semifinal", 10, 3, 3),
        ("final", 10, None, 3),
    ]


def test_the_chain_is_total_then_deals_won_then_best_deals() -> None:
    assert REGULATION.scoring_rules().chain == ("total_points", "deals_won", "best_deals")


def test_the_penalties_of_the_text_are_all_there() -> None:
    penalties = REGULATION.scoring_rules().penalties
    assert {
        (p.id, p.effect, p.points, p.clause) for p in penalties.values() if p.points or "zero" in p.effect
    } == {
        ("signals", "zero_deal", 0, "四(二)8(三)"),
        ("smoking", "points", -3, "四(二)8(五)"),
        ("phone", "zero_round", 0, "四(二)8(七)"),
        ("abuse", "points", -3, "四(二)8(十二)"),
        ("timeouts", "warnings", -3, "四(二)比赛通则3"),
    }
    assert penalties["timeouts"].every == 3
    assert {"alcohol", "leaving_seat", "repeated_abuse"} <= set(penalties)


def test_corrections_and_appeals_have_their_minutes_and_the_fee_of_500() -> None:
    windows = REGULATION.windows
    assert windows["correction"].length == timedelta(minutes=10)
    assert windows["correction"].starts == "results_published"
    assert windows["appeal_oral"].length == timedelta(minutes=5)
    assert windows["appeal_written"].length == timedelta(minutes=10)
    assert windows["appeal_written"].fee == "appeal"
    assert REGULATION.fees["appeal"].amount == 500
    assert REGULATION.fees["appeal"].refunded_when_won


def test_five_workdays_of_publication_after_the_deadline_and_a_sealed_written_objection() -> None:
    assert (REGULATION.publication.workdays, REGULATION.publication.clause) == (5, "三(四)1")
    objections = REGULATION.objections
    assert (objections.by, objections.written, objections.seal, objections.evidence) == (
        "participating_unit",
        True,
        True,
        True,
    )


def test_the_leader_registers_any_number_and_changes_need_an_application() -> None:
    registration = REGULATION.registration
    assert registration.by == "team_leader"
    assert registration.entries_per_unit is None
    assert not registration.changes_after_deadline
    assert registration.changes_by_application
    assert registration.changes_clause == "三(四)2"


def test_the_documents_of_the_text_are_declared() -> None:
    assert [document.kind for document in REGULATION.documents] == [
        "medical_certificate",
        "accident_insurance",
        "vaccination_certificate",
        "nucleic_acid_report",
        "health_code",
        "waiver",
    ]
    assert REGULATION.documents[3].within_days == 5


def test_prizes_are_medals_for_three_certificates_to_nine_and_two_sportsmanship_awards() -> None:
    assert [(p.prize, p.first_rank, p.last_rank, p.chosen) for p in REGULATION.scoring_rules().prizes] == [
        ("gold", 1, 1, None),
        ("silver", 2, 2, None),
        ("bronze", 3, 3, None),
        ("certificate", 4, 9, None),
        ("sportsmanship", None, None, 2),
    ]


@pytest.mark.parametrize("number", range(1, 18))
def test_every_interpretation_of_the_text_is_a_named_option_with_a_default(number: int) -> None:
    rows = [each for each in REGULATION.interpretations if each.id == f"I-A-{number}"]
    assert rows
    for row in rows:
        assert row.allows(row.default)
        assert row.value == row.default
        assert row.clause
        assert row.text.zh
        assert row.text.en


def test_the_defaults_are_those_agreed_on() -> None:
    assert dict(REGULATION.options) == {
        "deals_per_stage": 10,
        "passed_out": "counts",
        "small_field": "ruling",
        "semifinal_grouping": "blocks",
        "direct_seeding": "last",
        "cut_off_tie": "ruling",
        "joker_wings": "one",
        "repeated_wings": "allowed",
        "chain_rank_wings": "barred",
        "adjacent_triple_wings": "barred",
        "four_with_equal_singles": "allowed",
        "warnings_per": "deal",
        "warnings_repeat": "every_third",
        "zero_score": "exact",
        "penalties_in_best_deals": "excluded",
        "deadline_day": "excluded",
        "deals_won": "side",
        "semifinal_places": "by_result",
        "sample_within_days": 5,
        "forfeits": "ruling",
        "late_publication": "recount",
        "objection_workdays": 5,
        "appeal_oral_first": "required",
        "appeal_fee_unheard": "refunded",
        "expelled_place": "next_up",
        "expelled_rank": "none",
        "corrected_window": "keep",
        "late_withdrawal": "free",
        "risk_area_days": 14,
        "identity_proof": "nobody",
        "employment_proof": "nobody",
    }


def rows_of(node: Any) -> list[dict[str, Any]]:
    """Every row of a list of tables, at any depth."""
    if isinstance(node, dict):
        return [row for inner in node.values() for row in rows_of(inner)]
    if isinstance(node, list):
        return [row for row in node if isinstance(row, dict)] + [
            row for inner in node for row in rows_of(inner)
        ]
    return []


def test_every_row_names_its_clause() -> None:
    assert all("clause" in row for row in rows_of(DOCUMENT))
    assert all("clause" in date for date in DOCUMENT["calendar"].values())


def test_no_contact_details_of_the_source_are_shipped() -> None:
    text = (FOLDER / "2021" / "beach-games-landlord.toml").read_text(encoding="utf-8")
    assert "@" not in text
    assert not re.search(r"\d{3,4}-\d{4}-?\d{4}|1\d{10}", text)
    assert "微信公众号" not in text
