"""What is written in an appeal is for the committee and who appeals; with the personal data of the competition it goes."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import select

from app.actors import SYSTEM, Actor
from app.appeals import service
from app.appeals.models import AppealFile, AppealRecusal, AppealStep, FeeEntry
from app.appeals.queries import cases, ledger, own
from app.appeals.rules import FeeWay
from app.appeals.rules.refusals import UnknownAppealError
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.documents.service import purging
from app.extensions import db
from app.text import BEIJING
from tests.app.appeals.conftest import END, Scene, Travel
from tests.app.appeals.test_deciding import decided, decision, heard
from tests.factories import accounts, results
from tests.factories import appeals as make

DAY = datetime(2022, 3, 6, 3, 40, tzinfo=BEIJING)
"""When the personal data of the competition is deleted."""


def file_of(number: str) -> int:
    return int(
        db.session.scalars(select(AppealFile.id).where(AppealFile.appeal_id == make.row(number).id)).one()
    )


@pytest.mark.parametrize("who", ["referee", "chief", "other leader", "stranger"])
def test_a_file_is_there_for_the_committee_and_who_appeals_alone(scene: Scene, who: str) -> None:
    number = heard(scene)
    file_id = file_of(number)
    for reader in (scene.arbiter, scene.leader()):
        with command(reader) as ctx:
            assert service.look(ctx, slug="beach", file_id=file_id, page=1, what="preview")
    reader = {
        "referee": results.referee,
        "chief": results.chief,
        "other leader": lambda: scene.leader(1),
        "stranger": lambda: accounts.user(8888),
    }[who]()
    with pytest.raises(UnknownAppealError), command(reader) as ctx:
        service.look(ctx, slug="beach", file_id=file_id, page=1, what="preview")


def test_who_read_a_case_is_on_record_once_in_a_while(scene: Scene) -> None:
    number = heard(scene)
    for _ in range(3):
        with command(scene.arbiter) as ctx:
            appeal_id = service.read(ctx, slug="beach", number=number)
    assert len(cases.access_log(appeal_id)) == 1


def test_neither_audit_nor_views_hold_what_was_written(scene: Scene) -> None:
    number = heard(scene)
    decided(number, scene, decision(measure="警告。"))
    entries = db.session.scalars(select(AuditEntry).where(AuditEntry.action.like("appeal%"))).all()
    assert {each.action for each in entries} >= {
        AuditAction.APPEAL_HANDED_IN.value,
        AuditAction.APPEAL_UPHELD.value,
    }
    view = cases.case(make.row(number).id)
    shown = repr(view) + repr(own.receipt(scene.competition.id, make.row(number).token, None))
    for secret in ("防守方胜", "双方到场", "经查", "警告"):
        assert not any(secret in str(each.details) for each in entries), secret
        assert secret not in shown or secret == "警告", secret


def test_a_receipt_shows_a_stranger_the_state_and_nothing_written(scene: Scene) -> None:
    number = heard(scene)
    token = make.row(number).token
    for reader, sees in ((scene.leader(), True), (scene.leader(1), False), (accounts.user(8888), False)):
        view = own.receipt(scene.competition.id, token, reader.user_id)
        assert (view.text is not None, bool(view.papers), bool(view.fees)) == (sees, sees, sees)


def act_as(who: Actor, token: str) -> None:
    with command(who) as ctx:
        service.withdraw(ctx, slug="beach", token=token)


def test_a_receipt_alone_withdraws_nothing_that_has_an_account(scene: Scene) -> None:
    number = heard(scene)
    with pytest.raises(UnknownAppealError):
        act_as(accounts.user(8888), make.row(number).token)
    act_as(scene.leader(), make.row(number).token)
    assert make.row(number).state == "withdrawn"


def purge(competition_id: int) -> None:
    more: Any = True
    while more:
        with command(SYSTEM) as ctx:
            more = purging.take_out(ctx, competition_id, purge_days=90)


def test_nothing_of_an_appeal_but_number_state_summary_and_sums_is_left(scene: Scene, travel: Travel) -> None:
    number = make.said(scene.table, END)
    make.handed_in(scene.table, scene.leader())
    make.paid(number, way=FeeWay.TRANSFER, reference="尾号 0001")
    with command(scene.colleague) as ctx:
        service.recuse(ctx, slug="beach", number=number, reason="与当事人同单位。")
    make.heard(number, scene.arbiter)
    decided(number, scene, decision(measure="警告当事人。"))
    running = make.said(scene.table, END, seat=1)
    purge(scene.competition.id)
    assert make.row(number).text, "its day has not come"
    travel(DAY)
    purge(scene.competition.id)
    row = make.row(number)
    assert (row.state, row.summary) == ("upheld", "一副牌的胜方更正。")
    assert not any([row.text, row.minutes, row.decision, row.user_id, row.outcome])
    assert not db.session.scalars(select(AppealFile)).all()
    assert not any(each.text for each in db.session.scalars(select(AppealStep)))
    assert not any(each.reason for each in db.session.scalars(select(AppealRecusal)))
    assert not any(each.reference for each in db.session.scalars(select(FeeEntry)))
    assert make.row(running).state == "withdrawn", "nobody could decide it any more"
    assert ledger.ledger(scene.competition.id).totals.received == make.FEE
