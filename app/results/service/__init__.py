"""What is done to score sheets: `recording` at the table, `confirming` by its sides, `publishing`, `holding` by a device,
`correcting` what was confirmed, `undrawing` a round with its sheets; `revising` is what all of them go through."""

from app.results.service.confirming import (
    Spoken,
    Voice,
    confirm,
    confirm_for,
    decide_dispute,
    dispute,
    enter_blind,
)
from app.results.service.correcting import correct, reopen, restore
from app.results.service.holding import take_over
from app.results.service.publishing import publish_round
from app.results.service.recording import (
    amend_outcome,
    hand_in,
    lift_penalty,
    penalise,
    record_deal,
    record_outcome,
    record_sheet,
    remove_last_deal,
)
from app.results.service.revising import Saved, Sent
from app.results.service.undrawing import undraw

__all__ = [
    "Saved",
    "Sent",
    "Spoken",
    "Voice",
    "amend_outcome",
    "confirm",
    "confirm_for",
    "correct",
    "decide_dispute",
    "dispute",
    "enter_blind",
    "hand_in",
    "lift_penalty",
    "penalise",
    "publish_round",
    "record_deal",
    "record_outcome",
    "record_sheet",
    "remove_last_deal",
    "reopen",
    "restore",
    "take_over",
    "undraw",
]
