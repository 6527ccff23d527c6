"""Letters become cases, or are added to one; what is not certain is left to people."""

from __future__ import annotations

import itertools
from datetime import datetime

from sqlalchemy import select

from app.accounts.models import User
from app.actors import SYSTEM, Actor
from app.audit.actions import AuditAction
from app.commands import command
from app.database import person_hash
from app.documents.service import purging
from app.extensions import db
from app.mailbox import queries as mailbox
from app.mailbox import service as mailbox_service
from app.mailbox.models import IncomingFile, IncomingMessage
from app.notifications.models import Message
from app.objections import service
from app.objections.queries import cases
from app.objections.service import CaseLetters
from app.registrations import queries as registrations
from app.registrations.rules import EntryId
from app.text import BEIJING
from app.uploads.models import Upload
from tests.app.objections.conftest import Scene, Travel
from tests.factories import mail
from tests.factories import objections as make
from tests.factories.publications import LAST_SECOND, WINDOW_OVER
from tests.factories.uploads import photo

SENDER = "office@example.com"
_numbers = itertools.count(1)


def letter(
    scene: Scene,
    text: str,
    *,
    subject: str = "异议",
    sender: str = SENDER,
    files: int = 1,
    at: datetime | None = None,
    placed: bool = True,
) -> int:
    """A letter as the mailbox stores it, its files taken up. Its id."""
    number = next(_numbers)
    with command(SYSTEM) as ctx:
        row = IncomingMessage(
            key=f"{number:064d}",
            received_at=at or ctx.now,
            size=100,
            message_id=f"letter-{number}@example.com",
            sender=sender,
            sender_hash=person_hash(sender),
            subject=subject,
            text=text,
            kind="letter",
            state="new",
            competition_id=scene.competition.id if placed else None,
        )
        ctx.session.add(row)
        ctx.session.flush()
        ctx.record(AuditAction.MESSAGE_QUEUED, ("IncomingMessage", row.id))
        incoming_id = row.id
    for position in range(1, files + 1):
        token = make.upload(scene.leaders[0], "evidence")
        with command(SYSTEM) as ctx:
            upload = ctx.session.query(Upload).filter_by(token=token).one()
            upload.user_id, upload.claimed_at = None, ctx.now
            ctx.session.add(
                IncomingFile(
                    incoming_id=incoming_id, position=position, name="公函.jpg", size=10, upload_id=upload.id
                )
            )
            ctx.session.flush()
            ctx.record(AuditAction.UPLOADS_CLAIMED, upload)
    return incoming_id


def confirm(person: Actor, address: str = SENDER) -> None:
    """The account confirmed this address as its own."""
    with command(SYSTEM) as ctx:
        user = ctx.session.get_one(User, person.user_id)
        user.email, user.email_hash, user.email_confirmed_at = address, person_hash(address), ctx.now
        ctx.session.flush()
        ctx.record(AuditAction.SIGNED_IN, user)


def take(incoming_id: int) -> str | None:
    with command(SYSTEM) as ctx:
        taken = CaseLetters().take(ctx, incoming_id)
        ctx.record(AuditAction.MESSAGE_CLAIMED, ("IncomingMessage", incoming_id))
    return taken.case_number if taken else None


def name(entry: int) -> str:
    return registrations.named([entry])[EntryId(entry)].name


def test_a_letter_of_a_leaders_confirmed_address_is_a_case_of_his_unit(scene: Scene) -> None:
    confirm(scene.leaders[0])
    entry = scene.entries(1)[0]
    incoming = letter(scene, f"{name(entry)}不是该单位员工，见附件。", files=2)
    number = take(incoming)
    assert number is not None
    row = make.row(number)
    assert (row.state, row.unit_id, row.channel) == ("received", scene.units[0], "mail")
    view = cases.case(row.id)
    assert [each.entry_id for each in view.entries] == [entry]
    assert [each.role.value for each in view.files] == ["attached", "attached"]
    assert take(incoming) == number


def test_a_letter_without_files_lacks_seal_and_evidence(scene: Scene) -> None:
    confirm(scene.leaders[0])
    number = take(letter(scene, f"{name(scene.entries(1)[0])}不是员工。", files=0))
    assert number is not None
    assert (make.row(number).state, make.row(number).lacking) == ("incomplete", ["seal", "evidence"])


def test_a_letter_of_nobody_known_lacks_standing_until_the_committee_identifies_the_unit(
    scene: Scene,
) -> None:
    number = take(letter(scene, f"{name(scene.entries(1)[0])}不是员工。"))
    assert number is not None
    assert "standing" in make.row(number).lacking
    with command(scene.member) as ctx:
        service.identify(ctx, slug="beach", number=number, revision=None, unit_id=scene.units[0])
    assert "standing" not in make.row(number).lacking


def test_a_letter_that_names_no_player_is_left_to_people(scene: Scene) -> None:
    confirm(scene.leaders[0])
    assert take(letter(scene, "你们的名单有问题。")) is None


def test_a_letter_counts_by_the_second_it_came(scene: Scene, travel: Travel) -> None:
    confirm(scene.leaders[0])
    first, second = scene.entries(1)
    in_time = letter(scene, f"{name(first)}不是员工。", at=LAST_SECOND)
    late = letter(scene, f"{name(second)}不是员工。", at=WINDOW_OVER)
    travel(WINDOW_OVER)
    taken, refused = take(in_time), take(late)
    assert taken is not None
    assert refused is not None
    assert make.row(taken).state == "received"
    assert (make.row(refused).state, make.row(refused).clause) == ("refused", "三(四)1")


def test_an_answer_with_the_number_completes_the_case_of_the_same_sender_only(scene: Scene) -> None:
    confirm(scene.leaders[0])
    number = take(letter(scene, f"{name(scene.entries(1)[0])}不是员工。", files=0))
    assert number is not None
    assert take(letter(scene, "补充材料。", subject=f"Re: {number}", sender="else@example.com")) is None
    answer = letter(scene, "补充材料。", subject=f"Re: {number}")
    assert take(answer) == number
    assert take(answer) == number
    assert (make.row(number).state, make.row(number).lacking) == ("received", [])


def test_where_a_letter_belongs_is_found_by_number_unit_and_names(scene: Scene) -> None:
    number = make.lodged(scene.leaders[0], scene.entries(1)[:1])
    places = CaseLetters().place

    def place(text: str, **changes: str) -> int | None:
        found = places(mailbox.letter(letter(scene, text, files=0, placed=False, **changes)))
        db.session.rollback()
        return found

    assert place("补充", subject=number) == scene.competition.id
    assert place(f"{name(scene.entries(1)[0])}不是员工。") == scene.competition.id
    assert place("你好") is None
    confirm(scene.leaders[0])
    assert place("你好") == scene.competition.id


def test_a_letter_that_came_by_mail_is_a_case_and_goes_with_it(scene: Scene, travel: Travel) -> None:
    confirm(scene.leaders[0])
    said = f"“{scene.competition.name}”：{name(scene.entries(1)[0])}不是该单位员工，见附件。"
    incoming = mail.processed(mail.letter(sender=SENDER, text=said, files=(("公函.jpg", photo()),)))
    found = db.session.get_one(IncomingMessage, incoming)
    assert found.state == "processed"
    assert found.case_number is not None
    assert make.row(found.case_number).incoming_id == incoming
    travel(datetime(2022, 3, 6, 3, 40, tzinfo=BEIJING))
    more = True
    while more:
        with command(SYSTEM) as ctx:
            more = purging.take_out(ctx, scene.competition.id, purge_days=90)
    assert db.session.get_one(IncomingMessage, incoming).text is None
    assert db.session.query(Upload).count() == 0


def test_a_letter_of_somebody_else_is_added_to_the_case_that_the_staff_names(scene: Scene) -> None:
    confirm(scene.leaders[0])
    number = take(letter(scene, f"{name(scene.entries(1)[0])}不是该单位员工，见附件。"))
    assert number is not None
    other = mail.processed(
        mail.letter(9, sender="friend@unit9.example.cn", text=f"补充材料，编号 {number}。")
    )
    assert db.session.get_one(IncomingMessage, other).state == "triage"
    with command(scene.member) as ctx:
        mailbox_service.assign(ctx, other, competition_id=scene.competition.id, case_number=number)
    mail.process(other)
    found = db.session.get_one(IncomingMessage, other)
    assert (found.state, found.case_number) == ("processed", number)


def of_reporter(number: str) -> str:
    """The Message-ID of the letter that told the reporter of his case."""
    found = db.session.scalars(
        select(Message.message_id).where(Message.key.startswith(f"objection_received {number}"))
    ).all()
    db.session.rollback()
    return found[0]


def test_a_reply_to_a_letter_of_ours_finds_its_case_without_the_number(scene: Scene) -> None:
    confirm(scene.leaders[0])
    said = f"{name(scene.entries(1)[0])}不是员工。"
    first = db.session.get_one(IncomingMessage, mail.processed(mail.letter(1, sender=SENDER, text=said)))
    number = first.case_number
    assert number is not None
    assert make.row(number).state == "incomplete"
    told = of_reporter(number)
    for place, header in enumerate(("In-Reply-To", "References"), 2):
        raw = mail.letter(
            place,
            sender=SENDER,
            subject="补充材料",
            text="见附件。",
            headers=f"{header}: <elsewhere@example.com> <{told}>\r\n",
            files=(("公函.jpg", photo()),),
        )
        found = db.session.get_one(IncomingMessage, mail.processed(raw))
        assert (found.state, found.case_number) == ("processed", number)
    assert make.row(number).lacking == []


def test_whoever_knows_a_number_or_a_letter_of_ours_reaches_no_case_and_learns_nothing(scene: Scene) -> None:
    confirm(scene.leaders[0])
    number = make.lodged(scene.leaders[0], scene.entries(1)[:1])
    told = of_reporter(number)
    steps = len(cases.case(make.row(number).id).steps)
    known = mail.processed(mail.letter(7, subject=f"Re: {number}", text="进展如何？"))
    reply = mail.processed(
        mail.letter(8, subject="Re", text="进展如何？", headers=f"In-Reply-To: <{told}>\r\n")
    )
    guess = mail.processed(mail.letter(9, subject="Re: YY2021-9999", text="进展如何？"))
    said = set()
    for place, incoming_id in enumerate((known, reply, guess), 7):
        found = db.session.get_one(IncomingMessage, incoming_id)
        assert (found.state, found.case_number) == ("triage", None)
        [answer] = db.session.scalars(
            select(Message).where(Message.key.startswith(f"mail_received:{incoming_id}:"))
        ).all()
        assert answer.recipient == f"leader{place}@unit{place}.example.cn"
        said.add(f"{answer.subject}\n{answer.body}".replace(f"LX-{incoming_id:06d}", "LX"))
    assert len(said) == 1, "the same to whoever hits a number and to whoever does not"
    assert number not in said.pop()
    assert len(cases.case(make.row(number).id).steps) == steps


def test_only_its_address_speaks_for_a_letter_that_names_a_case_and_so_it_is_not_the_units_word(
    scene: Scene,
) -> None:
    confirm(scene.leaders[0])
    said = f"{name(scene.entries(1)[0])}不是员工。"
    first = db.session.get_one(IncomingMessage, mail.processed(mail.letter(1, sender=SENDER, text=said)))
    number = first.case_number
    assert number is not None
    mail.processed(mail.letter(2, sender=SENDER, text=f"{number}：我们撤回以上说法。"))
    answer = f"In-Reply-To: <{of_reporter(number)}>\r\n"
    mail.processed(mail.letter(3, sender=SENDER, text="补充说明。", headers=answer))
    other = mail.processed(mail.letter(4, sender="friend@unit9.example.cn", text=f"{number}，寄来的。"))
    with command(scene.member) as ctx:
        mailbox_service.assign(ctx, other, competition_id=scene.competition.id, case_number=number)
    mail.process(other)
    view = cases.case(make.row(number).id)
    added = [each for each in view.steps if each.kind.value == "added"]
    assert [each.unverified for each in added] == [True, False, False]


def test_who_answers_a_letter_that_went_to_somebody_else_has_proven_nothing(scene: Scene) -> None:
    confirm(scene.leaders[0])
    said = f"{name(scene.entries(1)[0])}不是员工。"
    first = db.session.get_one(IncomingMessage, mail.processed(mail.letter(1, sender=SENDER, text=said)))
    _, of_another = mail.sent_letter("another@unit8.example.cn", scene.competition.id)
    forged = f"In-Reply-To: <{of_another}>\r\n"
    mail.processed(mail.letter(2, sender=SENDER, text=f"{first.case_number}：补充。", headers=forged))
    assert first.case_number is not None
    added = [each for each in cases.case(make.row(first.case_number).id).steps if each.kind.value == "added"]
    assert [each.unverified for each in added] == [True]
