"""Who objected is known to the handling committee alone: not to whoever sorts letters, reads an outbox, or is asked."""

from __future__ import annotations

import pytest

from app.actors import SYSTEM, Actor, Role
from app.audit.actions import AuditAction
from app.commands import command
from app.extensions import db
from app.mailbox import queries as mailbox
from app.mailbox import service as mailbox_service
from app.mailbox.models import IncomingMessage
from app.mailbox.rules import IncomingState, OwnCompetitionError, led_by
from app.notifications import queries as notifications
from app.notifications.models import Message
from app.objections import service
from app.objections.rules.refusals import ObjectionRefusedError
from app.objections.rules.secrecy import GIVES_AWAY
from app.registrations import queries as registrations
from app.registrations.models import Unit
from app.registrations.rules import EntryId
from tests.app.objections.conftest import Scene
from tests.factories import accounts, mail
from tests.factories import objections as make

SENDER = "office@unit1.example.cn"


def case_by_mail(scene: Scene) -> int:
    name = registrations.named(scene.entries(1)[:1])[EntryId(scene.entries(1)[0])].name
    said = f"“{scene.competition.name}”：{name}不是该单位员工。"
    return mail.processed(mail.letter(sender=SENDER, text=said))


def test_the_list_of_letters_does_not_say_whose_letter_a_case_has(scene: Scene) -> None:
    case = db.session.get_one(IncomingMessage, case_by_mail(scene)).case_number
    assert case is not None
    for scopes in (None, {scene.competition.id}):
        (row,) = mailbox.incoming(scopes, IncomingState.PROCESSED)
        assert (row.case_number, row.sender, row.files, row.size) == (case, "", 0, 0)


def test_a_letter_that_is_about_to_become_a_case_is_listed_without_its_sender(scene: Scene) -> None:
    mail.stored(mail.letter(sender=SENDER, text="异议"))
    (row,) = mailbox.incoming(None, IncomingState.NEW)
    assert row.sender == ""


def test_the_answer_to_a_letter_stands_in_no_outbox(scene: Scene) -> None:
    mail.processed(mail.letter(sender=SENDER, text=f"“{scene.competition.name}”：你们的名单有问题。"))
    assert db.session.query(Message).filter_by(kind="mail_received").count() == 1
    for place in (None, scene.competition.id):
        assert "mail_received" not in {row.kind for row in notifications.outbox(place)}


def test_a_member_of_the_committee_who_leads_a_unit_reads_no_letter_of_the_competition(scene: Scene) -> None:
    incoming = mail.processed(
        mail.letter(sender=SENDER, text=f"“{scene.competition.name}”：你们的名单有问题。")
    )
    assert db.session.get_one(IncomingMessage, incoming).state == "triage"
    member = accounts.user(2, Role.COMMITTEE, competition_id=scene.competition.id)
    assert member.user_id == scene.leaders[1].user_id
    for act in (mailbox_service.look, mailbox_service.take_up):
        with pytest.raises(OwnCompetitionError), command(member) as ctx:
            act(ctx, incoming)
    (row,) = mailbox.incoming({scene.competition.id}, IncomingState.TRIAGE, closed=led_by(member.user_id))
    assert (row.sender, row.hidden) == ("", True)
    with command(scene.member) as ctx:
        assert mailbox_service.look(ctx, incoming).sender == SENDER


def known_by(leader: Actor, unit_id: int) -> None:
    """The unit has a contact, its leader an address: both say who objected, whatever name the form bore."""
    with command(SYSTEM) as ctx:
        unit = ctx.session.get_one(Unit, unit_id)
        unit.contact_name, unit.contact_phone = "孙试联", "13900000077"
        ctx.session.flush()
        ctx.record(AuditAction.UNIT_SAVED, unit)


@pytest.mark.parametrize("word", ["孙试联", "139-0000-0077"])
def test_a_question_that_names_the_contact_of_the_unit_that_objects_is_refused(
    scene: Scene, word: str
) -> None:
    known_by(scene.leaders[0], scene.units[0])
    number = make.accepted(scene.leaders[0], scene.entries(1)[:1], scene.member)
    with pytest.raises(ObjectionRefusedError) as refusal, command(scene.member) as ctx:
        service.ask(
            ctx,
            slug="beach",
            number=number,
            revision=None,
            unit_id=scene.units[1],
            question=f"{word}反映该选手不是员工，是否属实？",
            due_at=ctx.now.replace(year=2021, month=11, day=3),
        )
    assert refusal.value.fields["question"] == GIVES_AWAY
