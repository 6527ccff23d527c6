"""Who may object, until when, with what: on real services and both databases."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from sqlalchemy import func, select

from app.actors import SYSTEM, Actor
from app.audit.models import AuditEntry
from app.commands import command
from app.extensions import db
from app.mailbox import service as mailbox
from app.mailbox.rules import watch
from app.notifications.models import Message
from app.objections import service
from app.objections.models import Objection, ObjectionStep
from app.objections.queries import own
from app.objections.queries.board import open_objections
from app.objections.rules.lodging import workdays_of
from app.objections.rules.refusals import (
    LEFT_THE_LIST,
    OWN_ENTRY,
    CaseStateError,
    NoObjectionsError,
    NoStandingError,
    NothingAddedError,
    ObjectionRefusedError,
    UnknownObjectionError,
    WindowClosedError,
)
from app.objections.service import Files
from app.publications import service as publications_service
from app.regulations import library
from app.text import BEIJING
from tests.app.objections.conftest import Scene, Travel
from tests.factories import accounts, competitions
from tests.factories import objections as make
from tests.factories.publications import AFTER_CLOSING, LAST_SECOND, WINDOW_OVER
from tests.factories.registrations import OPEN, leader


def cases() -> int:
    return db.session.scalar(select(func.count()).select_from(Objection)) or 0


def test_a_unit_that_takes_part_objects_and_gets_a_number(scene: Scene) -> None:
    number = make.lodged(scene.leaders[0], scene.entries(1)[:1])
    row = make.row(number)
    assert number == f"YY2021-{row.id:04d}"
    assert (row.state, row.lacking, row.unit_id) == ("received", [], scene.units[0])
    assert row.publication_id == scene.publication.id
    assert open_objections([scene.publication.id]) == {scene.publication.id: 1}
    kinds = [message.kind for message in db.session.scalars(select(Message).order_by(Message.id))]
    # the reporter, both members, and the organiser, who is on the committee as well
    assert sorted(kinds) == ["objection_received", *["objection_to_committee"] * 3]


def test_a_case_is_due_five_workdays_after_it_came(scene: Scene) -> None:
    row = make.row(make.lodged(scene.leaders[0], scene.entries(1)[:1]))
    assert row.due_at == WINDOW_OVER


def test_anyone_else_is_told_who_may_object_with_the_clause(scene: Scene) -> None:
    """Regulation A, 三(四)1: 任何参赛单位."""
    with pytest.raises(NoStandingError) as refused:
        make.lodged(accounts.user(700), scene.entries(1)[:1], files=Files())
    assert refused.value.clause == "三(四)1"
    assert "任何参赛单位" in str(refused.value.text)
    assert "领队" in str(refused.value.next_step)
    assert cases() == 0


def test_a_unit_that_handed_nothing_in_does_not_take_part(scene: Scene, travel: Travel) -> None:
    travel(OPEN)
    idle = leader(8)
    travel(AFTER_CLOSING)
    with pytest.raises(NoStandingError):
        make.lodged(idle, scene.entries(1)[:1])


def test_the_first_and_the_last_second_of_the_window_count_and_the_next_does_not(
    scene: Scene, travel: Travel
) -> None:
    travel(scene.publication.published_at)
    make.lodged(scene.leaders[0], scene.entries(1)[:1])
    travel(LAST_SECOND)
    make.lodged(scene.leaders[0], scene.entries(1)[1:2])
    travel(WINDOW_OVER)
    with pytest.raises(WindowClosedError) as refused:
        make.lodged(scene.leaders[0], scene.entries(2)[:1])
    assert refused.value.clause == "三(四)1"
    assert "11月5日（周五）24:00" in str(refused.value.text)
    assert cases() == 2


def test_once_the_list_is_final_the_refusal_says_what_remains(scene: Scene, travel: Travel) -> None:
    travel(WINDOW_OVER + timedelta(minutes=1))
    with command(SYSTEM) as ctx:
        publications_service.finish_due(ctx)
    with pytest.raises(WindowClosedError) as refused:
        make.lodged(scene.leaders[0], scene.entries(1)[:1])
    assert "名单已经确定" in str(refused.value.text)
    assert "申诉" in str(refused.value.next_step)


def test_what_was_refused_for_standing_or_window_leaves_an_entry_without_names(
    scene: Scene, travel: Travel
) -> None:
    travel(WINDOW_OVER)
    with pytest.raises(WindowClosedError) as refused:
        make.lodged(scene.leaders[0], scene.entries(1)[:1])
    with command(scene.leaders[0]) as ctx:
        service.note_turned_away(ctx, slug="beach", refusal=refused.value)
    entry = db.session.scalars(select(AuditEntry).where(AuditEntry.action == "objection.turned_away")).one()
    assert entry.details == {"requirement": "window", "clause": "三(四)1"}


def test_the_same_form_twice_is_one_case(scene: Scene) -> None:
    files = make.papers(scene.leaders[0])
    first = make.lodged(scene.leaders[0], scene.entries(1)[:1], files=files, key="same-key-1")
    again = make.lodged(scene.leaders[0], scene.entries(1)[:1], files=files, key="same-key-1")
    other = make.lodged(scene.leaders[2], scene.entries(1)[:1], key="same-key-1")
    assert first == again != other
    assert cases() == 2


def test_a_repeated_form_after_the_window_answers_with_the_case(scene: Scene, travel: Travel) -> None:
    first = make.lodged(scene.leaders[0], scene.entries(1)[:1], key="same-key-1")
    travel(WINDOW_OVER)
    assert make.lodged(scene.leaders[0], scene.entries(1)[:1], key="same-key-1") == first


def test_nobody_objects_to_an_entry_of_his_own_unit(scene: Scene) -> None:
    with pytest.raises(ObjectionRefusedError) as refused:
        make.lodged(scene.leaders[0], [scene.entries(1)[0], scene.entries(0)[0]])
    assert refused.value.fields == {"entries.1": OWN_ENTRY}


def test_what_is_wrong_is_said_in_every_place_at_once(scene: Scene) -> None:
    with pytest.raises(ObjectionRefusedError) as refused:
        make.lodged(scene.leaders[0], [], text=" ", reporter_name="钱")
    assert set(refused.value.fields) == {"entries", "text", "reporter_name"}
    with pytest.raises(ObjectionRefusedError) as unknown:
        make.lodged(scene.leaders[0], [999_999])
    assert set(unknown.value.fields) == {"entries.0"}


def test_an_entry_that_left_the_list_is_named_in_the_refusal(scene: Scene) -> None:
    first, second = scene.entries(1)[:2]
    with command(scene.member) as ctx:
        publications_service.supersede(
            ctx, scene.competition.event.id, 1, reason="一名选手退出。", left_out=[first]
        )
    with pytest.raises(ObjectionRefusedError) as refused:
        make.lodged(scene.leaders[0], [second, first], list_number=1)
    assert set(refused.value.fields) == {"entries.1"}
    assert str(refused.value.fields["entries.1"]).endswith(str(LEFT_THE_LIST))


def test_a_form_from_before_the_correction_is_about_the_list_in_force(scene: Scene) -> None:
    first, second = scene.entries(1)[:2]
    with command(scene.member) as ctx:
        publications_service.supersede(
            ctx, scene.competition.event.id, 1, reason="一名选手退出。", left_out=[first]
        )
    row = make.row(make.lodged(scene.leaders[0], [second], list_number=1))
    assert row.publication_id != scene.publication.id


def test_two_objections_to_one_entry_are_two_cases(scene: Scene) -> None:
    entry = scene.entries(1)[0]
    assert make.lodged(scene.leaders[0], [entry]) != make.lodged(scene.leaders[2], [entry])
    assert open_objections([scene.publication.id]) == {scene.publication.id: 2}


@pytest.mark.parametrize(
    ("letter", "evidence", "lacking"),
    [(False, True, ["seal"]), (True, False, ["evidence"]), (False, False, ["seal", "evidence"])],
)
def test_what_lacks_seal_or_evidence_is_kept_and_may_be_completed(
    scene: Scene, letter: bool, evidence: bool, lacking: list[str]
) -> None:
    person = scene.leaders[0]
    files = make.papers(person, letter=letter, evidence=evidence)
    number = make.lodged(person, scene.entries(1)[:1], files=files)
    assert (make.row(number).state, make.row(number).lacking) == ("incomplete", lacking)
    complete(person, number, make.papers(person, letter=not letter, evidence=not evidence))
    assert (make.row(number).state, make.row(number).lacking) == ("received", [])


def complete(person: Actor, number: str, files: Files, key: str = "completing-1", text: str = "") -> None:
    with command(person) as ctx:
        service.complete(
            ctx,
            slug="beach",
            token=make.token_of(number),
            text=text,
            files=files,
            idempotency_key=key,
        )


def test_half_of_what_is_lacking_leaves_the_other_half(scene: Scene) -> None:
    person = scene.leaders[0]
    number = make.lodged(person, scene.entries(1)[:1], files=Files())
    complete(person, number, make.papers(person, evidence=False))
    assert (make.row(number).state, make.row(number).lacking) == ("incomplete", ["evidence"])
    complete(person, number, Files(), text="再说明一点。", key="completing-2")
    assert make.row(number).state == "incomplete"
    with pytest.raises(NothingAddedError):
        complete(person, number, Files(), key="completing-3")


def test_completing_twice_by_one_form_is_once(scene: Scene) -> None:
    person = scene.leaders[0]
    number = make.lodged(person, scene.entries(1)[:1], files=Files())
    files = make.papers(person)
    complete(person, number, files)
    complete(person, number, files)
    added = select(func.count()).select_from(ObjectionStep).where(ObjectionStep.kind == "added")
    assert db.session.scalar(added) == 1


def test_what_is_not_complete_at_the_end_is_refused_with_the_clause_once(
    scene: Scene, travel: Travel
) -> None:
    person = scene.leaders[0]
    number = make.lodged(person, scene.entries(1)[:1], files=Files())
    whole = make.lodged(person, scene.entries(1)[1:2])
    travel(LAST_SECOND)
    assert expire() == 0
    travel(WINDOW_OVER)
    with pytest.raises(WindowClosedError):
        complete(person, number, make.papers(person))
    assert expire() == 0, "what was sent in the last second may still be on its way"
    travel(WINDOW_OVER + timedelta(minutes=1))
    assert (expire(), expire()) == (1, 0)
    row = make.row(number)
    assert (row.state, row.clause) == ("refused", "三(四)1")
    assert make.row(whole).state == "received"
    kinds = list(db.session.scalars(select(Message.kind).where(Message.kind == "objection_refused")))
    assert kinds == ["objection_refused"]


def test_what_was_lacking_may_be_in_the_mail_of_the_window(scene: Scene, travel: Travel) -> None:
    make.lodged(scene.leaders[0], scene.entries(1)[:1], files=Files())
    travel(WINDOW_OVER + timedelta(minutes=1))
    watch("INBOX")
    try:
        assert expire() == 0
        with command(SYSTEM) as ctx:
            mailbox.note_success(ctx, "INBOX", ctx.now)
        assert expire() == 1
    finally:
        watch(None)


def expire() -> int:
    with command(SYSTEM) as ctx:
        return service.expire(ctx)


def test_a_list_waits_for_its_open_cases_and_becomes_final_without(scene: Scene, travel: Travel) -> None:
    number = make.lodged(scene.leaders[0], scene.entries(1)[:1])
    travel(WINDOW_OVER)
    with command(SYSTEM) as ctx:
        assert publications_service.finish_due(ctx) == 0
    withdraw(scene.leaders[0], number)
    with command(SYSTEM) as ctx:
        assert publications_service.finish_due(ctx) == 1


def withdraw(person: Actor, number: str) -> None:
    with command(person) as ctx:
        service.withdraw(ctx, slug="beach", token=make.token_of(number), reason="已核实清楚。")


def test_only_whoever_lodged_it_takes_it_back_and_only_while_it_is_open(scene: Scene) -> None:
    number = make.lodged(scene.leaders[0], scene.entries(1)[:1])
    for other in (scene.leaders[1], scene.member):
        with pytest.raises(UnknownObjectionError):
            withdraw(other, number)
    withdraw(scene.leaders[0], number)
    withdraw(scene.leaders[0], number)
    assert make.row(number).state == "withdrawn"
    with pytest.raises(CaseStateError):
        complete(scene.leaders[0], number, make.papers(scene.leaders[0]))


def test_whoever_has_the_address_of_a_receipt_reads_no_text_of_it(scene: Scene) -> None:
    number = make.lodged(scene.leaders[0], scene.entries(1)[:1])
    token = make.token_of(number)
    shown = own.receipt(scene.competition.id, token, scene.leaders[0].user_id)
    assert shown.own
    assert shown.text
    for other in (None, scene.leaders[1].user_id, scene.member.user_id):
        receipt = own.receipt(scene.competition.id, token, other)
        assert (receipt.own, receipt.text, receipt.files) == (False, None, ())


def test_a_text_without_objections_says_so(session: object, travel: Travel) -> None:
    travel(datetime(2021, 5, 20, 12, tzinfo=BEIJING))
    competitions.competition(regulation="dongcheng-landlord-2021", slug="dong")
    with pytest.raises(NoObjectionsError):
        make.lodged(accounts.user(5), [1], "dong", files=Files())


def test_within_how_many_workdays_a_case_is_decided_is_an_option() -> None:
    """I-A-24: the text is silent."""
    regulation = library.load("beach-games-landlord-2021")
    assert workdays_of(regulation) == 5
    assert workdays_of(regulation.with_changes(options={"objection_workdays": 10})) == 10
