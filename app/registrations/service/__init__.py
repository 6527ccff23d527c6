"""Commands of a registration: what the leader writes, what the committee decides, what the system erases."""

from app.registrations.service.access import require_consent
from app.registrations.service.applications import forget_applications
from app.registrations.service.leader import agree_to_privacy_notice, save_unit, submit
from app.registrations.service.leaving import bind_leaving
from app.registrations.service.members import add_member, change_member, remove_member
from app.registrations.service.objected import correct_objected
from app.registrations.service.pairs import add_pair, change_pair, remove_pair
from app.registrations.service.purging import (
    erase_member,
    erase_personal_data,
    hold,
    hold_purging,
    release_hold,
    withdraw_member,
)
from app.registrations.service.review import decide, read_personal_data, revoke_approval

__all__ = [
    "add_member",
    "add_pair",
    "agree_to_privacy_notice",
    "bind_leaving",
    "change_member",
    "change_pair",
    "correct_objected",
    "decide",
    "erase_member",
    "erase_personal_data",
    "forget_applications",
    "hold",
    "hold_purging",
    "read_personal_data",
    "release_hold",
    "remove_member",
    "remove_pair",
    "require_consent",
    "revoke_approval",
    "save_unit",
    "submit",
    "withdraw_member",
]
