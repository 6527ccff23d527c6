"""Announcements through the services: the clock alone publishes, changes leave a mark, a withdrawal a reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from app.actors import Actor, Role
from app.announcements import queries
from app.announcements.rules import (
    FARTHEST,
    MOST_FILES,
    AnnouncementChangedError,
    AnnouncementState,
    AnnouncementWithdrawnError,
    KeyUsedError,
    UnknownAnnouncementError,
)
from app.announcements.rules.refusals import AttachmentsError, PublicationTimeError, TextRefusedError
from app.audit.models import AuditEntry
from app.competitions import queries as competitions
from app.errors import ForbiddenError, SignInRequiredError
from app.uploads import queries as uploads
from app.uploads.models import StoredFile
from app.uploads.rules import UploadId
from app.uploads.rules.refusals import ClaimedError, UploadNotFoundError, WrongPurposeError
from tests.conftest import NOON
from tests.factories import accounts, announcements, people
from tests.factories import uploads as upload_factory

Travel = Callable[[datetime], None]
SECOND = timedelta(seconds=1)


@pytest.fixture
def slug(session: Any) -> str:
    return announcements.place()


@pytest.fixture
def committee(slug: str) -> Actor:
    return announcements.committee(slug)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "checking"


def titles(slug: str) -> list[str]:
    return [each.text.title for each in queries.public(competitions.competition_id(slug), moment())]


def moment() -> datetime:
    from app import clock

    return clock.now()


def actions(session: Any) -> list[str]:
    found = session.scalars(select(AuditEntry.action).where(AuditEntry.action.startswith("announcement.")))
    return list(found)


def test_what_is_written_without_a_time_is_public_at_once(slug: str, committee: Actor, session: Any) -> None:
    view = announcements.announce(committee, slug)
    assert view.state(NOON) is AnnouncementState.PUBLISHED
    assert view.publish_at == NOON
    assert titles(slug) == [announcements.TITLE]
    assert actions(session) == ["announcement.made"]


def test_a_scheduled_one_goes_public_in_its_second_and_needs_no_job(
    slug: str, committee: Actor, travel: Travel, sent_jobs: list[Any]
) -> None:
    at = datetime(2021, 10, 26, 1, tzinfo=UTC)
    view = announcements.announce(committee, slug, publish_at=at)
    competition_id = competitions.competition_id(slug)
    travel(at - SECOND)
    assert titles(slug) == []
    with pytest.raises(UnknownAnnouncementError):
        queries.readable(competition_id, view.id, at - SECOND)
    travel(at)
    assert titles(slug) == [announcements.TITLE]
    assert queries.readable(competition_id, view.id, at).state(at) is AnnouncementState.PUBLISHED
    assert sent_jobs == []


@pytest.mark.parametrize(
    "at",
    [
        NOON - timedelta(minutes=1),
        NOON + FARTHEST + SECOND,
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, tzinfo=UTC),
    ],
)
def test_a_publication_time_in_the_past_or_far_away_is_refused_beside_its_field(
    slug: str, committee: Actor, at: datetime
) -> None:
    with pytest.raises(PublicationTimeError) as refusal:
        announcements.announce(committee, slug, publish_at=at)
    assert list(refusal.value.fields) == ["publish_at"]
    assert titles(slug) == []


def test_the_minute_that_runs_is_now(slug: str, committee: Actor, travel: Travel) -> None:
    travel(NOON + timedelta(seconds=40))
    view = announcements.announce(committee, slug, publish_at=NOON)
    assert view.publish_at == NOON + timedelta(seconds=40)


def test_pinned_ones_stand_first_and_the_newest_above_older_ones(
    slug: str, committee: Actor, travel: Travel
) -> None:
    for number, pinned in enumerate((True, False, False)):
        travel(NOON + timedelta(minutes=number))
        announcements.announce(committee, slug, title=f"第{number}条", pinned=pinned)
    assert titles(slug) == ["第0条", "第2条", "第1条"]


def test_the_home_page_shows_three_pinned_and_three_others_at_most(
    slug: str, committee: Actor, travel: Travel
) -> None:
    for number in range(10):
        travel(NOON + timedelta(minutes=number))
        announcements.announce(committee, slug, title=str(number), pinned=number < 5)
    shown = queries.for_home(competitions.competition_id(slug), moment())
    assert [each.text.title for each in shown] == ["4", "3", "2", "9", "8", "7"]


def test_the_same_form_twice_makes_one_announcement(slug: str, committee: Actor, session: Any) -> None:
    first = announcements.announce(committee, slug, idempotency_key="the-same-key")
    again = announcements.announce(committee, slug, idempotency_key="the-same-key")
    assert first.id == again.id
    assert actions(session) == ["announcement.made"]
    with pytest.raises(KeyUsedError):
        announcements.announce(committee, slug, title="另一条", idempotency_key="the-same-key")


def test_a_change_of_a_published_one_raises_its_revision_and_says_when(
    slug: str, committee: Actor, travel: Travel, session: Any
) -> None:
    view = announcements.announce(committee, slug)
    travel(NOON + SECOND)
    changed = announcements.change(committee, slug, view, body="改到 9 点。")
    assert (changed.revision, changed.changed_at) == (2, NOON + SECOND)
    assert changed.publish_at == NOON
    assert changed.text.body == "改到 9 点。"
    entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "announcement.changed")).one()
    assert entry.details["changed"] == ["body"]


def test_a_change_before_the_publication_time_leaves_no_mark(
    slug: str, committee: Actor, travel: Travel
) -> None:
    at = NOON + timedelta(days=1)
    view = announcements.announce(committee, slug, publish_at=at)
    later = announcements.change(committee, slug, view, title="新标题", publish_at=at + timedelta(days=1))
    assert (later.revision, later.changed_at, later.publish_at) == (2, None, at + timedelta(days=1))
    travel(NOON + SECOND)
    at_once = announcements.change(committee, slug, later)
    assert (at_once.publish_at, at_once.changed_at) == (NOON + SECOND, None)


def test_a_save_that_changes_nothing_leaves_no_trace(slug: str, committee: Actor, session: Any) -> None:
    view = announcements.announce(committee, slug)
    assert announcements.change(committee, slug, view) == view
    assert actions(session) == ["announcement.made"]


def test_pinning_is_no_change_of_what_readers_read(slug: str, committee: Actor) -> None:
    view = announcements.announce(committee, slug)
    assert announcements.change(committee, slug, view, pinned=True).changed_at is None


def test_a_published_one_keeps_its_publication_time(slug: str, committee: Actor) -> None:
    view = announcements.announce(committee, slug)
    announcements.change(committee, slug, view, title="新", publish_at=view.publish_at)
    with pytest.raises(PublicationTimeError):
        announcements.change(
            committee, slug, announcements.read(slug, view.id), publish_at=NOON + timedelta(days=1)
        )


def test_a_change_that_was_begun_before_another_one_is_a_conflict(slug: str, committee: Actor) -> None:
    view = announcements.announce(committee, slug)
    announcements.change(committee, slug, view, body="甲改的。")
    with pytest.raises(AnnouncementChangedError) as refusal:
        announcements.change(committee, slug, view, body="乙改的。")
    assert refusal.value.status == 409
    assert refusal.value.extra == {"revision": 2}
    assert announcements.read(slug, view.id).text.body == "甲改的。"


def test_a_withdrawn_one_is_on_no_list_and_its_address_goes_on(
    slug: str, committee: Actor, session: Any
) -> None:
    view = announcements.withdraw(committee, slug, announcements.announce(committee, slug), "时间写错了")
    assert titles(slug) == []
    found = queries.readable(competitions.competition_id(slug), view.id, NOON)
    assert (found.state(NOON), found.withdrawn_reason) == (AnnouncementState.WITHDRAWN, "时间写错了")
    announcements.withdraw(committee, slug, view, "再撤一次")
    assert announcements.read(slug, view.id).withdrawn_reason == "时间写错了"
    assert actions(session) == ["announcement.made", "announcement.withdrawn"]
    with pytest.raises(AnnouncementWithdrawnError):
        announcements.change(committee, slug, view, title="复活")


def test_one_that_was_withdrawn_before_its_time_never_existed_for_readers(
    slug: str, committee: Actor, travel: Travel
) -> None:
    at = NOON + timedelta(days=1)
    view = announcements.withdraw(committee, slug, announcements.announce(committee, slug, publish_at=at))
    travel(at + SECOND)
    with pytest.raises(UnknownAnnouncementError):
        queries.readable(competitions.competition_id(slug), view.id, moment())
    assert titles(slug) == []


@pytest.mark.parametrize("reason", ["", "  ", f"因为{people.id_number(1)}", f"问{people.phone(1)}"])
def test_a_withdrawal_needs_a_reason_that_everybody_may_read(
    slug: str, committee: Actor, reason: str
) -> None:
    view = announcements.announce(committee, slug)
    with pytest.raises(TextRefusedError) as refusal:
        announcements.withdraw(committee, slug, view, reason)
    assert list(refusal.value.fields) == ["reason"]


@pytest.mark.parametrize("field", ["title", "body", "title_en", "body_en"])
def test_an_id_number_is_refused_in_every_text(slug: str, committee: Actor, field: str) -> None:
    written = {"title_en": "Title", "body_en": "Body"} | {field: f"x {people.id_number(3)}"}
    with pytest.raises(TextRefusedError) as refusal:
        announcements.announce(committee, slug, phones_public=True, **written)
    assert list(refusal.value.fields) == [field]
    assert not refusal.value.phones


def test_a_mobile_number_needs_the_writers_confirmation(slug: str, committee: Actor) -> None:
    body = f"联系 {people.phone(5)}"
    with pytest.raises(TextRefusedError) as refusal:
        announcements.announce(committee, slug, body=body)
    assert list(refusal.value.fields) == ["body"]
    assert refusal.value.phones
    assert announcements.announce(committee, slug, body=body, phones_public=True).text.body == body


def test_english_is_both_of_its_parts_or_none(slug: str, committee: Actor) -> None:
    with pytest.raises(TextRefusedError) as refusal:
        announcements.announce(committee, slug, title_en="Only a title")
    assert list(refusal.value.fields) == ["body_en"]
    with pytest.raises(TextRefusedError) as refusal:
        announcements.announce(committee, slug, body_en="Only a body")
    assert list(refusal.value.fields) == ["title_en"]


def test_only_organiser_and_committee_of_this_competition_write(slug: str, session: Any) -> None:
    other = announcements.place("another")
    competition_id = competitions.competition_id(slug)
    organiser = accounts.user(10, Role.ORGANISER, competition_id=competition_id)
    view = announcements.announce(organiser, slug)
    for stranger in (
        accounts.user(11),
        accounts.user(12, Role.REFEREE, Role.CHIEF_REFEREE, competition_id=competition_id),
        announcements.committee(other),
    ):
        with pytest.raises(ForbiddenError):
            announcements.announce(stranger, slug)
        with pytest.raises(ForbiddenError):
            announcements.change(stranger, slug, view, title="x")
        with pytest.raises(ForbiddenError):
            announcements.withdraw(stranger, slug, view)
    with pytest.raises(SignInRequiredError):
        announcements.announce(Actor("anonymous"), slug)
    with pytest.raises(UnknownAnnouncementError):
        announcements.change(announcements.committee(other), other, view, title="x")


def test_attachments_are_read_from_the_publication_time_until_the_withdrawal(
    slug: str, committee: Actor, workspace: Path, travel: Travel
) -> None:
    at = NOON + timedelta(days=1)
    upload = announcements.attachment(committee, slug, workspace, "赛程/安排.png")
    view = announcements.announce(committee, slug, publish_at=at, tokens=[upload.token])
    assert [each.name for each in view.attachments] == ["赛程 安排.jpg"]
    competition_id = competitions.competition_id(slug)
    with pytest.raises(UnknownAnnouncementError):
        queries.attachment(competition_id, view.id, upload.id, at - SECOND)
    queries.attachment(competition_id, view.id, upload.id, at - SECOND, writer=True)
    name, file = queries.attachment(competition_id, view.id, upload.id, at)
    assert (name, file.media_type) == ("赛程 安排.jpg", "image/jpeg")
    travel(at)
    announcements.withdraw(committee, slug, view)
    with pytest.raises(UnknownAnnouncementError):
        queries.attachment(competition_id, view.id, upload.id, at)


def test_an_upload_that_is_no_attachment_of_it_is_not_served(
    slug: str, committee: Actor, workspace: Path
) -> None:
    view = announcements.announce(committee, slug)
    upload = announcements.attachment(committee, slug, workspace)
    for writer in (False, True):
        with pytest.raises(UnknownAnnouncementError):
            queries.attachment(competitions.competition_id(slug), view.id, upload.id, NOON, writer=writer)


def test_a_removed_attachment_is_deleted_with_its_files_and_the_others_keep_their_addresses(
    slug: str, committee: Actor, workspace: Path, session: Any
) -> None:
    first, second = (
        announcements.attachment(
            committee, slug, workspace, f"{number}.jpg", content=upload_factory.photo(number)
        )
        for number in (1, 2)
    )
    view = announcements.announce(committee, slug, tokens=[first.token, second.token])
    gone = uploads.contents([first.id])[first.id].sha256
    third = announcements.attachment(committee, slug, workspace, "3.jpg", content=upload_factory.photo(3))
    changed = announcements.change(committee, slug, view, removed=[first.id, 999], tokens=[third.token])
    assert [each.upload_id for each in changed.attachments] == [second.id, third.id]
    assert session.scalar(select(StoredFile.id).where(StoredFile.sha256 == gone)) is None
    assert changed.changed_at == NOON


def test_files_of_others_of_another_purpose_or_used_ones_are_refused_and_nothing_is_saved(
    slug: str, committee: Actor, workspace: Path
) -> None:
    organiser = accounts.user(10, Role.ORGANISER, competition_id=competitions.competition_id(slug))
    theirs = announcements.attachment(organiser, slug, workspace)
    proof = upload_factory.ready(committee, slug, workspace, purpose="proof")
    used = announcements.attachment(committee, slug, workspace)
    announcements.announce(committee, slug, title="第一条", tokens=[used.token])
    for token, refusal in (
        (theirs.token, UploadNotFoundError),
        (proof.token, WrongPurposeError),
        (used.token, (ClaimedError, UploadNotFoundError)),
    ):
        with pytest.raises(refusal):
            announcements.announce(committee, slug, tokens=[token])
    assert titles(slug) == ["第一条"]


def test_the_name_of_an_attachment_holds_no_id_number(slug: str, committee: Actor, workspace: Path) -> None:
    upload = announcements.attachment(committee, slug, workspace, f"{people.id_number(4)}.jpg")
    with pytest.raises(TextRefusedError) as refusal:
        announcements.announce(committee, slug, tokens=[upload.token])
    assert list(refusal.value.fields) == ["uploads"]


def test_attachments_have_a_limit(slug: str, committee: Actor) -> None:
    with pytest.raises(AttachmentsError):
        announcements.announce(committee, slug, tokens=[f"t{number}" for number in range(MOST_FILES + 1)])


def test_the_board_says_how_many_wait_and_when_the_next_comes(slug: str, committee: Actor) -> None:
    event = competitions.competition(slug).event
    assert queries.waiting(event, NOON) == ()
    for days in (2, 1):
        announcements.announce(committee, slug, publish_at=NOON + timedelta(days=days))
    line = queries.waiting(event, NOON)[0]
    assert str(line.text) == "2 条公告待发布，最近的在 2021年10月26日（周二）12:00"
    assert not line.to_do
    assert queries.waiting(replace(event, competition_id=event.competition_id + 1), NOON) == ()
    assert queries.waiting(event, NOON + timedelta(days=2)) == ()


def test_unknown_uploads_are_refused(slug: str, committee: Actor) -> None:
    view = announcements.announce(committee, slug)
    assert UploadId(1) not in [each.upload_id for each in view.attachments]
    with pytest.raises(UploadNotFoundError):
        announcements.change(committee, slug, view, tokens=["unknown"])
