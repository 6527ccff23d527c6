"""Any order of acts on the sheets of a round, good ones and bad ones, under any terms: what must never happen does not.

No way to a public result that nobody confirmed, none that loses a revision or changes one, none that puts into the standings anything but
what is public.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import delete, select

from app import clock
from app.actors import ANONYMOUS, Actor, Role
from app.audit.actions import AuditAction
from app.commands import command
from app.competitions import queries as competitions
from app.draws.queries import RoundView, TableView
from app.errors import SaishiError
from app.extensions import db
from app.floor import queries as floor
from app.floor.models import FloorTerms, RefereeCall, RoundRun
from app.floor.rules import Confirmation, Publication
from app.results import queries, service
from app.results.models import BlindEntry, Sheet, SheetConfirmation, SheetRevision, SheetTakeover
from app.results.rules import Content, SheetState
from app.results.rules.confirming import Decision
from app.results.service import Sent, Voice
from app.standings import queries as standings
from tests.factories import accounts, results, sheets
from tests.factories.publications import Travel

_keys = itertools.count()
PLACES = st.integers(0, 1)
CONFIRMATIONS = st.sampled_from(
    [Confirmation.PLAYERS, Confirmation.BLIND, Confirmation.PLAYERS, Confirmation.AT_TABLE]
)
MOSTLY = st.sampled_from([True, True, True, False])
BIDS = st.integers(1, 3)
REASON = "核对原牌"


class Life(RuleBasedStateMachine):
    """The sheets of one round, by two referees and a chief referee, on two devices; its third table is settled from the start."""

    round: RoundView
    cards: dict[int, Any]
    referees: tuple[Actor, Actor]
    chief: Actor
    reached: set[str]
    """Over all lives: a machine that never gets anywhere proves nothing."""
    start: Any
    travel: Travel

    @initialize(confirmation=CONFIRMATIONS, publication=st.sampled_from(Publication), handed_in=st.booleans())
    def begin(self, confirmation: Confirmation, publication: Publication, handed_in: bool) -> None:
        """Every other life begins with what is handed in, or too few would live to a decision."""
        for model in (BlindEntry, SheetTakeover, SheetConfirmation, SheetRevision, Sheet):
            db.session.execute(delete(model))
        for floor_model in (RefereeCall, RoundRun, FloorTerms):
            db.session.execute(delete(floor_model))
        db.session.commit()
        self.travel(self.start)
        sheets.terms(self.round.event_id, confirmation=confirmation, publication=publication)
        self.confirmation = confirmation
        self.seen: dict[tuple[int, int], str] = {}
        self.version = competitions.event(self.round.event_id).results_version
        self.in_force: dict[int, Content] = {}
        self.correct(2, 1)
        if handed_in:
            for place in range(2):
                self.hand_in(place, 0, 1)

    def act(self, by: Actor, acting: Callable[..., Any], *values: Any, **more: Any) -> bool:
        """Whether it was done; what is refused must leave nothing behind."""
        before = self.stored()
        try:
            with command(by) as ctx:
                acting(ctx, *values, **more)
        except SaishiError:
            assert self.stored() == before
            return False
        return True

    def stored(self) -> list[tuple[Any, ...]]:
        rows = db.session.execute(
            select(
                Sheet.table_id,
                Sheet.state,
                Sheet.revision,
                Sheet.confirmed_revision,
                Sheet.published_revision,
                Sheet.holder_device,
            ).order_by(Sheet.id)
        )
        return [tuple(row) for row in rows]

    def table(self, place: int) -> TableView:
        return self.round.tables[place]

    def sent(self, table: TableView, stale: bool = False, device: str | None = None) -> Sent:
        revision = queries.sheet(table.token).revision
        return Sent(revision - 1 if stale else revision, f"life-{next(_keys):08d}", device_id=device)

    def referee(self, which: int) -> Actor:
        return self.referees[which]

    # --- at the table ---

    @rule(
        place=PLACES,
        which=PLACES,
        bid=BIDS,
        stale=st.booleans(),
        device=st.sampled_from([None, "phone-1", "phone-2"]),
    )
    def record(self, place: int, which: int, bid: int, stale: bool, device: str | None) -> None:
        table = self.table(place)
        self.act(
            self.referee(which),
            service.record_sheet,
            table.token,
            deals=results.deals(table, bid=bid)[:4],
            handed_in=False,
            sent=self.sent(table, stale, device),
        )

    @rule(place=PLACES, which=PLACES, device=st.sampled_from(["phone-1", "phone-2"]))
    def take_over(self, place: int, which: int, device: str) -> None:
        self.act(
            self.referee(which), service.take_over, self.table(place).token, device=device, reason="手机没电"
        )

    @rule(place=PLACES, which=PLACES, bid=BIDS)
    def hand_in(self, place: int, which: int, bid: int) -> None:
        table = self.table(place)
        done = self.act(
            self.referee(which),
            service.record_sheet,
            table.token,
            deals=results.deals(table, bid=bid),
            handed_in=True,
            sent=self.sent(table),
        )
        if done and self.confirmation is not Confirmation.AT_TABLE:
            assert queries.sheet(table.token).state is SheetState.ENTERED

    def hand_in_if(self, ready: bool, place: int) -> None:
        """Acts on what is handed in would mostly find nothing."""
        if ready:
            self.hand_in(place, 0, 1)

    # --- whoever confirms ---

    @rule(place=PLACES, seat=st.integers(0, 3), stale=st.booleans())
    def confirm(self, place: int, seat: int, stale: bool) -> None:
        """``seat`` 3 is a player of the other table, who must not be heard."""
        table = self.table(place)
        entry = sheets.sides(table)[seat] if seat < 3 else sheets.sides(self.table(1 - place))[0]
        revision = queries.sheet(table.token).revision
        done = self.act(
            ANONYMOUS,
            service.confirm,
            table.token,
            voice=Voice(card=self.cards[entry].token),
            revision=max(1, revision - 1) if stale else revision,
            key=f"life-{next(_keys):08d}",
        )
        assert not (done and seat == 3)

    @rule(place=PLACES, ready=st.booleans())
    def confirm_all(self, place: int, ready: bool) -> None:
        self.hand_in_if(ready, place)
        for seat in range(3):
            self.confirm(place, seat, stale=False)

    @rule(place=PLACES, seat=st.integers(0, 2), ready=st.booleans())
    def dispute(self, place: int, seat: int, ready: bool) -> None:
        self.hand_in_if(ready, place)
        table = self.table(place)
        before = queries.sheet(table.token)
        done = self.act(
            self.referee(0),
            service.dispute,
            table.token,
            voice=Voice(entry_id=sheets.sides(table)[seat]),
            note="第三副记错",
            revision=before.revision,
            key=f"life-{next(_keys):08d}",
        )
        if done:
            assert queries.sheet(table.token).state is SheetState.DISPUTED
            assert not before.in_force
            assert any(call.table.id == table.id for call in floor.open_calls(table.event_id))
            self.reached.add("disputed")

    @rule(place=PLACES, chief=MOSTLY, ready=MOSTLY)
    def uphold(self, place: int, chief: bool, ready: bool) -> None:
        self.decide(place, Decision.UPHOLD, chief, ready)

    @rule(place=PLACES, chief=MOSTLY, ready=MOSTLY)
    def send_back(self, place: int, chief: bool, ready: bool) -> None:
        self.decide(place, Decision.SEND_BACK, chief, ready)

    def decide(self, place: int, decision: Decision, chief: bool, ready: bool) -> None:
        if ready:
            self.dispute(place, 0, ready)
        table = self.table(place)
        done = self.act(
            self.chief if chief else self.referee(0),
            service.decide_dispute,
            table.token,
            decision=decision,
            reason=REASON,
            sent=self.sent(table),
        )
        assert chief or not done
        if done:
            self.reached.add(decision.value)

    @rule(place=PLACES, which=PLACES, same=st.booleans(), ready=st.booleans())
    def enter_blind(self, place: int, which: int, same: bool, ready: bool) -> None:
        self.hand_in_if(ready, place)
        table = self.table(place)
        view = queries.sheet(table.token)
        deals = list(view.deals) if same else results.deals(table, bid=2)
        done = self.act(
            self.referee(which), service.enter_blind, table.token, deals=deals, sent=self.sent(table)
        )
        if done:
            assert self.confirmation is Confirmation.BLIND
            assert self.referee(which).user_id not in queries.writers(view)
            self.reached.add("entered blind")

    @rule(place=PLACES, whole=st.booleans())
    def confirm_for(self, place: int, whole: bool) -> None:
        table = self.table(place)
        self.act(
            self.chief,
            service.confirm_for,
            table.token,
            entry_id=None if whole else sheets.sides(table)[0],
            reason="已离开赛场",
            revision=queries.sheet(table.token).revision,
            key=f"life-{next(_keys):08d}",
        )

    # --- the chief referee ---

    @rule(chief=MOSTLY)
    def publish(self, chief: bool) -> None:
        table = self.table(0)
        by = self.chief if chief else self.referee(1)
        done = self.act(by, service.publish_round, table.event_id, table.stage, table.round_number)
        assert chief or not done

    @rule(place=PLACES)
    def reopen(self, place: int) -> None:
        table = self.table(place)
        if self.act(self.chief, service.reopen, table.token, reason=REASON, sent=self.sent(table)):
            self.reached.add("reopened")

    @rule(place=PLACES)
    def restore(self, place: int) -> None:
        table = self.table(place)
        if self.act(self.chief, service.restore, table.token, reason=REASON, sent=self.sent(table)):
            self.reached.add("restored")

    @rule(place=PLACES, bid=BIDS)
    def correct(self, place: int, bid: int) -> None:
        table = self.table(place)
        assert self.act(
            self.chief,
            service.correct,
            table.token,
            deals=results.deals(table, bid=bid),
            reason=REASON,
            act=AuditAction.SHEET_REVISED,
            key=f"life-{next(_keys):08d}",
        )

    @rule(minutes=st.sampled_from([1, 9, 11]))
    def time_passes(self, minutes: int) -> None:
        self.travel(clock.now() + timedelta(minutes=minutes))

    # --- what always holds ---

    @invariant()
    def nothing_is_public_that_was_not_confirmed(self) -> None:
        for table in self.round.tables:
            view = queries.sheet(table.token)
            assert view.published_revision in (None, view.confirmed_revision)
            if view.published_revision is None:
                continue
            self.reached.add("published")
            words = db.session.scalars(
                select(SheetConfirmation).where(
                    SheetConfirmation.sheet_id.in_(select(Sheet.id).where(Sheet.table_id == table.id)),
                    SheetConfirmation.revision == view.published_revision,
                )
            ).all()
            blind = db.session.scalars(
                select(BlindEntry.equal).where(
                    BlindEntry.sheet_id.in_(select(Sheet.id).where(Sheet.table_id == table.id)),
                    BlindEntry.revision == view.published_revision,
                )
            ).all()
            public = queries.revisions(table.token)[view.published_revision - 1]
            assert public.handed_in
            judged = public.reason is not None or any(each.said == "decided" for each in words)
            sides = {each.entry_id for each in words if each.said == "confirmed"} >= set(sheets.sides(table))
            at_table = self.confirmation is Confirmation.AT_TABLE
            assert judged or at_table or sides or any(blind)
            assert view.state is not SheetState.CONFIRMED or view.confirmed_revision == view.revision

    @invariant()
    def revisions_only_grow(self) -> None:
        for table in self.round.tables:
            told = queries.revisions(table.token)
            assert [each.number for each in told] == list(range(1, len(told) + 1))
            assert queries.sheet(table.token).revision == len(told)
            for each in told:
                said = json.dumps([each.deals, each.outcome, each.reason, each.handed_in], default=str)
                assert self.seen.setdefault((table.id, each.number), said) == said
            known = [number for table_id, number in self.seen if table_id == table.id]
            assert len(known) == len(told), "a revision that was there is gone"

    @invariant()
    def standings_read_what_is_public_and_are_told_of_every_change(self) -> None:
        event_id = self.round.event_id
        in_force = queries.in_force(event_id)
        views = {table.id: queries.sheet(table.token) for table in self.round.tables}
        assert in_force == {
            table_id: view.published for table_id, view in views.items() if view.published is not None
        }
        file = standings.event_file(event_id)
        played = [table for stage in file["stages"] for part in stage["rounds"] for table in part["tables"]]
        by_number = {table.number: table.id for table in self.round.tables}
        for table in played:
            content = in_force.get(by_number[table["number"]])
            assert table.get("deals") == (None if content is None else list(content.deals))
        version = competitions.event(event_id).results_version
        assert version > self.version or in_force == self.in_force
        self.version, self.in_force = version, in_force
        progress = queries.progress(event_id)
        assert progress.confirmed == sum(view.in_force for view in views.values())

    @invariant()
    def the_round_is_public_with_its_last_table_and_not_before(self) -> None:
        moments = floor.run(self.round.id).moments
        public = all(queries.sheet(table.token).published_revision for table in self.round.tables)
        assert (moments.published_at is not None) <= public
        if all(queries.sheet(table.token).in_force for table in self.round.tables):
            assert moments.published_at is not None
            assert moments.ended_at is not None
            self.reached.add("round public")


def test_no_order_of_acts_publishes_what_is_unconfirmed_or_loses_a_revision(
    session: Any, travel: Travel
) -> None:
    Life.round = results.prelim(travel, 9)
    Life.cards = sheets.cards(Life.round.event_id)
    beach = competitions.competition_id("beach")
    Life.referees = results.referee(), accounts.user(9102, Role.REFEREE, competition_id=beach)
    Life.chief = results.chief()
    Life.reached, Life.start, Life.travel = set(), clock.now(), staticmethod(travel)
    run_state_machine_as_test(
        Life,
        settings=settings(
            max_examples=16,
            stateful_step_count=14,
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert Life.reached >= {"published", "disputed", "uphold", "send_back", "reopened", "entered blind"}
