"""One regulation: deadlines, changes of dates and options, hash, typed access."""

from datetime import UTC, date, datetime, timedelta

import pytest

from app.regulations import library
from app.regulations.rules import Regulation, RegulationChangeError, anchor, canonical_json, sha256_of
from app.text import BEIJING, T

REGULATION = library.load("beach-games-landlord-2021")
DEADLINE = REGULATION.calendar.registration_deadline


def at(clock: str) -> datetime:
    return datetime.fromisoformat(f"2021-10-31T{clock}+08:00")


def test_an_entry_in_the_last_second_is_accepted_and_one_second_later_is_not() -> None:
    assert DEADLINE.accepts(at("18:00:00"))
    assert DEADLINE.accepts(at("18:00:00.999999"))
    assert not DEADLINE.accepts(at("18:00:01"))
    assert DEADLINE.clause == "三(三)1"


def test_the_deadline_is_the_same_moment_in_any_time_zone() -> None:
    assert DEADLINE.accepts(at("18:00:00").astimezone(UTC))
    assert not DEADLINE.accepts(at("18:00:01").astimezone(UTC))


def test_the_calendar_gives_days_and_aware_moments() -> None:
    calendar = REGULATION.calendar
    assert calendar.registration_opens == datetime(2021, 10, 22, tzinfo=BEIJING)
    assert calendar.check_in == date(2021, 12, 2)
    assert (calendar.play_from, calendar.play_to) == (date(2021, 12, 3), date(2021, 12, 5))
    assert calendar.moment("leave_by") == datetime(2021, 12, 6, 12, tzinfo=BEIJING)
    assert calendar.day("registration_closes") == date(2021, 10, 31)
    assert calendar.moment("check_in") == datetime(2021, 12, 2, tzinfo=BEIJING)
    assert calendar.clause("check_in") == "一(一)"


def test_dates_can_be_moved_and_keep_their_clause() -> None:
    closes = datetime(2026, 3, 31, 18, tzinfo=BEIJING)
    moved = REGULATION.with_changes(
        calendar={
            "registration_opens": datetime(2026, 3, 1, tzinfo=BEIJING),
            "registration_closes": closes,
            "check_in": "2026-04-20",
            "play_from": date(2026, 4, 21),
            "play_to": date(2026, 4, 22),
            "leave_by": "2026-04-23T12:00:00+08:00",
        }
    )
    assert moved.calendar.registration_closes == closes
    assert moved.calendar.registration_deadline.clause == "三(三)1"
    assert moved.season == 2026
    assert moved.sha256 != REGULATION.sha256
    assert REGULATION.season == 2021


def test_a_moment_given_in_utc_is_the_same_moment() -> None:
    moved = REGULATION.with_changes(calendar={"registration_closes": datetime(2021, 10, 30, 10, tzinfo=UTC)})
    assert moved.document["calendar"]["registration_closes"]["at"] == "2021-10-30T18:00:00+08:00"


def test_dates_out_of_order_are_refused_at_the_later_one() -> None:
    with pytest.raises(RegulationChangeError) as refused:
        REGULATION.with_changes(
            calendar={"registration_closes": REGULATION.calendar.registration_opens - timedelta(days=1)}
        )
    assert list(refused.value.fields) == ["calendar.registration_closes"]
    assert "报名截止不能早于报名开始" in str(refused.value.fields["calendar.registration_closes"])


def test_every_wrong_change_is_named_at_once() -> None:
    with pytest.raises(RegulationChangeError) as refused:
        REGULATION.with_changes(
            calendar={"registration_close": "2021-10-31", "check_in": datetime(2021, 12, 2)},  # noqa: DTZ001  # naive on purpose
            options={"deals_per_stage": 0, "rematch": "soft", "zero_score": "twice"},
        )
    fields = {key: str(text) for key, text in refused.value.fields.items()}
    assert set(fields) == {
        "calendar.registration_close",
        "calendar.check_in",
        "options.deals_per_stage",
        "options.rematch",
        "options.zero_score",
    }
    assert "1–100" in fields["options.deals_per_stage"]
    assert "exact、not_above_zero" in fields["options.zero_score"]
    assert "deals_per_stage" in fields["options.rematch"]


@pytest.mark.parametrize("value", [True, "10", 10.0, None, 101])
def test_an_option_takes_its_own_type_only(value: object) -> None:
    with pytest.raises(RegulationChangeError):
        REGULATION.with_changes(options={"deals_per_stage": value})  # type: ignore[dict-item]  # wrong on purpose


def test_a_moment_without_a_time_zone_is_refused() -> None:
    with pytest.raises(RegulationChangeError):
        REGULATION.with_changes(calendar={"registration_closes": "2021-10-31T18:00:00"})


def test_options_reach_the_engine_and_the_publication() -> None:
    changed = REGULATION.with_changes(
        options={"deals_per_stage": 4, "deadline_day": "counted", "sample_within_days": 3}
    )
    assert [stage.deals for stage in changed.stages] == [4, 4, 4]
    assert changed.publication.count_deadline_day is True
    assert REGULATION.publication.count_deadline_day is False
    assert changed.documents[3].within_days == 3
    assert [each.option for each in changed.interpretations if each.changed] == [
        "deals_per_stage",
        "deadline_day",
        "sample_within_days",
    ]
    assert not any(each.changed for each in REGULATION.interpretations)


def test_scoring_rules_take_further_options_without_changing_the_regulation() -> None:
    assert REGULATION.scoring_rules({"zero_score": "not_above_zero"}).option("zero_score") == "not_above_zero"
    assert REGULATION.scoring_rules().option("zero_score") == "exact"
    with pytest.raises(RegulationChangeError):
        REGULATION.scoring_rules({"zero": "exact"})


def test_setting_back_the_default_is_no_change() -> None:
    back = REGULATION.with_changes(options={"zero_score": "not_above_zero"}).with_changes(
        options={"zero_score": "exact"}
    )
    assert not any(each.changed for each in back.interpretations)
    assert back.sha256 == REGULATION.sha256


def test_the_hash_is_that_of_the_canonical_json_whatever_the_order_of_keys() -> None:
    document = REGULATION.document
    reversed_keys = dict(reversed(document.items()))
    assert Regulation.from_document(reversed_keys) == REGULATION
    assert sha256_of(reversed_keys) == REGULATION.sha256
    assert canonical_json({"b": 1, "a": "中"}) == '{"a":"中","b":1}'


def test_the_document_handed_out_is_a_copy() -> None:
    REGULATION.document["calendar"].clear()
    assert REGULATION.calendar.in_order()


def test_a_regulation_survives_its_own_json() -> None:
    assert library.parse_document(REGULATION.document, "json") == REGULATION


@pytest.mark.parametrize(
    ("key", "clause"),
    [
        ("calendar.registration_closes", "三(三)1"),
        ("windows.appeal_oral", "四(二)8(十)"),
        ("eligibility.employment_barred", "三(一)3"),
        ("penalties.smoking", "四(二)8(五)"),
        ("stages.semifinal", "四(二)复赛"),
        ("interpretations.deals_per_stage", "四(二)术语13"),
        ("publication", "三(四)1"),
        ("registration.entries_per_unit", "三(二)1"),
    ],
)
def test_each_place_of_the_document_knows_its_clause(key: str, clause: str) -> None:
    assert REGULATION.clause_of(key) == clause


@pytest.mark.parametrize("key", ["calendar.lunch", "windows.tea", "format"])
def test_a_place_without_a_clause_is_an_error(key: str) -> None:
    with pytest.raises(KeyError):
        REGULATION.clause_of(key)


def test_texts_of_the_file_are_shown_in_the_readers_language() -> None:
    assert REGULATION.name() == str(REGULATION.title)
    assert REGULATION.name("en").startswith("2nd China")
    english = {"zh": "en"}
    assert REGULATION.title.render(lambda msgid: english.get(msgid, msgid)) == REGULATION.name("en")
    assert str(T("《%(name)s》", name=REGULATION.event)) == "《公开个人赛》"


def test_the_anchor_of_a_clause_carries_the_clause_itself() -> None:
    assert anchor("三(三)1") == "clause-三(三)1"
