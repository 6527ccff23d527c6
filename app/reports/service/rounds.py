"""To leaders: the results of a round (本轮成绩), with their own members' points and ranks, and the whole table as files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.accounts import queries as accounts
from app.commands import CommandContext
from app.draws.rules import entrant_of
from app.notifications.letters import Address, LetterKind
from app.notifications.rules import Attachment
from app.reports.paper import Cell, Figure, shown
from app.reports.queries.entries import OwnEntry, by_leader, handed_in_entries
from app.reports.queries.rounds import DueRound, entrants_of
from app.reports.queries.tables import placings_of, points_of, worder
from app.reports.service.writing import Occasion, heading, tell, untold
from app.standings.queries import SnapshotView
from app.standings.rules import criterion_label
from app.text import T


def round_readers(due: DueRound) -> dict[int, list[OwnEntry]]:
    """The leaders with members in a round, and these members."""
    playing = entrants_of(due.round)
    return by_leader(each for each in handed_in_entries(due.event.id) if entrant_of(each.entry_id) in playing)


def tell_round(
    ctx: CommandContext, due: DueRound, files: Mapping[tuple[str, str], tuple[Attachment, ...]]
) -> int:
    """One letter to each leader. A round whose files are not made yet for some reader waits for the next time. How many."""
    occasion = Occasion(
        LetterKind.ROUND_RESULTS,
        due.name,
        due.competition,
        due.event,
        due.fingerprint.details() | {"round": due.round.id},
    )
    leaders = round_readers(due)
    readers = untold(ctx, occasion, leaders)
    recipients = {each: accounts.recipient(each) for each in readers}
    if any(to.email and (due.name, to.language) not in files for to in recipients.values()):
        return 0
    now = _Results(due, due.snapshot)
    before = None if due.told is None else _Results(due, due.told)
    written = 0
    for leader in readers:
        context = heading(occasion) | {
            "round": due.title,
            "corrected": due.corrected,
            "at": due.snapshot.computed_at,
            "members": [now.member(each) for each in leaders[leader]],
            "changes": [
                change for each in leaders[leader] if before is not None for change in now.since(before, each)
            ],
            "standings": Address(f"/c/{due.competition.slug}/standings"),
        }
        attached = files.get((due.name, recipients[leader].language), ())
        written += tell(ctx, occasion, leader, context, files=attached)
    return written


class _Results:
    """The points and ranks of a round as one computation had them."""

    def __init__(self, due: DueRound, snapshot: SnapshotView) -> None:
        self.due = due
        self.cell = worder(due.event)
        self.points = points_of(snapshot.result, due.round)
        self.placings = {each["entrant"]: each for each in placings_of(snapshot, due.round.stage)}

    def member(self, entry: OwnEntry) -> dict[str, Any]:
        entrant = str(entrant_of(entry.entry_id))
        points = self.points.get(entrant)
        return {
            "name": self.due.people[entrant].name,
            "bye": points is None,
            "points": [(criterion_label(code), value) for code, value in (points or {}).items()],
            "rank": self._rank(entrant),
            "total": self._total(entrant),
        }

    def since(self, before: _Results, entry: OwnEntry) -> list[T]:
        """What is said of an entry now that was said differently before. Ranks of an older round moved with later ones."""
        entrant = str(entrant_of(entry.entry_id))
        old, new = before.points.get(entrant, {}), self.points.get(entrant, {})
        pairs: list[tuple[T, str | T, str | T]] = [
            (criterion_label(code), old.get(code, "—"), new.get(code, "—"))
            for code in dict.fromkeys([*old, *new])
            if old.get(code) != new.get(code)
        ]
        ranks = before._rank(entrant), self._rank(entrant)
        if self.due.newest and ranks[0] != ranks[1]:
            pairs.append((T("名次"), *ranks))
        name = self.due.people[entrant].name
        return [
            T(
                "%(name)s：%(label)s由 %(before)s 改为 %(after)s",
                name=name,
                label=label,
                before=one,
                after=two,
            )
            for label, one, two in pairs
        ]

    def _rank(self, entrant: str) -> T:
        placing = self.placings.get(entrant)
        if placing is None:
            return T("暂无名次")
        rank = (
            T("并列第 %(rank)s 名", rank=placing["rank"])
            if placing["shared"]
            else T("第 %(rank)s 名", rank=placing["rank"])
        )
        group = placing.get("group")
        return rank if not group else T("%(group)s组%(rank)s", group=group, rank=rank)

    def _total(self, entrant: str) -> tuple[T, str | T] | None:
        """The first criterion of the chain that counted, in words."""
        placing = self.placings.get(entrant)
        values = [] if placing is None else [each for each in placing["values"] if each["value"] is not None]
        if not values:
            return None
        told: Cell = self.cell(values[0]["criterion"], values[0]["value"])
        text = told.text if isinstance(told, Figure) else told if isinstance(told, T) else shown(told, str)
        return criterion_label(values[0]["criterion"]), text
