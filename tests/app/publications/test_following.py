"""Lists that follow lists: supplementary ones, corrected ones, and what each says of the other."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.actors import SYSTEM, Actor, Role
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.models import Event
from app.errors import ForbiddenError, SaishiError
from app.extensions import db
from app.publications import queries, rules
from app.publications.models import Publication
from app.publications.queries import PublicationView
from app.publications.rules import CountedFrom, ListKind, PublicationState
from app.registrations.models import Entry, Member, Unit
from app.regulations import library
from app.regulations import service as regulations_service
from app.text import BEIJING
from app.workdays.official import official_calendar
from app.workdays.rules import UnknownWorkdayYearError
from tests.factories import accounts, people, publications, registrations

Travel = Callable[[datetime], None]
TUESDAY = datetime(2021, 11, 2, 10, tzinfo=BEIJING)


def event_id() -> int:
    return competitions.competition("beach").event.id


def reject(*entry_ids: int) -> None:
    for entry_id in entry_ids:
        registrations.decision(registrations.committee(), entry_id, "reject", "材料不符")


def late_field(travel: Travel) -> tuple[PublicationView, int]:
    """A list of three from which a fourth, rejected at first, was missing; he is approved on the Tuesday after."""
    publications.field(4, 1, approve=False)
    first = db.session.scalars(select(Entry.id).order_by(Entry.id)).all()
    registrations.decision(registrations.committee(), first[3], "reject", "材料不符")
    publications.approve_all()
    travel(publications.AFTER_CLOSING)
    published = publications.publish()
    travel(TUESDAY)
    registrations.decision(registrations.committee(), first[3])
    return published, first[3]


def test_a_supplementary_list_has_whoever_is_on_no_list_and_a_window_of_its_own(
    session: Any, travel: Travel
) -> None:
    first, late = late_field(travel)
    supplementary = publications.supplement()
    assert (supplementary.number, supplementary.kind) == (2, ListKind.SUPPLEMENTARY)
    assert [line.entry_id for line in supplementary.entries] == [late]
    assert supplementary.days == tuple(date(2021, 11, day) for day in (3, 4, 5, 8, 9))
    assert supplementary.counted_from is CountedFrom.SUPPLEMENT
    assert queries.publication(event_id(), 1) == first
    assert [each.number for each in queries.in_force(event_id())] == [1, 2]
    states = queries.entry_states(event_id(), publications.WINDOW_OVER)
    assert states[late] == "in_publication"
    assert {states[line.entry_id] for line in first.entries} == {"confirmed"}


def test_nobody_is_published_twice_and_nothing_is_supplemented_before_the_first_list(
    session: Any, travel: Travel
) -> None:
    publications.field(3, 1)
    travel(publications.AFTER_CLOSING)
    with pytest.raises(rules.NothingPublishedError):
        publications.supplement()
    publications.publish()
    with pytest.raises(rules.NothingToAddError) as refused:
        publications.supplement()
    assert refused.value.clause == "三(四)2"


def test_a_supplementary_list_that_ends_after_play_begins_is_allowed_and_says_so_with_the_clause(
    session: Any, travel: Travel
) -> None:
    late_field(travel)
    travel(datetime(2021, 11, 30, 9, tzinfo=BEIJING))
    event = competitions.event(event_id())
    planned = queries.plan(event)
    ready = queries.supplement(event, planned, datetime(2021, 11, 30, 9, tzinfo=BEIJING))
    assert ready.refusal is None
    assert ready.warning is not None
    assert "2021年12月7日" in str(ready.warning)
    assert "12月3日" in str(ready.warning)
    assert "规程" in str(ready.warning)
    assert publications.supplement().ends_at > datetime(2021, 12, 3, tzinfo=BEIJING)


def test_a_corrected_list_leaves_out_and_the_old_text_stays_as_it_was_hashed(
    session: Any, travel: Travel
) -> None:
    old = publications.published_field(travel, 4, 2)
    gone = old.entries[1].entry_id
    travel(TUESDAY)
    new = publications.supersede(1, [gone], reason="经复核，一名选手不符合参赛资格。")
    after = queries.publication(event_id(), 1)
    assert (after.canonical, after.sha256, after.ends_at) == (old.canonical, old.sha256, old.ends_at)
    assert (after.superseded_by, new.supersedes) == (2, 1)
    assert [line.number for line in new.entries] == [1, 3, 4]
    assert hashlib.sha256(new.canonical.encode()).hexdigest() == new.sha256
    text = json.loads(new.canonical)
    assert text["supersedes"] == {"number": 1, "sha256": old.sha256}
    assert text["reason"] == new.reason == "经复核，一名选手不符合参赛资格。"
    found = queries.difference_before(new)
    assert found is not None
    assert [line.entry_id for line in found.left_out] == [gone]
    assert found.changed == ()
    row = db.session.get_one(Entry, gone)
    assert (row.state, row.reason) == ("rejected", "经复核，一名选手不符合参赛资格。")
    assert after.status(TUESDAY).state is PublicationState.SUPERSEDED


def test_where_entries_are_only_left_out_the_window_goes_on(session: Any, travel: Travel) -> None:
    old = publications.published_field(travel, 3, 1)
    travel(TUESDAY)
    new = publications.supersede(1, [old.entries[0].entry_id])
    assert (new.days, new.ends_at, new.counted_from) == (old.days, old.ends_at, CountedFrom.DEADLINE)


def rename(entry_id: int, name: str) -> None:
    with command(SYSTEM) as ctx:
        member = ctx.session.scalars(
            select(Member)
            .join(Unit, Unit.id == Member.unit_id)
            .join(Entry, Entry.unit_id == Unit.id)
            .where(Entry.id == entry_id)
            .order_by(Member.id)
        ).first()
        assert member is not None
        member.name = name
        ctx.record(AuditAction.MEMBER_CHANGED, member)


def test_a_changed_name_is_read_for_as_many_days_as_any_other(session: Any, travel: Travel) -> None:
    old = publications.published_field(travel, 3, 3)
    travel(TUESDAY)
    rename(old.entries[0].entry_id, "改正名")
    new = publications.supersede(1)
    assert new.counted_from is CountedFrom.CORRECTION
    assert new.days == tuple(date(2021, 11, day) for day in (3, 4, 5, 8, 9))
    found = queries.difference_before(new)
    assert found is not None
    assert [(each.before.name, each.after.name) for each in found.changed] == [
        (old.entries[0].name, "改正名")
    ]
    assert found.left_out == ()


def test_i_a_22_may_count_every_corrected_list_anew(session: Any, travel: Travel) -> None:
    old = publications.published_field(travel, 3, 1)
    other = library.load("beach-games-landlord-2021").with_changes(options={"corrected_window": "recount"})
    with command(SYSTEM) as ctx:
        ctx.session.scalars(select(Event)).one().regulation_version_id = regulations_service.freeze(
            ctx, other
        )
    travel(TUESDAY)
    new = publications.supersede(1, [old.entries[0].entry_id])
    assert new.counted_from is CountedFrom.CORRECTION
    assert new.last_day == date(2021, 11, 9)


def test_whoever_lost_his_approval_is_left_out_and_nobody_is_added(session: Any, travel: Travel) -> None:
    first, late = late_field(travel)
    reject(first.entries[0].entry_id)
    new = publications.supersede(1)
    listed = {line.entry_id for line in new.entries}
    assert listed == {line.entry_id for line in first.entries[1:]}
    assert late not in listed


def test_a_list_that_agrees_with_the_entries_is_not_corrected(session: Any, travel: Travel) -> None:
    publications.published_field(travel, 3, 1)
    with pytest.raises(rules.NothingToCorrectError, match="没有需要更正"):
        publications.supersede(1)
    assert len(queries.publications(event_id())) == 1


@pytest.mark.parametrize(
    ("reason", "says"),
    [
        ("  ", "请写明更正的原因"),
        ("字" * 501, "最多 500 个字"),
        ("请联系 138 0013 8000 核实", "不要写电话或证件号码"),
    ],
)
def test_a_reason_is_public_and_has_to_be_there(session: Any, travel: Travel, reason: str, says: str) -> None:
    old = publications.published_field(travel, 3, 1)
    with pytest.raises(SaishiError, match=says) as refused:
        publications.supersede(1, [old.entries[0].entry_id], reason=reason)
    assert "reason" in refused.value.fields
    assert db.session.get_one(Entry, old.entries[0].entry_id).state == "approved"


def test_a_superseded_list_is_not_superseded_again_and_an_entry_has_to_be_on_the_list(
    session: Any, travel: Travel
) -> None:
    old = publications.published_field(travel, 3, 1)
    with pytest.raises(rules.NotOnListError) as stranger:
        publications.supersede(1, [old.entries[-1].entry_id + 1])
    assert "left_out" in stranger.value.fields
    publications.supersede(1, [old.entries[0].entry_id])
    with pytest.raises(rules.SupersededError, match="第 2 号") as refused:
        publications.supersede(1, [old.entries[1].entry_id])
    assert refused.value.extra == {"number": 1, "superseded_by": 2}
    with pytest.raises(rules.UnknownPublicationError):
        publications.supersede(7)


def test_a_corrected_list_is_corrected_again(session: Any, travel: Travel) -> None:
    old = publications.published_field(travel, 4, 1)
    publications.supersede(1, [old.entries[0].entry_id])
    third = publications.supersede(2, [old.entries[1].entry_id])
    assert (third.number, third.supersedes) == (3, 2)
    assert [line.number for line in third.entries] == [3, 4]
    assert [each.number for each in queries.in_force(event_id())] == [3]


def test_everybody_may_be_left_out(session: Any, travel: Travel) -> None:
    old = publications.published_field(travel, 2, 1)
    new = publications.supersede(1, [line.entry_id for line in old.entries])
    assert new.entries == ()
    travel(publications.WINDOW_OVER)
    assert publications.finish() == 1
    assert queries.numbers_of(event_id()) == {}


def test_whoever_is_approved_again_stands_on_a_supplementary_list(session: Any, travel: Travel) -> None:
    old = publications.published_field(travel, 3, 1)
    gone = old.entries[0].entry_id
    publications.supersede(1, [gone])
    registrations.decision(registrations.committee(), gone)
    assert [line.entry_id for line in publications.supplement().entries] == [gone]


@pytest.mark.parametrize("role", [Role.ORGANISER, Role.CHIEF_REFEREE, Role.REFEREE])
def test_only_the_committee_supplements_and_corrects(session: Any, travel: Travel, role: Role) -> None:
    first, _ = late_field(travel)
    other = accounts.user(7001, role, competition_id=competitions.competition_id("beach"))
    with pytest.raises(ForbiddenError, match="组委会"):
        publications.supplement(by=other)
    with pytest.raises(ForbiddenError, match="组委会"):
        publications.supersede(1, [first.entries[0].entry_id], by=other)


def test_a_year_without_a_calendar_is_refused_with_the_year_and_the_page(
    session: Any, travel: Travel
) -> None:
    first, _late = late_field(travel)
    unknown = max(official_calendar().years) + 1
    travel(datetime(unknown - 1, 12, 31, 12, tzinfo=BEIJING))
    for act in (publications.supplement, lambda: publications.supersede(1)):
        if act is not publications.supplement:
            rename(first.entries[0].entry_id, "改正名")
        with pytest.raises(UnknownWorkdayYearError, match=str(unknown)) as refused:
            act()
        assert refused.value.extra["page"] == "/staff/workdays"
    assert len(queries.publications(event_id())) == 1


def test_a_correction_is_recorded_with_both_numbers_and_without_the_reason(
    session: Any, travel: Travel
) -> None:
    old = publications.published_field(travel, 3, 1)
    publications.supersede(1, [old.entries[0].entry_id])
    entry = db.session.scalars(
        select(AuditEntry).where(AuditEntry.action == AuditAction.LIST_SUPERSEDED.value)
    ).one()
    assert (entry.details["number"], entry.details["supersedes"]) == (2, 1)
    assert entry.details["left_out"] == [old.entries[0].entry_id]
    assert "reason" not in entry.details


@pytest.mark.parametrize("act", ["supersede", "supplement"])
def test_two_members_of_the_committee_at_once_make_one_list(app: Flask, travel: Travel, act: str) -> None:
    with app.app_context():
        first, _ = late_field(travel)
        gone = first.entries[0].entry_id
        committee = registrations.committee()
    gate = Barrier(2)

    def press(_: int) -> str:
        with app.app_context():
            gate.wait()
            try:
                if act == "supersede":
                    publications.supersede(1, [gone], by=committee)
                else:
                    publications.supplement(by=committee)
            except (rules.SupersededError, rules.NothingToAddError):
                return "refused"
            return "done"

    with ThreadPoolExecutor(2) as both:
        assert sorted(both.map(press, range(2))) == ["done", "refused"]
    with app.app_context():
        assert [each.number for each in queries.publications(event_id())] == [2, 1]


def test_one_supersedes_while_another_supplements(app: Flask, travel: Travel) -> None:
    with app.app_context():
        first, late = late_field(travel)
        gone = first.entries[0].entry_id
        committee: Actor = registrations.committee()
    gate = Barrier(2)

    def press(place: int) -> int:
        with app.app_context():
            gate.wait()
            if place:
                return publications.supersede(1, [gone], by=committee).number
            return publications.supplement(by=committee).number

    with ThreadPoolExecutor(2) as both:
        assert sorted(both.map(press, range(2))) == [2, 3]
    with app.app_context():
        listed = sorted(line.entry_id for each in queries.in_force(event_id()) for line in each.entries)
        assert listed == sorted({line.entry_id for line in first.entries} - {gone} | {late})


def test_no_text_of_a_list_names_anything_private(session: Any, travel: Travel) -> None:
    old = publications.published_field(travel, 3, 1)
    publications.supersede(1, [old.entries[0].entry_id])
    for row in db.session.scalars(select(Publication)):
        for serial in (1, 2, 3):
            assert people.phone(1000 + serial) not in row.listing
            assert people.id_number(serial) not in row.listing
