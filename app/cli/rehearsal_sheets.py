"""How the sheets of a rehearsal's tables (演练) are kept: by the referee of the table, from one phone or two, and confirmed as the terms say."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.cli.rehearsal_hall import Caller, Hall
from app.cli.rehearsal_results import RESULTS

FEW = 5
"""One in so many has left before his sheet is confirmed."""

KEPT = ("late",)
"""What stands on the sheet before anybody played."""


@dataclass
class Sheets:
    hall: Hall
    results: random.Random
    """What the tables come to; apart from what happens beside them, which changes none."""

    def play(self, drawn: Mapping[str, Any], *, first: bool) -> None:
        """Every table of a round; of the first one a sheet is disputed, and one is taken over by another phone."""
        keepers = self._keepers()
        for number, table in enumerate(drawn["tables"]):
            token = table["token"]
            if token in self.hall.judged:
                continue
            keeper = keepers.get(token, 0)
            sheet = self._play(token, keeper, taken_over=first and number == 1, again=first)
            self._confirm(sheet, token, keeper, dispute=first and number == 0)

    def _keepers(self) -> dict[str, int]:
        """Which of the two referees is at which table."""
        return {
            table["token"]: number
            for number, referee in enumerate(self.hall.referees)
            for table in referee.get(f"{self.hall.base}/my-tables")
        }

    def _result(self, sheet: Mapping[str, Any]) -> dict[str, Any]:
        return result(self.hall, sheet, self.results)

    def _play(self, token: str, keeper: int, *, taken_over: bool, again: bool) -> dict[str, Any]:
        referee = self.hall.referees[keeper]
        sheet = referee.get(f"/tables/{token}")
        said = self.hall.said[token] = self._result(sheet)
        if not taken_over:
            return self._write(referee, token, sheet["revision"], said, again=again, handed_in=True)
        begun = self._write(referee, token, sheet["revision"], _begun(said), device_id="phone-one")
        referee.post(
            f"/tables/{token}/takeovers", device_id="phone-two", reason="手机没电，换一台继续记（演练）"
        )
        self.hall.require_refused(
            lambda: self._write(referee, token, begun["revision"], said, device_id="phone-one"),
            "被接管的手机后来发出的记分",
        )
        self.hall.told["takeovers"] += 1
        return self._write(referee, token, begun["revision"], said, device_id="phone-two", handed_in=True)

    def _write(
        self,
        referee: Caller,
        token: str,
        revision: int,
        said: Mapping[str, Any],
        *,
        again: bool = False,
        **more: Any,
    ) -> dict[str, Any]:
        """The sheet as it stands then. ``again``: sent twice, as by a phone that did not hear the answer; it is stored once."""
        sent = {"base_revision": revision, "idempotency_key": self.hall.key(), **said, **more}
        made = dict(referee.post(f"/tables/{token}/revisions", **sent))
        if again and referee.post(f"/tables/{token}/revisions", **sent)["revision"] != made["revision"]:
            raise self.hall.refusal(f"/tables/{token}/revisions: 同一次提交存了两次。")
        return made

    # --- confirmation ---

    def _confirm(self, sheet: Mapping[str, Any], token: str, keeper: int, *, dispute: bool) -> None:
        if self.hall.confirmation == "blind":
            self._confirm_blind(token, keeper, dispute=dispute)
        elif self.hall.confirmation == "players":
            self._confirm_by_sides(sheet, token, keeper, dispute=dispute)

    def _confirm_blind(self, token: str, keeper: int, *, dispute: bool) -> None:
        """The other referee enters it without seeing it; ``dispute``: not the same."""
        second = self.hall.referees[1 - keeper]
        sheet = second.get(f"/tables/{token}")
        if sheet["deals"] or (sheet["outcome"] or {}).get("winner") is not None:
            raise self.hall.refusal(f"/tables/{token}: 重录的裁判员看到了原来的成绩。")
        said = self.hall.said[token]
        second.post(
            f"/tables/{token}/blind-entries",
            base_revision=sheet["revision"],
            idempotency_key=self.hall.key(),
            **(self._other(token) if dispute else said),
        )
        self.hall.told["blind_entries"] += 1
        if dispute and self._decide(token, keeper, sheet["revision"]) is not None:
            self._confirm_blind(token, keeper, dispute=False)

    def _confirm_by_sides(self, sheet: Mapping[str, Any], token: str, keeper: int, *, dispute: bool) -> None:
        """Every side says that its sheet is right, by card; of who has left, the chief referee. ``dispute``: one says it is wrong."""
        hall, revision = self.hall, sheet["revision"]
        sides = [seat["entrant"] for seat in sheet["seats"]]
        if dispute:
            hall.nobody.post(
                f"/tables/{token}/disputes",
                card=hall.cards[sides[0]],
                revision=revision,
                note="有一副记错了（演练）",
                idempotency_key=hall.key(),
            )
            mended = self._decide(token, keeper, revision)
            if mended is not None:
                self._confirm_by_sides(mended, token, keeper, dispute=False)
            return
        for side in sides:
            if side in hall.absent or hall.chance.randrange(FEW) == 0:
                hall.staff.post(
                    f"/tables/{token}/confirmations-by-ruling",
                    entrant=side,
                    reason="选手不在场（演练）",
                    revision=revision,
                    idempotency_key=hall.key(),
                )
            else:
                hall.nobody.post(
                    f"/tables/{token}/confirmations",
                    card=hall.cards[side],
                    revision=revision,
                    idempotency_key=hall.key(),
                )

    def _decide(self, token: str, keeper: int, revision: int) -> dict[str, Any] | None:
        """The chief referee decides a dispute: None where the sheet stands, else as it was handed in again with another result."""
        hall = self.hall
        back = hall.chance.randrange(2) == 0
        decided = hall.staff.post(
            f"/tables/{token}/dispute-decisions",
            decision="send_back" if back else "uphold",
            reason="核对记录后裁定（演练）",
            base_revision=revision,
            idempotency_key=hall.key(),
        )
        hall.told["disputes"] += 1
        if not back:
            return None
        said = hall.said[token] = self._other(token)
        return self._write(hall.referees[keeper], token, decided["revision"], said, handed_in=True)

    def _other(self, token: str) -> dict[str, Any]:
        return other_result(self.hall, self.hall.staff.get(f"/tables/{token}"), self.hall.said[token])


def result(hall: Hall, sheet: Mapping[str, Any], chance: random.Random) -> dict[str, Any]:
    """A made-up result of a table, with what stands on its sheet already."""
    kept = {key: value for key, value in (sheet["outcome"] or {}).items() if key in KEPT}
    return RESULTS[hall.game](sheet, chance) | kept


def other_result(hall: Hall, sheet: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """Another one than ``said``."""
    while True:
        found = result(hall, sheet, hall.chance)
        if found != said:
            return found


def _begun(said: Mapping[str, Any]) -> dict[str, Any]:
    """What a phone has sent half way: the first deals, where there are deals."""
    deals = said.get("deals")
    return dict(said) if not deals else {**said, "deals": deals[: len(deals) // 2]}
