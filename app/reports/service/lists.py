"""To leaders: a list came out, or became final, and how their members stand on it (公示名单)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.commands import CommandContext
from app.competitions.queries import CompetitionView, EventView
from app.notifications.letters import Address, LetterKind
from app.publications import queries as publications
from app.publications.queries import PublicationView
from app.publications.rules import KIND_NAMES, Difference, ListKind
from app.registrations.rules import EntryId, EntryState
from app.reports.queries.entries import OwnEntry, by_leader, handed_in_entries
from app.reports.rules import LOOK_BACK
from app.reports.service.writing import Occasion, heading, tell, untold
from app.text import T, until

STATES: dict[EntryState, T] = {
    EntryState.SUBMITTED: T("等待审核"),
    EntryState.APPROVED: T("审核通过，不在这份名单上"),
    EntryState.REJECTED: T("审核未通过"),
    EntryState.WITHDRAWN: T("已退赛"),
}
"""How an entry stands that is not on the list."""


def tell_lists(ctx: CommandContext, competition: CompetitionView, event: EventView) -> int:
    """One letter for each list in force to each leader it concerns, when it comes out and when it is final. How many."""
    if not event.regulation.has("publication"):
        return 0
    written = 0
    for view in publications.in_force(event.id):
        if view.published_at > ctx.now - LOOK_BACK and view.final_at is None:
            written += _tell(ctx, competition, event, view, final=False)
        if view.final_at is not None and view.final_at > ctx.now - LOOK_BACK:
            written += _tell(ctx, competition, event, view, final=True)
    return written


def _tell(
    ctx: CommandContext,
    competition: CompetitionView,
    event: EventView,
    view: PublicationView,
    *,
    final: bool,
) -> int:
    occasion = Occasion(
        LetterKind.LIST_PUBLISHED, f"{view.id}-{'final' if final else 'out'}", competition, event
    )
    listed = {line.entry_id for line in view.entries}
    difference = None if final else publications.difference_before(view)
    concerned = listed | ({line.entry_id for line in difference.left_out} if difference else set())
    # the first list closes the review: whoever is not on it reads that, too
    everybody = view.kind is ListKind.FIRST and not final
    leaders = {
        leader: entries
        for leader, entries in by_leader(handed_in_entries(event.id)).items()
        if any(each.entry_id in concerned for each in entries)
        or (everybody and any(each.state is not EntryState.WITHDRAWN for each in entries))
    }
    readers = untold(ctx, occasion, leaders)
    if not readers:
        return 0
    numbers = publications.numbers_of(event.id) if final else {}
    common = heading(occasion) | {
        "number": view.number,
        "kind": KIND_NAMES[view.kind],
        "final": final,
        "published_at": view.published_at,
        "window_end": until(view.ends_at),
        "reason": view.reason if difference is not None else None,
        "supersedes": view.supersedes if difference is not None else None,
        "list": Address(f"/c/{competition.slug}/publications/{view.number}"),
        "short": _short(competition, view, final=final),
    }
    written = 0
    for leader in readers:
        shown = leaders[leader]
        if not everybody:
            shown = [each for each in shown if each.entry_id in concerned]
        context = common | {
            "members": _members(shown, view, numbers, final=final),
            "changes": _changes(shown, difference) if difference is not None else [],
        }
        written += tell(ctx, occasion, leader, context)
    return written


def _members(
    entries: Sequence[OwnEntry], view: PublicationView, numbers: dict[int, int], *, final: bool
) -> list[dict[str, Any]]:
    """The leader's own members: the name of each, his place on the list, how he stands, and why where he is not on it."""
    lines = {line.entry_id: line for line in view.entries}
    told = []
    for each in entries:
        line = lines.get(each.entry_id)
        if line is None and each.state is EntryState.WITHDRAWN:
            continue
        state: T
        if line is None:
            state = STATES[each.state]
        elif not final:
            state = T("公示中，序号 %(number)s", number=line.number)
        elif each.entry_id in numbers:
            state = T("已确认，参赛号 %(number)s", number=numbers[each.entry_id])
        else:
            state = T("已确认")
        rejected = line is None and each.state is EntryState.REJECTED
        told.append(
            {
                "name": each.name if line is None else line.name,
                "state": state,
                "reason": each.reason if rejected else None,
            }
        )
    return told


def _changes(entries: Sequence[OwnEntry], difference: Difference) -> list[T]:
    """What a corrected list says differently of these members."""
    own: set[EntryId] = {each.entry_id for each in entries}
    left_out = [
        T("%(name)s（序号 %(number)s）不再在名单上", name=line.name, number=line.number)
        for line in difference.left_out
        if line.entry_id in own
    ]
    changed = [
        T(
            "序号 %(number)s 由“%(before)s”改为“%(after)s”",
            number=each.after.number,
            before=" ".join((each.before.name, each.before.unit)),
            after=" ".join((each.after.name, each.after.unit)),
        )
        for each in difference.changed
        if each.after.entry_id in own
    ]
    return left_out + changed


def _short(competition: CompetitionView, view: PublicationView, *, final: bool) -> T:
    if final:
        return T(
            "【赛事小站】%(competition)s：第 %(number)s 号名单公示期满，已确认。",
            competition=competition.name,
            number=view.number,
        )
    return T(
        "【赛事小站】%(competition)s：第 %(number)s 号%(kind)s已发布，公示到 %(end)s。",
        competition=competition.name,
        number=view.number,
        kind=KIND_NAMES[view.kind],
        end=until(view.ends_at),
    )
