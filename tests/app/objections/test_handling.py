"""How the committee handles a case: conflict of interest, hearing, decision, and what follows for the list."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from app import clock
from app.accounts.models import User
from app.actors import Actor, Role
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.errors import ForbiddenError
from app.extensions import db
from app.notifications import queries as notifications
from app.notifications.models import Message
from app.notifications.rules import UnknownMessageError
from app.objections import service
from app.objections.models import ObjectionStep
from app.objections.queries import board, cases, own
from app.objections.queries.public import outcomes
from app.objections.rules import Outcome, Requirement
from app.objections.rules.refusals import (
    CaseChangedError,
    CaseStateError,
    ConflictOfInterestError,
    HearingClosedError,
    ObjectionRefusedError,
    StillLackingError,
    UnknownHearingError,
    UnknownObjectionError,
    WindowClosedError,
)
from app.objections.rules.secrecy import GIVES_AWAY, NAMES_SOMEBODY
from app.objections.service import Files
from app.publications import queries as publications
from app.registrations.models import Entry
from app.registrations.rules import EntryId
from tests.app.objections.conftest import Scene, Travel
from tests.factories import accounts
from tests.factories import objections as make
from tests.factories.publications import WINDOW_OVER


def read(person: Actor, number: str) -> None:
    with command(person) as ctx:
        service.read(ctx, slug="beach", number=number)


def recuse(person: Actor, number: str, reason: str = "与被举报单位有业务往来。") -> None:
    with command(person) as ctx:
        service.recuse(ctx, slug="beach", number=number, reason=reason)


@pytest.fixture
def number(scene: Scene) -> str:
    """A case of unit 0 against an entry of unit 1, taken up."""
    return make.accepted(scene.leaders[0], scene.entries(1)[:1], scene.member)


def test_only_members_of_the_committee_read_a_case(scene: Scene, number: str) -> None:
    read(scene.colleague, number)
    beach = scene.competition.id
    for serial, role in enumerate((Role.ORGANISER, Role.CHIEF_REFEREE, Role.REFEREE)):
        with pytest.raises(ForbiddenError):
            read(accounts.user(600 + serial, role, competition_id=beach), number)
    for leader in scene.leaders:
        with pytest.raises(ForbiddenError):
            read(leader, number)


@pytest.mark.parametrize("place", [0, 1], ids=["of the unit that objects", "of the unit objected to"])
def test_a_member_who_leads_a_unit_concerned_neither_reads_nor_decides(
    scene: Scene, number: str, place: int
) -> None:
    member = accounts.user(place + 1, Role.COMMITTEE, competition_id=scene.competition.id)
    assert member.user_id == scene.leaders[place].user_id
    with pytest.raises(ConflictOfInterestError):
        read(member, number)
    with pytest.raises(ConflictOfInterestError):
        make.decided(number, member, make.decision(False, unheard="不必。"))
    [row] = board.queue(scene.competition.id, member.user_id)
    assert (row.interest, row.names) == ("lodged" if place == 0 else "leads", ())


def test_who_recused_himself_no_longer_reads_it(scene: Scene, number: str) -> None:
    read(scene.member, number)
    recuse(scene.member, number)
    recuse(scene.member, number)
    with pytest.raises(ConflictOfInterestError):
        read(scene.member, number)
    assert make.row(number).assigned_to_id is None
    read(scene.colleague, number)


def test_the_last_free_member_who_recuses_himself_leaves_it_to_the_organiser(
    scene: Scene, number: str
) -> None:
    organiser = next(
        each
        for each in board.people.committee(scene.competition.id)
        if each
        not in (
            scene.member.user_id,
            scene.colleague.user_id,
        )
    )
    for user_id in (scene.member.user_id, scene.colleague.user_id, organiser):
        assert user_id is not None
        recuse(accounts.actor(user_id), number)
    waiting = board.waiting(scene.competition.event, clock.now())
    assert (waiting[0].roles, waiting[0].endpoint) == ((Role.ORGANISER,), "competitions.people")
    assert number in str(waiting[0].text)
    body = db.session.scalars(
        select(Message.body).where(Message.kind == "objection_to_committee").order_by(Message.id.desc())
    ).first()
    assert body is not None
    assert "请增加一名" in body
    newcomer = make.member(2)
    read(newcomer, number)


def test_what_lacks_something_is_not_accepted(scene: Scene) -> None:
    number = make.lodged(scene.leaders[0], scene.entries(1)[:1], files=Files())
    with pytest.raises(StillLackingError), command(scene.member) as ctx:
        service.accept(ctx, slug="beach", number=number, revision=1)


def test_a_seal_that_cannot_be_read_is_asked_for_again_while_the_window_runs(
    scene: Scene, travel: Travel
) -> None:
    person = scene.leaders[0]
    first, second = (make.lodged(person, [each]) for each in scene.entries(1))
    send_back(scene.member, first)
    assert (make.row(first).state, make.row(first).lacking) == ("incomplete", ["seal"])
    with command(person) as ctx:
        service.complete(
            ctx,
            slug="beach",
            token=make.token_of(first),
            text="",
            files=make.papers(person, evidence=False),
            idempotency_key="again-0001",
        )
    assert make.row(first).state == "received"
    travel(WINDOW_OVER)
    with pytest.raises(WindowClosedError):
        send_back(scene.member, second)


def send_back(by: Actor, number: str) -> None:
    with command(by) as ctx:
        service.ask_to_complete(
            ctx,
            slug="beach",
            number=number,
            revision=None,
            requirements=[Requirement.SEAL],
            reason="印章看不清。",
        )


def test_a_refusal_names_what_is_not_met_with_the_clause(scene: Scene) -> None:
    number = make.lodged(scene.leaders[0], scene.entries(1)[:1])
    with pytest.raises(ObjectionRefusedError) as refused, command(scene.member) as ctx:
        service.refuse(ctx, slug="beach", number=number, revision=1, requirements=[], reason=" ")
    assert set(refused.value.fields) == {"requirements", "reason"}
    with command(scene.member) as ctx:
        service.refuse(
            ctx,
            slug="beach",
            number=number,
            revision=1,
            requirements=[Requirement.EVIDENCE],
            reason="照片与所称无关。",
        )
    assert (make.row(number).state, make.row(number).clause) == ("refused", "三(四)1")
    receipt = own.receipt(scene.competition.id, make.token_of(number), None)
    assert receipt.steps[-1].text == "照片与所称无关。"


def test_the_unit_objected_to_answers_once_and_never_learns_who_objected(scene: Scene, number: str) -> None:
    hearing_id = make.heard(number, scene.member, scene.units[1])
    for other in (scene.leaders[0], scene.leaders[2], scene.member):
        with pytest.raises(UnknownHearingError), command(other) as ctx:
            service.answer(ctx, slug="beach", hearing_id=hearing_id, text="不是我")
    with command(scene.leaders[1]) as ctx:
        service.answer(ctx, slug="beach", hearing_id=hearing_id, text="该选手是我单位员工。")
    with pytest.raises(HearingClosedError), command(scene.leaders[1]) as ctx:
        service.answer(ctx, slug="beach", hearing_id=hearing_id, text="再说一次。")
    page = own.hearing(scene.competition.id, hearing_id, scene.leaders[1].user_id or 0)
    assert page.answer == "该选手是我单位员工。"
    row = make.row(number)
    for secret in (row.reporter_name, row.unit_name, row.text, row.token):
        assert secret is not None
        assert secret not in repr(page)


@pytest.mark.parametrize(
    "question",
    ["第1机械厂说该选手不是员工。", "钱 试 举举报了贵单位。", "来电１３８ 0000 0001称如此。", " "],
)
def test_a_question_that_gives_the_reporter_away_is_refused(scene: Scene, number: str, question: str) -> None:
    with pytest.raises(ObjectionRefusedError) as refused, command(scene.member) as ctx:
        service.ask(
            ctx,
            slug="beach",
            number=number,
            revision=None,
            unit_id=scene.units[1],
            question=question,
            due_at=clock.now() + timedelta(days=1),
        )
    assert refused.value.fields["question"] == GIVES_AWAY or not question.strip()


def test_a_decision_needs_reasons_a_summary_and_the_other_side(scene: Scene, number: str) -> None:
    entry = scene.entries(1)[0]
    with pytest.raises(ObjectionRefusedError) as refused:
        make.decided(number, scene.member, make.decision(True, reasons=" ", summary=""))
    assert set(refused.value.fields) == {"reasons", "summary", "unheard", "outcomes"}
    make.heard(number, scene.member, scene.units[1])
    with pytest.raises(ObjectionRefusedError) as waiting:
        make.decided(number, scene.member, make.decision(True, [entry]))
    assert set(waiting.value.fields) == {"unheard"}
    make.decided(number, scene.member, make.decision(True, [entry], unheard="情况紧急，材料已经核实。"))
    assert make.row(number).state == "upheld"


def test_once_the_time_for_an_answer_is_over_the_other_side_counts_as_heard(
    scene: Scene, number: str, travel: Travel
) -> None:
    make.heard(number, scene.member, scene.units[1])
    travel(clock.now() + timedelta(days=2))
    make.decided(number, scene.member, make.decision(False))
    assert make.row(number).state == "dismissed"


def test_summary_and_reasons_give_nobody_away(scene: Scene, number: str) -> None:
    make.heard(number, scene.member, scene.units[1], scene.leaders[1])
    [entry] = cases.case(make.row(number).id).entries
    with pytest.raises(ObjectionRefusedError) as named:
        make.decided(number, scene.member, make.decision(False, summary=f"{entry.name}符合条件。"))
    assert named.value.fields == {"summary": NAMES_SOMEBODY}
    with pytest.raises(ObjectionRefusedError) as given:
        make.decided(number, scene.member, make.decision(False, reasons="钱试举的材料不足。"))
    assert given.value.fields == {"reasons": GIVES_AWAY}


def test_an_upheld_case_takes_the_entry_from_the_list_in_one_transaction(scene: Scene, number: str) -> None:
    entry, other = scene.entries(1)
    make.heard(number, scene.member, scene.units[1], scene.leaders[1])
    make.decided(number, scene.member, make.decision(True, [entry]))
    row = make.row(number)
    new = publications.publication(scene.competition.event.id, 2)
    assert row.superseding_id == new.id
    on_list = {each.entry_id for each in new.entries}
    assert entry not in on_list
    assert other in on_list
    assert new.reason == row.summary
    assert db.session.get_one(Entry, entry).state == "rejected"
    [public] = outcomes(scene.competition.event.id)
    assert (public.upheld, public.new_list, public.summary) == (True, 2, row.summary)
    kinds = set(db.session.scalars(select(Message.kind)))
    assert {"objection_decided", "objection_decided_other_side", "hearing_asked"} <= kinds


def test_a_corrected_name_stands_on_the_new_list(scene: Scene, number: str) -> None:
    entry = scene.entries(1)[0]
    make.heard(number, scene.member, scene.units[1], scene.leaders[1])
    outcomes = {EntryId(entry): Outcome.CORRECTED}
    with pytest.raises(ObjectionRefusedError) as refused:
        make.decided(number, scene.member, make.decision(True, outcomes=outcomes))
    assert set(refused.value.fields) == {f"outcomes.{entry}"}
    with pytest.raises(ObjectionRefusedError):
        make.decided(
            number, scene.member, make.decision(True, outcomes=outcomes, names={EntryId(entry): ("张3",)})
        )
    make.decided(
        number,
        scene.member,
        make.decision(
            True,
            outcomes=outcomes,
            names={EntryId(entry): ("赵试更",)},
            summary="一名选手的姓名有误，已更正。",
        ),
    )
    new = publications.publication(scene.competition.event.id, 2)
    assert {each.entry_id: each.name for each in new.entries}[entry] == "赵试更"


def test_a_dismissed_case_changes_no_list(scene: Scene, number: str) -> None:
    make.heard(number, scene.member, scene.units[1], scene.leaders[1])
    make.decided(number, scene.member, make.decision(False))
    assert len(publications.publications(scene.competition.event.id)) == 1
    assert [each.outcome for each in cases.case(make.row(number).id).entries] == [Outcome.KEPT]


def test_of_two_cases_against_one_entry_the_second_finds_it_gone(scene: Scene, number: str) -> None:
    entry = scene.entries(1)[0]
    second = make.accepted(scene.leaders[2], [entry], scene.member)
    make.heard(number, scene.member, scene.units[1], scene.leaders[1])
    make.decided(number, scene.member, make.decision(True, [entry]))
    assert [each.stands for each in cases.case(make.row(second).id).entries] == [False]
    make.heard(second, scene.member, scene.units[1], scene.leaders[1])
    make.decided(second, scene.member, make.decision(True, [entry]))
    assert make.row(second).superseding_id is None
    assert len(publications.publications(scene.competition.event.id)) == 2


def test_of_two_members_who_decide_at_once_the_second_is_told(scene: Scene, number: str) -> None:
    make.heard(number, scene.member, scene.units[1], scene.leaders[1])
    seen = make.row(number).revision
    make.decided(number, scene.member, make.decision(False))
    with pytest.raises(CaseChangedError) as late:
        make.decided(number, scene.colleague, make.decision(True, scene.entries(1)[:1]), revision=seen)
    assert late.value.status == 409
    assert make.row(number).state == "dismissed"


def test_a_closed_case_stays_closed(scene: Scene, number: str) -> None:
    make.heard(number, scene.member, scene.units[1], scene.leaders[1])
    make.decided(number, scene.member, make.decision(False))
    with pytest.raises(CaseStateError):
        make.decided(number, scene.colleague, make.decision(True, scene.entries(1)[:1]))
    with pytest.raises(CaseStateError), command(scene.leaders[0]) as ctx:
        service.withdraw(ctx, slug="beach", token=make.token_of(number))


def test_files_are_for_handlers_and_for_whoever_sent_them(scene: Scene, number: str) -> None:
    hearing_id = make.heard(number, scene.member, scene.units[1])
    with command(scene.leaders[1]) as ctx:
        service.answer(
            ctx,
            slug="beach",
            hearing_id=hearing_id,
            text="见劳动合同。",
            evidence=[make.upload(scene.leaders[1], "evidence")],
        )
    view = cases.case(make.row(number).id)
    [theirs] = view.hearings[0].files
    mine = view.files[0]
    organiser = accounts.user(601, Role.ORGANISER, competition_id=scene.competition.id)
    allowed = {
        (person.user_id, file.id)
        for person in (scene.member, *scene.leaders, organiser)
        for file in (mine, theirs)
        if may_look(person, file.id)
    }
    assert allowed == {
        (scene.member.user_id, mine.id),
        (scene.member.user_id, theirs.id),
        (scene.leaders[0].user_id, mine.id),
        (scene.leaders[1].user_id, theirs.id),
    }
    recuse(scene.member, number)
    assert not may_look(scene.member, mine.id)


def may_look(person: Actor, file_id: int) -> bool:
    try:
        with command(person) as ctx:
            service.look(ctx, slug="beach", file_id=file_id, page=1, what="preview")
    except UnknownObjectionError:
        return False
    return True


def test_every_step_is_a_row_and_an_entry_and_every_reading_is_on_record(scene: Scene, number: str) -> None:
    read(scene.member, number)
    read(scene.member, number)
    read(scene.colleague, number)
    make.heard(number, scene.member, scene.units[1], scene.leaders[1])
    make.decided(number, scene.member, make.decision(False))
    row = make.row(number)
    steps = list(
        db.session.scalars(
            select(ObjectionStep.kind).where(ObjectionStep.objection_id == row.id).order_by(ObjectionStep.id)
        )
    )
    assert steps == ["lodged", "accepted", "hearing_asked", "hearing_answered", "dismissed"]
    entries = list(
        db.session.scalars(
            select(AuditEntry).where(AuditEntry.subject_type == "Objection").order_by(AuditEntry.id)
        )
    )
    assert [each.action.removeprefix("objection.") for each in entries if "read" not in each.action] == steps
    assert sum(each.action == "objection.read" for each in entries) == 2
    assert row.revision == len(steps)
    assert [look.who for look in cases.access_log(row.id)]


def test_no_audit_entry_and_no_letter_to_the_other_side_names_the_reporter(scene: Scene, number: str) -> None:
    entry = scene.entries(1)[0]
    make.heard(number, scene.member, scene.units[1], scene.leaders[1])
    make.decided(number, scene.member, make.decision(True, [entry]))
    row = make.row(number)
    secrets = [row.reporter_name, row.unit_name, row.reporter_phone, row.token, row.text]
    since = db.session.scalar(select(func.min(AuditEntry.id)).where(AuditEntry.action == "objection.lodged"))
    for details in db.session.scalars(select(AuditEntry.details).where(AuditEntry.id >= since)):
        assert not any(str(secret) in str(details) for secret in secrets), details
    kinds = ["hearing_asked", "objection_decided_other_side", "objection_to_committee"]
    letters = db.session.scalars(select(Message).where(Message.kind.in_(kinds))).all()
    assert letters
    for letter in letters:
        shown = f"{letter.subject} {letter.body} {letter.html}"
        assert not any(str(secret) in shown for secret in secrets), letter.kind
    # the list of the competition's letters must not say to whom a reporter's went
    own_letters = db.session.scalars(
        select(Message.competition_id).where(Message.kind.in_(["objection_received", "objection_decided"]))
    )
    assert set(own_letters) == {None}


def test_no_outbox_says_to_whom_a_letter_about_an_own_objection_went(scene: Scene) -> None:
    with command(scene.leaders[0]) as ctx:
        user = ctx.session.get_one(User, scene.leaders[0].user_id)
        user.email, user.email_hash, user.email_confirmed_at = "office@example.com", "hash", ctx.now
        ctx.record(AuditAction.SIGNED_IN, user)
    make.accepted(scene.leaders[0], scene.entries(1)[:1], scene.member)
    sent = db.session.scalars(select(Message).where(Message.kind == "objection_received")).one()
    assert sent.channel == "email"
    for place in (None, scene.competition.id):
        kinds = {row.kind for row in notifications.outbox(place)}
        assert not kinds & {"objection_received", "objection_accepted"}
    with pytest.raises(UnknownMessageError):
        notifications.outbox_row(None, sent.id)
