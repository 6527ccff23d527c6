"""Changes after the deadline (变更申请): the leader applies, the committee decides, the entry is changed or made."""

from app.registrations.service.changes.applying import apply, take_back
from app.registrations.service.changes.deciding import decide, look_at_letter, read_proposed_data
from app.registrations.service.changes.following import bind_corrected, bind_quitting, quits

__all__ = [
    "apply",
    "bind_corrected",
    "bind_quitting",
    "decide",
    "look_at_letter",
    "quits",
    "read_proposed_data",
    "take_back",
]
