"""What happens at once, with real threads and locks: a ruling is withdrawn once, given once, and never charges what nobody saw."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from app.commands import command
from app.draws.queries import TableView
from app.draws.rules import entry_of
from app.rulings import queries, service
from app.rulings.rules import AlreadyExpelledError, AlreadyWithdrawnError, CostChangedError
from scoring_engine.values import EntrantId
from tests.app.documents.test_leaving_races import in_the_middle
from tests.factories import results, rulings
from tests.factories.publications import Travel

postgresql = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
"""SQLite lets one command begin after another, so nothing is in the middle."""


@pytest.fixture
def table(app: Flask, travel: Travel) -> TableView:
    with app.app_context():
        return results.prelim(travel).tables[0]


def giving(app: Flask, table: TableView, code: str, key: str, **more: object) -> Callable[[], object]:
    with app.app_context():
        who = results.chief()
    offender = entry_of(EntrantId(results.seats(table)[0]))

    def act() -> object:
        with command(who) as ctx:
            return service.rule(
                ctx,
                table.token,
                code=code,
                entry_ids=[offender],
                reason="当场看到",
                idempotency_key=key,
                **more,  # type: ignore[arg-type]  # parameters of rulings, by name
            )

    return act


@postgresql
def test_the_same_request_from_two_threads_rules_once(
    app: Flask, table: TableView, monkeypatch: pytest.MonkeyPatch
) -> None:
    act = giving(app, table, "smoking", "twice-at-once")
    with app.app_context():
        first, second = in_the_middle(app, monkeypatch, act, (service, "preview"), act)
        assert first == second
        assert len(queries.rulings(table.event_id)) == 1


@postgresql
def test_of_two_third_warnings_previewed_as_free_the_later_one_is_asked_again(
    app: Flask, table: TableView, monkeypatch: pytest.MonkeyPatch
) -> None:
    with app.app_context():
        rulings.given(table, "timeouts", results.seats(table)[0], deal=1)
        first, second = in_the_middle(
            app,
            monkeypatch,
            giving(app, table, "timeouts", "warning-2", deal=1, previewed="+0"),
            (service, "preview"),
            giving(app, table, "timeouts", "warning-3", deal=1, previewed="+0"),
        )
        assert isinstance(first, tuple)
        assert isinstance(second, CostChangedError)


@postgresql
def test_two_expulsions_of_one_player_at_once_expel_him_once(
    app: Flask, table: TableView, monkeypatch: pytest.MonkeyPatch
) -> None:
    acts = [giving(app, table, "expulsion", f"expulsion-{each}", rule="abuse") for each in (1, 2)]
    with app.app_context():
        first, second = in_the_middle(app, monkeypatch, acts[0], (service, "preview"), acts[1])
        assert isinstance(first, tuple)
        assert isinstance(second, AlreadyExpelledError)


@postgresql
def test_a_ruling_is_withdrawn_once(app: Flask, table: TableView, monkeypatch: pytest.MonkeyPatch) -> None:
    with app.app_context():
        (made,) = rulings.given(table, "smoking", results.seats(table)[0])
        who = results.chief()

        def act() -> object:
            with command(who) as ctx:
                return service.withdraw(ctx, table.event_id, made, reason="看错了人")

        first, second = in_the_middle(app, monkeypatch, act, (service, "parse_reason"), act)
        assert first is None
        assert isinstance(second, AlreadyWithdrawnError)
