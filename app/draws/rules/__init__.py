"""Who may draw, when, from which seed, and what the seed gives.

| rule (A) | implemented |
|---|---|
| only who was approved and published unreported plays (三(四)2) | drawn from the final list |
| a text without a published list (东城区) | drawn from the approved entries once they have ended |
| rounds paired by points (积分编排), rounds of a bracket (D 五3) | from the event file so far, in `app.standings.service` |
| 随机抽签分组, 每组3人, 剩余1或2人直接进入复赛 (四(二)初赛) | `scoring_engine.pairing.draw_groups` |
| fewer entrants than places in the next stage | a ruling is asked for (I-A-3), nothing is drawn |
| 按初赛排名顺序分组 (四(二)复赛), play-offs | from the standings, in `app.standings.service` |
| 第一局抽签决定首叫 (四(二)术语3) | the first seat bids first in deal 1: as drawn, later rotated to who is drawn |
| repairing a drawn round, taking one back | `app.draws.rules.repairs` |

A seed may be committed to before the draw and mixed with a public contribution (docs/draws.md): one open commitment a
round, for a frozen list, withdrawn only with a reason that is public.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import datetime

from app.actors import Actor, Role
from app.errors import InvalidError, NotFoundError, RefusedError
from app.registrations.rules import EntryId
from app.regulations.rules import Bilingual, Regulation
from app.regulations.rules.engine_rows import STAGE_NAMES as REGULATION_STAGES
from app.text import T, until
from scoring_engine.pairing.commitments import LONGEST_CONTRIBUTION, normal_contribution
from scoring_engine.pairing.groups_of_three import TABLE, GroupsDraw, draw_groups, group_by_order, proof_of
from scoring_engine.pairing.seeds import SeedError, seed_from_hex
from scoring_engine.rules import PLAYOFF, ScoringRules, StageRule
from scoring_engine.stages.questions import small_field
from scoring_engine.values import EntrantId, NeedsRuling

SEED_BYTES = 32
SHORTEST_SEED, LONGEST_SEED = 16, 64
DRAWERS = (Role.COMMITTEE, Role.CHIEF_REFEREE)
TOKEN_READERS = (Role.COMMITTEE, Role.CHIEF_REFEREE, Role.REFEREE)
UNIT = re.compile(r"(?<![0-9A-Za-z])u([1-9][0-9]*)(?![0-9A-Za-z])")
UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
"""Unicode categories of characters that cannot be seen: controls, marks of direction, unassigned ones."""
ENTRANT = re.compile(r"(?<![0-9A-Za-z])e([1-9][0-9]*)(?![0-9A-Za-z])")
LONGEST_ENTRANT = len("e999999999")
"""No entry has a longer id, and the database would not take one as a number."""
DRAWN = "drawn"
"""Kind of a stage whose groups come from the seed alone."""
SEEDED = "seeded"
"""Kind of a stage that is grouped by the order of the one before."""
SWISS = "swiss"
"""Kind, and code, of a stage of several rounds that are paired by points (积分编排)."""
KNOCKOUT, BRACKET = "knockout", "bracket"
"""Code and kind of a stage of several rounds in which who loses is out (单场淘汰)."""
IN_ROUNDS = (SWISS, BRACKET)
"""Kinds of a stage of several rounds, each drawn from the event file so far."""
ROUNDS_OF = (SWISS, KNOCKOUT)
"""Their codes."""

STAGE_NAMES: Mapping[str, T] = {**REGULATION_STAGES, PLAYOFF: T("加赛")}


class UnknownStageError(InvalidError):
    def __init__(self, stage: str, known: Sequence[str]) -> None:
        text = T("没有“%(stage)s”这个阶段；可用的有：%(known)s。", stage=stage[:20], known="、".join(known))
        super().__init__(text, fields={"stage": text})


class BadSeedError(InvalidError):
    def __init__(self) -> None:
        text = T(
            "种子应为 %(low)s 到 %(high)s 个字节的十六进制（%(low_digits)s 到 %(high_digits)s 位 0–9、a–f）。",
            low=SHORTEST_SEED,
            high=LONGEST_SEED,
            low_digits=2 * SHORTEST_SEED,
            high_digits=2 * LONGEST_SEED,
        )
        super().__init__(text, fields={"seed": text})


class NotPublishedError(RefusedError):
    def __init__(self, clause: str) -> None:
        super().__init__(
            T("参赛名单还没有公示，不能抽签。"), clause=clause, next_step=T("请组委会先公示审核通过的名单。")
        )


class PublicationRunningError(RefusedError):
    def __init__(self, ends_at: datetime, clause: str) -> None:
        super().__init__(
            T("公示期到 %(end)s 才结束，此前不能抽签。", end=until(ends_at)),
            clause=clause,
            next_step=T("公示期满、没有未处理的举报后再抽签。"),
            extra={"ends_at": ends_at.isoformat()},
        )


class ObjectionsOpenError(RefusedError):
    """The window is over, and an objection made in it is not decided."""

    def __init__(self, number: int, clause: str) -> None:
        super().__init__(
            T("第 %(number)s 号名单还有异议没有处理，此前不能抽签。", number=number),
            clause=clause,
            next_step=T("异议处理完后再抽签。"),
            extra={"number": number},
        )


class MailUnreadError(RefusedError):
    """The window is over, and an objection may lie in mail that nobody has looked at."""

    def __init__(self, number: int, clause: str) -> None:
        super().__init__(
            T("第 %(number)s 号名单公示期内的来信还没有查收完，此前不能抽签。", number=number),
            clause=clause,
            next_step=T("请在“公示”页看在等什么；收完后名单自动确认。"),
            extra={"number": number},
        )


class ListStaleError(RefusedError):
    """A line of a list in force reads differently today, and the text publishes a change again before it holds (三(四)2)."""

    leads_to = ("publications.staff_publication", T("去公示"))

    def __init__(self, number: int, changed: int, clause: str) -> None:
        super().__init__(
            T(
                "第 %(number)s 号名单上有 %(count)s 人已经变更，变更还没有公示，此前不能抽签。",
                number=number,
                count=changed,
            ),
            clause=clause,
            next_step=T("请先在“公示”页发布更正名单，公示期满后再抽签。"),
            extra={"number": number, "changed": changed},
        )


class UnlistedError(RefusedError):
    """Somebody is approved and on no list in force: the draw would pass him over, and no list follows it."""

    leads_to = ("publications.staff_publication", T("去公示"))

    def __init__(self, unlisted: int, clause: str) -> None:
        super().__init__(
            T("%(count)s 份审核通过的报名不在任何公示名单上，此前不能抽签。", count=unlisted),
            clause=clause,
            next_step=T("请先补充公示；不再参加的，请在“审核报名”中改为不通过并写明原因。"),
            extra={"unlisted": unlisted},
        )


class EntriesOpenError(RefusedError):
    """Where no list is published, the entries themselves are the list: they must have ended."""

    def __init__(self, closes_at: datetime, clause: str) -> None:
        super().__init__(
            T("报名到 %(end)s 截止，此前不能抽签编排。", end=closes_at),
            clause=clause,
            next_step=T("请在报名截止、审核完成后再抽签编排。"),
        )


class EntriesPendingError(RefusedError):
    def __init__(self, waiting: int, clause: str) -> None:
        super().__init__(
            T("还有 %(count)s 份报名等待审核，不能抽签编排。", count=waiting),
            clause=clause,
            next_step=T("请先在工作台“审核报名”中逐一通过或不通过。"),
            extra={"waiting": waiting},
        )


class NobodyApprovedError(RefusedError):
    def __init__(self, clause: str) -> None:
        super().__init__(
            T("没有审核通过的队员，不能抽签编排。"),
            clause=clause,
            next_step=T("请先在工作台“审核报名”中逐一通过或不通过。"),
        )


class RulingNeededError(RefusedError):
    """The text gives no answer; the committee rules, the program never guesses (I-A-3)."""

    def __init__(self, ruling: NeedsRuling, entrants: int) -> None:
        suggestion = ruling.suggestion
        super().__init__(
            Bilingual(ruling.reason.zh, ruling.reason.en),
            clause=ruling.clause,
            next_step=T("请组委会裁定。")
            if suggestion is None
            else T("请组委会裁定。%(suggestion)s", suggestion=Bilingual(suggestion.zh, suggestion.en)),
            extra={"entrants": entrants},
        )


class AlreadyDrawnError(RefusedError):
    def __init__(self, stage: str, number: int, tables: int, drawn_at: datetime, clause: str | None) -> None:
        super().__init__(
            T(
                "%(stage)s第 %(number)s 轮已于 %(at)s 抽签，共 %(tables)s 桌，不能重抽。",
                stage=stage_name(stage),
                number=number,
                tables=tables,
                at=drawn_at,
            ),
            clause=clause,
            next_step=T("结果见抽签页和对阵页。"),
            extra={"stage": stage, "round": number, "tables": tables},
        )


class StageFromStandingsError(RefusedError):
    """A later stage is not drawn from the list of entrants."""

    def __init__(self, stage: str, clause: str | None) -> None:
        super().__init__(
            T("%(stage)s按上一阶段的名次编排，上一阶段的名次还没有确定。", stage=stage_name(stage)),
            clause=clause,
            next_step=T("请在上一阶段成绩全部确认后，从“晋级与下一阶段”编排。"),
        )


class AlreadyCommittedError(RefusedError):
    def __init__(self, stage: str, number: int, committed_at: datetime) -> None:
        super().__init__(
            T(
                "%(round)s的种子已于 %(at)s 承诺，还没有抽签。",
                round=round_name(stage, number),
                at=committed_at,
            ),
            next_step=T("请用这个种子抽签；要换种子，先撤销承诺并写明原因，原因会公开。"),
        )


class NotCommittedError(RefusedError):
    def __init__(self, stage: str, number: int) -> None:
        super().__init__(
            T("%(round)s没有等待抽签的种子承诺。", round=round_name(stage, number)),
            next_step=T("请先公布种子承诺，再写入公众数据。"),
        )


class AlreadyContributedError(RefusedError):
    """A contribution that could be changed would let its writer choose among outcomes."""

    def __init__(self, contribution: str) -> None:
        super().__init__(
            T("公众数据已经写入：“%(contribution)s”，不能再改。", contribution=contribution),
            next_step=T("可以抽签；写错了就撤销承诺并写明原因，重新承诺。"),
        )


class SeedCommittedError(InvalidError):
    def __init__(self) -> None:
        text = T("这一轮的种子已经承诺，不能另填种子。")
        super().__init__(
            text, fields={"seed": text}, next_step=T("请把种子一栏留空；要换种子，先撤销承诺并写明原因。")
        )


class SeedUsedError(InvalidError):
    """A seed that was shown once proves nothing any more: whoever knows it knows the outcome."""

    def __init__(self) -> None:
        text = T("这个种子在本项目用过，已经公开或已经承诺，不能再用。")
        super().__init__(text, fields={"seed": text}, next_step=T("请换一个种子，或留空由系统随机产生。"))


class ListChangedError(RefusedError):
    """Who would be drawn is not who was on the list when the seed was committed to."""

    def __init__(self, missing: int, added: int, clause: str | None) -> None:
        super().__init__(
            T(
                "承诺种子之后名单变了：少了 %(missing)s 人，多了 %(added)s 人，不能用原来的承诺抽签。",
                missing=missing,
                added=added,
            ),
            clause=clause,
            next_step=T("请撤销承诺并写明名单为什么变了，再按新名单承诺。"),
            extra={"missing": missing, "added": added},
        )


class BadContributionError(InvalidError):
    def __init__(self) -> None:
        text = T("公众数据应为 1 到 %(most)s 个字，例如开奖号码或观众说的一句话。", most=LONGEST_CONTRIBUTION)
        super().__init__(text, fields={"contribution": text})


class UnseenContributionError(InvalidError):
    def __init__(self) -> None:
        text = T("公众数据里有看不见的字符，别人无法照着重新输入。请手工输入，不要粘贴。")
        super().__init__(text, fields={"contribution": text})


class UnknownRoundError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("这一轮还没有承诺种子，也没有抽签。"), next_step=T("请从抽签页进入。"))


class UnknownEntrantError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("对阵中没有这名选手。"), next_step=T("请在对阵页按姓名查找。"))


class UnknownTableError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有这张桌子。"), next_step=T("请重新扫描桌卡上的二维码。"))


def stage_name(stage: str) -> T:
    return STAGE_NAMES.get(stage, T("%(stage)s", stage=stage))


def round_name(stage: str, number: int) -> T:
    """A round in words; number 0 is the division into groups before the first."""
    if not number:
        return T("分组抽签")
    return T("%(stage)s第 %(number)s 轮", stage=stage_name(stage), number=number)


def require_may_draw(actor: Actor, competition_id: int) -> None:
    """The committee draws; on the day the chief referee may."""
    actor.require(competition_id, *DRAWERS)


def may_see_tokens(actor: Actor, competition_id: int) -> bool:
    """A table's token opens its score sheet: for people with a role, never on a public page."""
    return actor.has(competition_id, *TOKEN_READERS)


def stage_rule(regulation: Regulation, stage: str) -> StageRule | None:
    """The rule of a stage; None for a play-off. Raises `UnknownStageError` naming the stages there are."""
    rules = regulation.scoring_rules()
    if stage not in rules.stage_codes:
        raise UnknownStageError(stage, rules.stage_codes)
    return rules.stage(stage)


def eligible_clause(regulation: Regulation) -> str:
    """Where the text says that approved and unreported players are eligible: the paragraph of late changes (三(四)2)."""
    return regulation.registration.changes_clause


def parse_seed(written: str) -> bytes:
    """A seed as the committee gives it. Raises `BadSeedError`."""
    try:
        seed = seed_from_hex(written.strip().lower())
    except SeedError as error:
        raise BadSeedError from error
    if not SHORTEST_SEED <= len(seed) <= LONGEST_SEED:
        raise BadSeedError
    return seed


def parse_contribution(written: str) -> str:
    """A public contribution as it is published and hashed. Raises `BadContributionError`.

    What nobody sees, or what turns the order of writing round, is refused: everybody must be able to type it again.
    """
    contribution = normal_contribution(written)
    if any(unicodedata.category(char) in UNSEEN for char in contribution):
        raise UnseenContributionError
    if not 1 <= len(contribution) <= LONGEST_CONTRIBUTION:
        raise BadContributionError
    return contribution


def require_same_list(committed: Sequence[str], now: Sequence[str], clause: str | None) -> None:
    """The frozen list is still the list. Raises `ListChangedError` with how many are missing and new."""
    before, after = set(committed), set(now)
    if before != after:
        raise ListChangedError(len(before - after), len(after - before), clause)


def require_enough(entrants: int, rules: ScoringRules) -> None:
    """At least as many entrants as the next stage has places. Raises ``RulingNeededError``."""
    ruling = small_field(entrants, rules)
    if ruling is not None:
        raise RulingNeededError(ruling, entrants)


def entrant_of(entry_id: int) -> EntrantId:
    """An entry's id in the event file; draws are made with these, so that the file alone replays them."""
    return EntrantId(f"e{entry_id}")


def known_entrant(written: str) -> EntrantId:
    """An id of the event file as it stands in an address. Raises ``UnknownEntrantError``."""
    if not ENTRANT.fullmatch(written) or len(written) > LONGEST_ENTRANT:
        raise UnknownEntrantError
    return EntrantId(written)


def entry_of(entrant: str) -> EntryId:
    return EntryId(int(entrant.removeprefix("e")))


def drawn_groups(entrants: Sequence[EntrantId], seed: bytes) -> GroupsDraw:
    """The first stage: groups of three from the seed alone (四(二)初赛)."""
    return draw_groups(entrants, seed)


def why_together(kind: str | None, table: int, tables: int, grouping: str) -> T:
    """Why these three share table ``table`` (from 1) of so many, by the kind of the stage; None is a play-off."""
    if kind == DRAWN:
        first, second, third = range(TABLE * (table - 1) + 1, TABLE * table + 1)
        return T(
            "从种子抽出：全体洗牌后的第 %(first)s、%(second)s、%(third)s 位同桌，先后即座位。",
            first=first,
            second=second,
            third=third,
        )
    if kind == SEEDED:
        places = group_by_order([EntrantId(str(place)) for place in range(1, TABLE * tables + 1)], grouping)
        first_, second_, third_ = places[table - 1]
        return T(
            "按上一阶段的名次分组：第 %(first)s、%(second)s、%(third)s 位同桌。名次并列的先后由种子抽出。",
            first=first_,
            second=second_,
            third=third_,
        )
    if kind == SWISS:
        return T("积分编排：由此前各轮的成绩和公开的种子算出，可以重新计算。")
    if kind is None:
        return T("名次并列，加赛决定先后。")
    return T("上一阶段晋级的三人。")


def mentioned(sentence: str) -> tuple[EntryId, ...]:
    """The entries whose ids of the event file stand in a sentence of the engine."""
    return tuple(EntryId(int(found)) for found in ENTRANT.findall(sentence))


def with_names(
    reason: Bilingual, names: Mapping[EntryId, str], units: Mapping[int, str] | None = None
) -> Bilingual:
    """The engine's sentence with the names of people, and of units where they are given, where it has ids of the event
    file."""

    def name(found: re.Match[str]) -> str:
        return names.get(EntryId(int(found[1])), found[0])

    def unit(found: re.Match[str]) -> str:
        return (units or {}).get(int(found[1]), found[0])

    # units first: a person's name is never read again
    return Bilingual(*(ENTRANT.sub(name, UNIT.sub(unit, sentence)) for sentence in (reason.zh, reason.en)))


def draw_proof(seed: bytes, draw: GroupsDraw) -> str:
    """SHA-256 over seed, entrants, tables and direct entrants, as `scoring_engine` defines it."""
    entrants = [*(seat for table in draw.tables for seat in table), *draw.direct]
    return proof_of(seed, entrants, draw.tables, draw.direct)
