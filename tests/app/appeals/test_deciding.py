"""An appeal is heard, decided and carried out: the sheet, the standings and the fee follow."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from app.actors import SYSTEM, Role
from app.appeals import service
from app.appeals.queries import cases, effects, ledger, own
from app.appeals.rules import Correction, Decision, Subject
from app.appeals.rules.refusals import (
    AppealConflictError,
    AppealInvalidError,
    AppealStateError,
    FeeMissingError,
    OralUnconfirmedError,
)
from app.commands import command
from app.draws import queries as draws
from app.errors import ForbiddenError
from app.extensions import db
from app.notifications.models import Message
from app.results import queries as results
from app.standings import queries as standings
from app.standings import service as standings_service
from tests.app.appeals.conftest import END, Scene, Travel
from tests.factories import accounts, rulings
from tests.factories import appeals as make
from tests.factories import results as results_factory

CLAUSE = "四(二)8(十)"


def decision(upheld: bool = True, **changes: Any) -> Decision:
    values: dict[str, Any] = {
        "upheld": upheld,
        "reasons": "经查记分表和双方陈述，第 1 副的胜方记反。" if upheld else "记录与双方签认一致。",
        "summary": "一副牌的胜方更正。" if upheld else "成绩记录无误。",
    }
    return Decision(**(values | changes))


def decided(number: str, scene: Scene, wanted: Decision, revision: int | None = None) -> None:
    seen = make.row(number).revision if revision is None else revision
    with command(scene.arbiter) as ctx:
        service.decide(ctx, slug="beach", number=number, revision=seen, decision=wanted)


def heard(scene: Scene, seat: int = 0) -> str:
    return make.heard(make.received(scene.table, END, scene.leader(seat), seat=seat), scene.arbiter)


def other_deals(scene: Scene) -> tuple[dict[str, Any], ...]:
    """The sheet of the first table with every deal won by the defenders."""
    found = results.sheet(scene.table.token).deals
    return tuple({**deal, "winner": "defenders"} for deal in found)


def points(scene: Scene) -> dict[str, int]:
    with command(SYSTEM) as ctx:
        standings_service.recompute(ctx, scene.event_id)
    snapshot = standings.latest(scene.event_id)
    assert snapshot is not None
    return {each["entrant"]: each["rank"] for each in snapshot.result["placings"]}


def test_upheld_the_sheet_is_corrected_the_standings_follow_and_the_fee_is_due_back(scene: Scene) -> None:
    number = heard(scene)
    before = points(scene)
    decided(number, scene, decision(correction=Correction(deals=other_deals(scene))))
    row = make.row(number)
    assert (row.state, row.clause) == ("upheld", CLAUSE)
    sheet = results.sheet(scene.table.token)
    assert row.outcome == {"sheet_revision": sheet.revision}
    assert all(deal["winner"] == "defenders" for deal in sheet.deals)
    assert points(scene) != before
    view = ledger.ledger(scene.competition.id)
    assert [(each.appeal, each.kind) for each in view.due] == [(number, "refunded")]
    assert view.totals.held == make.FEE


def test_dismissed_the_fee_is_kept_and_nothing_changes(scene: Scene) -> None:
    number = heard(scene)
    before = points(scene)
    decided(number, scene, decision(upheld=False))
    view = ledger.ledger(scene.competition.id)
    assert (view.totals.kept, view.totals.held, view.due) == (make.FEE, 0, ())
    assert points(scene) == before
    assert results.sheet(scene.table.token).revision == 1


def test_an_earlier_score_is_put_in_force_again(scene: Scene) -> None:
    first = heard(scene)
    original = results.sheet(scene.table.token).deals
    decided(first, scene, decision(correction=Correction(deals=other_deals(scene))))
    second = make.said(scene.table, END, seat=1)
    make.handed_in(scene.table, scene.leader(1), seat=1)
    make.paid(second)
    make.heard(second, scene.arbiter)
    with pytest.raises(AppealInvalidError) as refusal:
        decided(second, scene, decision(correction=Correction(revision=2)))
    assert set(refusal.value.fields) == {"correction"}, "it is in force"
    decided(second, scene, decision(correction=Correction(revision=1)))
    assert results.sheet(scene.table.token).deals == original


def test_an_appeal_upheld_after_the_next_draw_shows_its_impact_first_and_keeps_the_seats(
    scene: Scene, travel: Travel
) -> None:
    number = heard(scene)
    points(scene)
    with command(results_factory.chief()) as ctx:
        standings_service.draw_stage(ctx, scene.event_id)
    later = draws.rounds(scene.event_id)[-1]
    assert later.stage != scene.round.stage
    seats = [table.seats for table in later.tables]
    corrected = Correction(deals=other_deals(scene))
    effect = effects.effect_of(make.row(number).id, correction=corrected, withdrawn=())
    assert effect.refusal is None
    assert effect.document is not None
    assert effect.document["placings"]
    assert results.sheet(scene.table.token).revision == 1, "a preview stores nothing"
    decided(number, scene, decision(correction=corrected))
    assert [table.seats for table in draws.rounds(scene.event_id)[-1].tables] == seats
    assert results.sheet(scene.table.token).revision == 2


def test_an_appeal_upheld_days_after_the_final_works(scene: Scene, travel: Travel) -> None:
    number = heard(scene)
    for _ in range(2):
        points(scene)
        with command(results_factory.chief()) as ctx:
            standings_service.draw_stage(ctx, scene.event_id)
        results_factory.all_confirmed(scene.event_id)
    travel(END + timedelta(days=5))
    before = points(scene)
    final = draws.rounds(scene.event_id)[-1]
    assert final.stage == "final"
    decided(number, scene, decision(correction=Correction(deals=other_deals(scene))))
    assert points(scene) == before, "places of the final are by its own score"
    assert make.row(number).state == "upheld"


def test_another_measure_is_said_in_words(scene: Scene) -> None:
    number = heard(scene)
    with pytest.raises(AppealInvalidError) as refusal:
        decided(number, scene, decision())
    assert set(refusal.value.fields) == {"measure"}
    decided(number, scene, decision(measure="对当事裁判员予以批评。"))
    assert make.row(number).outcome == {"measure": "对当事裁判员予以批评。"}


def test_a_summary_for_the_public_names_nobody(scene: Scene) -> None:
    number = heard(scene)
    seat = scene.table.seats[1]
    for summary in (f"{seat.name}的成绩更正。", "请致电 13900000001。"):
        with pytest.raises(AppealInvalidError) as refusal:
            decided(number, scene, decision(measure="警告。", summary=summary))
        assert set(refusal.value.fields) == {"summary"}
    with pytest.raises(AppealInvalidError) as refusal:
        decided(number, scene, decision(upheld=False, measure="警告。"))
    assert set(refusal.value.fields) == {"upheld"}
    decided(number, scene, decision(measure="警告。", summary="一名选手的成绩更正。"))
    (shown,) = own.outcomes(scene.event_id)
    assert (shown.number, shown.upheld, shown.summary) == (number, True, "一名选手的成绩更正。")


def test_nothing_is_heard_before_the_fee_is_registered_and_the_oral_appeal_confirmed(scene: Scene) -> None:
    made = make.handed_in(scene.table, scene.leader(), oral_at=END)
    number = make.number_of(made.appeal_id)
    with pytest.raises(OralUnconfirmedError) as refusal:
        make.heard(number, scene.arbiter)
    assert refusal.value.clause == CLAUSE
    make.said(scene.table, END)
    with pytest.raises(FeeMissingError) as missing:
        make.heard(number, scene.arbiter)
    assert missing.value.clause == CLAUSE
    make.paid(number)
    make.heard(number, scene.arbiter)
    assert make.row(number).state == "heard"


def test_an_appeal_is_heard_before_it_is_decided_and_decided_once(scene: Scene) -> None:
    number = make.received(scene.table, END, scene.leader())
    with pytest.raises(AppealStateError):
        decided(number, scene, decision(upheld=False))
    make.heard(number, scene.arbiter)
    decided(number, scene, decision(upheld=False))
    with pytest.raises(AppealStateError):
        decided(number, scene, decision(upheld=False))


def test_both_sides_are_told_of_hearing_and_decision(scene: Scene) -> None:
    number = make.received(scene.table, END, scene.leader())
    with command(scene.arbiter) as ctx:
        service.set_hearing(
            ctx, slug="beach", number=number, revision=None, at=END + timedelta(hours=1), place="竞赛办公室"
        )
    make.heard(number, scene.arbiter)
    decided(number, scene, decision(upheld=False))
    chief = results_factory.chief()
    told = {
        kind: {each.user_id for each in db.session.query(Message).filter_by(kind=kind)}
        for kind in ("appeal_hearing", "appeal_decided")
    }
    leaders = {scene.leader(seat).user_id for seat in range(3)}
    assert told["appeal_hearing"] == leaders
    assert told["appeal_decided"] == leaders
    assert chief.user_id not in leaders


def test_the_committee_is_told_and_the_organiser_where_nobody_is_free(scene: Scene) -> None:
    number = make.received(scene.table, END, scene.leader())
    told = {each.user_id for each in db.session.query(Message).filter_by(kind="appeal_to_committee")}
    assert told == {scene.arbiter.user_id, scene.colleague.user_id}
    for who in (scene.arbiter, scene.colleague):
        with command(who) as ctx:
            service.recuse(ctx, slug="beach", number=number, reason="与当事人同单位。")
    assert db.session.query(Message).filter_by(kind="appeal_to_committee").count() == 3
    with pytest.raises(AppealConflictError), command(scene.arbiter) as ctx:
        service.read(ctx, slug="beach", number=number)


def test_whoever_judged_at_the_table_or_leads_there_does_not_arbitrate(scene: Scene) -> None:
    number = make.received(scene.table, END, scene.leader())
    slug_id = scene.competition.id
    concerned = [results_factory.REFEREE, results_factory.CHIEF]
    results_factory.chief()
    for serial in concerned:
        who = accounts.user(serial, Role.ARBITRATION, competition_id=slug_id)
        with pytest.raises(AppealConflictError), command(who) as ctx:
            service.read(ctx, slug="beach", number=number)
    leader = scene.leader(1)
    grants = leader.grants | {(slug_id, Role.ARBITRATION)}
    with pytest.raises(AppealConflictError), command(replace(leader, grants=grants)) as ctx:
        service.read(ctx, slug="beach", number=number)


def test_only_the_arbitration_committee_hears_and_decides(scene: Scene) -> None:
    number = heard(scene)
    for who in (results_factory.chief(), results_factory.referee(), scene.leader()):
        with pytest.raises(ForbiddenError), command(who) as ctx:
            service.decide(
                ctx,
                slug="beach",
                number=number,
                revision=make.row(number).revision,
                decision=decision(upheld=False),
            )


def test_the_record_holds_every_step(scene: Scene) -> None:
    number = heard(scene)
    decided(number, scene, decision(upheld=False))
    kinds = [each.kind.value for each in cases.case(make.row(number).id).steps]
    assert kinds == ["oral_logged", "written", "fee_received", "heard", "dismissed", "fee_kept"]


def test_a_ruling_that_is_withdrawn_is_out_of_the_standings(scene: Scene) -> None:
    clean = rulings.standing()
    (ruling_id,) = rulings.given(scene.table, "smoking", results_factory.seats(scene.table)[0])
    assert rulings.standing() != clean
    number = make.said(scene.table, END, matter=make.matter(scene.table, subject=Subject.RULING))
    make.handed_in(
        scene.table,
        scene.leader(),
        matter=make.matter(scene.table, subject=Subject.RULING, ruling_id=ruling_id),
    )
    make.paid(number)
    make.heard(number, scene.arbiter)
    row = make.row(number)
    assert row.ruling_id == ruling_id
    (effect,) = effects.effects(row.id)
    assert (effect.ruling_id, effect.refusal) == (ruling_id, None)
    assert effect.document is not None
    assert effect.document["tables"], "its points change"
    with pytest.raises(AppealInvalidError) as refusal:
        decided(number, scene, decision(withdrawn=(ruling_id + 1,)))
    assert set(refusal.value.fields) == {"withdrawn"}
    decided(number, scene, decision(withdrawn=(ruling_id,)))
    assert make.row(number).outcome == {"withdrawn": [ruling_id]}
    assert rulings.standing() == clean
    assert effects.effects(row.id) == (), "nothing is left to decide"
