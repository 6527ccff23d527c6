"""After a round of a rehearsal (演练): corrections, before and after the next draw, rulings of which one is withdrawn, appeals.

Whether one may appeal is what the instance answers; of a text without appeals the chief referee takes the ruling back himself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from app.cli.rehearsal_hall import Hall
from app.cli.rehearsal_sheets import other_result

APART = {"late", "forfeit", "expulsion"}
"""Rulings that change who plays on, or who played: not given after a round."""

SIMPLE = {"deal": 1, "count": 1, "outcome": "round_lost"}
"""What a penalty may need that is made up without seeing the play; the chief referee decides."""

TABLES_LOOKED_AT, CHOICES_LOOKED_AT, PROPOSALS = 2, 4, 12

Standing = tuple[int, int]
"""A ruling that stands: its id, and the entry it is about."""


def rule(hall: Hall, token: str, wanted: Mapping[str, Any], reason: str) -> int | None:
    """The id of a ruling as it was previewed; None where it cannot be given at this table, as where the sheet leaves no room for it."""
    shown = hall.attempt(lambda: hall.staff.post(f"/tables/{token}/rulings/preview", **wanted))
    if shown is None:
        return None
    given = hall.attempt(
        lambda: hall.staff.post(
            f"/tables/{token}/rulings",
            reason=reason,
            previewed=shown["cost"],
            idempotency_key=hall.key(),
            **wanted,
        )
    )
    return None if given is None else int(given["rulings"][0]["id"])


def _wanted(choice: Mapping[str, Any], entry: int) -> dict[str, Any]:
    needed = {name: SIMPLE[name] for name in choice["needs"]}
    return {"code": choice["code"], "entry_ids": [entry], **needed}


@dataclass
class After:
    """What is asked for and decided once a round is played."""

    hall: Hall

    def settle(self, drawn: Mapping[str, Any]) -> None:
        """After the first round: one correction, two rulings of which one is withdrawn, one appeal. Only what the regulation has."""
        tables = self._played(drawn)
        table = self.hall.chance.choice(tables[1:] or tables)  # the first one had the dispute
        self._correct(table["token"])
        standing = self._rule(table)
        self._appeal(drawn, table, standing, upheld=self.hall.upheld)

    def correct_after_draw(self, drawn: Mapping[str, Any]) -> None:
        """A correction of ``drawn`` once the next round is drawn: that draw stays as it is, and the placings follow.

        Who is out of a knock-out cannot be corrected into another once that round is drawn; how he lost can.
        """
        done = self._correct(self.hall.chance.choice(self._played(drawn))["token"])
        self.hall.told["corrections_after_next_draw"] += done

    def after_final(self, drawn: Mapping[str, Any]) -> None:
        """A penalty when everything is played, and what becomes of it: taken back, the placings are what they were."""
        hall = self.hall
        before = hall.placings()
        given = self._telling(drawn)
        if given is None:
            return
        table, standing = given
        penalised = hall.placings()
        upheld = not hall.upheld
        if not self._appeal(drawn, table, standing, upheld=upheld) and upheld:
            hall.staff.post(f"{hall.base}/rulings/{standing[0]}/withdrawal", reason="复核后撤销（演练）")
            hall.told["rulings_withdrawn"] += 1
        if hall.placings() != (before if upheld else penalised):
            raise hall.refusal(f"{hall.base}/standings: 决赛后的判罚裁定之后，名次没有跟上。")
        hall.told["recomputed_after_final"] += upheld and before != penalised

    def _telling(self, drawn: Mapping[str, Any]) -> tuple[Mapping[str, Any], Standing] | None:
        """A penalty that somebody's place hangs on, where one is found soon; else any."""
        hall = self.hall
        tried: list[tuple[bool, bool, int, Mapping[str, Any], Mapping[str, Any], int]] = []
        for table in self._played(drawn)[:TABLES_LOOKED_AT]:
            for choice in self._choices()[:CHOICES_LOOKED_AT]:
                for seat in table["seats"]:
                    wanted = _wanted(choice, int(seat["entrant"][1:]))
                    preview = f"/tables/{table['token']}/rulings/preview"
                    shown = hall.attempt(partial(hall.staff.post, preview, **wanted))
                    if shown is not None:
                        free = not any(each["points"] for each in shown["costs"])
                        place = not shown["lines"], free, len(tried)
                        tried.append((*place, table, choice, wanted["entry_ids"][0]))
        for *_, at, penalty, entry in sorted(tried, key=lambda each: each[:3]):
            ruling = self._give(at["token"], penalty, entry)
            if ruling is not None:
                return at, (ruling, entry)
        return None

    def _played(self, drawn: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """The tables at which something was handed in."""
        return [each for each in drawn["tables"] if each["token"] in self.hall.said]

    # --- a correction ---

    def _correct(self, token: str) -> bool:
        """Asked for, its impact looked at, and granted; refused, and False, where nothing that is proposed can be."""
        hall = self.hall
        sheet = hall.staff.get(f"/tables/{token}")
        said = hall.said[token]
        sent = {"base_revision": sheet["revision"], **other_result(hall, sheet, said)}
        asked = hall.staff.post(
            f"/tables/{token}/corrections", text="成绩录错了（演练）", idempotency_key=hall.key(), **sent
        )
        request = f"{hall.base}/corrections/{asked['id']}"
        for _ in range(PROPOSALS):
            seen = hall.attempt(
                partial(hall.staff.post, f"{request}/impact", idempotency_key=hall.key(), **sent)
            )
            if seen is not None:
                break
            sent |= other_result(hall, sheet, said)
        else:
            hall.staff.post(f"{request}/refusal", reason="与已编排的轮次不符（演练）")
            return False
        hall.staff.post(
            f"{request}/grant",
            seen=seen["fingerprint"],
            reason="核对纸质记录后更正（演练）",
            idempotency_key=hall.key(),
            **sent,
        )
        hall.said[token] = {key: value for key, value in sent.items() if key != "base_revision"}
        hall.told["corrections"] += 1
        return True

    # --- rulings ---

    def _rule(self, table: Mapping[str, Any]) -> Standing | None:
        """A penalty that is withdrawn again, and one that stands; one that costs points where there is one."""
        hall = self.hall
        entries = [int(seat["entrant"][1:]) for seat in table["seats"]]
        for choice in self._choices():
            entry = hall.chance.choice(entries)
            first = self._give(table["token"], choice, entry)
            if first is None:
                continue
            hall.staff.post(f"{hall.base}/rulings/{first}/withdrawal", reason="认错了人（演练）")
            hall.told["rulings_withdrawn"] += 1
            other = hall.chance.choice([each for each in entries if each != entry])
            second = self._give(table["token"], choice, other)
            return None if second is None else (second, other)
        return None

    def _choices(self) -> list[dict[str, Any]]:
        """The penalties of the regulation in an order drawn by lot, those that cost points first."""
        choices = [
            each
            for each in self.hall.choices()
            if each["code"] not in APART and set(each["needs"]) <= set(SIMPLE)
        ]
        self.hall.chance.shuffle(choices)
        return sorted(choices, key=lambda each: "扣" not in each["effect"])

    def _give(self, token: str, choice: Mapping[str, Any], entry: int) -> int | None:
        given = rule(self.hall, token, _wanted(choice, entry), "裁判员当场看见（演练）")
        self.hall.told["rulings"] += given is not None
        return given

    # --- an appeal ---

    def _appeal(
        self, drawn: Mapping[str, Any], table: Mapping[str, Any], standing: Standing | None, *, upheld: bool
    ) -> bool:
        """Said, written, paid, heard, decided. False where the regulation has no appeals."""
        hall = self.hall
        desk = f"{hall.base}/appeals"
        clocks = hall.attempt(lambda: hall.nobody.get(f"{desk}/clocks"))
        if clocks is None:
            return False
        fee = next(
            each["fee"]
            for each in clocks
            if (each["stage"], each["round"]) == (drawn["stage"], drawn["round"])
        )
        entry = standing[1] if standing else int(table["seats"][0]["entrant"][1:])
        case = self._lodge(desk, drawn, entry, standing, fee)
        self._decide(f"{desk}/{case}", standing, fee, upheld=upheld)
        hall.told["appeals_upheld" if upheld else "appeals_dismissed"] += 1
        return True

    def _lodge(
        self, desk: str, drawn: Mapping[str, Any], entry: int, standing: Standing | None, fee: int
    ) -> str:
        """The number of the appeal, once the oral one is logged, the written one handed in and the fee registered."""
        hall = self.hall
        ended = next(
            each["ended_at"]
            for each in hall.nobody.get(f"{hall.base}/floor")["rounds"]
            if (each["stage"], each["number"]) == (drawn["stage"], drawn["round"])
        )
        oral = hall.staff.post(
            desk,
            stage=drawn["stage"],
            round=drawn["round"],
            entry_id=entry,
            subject="ruling" if standing else "score",
            ruling_id=standing[0] if standing else None,
            said_at=ended,
            text="选手当场提出申诉（演练）",
            idempotency_key=hall.key(),
        )
        hall.nobody.post(
            f"{desk}/r/{oral['receipt']}/written",
            text="我方认为裁判员看错了，请重新核对（演练）。",
            idempotency_key=hall.key(),
        )
        if fee:
            hall.staff.post(
                f"{desk}/{oral['number']}/fee", amount=fee, way="cash", idempotency_key=hall.key()
            )
        return str(oral["number"])

    def _decide(self, case: str, standing: Standing | None, fee: int, *, upheld: bool) -> None:
        """Heard and decided; an upheld one costs nothing."""
        hall = self.hall
        arbiter = hall.arbiter()
        seen = arbiter.get(case)
        now = hall.nobody.get("/demo/clock")["now"]
        seen = arbiter.post(f"{case}/hearing", revision=seen["revision"], at=now, place="裁判长席（演练）")
        seen = arbiter.post(
            f"{case}/minutes", revision=seen["revision"], minutes="双方到场，各自陈述（演练）。"
        )
        follows: dict[str, Any] = {}
        if upheld:
            follows = {"withdrawn": [standing[0]]} if standing else {"measure": "提醒裁判员（演练）"}
        arbiter.post(
            f"{case}/decision",
            revision=seen["revision"],
            upheld=upheld,
            reasons="听取双方陈述后裁定（演练）。",
            summary="对判罚的申诉，经听证裁定（演练）。",
            **follows,
        )
        if upheld and fee:
            hall.staff.post(f"{case}/fee/refund", way="cash", idempotency_key=hall.key())
