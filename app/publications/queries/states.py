"""How an entry stands with the lists, and how that is shown to whoever made it."""

from __future__ import annotations

from datetime import datetime

from app.competitions import queries as competitions
from app.publications.queries.lists import in_force
from app.publications.queries.planning import plan
from app.publications.queries.views import PublicationView
from app.publications.rules import PublicationState

STATES = {
    PublicationState.RUNNING: "in_publication",
    PublicationState.AWAITING_MAIL: "in_publication",
    PublicationState.OBJECTED: "objected",
    PublicationState.FINAL: "confirmed",
}
"""What the state of a list in force means for who is on it."""

TO_BE_PUBLISHED = "to_be_published"
CONFIRMED = STATES[PublicationState.FINAL]


def entry_states(event_id: int, now: datetime) -> dict[int, str]:
    """Of each entry on a list in force: ``in_publication`` (公示中, and until the mail is read), ``objected`` (异议处理中: the window is over,
    the list waits for a decision) or ``confirmed`` (已确认)."""
    return _by_list(in_force(event_id), now)


def shown_states(event_id: int, now: datetime) -> dict[int, str]:
    """The same as the entry's own leader reads it: of what he is today, which a list may not say yet.

    ``to_be_published`` (待补充公示): it is on no list yet, or its line reads differently and the text publishes changes again; until
    the draw, which no list follows. An entry that needs no list is ``confirmed``. Nothing where no list was published.
    """
    event = competitions.event(event_id)
    planned = plan(event)
    found = _by_list(planned.lists, now) | {each.entry_id: CONFIRMED for each in planned.added}
    if event.entries_closed:
        return found
    found |= {each.entry_id: TO_BE_PUBLISHED for each in planned.unlisted}
    if event.regulation.registration.changes_published:
        found |= {
            line.before.entry_id: TO_BE_PUBLISHED for _, stale in planned.stale for line in stale.changed
        }
    return found


def _by_list(lists: tuple[PublicationView, ...], now: datetime) -> dict[int, str]:
    return {line.entry_id: STATES[each.status(now).state] for each in lists for line in each.entries}
