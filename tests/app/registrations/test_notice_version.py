"""A new text of the privacy notice asks for a new agreement; what was entered before stays, and an old agreement stays on record."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.commands import command
from app.competitions import queries as competitions
from app.extensions import db
from app.registrations import queries, service
from app.registrations.models import Consent
from app.registrations.rules import NOTICE_VERSION
from app.registrations.rules.refusals import ConsentMissingError
from tests.factories import accounts, registrations

EARLIER = "2026-12"
"""The text that said nothing of e-mail addresses."""


def test_who_agreed_to_an_earlier_text_is_asked_again_and_finds_what_he_entered(
    app: Flask, client: FlaskClient
) -> None:
    assert EARLIER != NOTICE_VERSION
    with app.app_context():
        registrations.competition()
        leader = registrations.leader(1)
        registrations.member(leader, 1)
        consent = db.session.query(Consent).filter_by(user_id=leader.user_id).one()
        consent.notice_version = EARLIER
        db.session.commit()
        here = competitions.competition("beach")
        assert not queries.my(leader.user_id or 0, here).consented
        with pytest.raises(ConsentMissingError), command(leader) as ctx:
            service.require_consent(ctx, "beach")
    accounts.sign_in(client, leader)
    page = client.get("/c/beach/enter/notice").get_data(as_text=True)
    assert "邮箱" in page
    assert "声明有更新" in page
    assert client.post("/c/beach/enter/notice", data={"agreed": "1"}).status_code == 303
    with app.app_context():
        mine = queries.my(leader.user_id or 0, here)
        assert mine.consented
        assert len(mine.members) == 1
        versions = {
            each.notice_version for each in db.session.query(Consent).filter_by(user_id=leader.user_id)
        }
        assert versions == {EARLIER, NOTICE_VERSION}
    assert "声明有更新" not in client.get("/c/beach/enter/notice").get_data(as_text=True)


def test_who_never_agreed_reads_of_no_update(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        registrations.competition()
        person = accounts.user(5)
    accounts.sign_in(client, person)
    assert "声明有更新" not in client.get("/c/beach/enter/notice").get_data(as_text=True)
