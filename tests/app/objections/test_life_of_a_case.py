"""Any order of acts on a case, good ones and bad ones: what must never happen does not.

No way to a decision without reasons, none on which somebody reads who objected, none that loses a step.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import select

from app import clock
from app.actors import Actor
from app.audit.models import AuditEntry
from app.commands import command
from app.errors import SaishiError
from app.extensions import db
from app.objections import service
from app.objections.models import ObjectionStep
from app.objections.queries import board, own
from app.objections.queries.public import outcomes
from app.objections.rules import DECIDED, CaseState, Outcome, Requirement
from app.objections.rules.states import AFTER
from app.objections.service import Files
from app.objections.service.cases import ACTIONS
from app.registrations.rules import EntryId
from tests.app.objections.conftest import Scene
from tests.factories import objections as make

_names = itertools.count()
SURNAMES = "赵钱孙李周吴郑王冯陈"


MOSTLY = st.sampled_from([True, True, True, False])


REASONS, SUMMARY = "经核实属实。", "一名选手的姓名有误，已更正。"


class Life(RuleBasedStateMachine):
    """One case of unit 0 against the first entry of unit 1; names are corrected, so that the entry stays for the next case."""

    scene: Scene
    reached: set[CaseState]
    """Over all lives: a machine that never gets anywhere proves nothing."""

    @initialize(letter=MOSTLY, evidence=MOSTLY, taken_up=st.booleans())
    def lodge(self, letter: bool, evidence: bool, taken_up: bool) -> None:
        """Every other whole case begins taken up, or too few would live to a decision."""
        person = self.scene.leaders[0]
        self.entry = self.scene.entries(1)[0]
        files = make.papers(person, letter=letter, evidence=evidence)
        self.number = make.lodged(person, [self.entry], files=files)
        row = make.row(self.number)
        self.id, self.state, self.steps = row.id, CaseState(row.state), ["lodged"]
        self.unheard = False
        self.secrets = [row.reporter_name, row.unit_name, row.reporter_phone, row.text]
        if taken_up:
            self.act(self.scene.member, service.accept, number=self.number, revision=None)

    def act(self, by: Actor, acting: Callable[..., Any], **values: Any) -> bool:
        """Whether it was done; what is refused must leave nothing behind."""
        before = make.row(self.number).revision
        try:
            with command(by) as ctx:
                acting(ctx, slug="beach", **values)
        except SaishiError:
            assert make.row(self.number).revision == before
            return False
        return True

    @rule(letter=st.booleans(), evidence=st.booleans(), text=st.sampled_from(["", "再说明一点。"]))
    def complete(self, letter: bool, evidence: bool, text: str) -> None:
        person = self.scene.leaders[0]
        self.act(
            person,
            service.complete,
            token=make.token_of(self.number),
            text=text,
            files=make.papers(person, letter=letter, evidence=evidence) if letter or evidence else Files(),
            idempotency_key=f"life-{next(_names)}",
        )

    @rule(member=st.integers(0, 1))
    def accept(self, member: int) -> None:
        self.act(self.member(member), service.accept, number=self.number, revision=None)

    @rule(member=st.integers(0, 1))
    def send_back(self, member: int) -> None:
        values = {"requirements": [Requirement.SEAL], "reason": "看不清。"}
        self.act(self.member(member), service.ask_to_complete, number=self.number, revision=None, **values)

    @rule(
        member=st.integers(0, 1), question=st.sampled_from(["请说明用工关系。", "第1机械厂说不是员工。", ""])
    )
    def ask(self, member: int, question: str) -> None:
        values = {
            "unit_id": self.scene.units[1],
            "question": question,
            "due_at": clock.now() + timedelta(days=1),
        }
        if self.act(self.member(member), service.ask, number=self.number, revision=None, **values):
            assert question == "请说明用工关系。"

    @rule(by=st.integers(0, 2))
    def answer(self, by: int) -> None:
        for each in own.my_hearings(self.scene.competition.id, self.scene.leaders[1].user_id or 0):
            if each.number == self.number and self.act(
                self.scene.leaders[by], service.answer, hearing_id=each.id, text="是我单位员工。"
            ):
                assert by == 1

    @rule(
        member=st.integers(0, 1),
        upheld=st.booleans(),
        reasons=st.sampled_from([REASONS] * 3 + [" ", "钱试举说得对。"]),
        summary=st.sampled_from([SUMMARY] * 3 + [""]),
        unheard=st.sampled_from(["情况已经清楚。"] * 4 + [""]),
    )
    def decide(self, member: int, upheld: bool, reasons: str, summary: str, unheard: str) -> None:
        wanted = make.decision(
            upheld,
            outcomes={EntryId(self.entry): Outcome.CORRECTED},
            names={EntryId(self.entry): (f"{SURNAMES[next(_names) % 10]}试{SURNAMES[next(_names) % 10]}更",)},
            reasons=reasons,
            summary=summary,
            unheard=unheard,
        )
        seen = make.row(self.number).revision
        if self.act(self.member(member), service.decide, number=self.number, revision=seen, decision=wanted):
            assert (reasons, bool(summary)) == (REASONS, True)
            self.unheard = bool(unheard)

    @rule(
        how=st.sampled_from(["refuse", "recuse", "withdraw"]),
        who=st.integers(0, 2),
        reason=st.sampled_from(["不符。", "不符。", ""]),
    )
    def end(self, how: str, who: int, reason: str) -> None:
        """One rule for what ends a case, or a member's part in it: else hardly any would live to a decision."""
        person = self.member(who % 2)
        if how == "withdraw":
            if self.act(self.scene.leaders[who], service.withdraw, token=make.token_of(self.number)):
                assert who == 0
        elif how == "recuse":
            before = make.row(self.number).revision
            if self.act(person, service.recuse, number=self.number, reason=reason):
                assert reason or make.row(self.number).revision == before, "again is nothing more"
                assert not self.act(person, service.read, number=self.number)
        else:
            values = {"revision": None, "requirements": [Requirement.EVIDENCE], "reason": reason}
            if self.act(person, service.refuse, number=self.number, **values):
                assert reason

    @invariant()
    def every_step_is_kept_and_audited(self) -> None:
        steps = list(
            db.session.scalars(
                select(ObjectionStep.kind)
                .where(ObjectionStep.objection_id == self.id)
                .order_by(ObjectionStep.id)
            )
        )
        assert steps[: len(self.steps)] == self.steps
        assert len(steps) == make.row(self.number).revision
        audited = db.session.scalars(
            select(AuditEntry.action).where(
                AuditEntry.subject_type == "Objection",
                AuditEntry.subject_id == str(self.id),
                AuditEntry.action.in_([each.value for each in ACTIONS.values()]),
            )
        ).all()
        assert len(audited) == len(steps)
        self.steps = steps

    @invariant()
    def it_goes_only_where_it_may_and_is_decided_with_reasons(self) -> None:
        row = make.row(self.number)
        now = CaseState(row.state)
        assert now is self.state or now in AFTER[self.state]
        self.state = now
        self.reached.add(now)
        assert bool(row.lacking) == (now is CaseState.INCOMPLETE) or not AFTER[now]
        if now in DECIDED:
            assert row.decision
            assert row.decision.strip()
            assert row.summary
            assert self.unheard or "hearing_answered" in self.steps

    @invariant()
    def nobody_else_reads_who_objected(self) -> None:
        competition = self.scene.competition
        token = make.token_of(self.number)
        shown = [
            repr(own.my_hearings(competition.id, self.scene.leaders[1].user_id or 0)),
            *(
                # the list itself names every unit, as it does for everybody
                repr(replace(own.receipt(competition.id, token, reader), against=None))
                for reader in (None, self.scene.leaders[1].user_id)
            ),
            repr(outcomes(competition.event.id)),
            repr(board.queue(competition.id, self.scene.leaders[1].user_id)),
            *(
                str(details)
                for details in db.session.scalars(
                    select(AuditEntry.details).where(AuditEntry.subject_type == "Objection")
                )
            ),
        ]
        assert not [secret for secret in self.secrets for text in shown if str(secret) in text]

    def member(self, place: int) -> Actor:
        return (self.scene.member, self.scene.colleague)[place]


WAYS: tuple[Callable[[Life], None], ...] = (
    lambda life: life.end(how="refuse", who=0, reason="不符。"),
    lambda life: life.end(how="withdraw", who=0, reason=""),
    lambda life: life.decide(
        member=0, upheld=True, reasons=REASONS, summary=SUMMARY, unheard="情况已经清楚。"
    ),
    lambda life: life.decide(
        member=1, upheld=False, reasons=REASONS, summary=SUMMARY, unheard="情况已经清楚。"
    ),
)
"""The straight ways to the states that a life seldom gets to by chance."""


def _walk(way: Callable[[Life], None]) -> None:
    life = Life()
    life.lodge(letter=True, evidence=True, taken_up=True)
    for step in (lambda _: None, way):
        step(life)
        life.every_step_is_kept_and_audited()
        life.it_goes_only_where_it_may_and_is_decided_with_reasons()
        life.nobody_else_reads_who_objected()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_in_whatever_order_it_is_handled(scene: Scene) -> None:
    """On one engine: what is compared is the same rows."""
    Life.scene, Life.reached = scene, set()
    for way in WAYS:
        _walk(way)
    run_state_machine_as_test(
        Life,
        settings=settings(
            max_examples=12,
            stateful_step_count=16,
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert Life.reached == set(CaseState)
