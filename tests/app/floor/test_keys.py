"""Players' keys: one for everybody who plays, the old card dead once it is renewed, and a PIN that is tried a few times only."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select, text

from app import clock
from app.actors import ANONYMOUS
from app.audit.models import AuditEntry
from app.commands import command
from app.draws.queries import RoundView
from app.errors import ForbiddenError
from app.extensions import db
from app.floor import queries, service
from app.floor.rules import BlockedError, UnknownPlayerKeyError, WrongPinError
from app.floor.rules.keys import BLOCKED_FOR, PIN_TRIES, NoPlayerKeyError
from tests.factories import floor, registrations, results

Travel = Callable[[datetime], None]


@pytest.fixture
def drawn(session: Any, travel: Travel) -> RoundView:
    return results.prelim(travel)


def tried(entry_id: int, pin: str) -> Exception | None:
    with command(ANONYMOUS) as ctx:
        return service.check_pin(ctx, entry_id, pin)


def wrong(pin: str) -> str:
    return f"{(int(pin) + 1) % 10**6:06d}"


def test_everybody_who_plays_gets_one_key_and_keeps_it(drawn: RoundView) -> None:
    cards = floor.keys()
    assert (
        len(cards)
        == queries.key_count(drawn.event_id).made
        == queries.key_count(drawn.event_id).entrants
        == 9
    )
    assert floor.keys() == cards
    assert len({card.token for card in cards.values()}) == 9
    for card in cards.values():
        assert (len(card.pin), card.pin.isdecimal()) == (6, True)
        player = queries.player_by_token(card.token)
        assert (player.entry_id, player.event_id) == (card.entrant.entry_id, drawn.event_id)
        assert (player.name, player.unit_name) == (card.entrant.name, card.entrant.unit_name)
        assert player.number == card.number is not None


def test_cards_are_sorted_unit_by_unit_and_by_number(drawn: RoundView) -> None:
    printed = list(floor.keys().values())
    units = [card.entrant.unit_name for card in printed]
    assert units == sorted(units, key=lambda each: each.encode("gb18030"))
    for unit in set(units):
        numbers = [card.number for card in printed if card.entrant.unit_name == unit]
        assert numbers == sorted(numbers, key=lambda each: each or 0)


def test_a_renewed_card_kills_the_old_one(drawn: RoundView) -> None:
    before = floor.keys()
    entry_id, card = next(iter(before.items()))
    with command(registrations.committee()) as ctx:
        service.renew_player_key(ctx, drawn.event_id, entry_id)
    after = {each.entrant.entry_id: each for each in queries.cards(drawn.event_id)}
    assert after[entry_id].token != card.token
    assert queries.player_by_token(after[entry_id].token).entry_id == entry_id
    with pytest.raises(UnknownPlayerKeyError):
        queries.player_by_token(card.token)
    assert {key: each for key, each in after.items() if key != entry_id} == {
        key: each for key, each in before.items() if key != entry_id
    }
    with pytest.raises(NoPlayerKeyError), command(registrations.committee()) as ctx:
        service.renew_player_key(ctx, drawn.event_id, 999_999)


def test_only_the_committee_and_the_chief_referee_make_and_renew_keys(drawn: RoundView) -> None:
    with pytest.raises(ForbiddenError), command(results.referee()) as ctx:
        service.make_player_keys(ctx, drawn.event_id)
    entry_id = next(iter(floor.keys()))
    with pytest.raises(ForbiddenError), command(results.referee()) as ctx:
        service.renew_player_key(ctx, drawn.event_id, entry_id)


def test_the_right_pin_opens_however_it_is_typed(drawn: RoundView) -> None:
    entry_id, card = next(iter(floor.keys().items()))
    assert tried(entry_id, card.pin) is None
    wide = " ".join(chr(ord("０") + int(digit)) for digit in card.pin)
    assert tried(entry_id, wide) is None


def test_after_five_wrong_pins_in_a_row_nobody_can_try_for_a_while(drawn: RoundView, travel: Travel) -> None:
    entry_id, card = next(iter(floor.keys().items()))
    for left in range(PIN_TRIES - 1, 0, -1):
        refusal = tried(entry_id, wrong(card.pin))
        assert isinstance(refusal, WrongPinError)
        assert str(left) in str(refusal)
    assert isinstance(tried(entry_id, wrong(card.pin)), BlockedError)
    blocked_at = clock.now()
    assert isinstance(tried(entry_id, card.pin), BlockedError)  # the right one opens nothing now
    assert queries.blocked_until(entry_id) == blocked_at + BLOCKED_FOR
    travel(blocked_at + BLOCKED_FOR - timedelta(seconds=1))
    assert isinstance(tried(entry_id, card.pin), BlockedError)
    travel(blocked_at + BLOCKED_FOR)
    assert isinstance(tried(entry_id, wrong(card.pin)), WrongPinError)
    assert tried(entry_id, card.pin) is None
    assert queries.blocked_until(entry_id) is None


def test_wrong_pins_are_counted_in_a_row_and_for_each_player_alone(drawn: RoundView) -> None:
    cards = floor.keys()
    (one, card), (other, other_card), *_ = cards.items()
    for _ in range(2):
        for _ in range(PIN_TRIES - 1):
            assert isinstance(tried(one, wrong(card.pin)), WrongPinError)
        assert tried(one, card.pin) is None
    assert tried(other, other_card.pin) is None


def test_no_pin_and_no_token_stands_in_the_audit_trail_and_no_pin_in_plain_in_the_database(
    drawn: RoundView,
) -> None:
    entry_id, card = next(iter(floor.keys().items()))
    tried(entry_id, card.pin)
    tried(entry_id, wrong(card.pin))
    with command(registrations.committee()) as ctx:
        service.note_printed(ctx, drawn.event_id, count=9)
        service.renew_player_key(ctx, drawn.event_id, entry_id)
    said = " ".join(f"{row.subject_id} {row.details}" for row in db.session.scalars(select(AuditEntry)))
    for secret in (card.pin, wrong(card.pin), card.token):
        assert secret not in said
    stored = db.session.execute(text("SELECT pin FROM player_keys")).scalars().all()
    assert not any(card.pin in each for each in stored)


def test_a_player_without_a_key_has_no_pin_to_try(drawn: RoundView) -> None:
    with pytest.raises(NoPlayerKeyError):
        tried(drawn.tables[0].seats[0].entry_id, "123456")
