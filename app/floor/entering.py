"""How a player comes to his own page on a phone that cannot scan: by competition number and PIN."""

from __future__ import annotations

from app.actors import ANONYMOUS
from app.commands import command
from app.floor import queries, service
from app.floor.rules.keys import UnknownPinError


def token_by_pin(event_id: int, *, number: int, pin: str) -> str:
    """The token of the card with this competition number and PIN; a wrong PIN is counted in a command of its own.

    Raises ``UnknownPinError``, ``WrongPinError``, ``BlockedError``.
    """
    found = queries.token_of_number(event_id, number)
    if found is None:
        raise UnknownPinError
    entry_id, token = found
    with command(ANONYMOUS) as ctx:
        refusal = service.check_pin(ctx, entry_id, pin)
    if refusal is not None:
        raise refusal
    return token
