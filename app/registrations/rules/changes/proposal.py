"""What an application proposes, as it is kept (encrypted) beside it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from app.registrations.rules.forms import MemberForm


@dataclass(frozen=True, slots=True)
class Proposal:
    """``names``: who comes, or as whom somebody is corrected; ``was``: who stood in the entry, ``revision`` of it, on that day.

    ``member_id``: who leaves or is corrected, null of a whole entry. ``form``: the corrected data; of somebody who comes, it
    is kept in the draft entry that was made for him.
    """

    names: tuple[str, ...] = ()
    was: tuple[str, ...] = ()
    revision: int | None = None
    member_id: int | None = None
    form: MemberForm | None = field(default=None, repr=False)

    def packed(self) -> str:
        document = {
            "names": list(self.names),
            "was": list(self.was),
            "revision": self.revision,
            "member_id": self.member_id,
            "form": None
            if self.form is None
            else {
                "name": self.form.name,
                "id_number": self.form.id_number,
                "phone": self.form.phone,
                "employment": self.form.employment,
                "unit_name": self.form.unit_name,
                "declared": sorted(self.form.declared),
                "in_team": self.form.in_team,
            },
        }
        return json.dumps(document, ensure_ascii=False, sort_keys=True)

    @classmethod
    def unpacked(cls, text: str | None) -> Proposal:
        """What ``packed`` wrote; an empty one where it was erased."""
        if not text:
            return cls()
        document = json.loads(text)
        form = document["form"]
        return cls(
            names=tuple(document["names"]),
            was=tuple(document["was"]),
            revision=document["revision"],
            member_id=document["member_id"],
            form=None if form is None else MemberForm(**form | {"declared": frozenset(form["declared"])}),
        )

    def without_numbers(self) -> Proposal:
        """The names alone, for an application that is over."""
        return Proposal(names=self.names, was=self.was, revision=self.revision, member_id=self.member_id)
