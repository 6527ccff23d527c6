"""What a regulation comes to for a number of entrants (预览): tables, byes, rounds, deals, days, prizes.

Everything is found by the engine's own draws of made-up entrants, so that a preview says what the first draw will do.

| format | said |
|---|---|
| knock-out | tables of three and who goes straight on; each later stage; a field too small for it |
| Swiss | groups, tables and byes of a round; rounds; games or deals in all |
| bracket | matches and the bye of each round; who wins the prizes |
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction

from app.regulations.rules.calendar import CALENDAR_KEYS, CalendarKey
from app.regulations.rules.engine_rows import STAGE_NAMES
from app.regulations.rules.regulation import Regulation
from app.regulations.rules.rows import RuleRow
from app.regulations.rules.terms import FEE_CODES, WINDOW_CODES, WINDOW_STARTS
from app.regulations.rules.texts import Bilingual
from app.text import T, until
from app.workdays.rules import Window
from scoring_engine.pairing.bracket import draw_first_round, draw_later_round, going_on
from scoring_engine.pairing.division import divide
from scoring_engine.pairing.groups_of_three import TABLE, draw_groups
from scoring_engine.prizes import award
from scoring_engine.prizes.rounds import award_rounds, rewarded
from scoring_engine.ranking import Placing
from scoring_engine.rules import BoardRules, PrizeRule, ScoringRules, StageRule
from scoring_engine.rules.stage_kinds import Format, format_of
from scoring_engine.stages.questions import small_field
from scoring_engine.values import EntrantId, NeedsRuling, decimal_text

MOST_ENTRANTS = 5_000
FEWEST = 2
_SEED = bytes(32)
"""Any seed: how many tables there are does not depend on it."""


@dataclass(frozen=True, slots=True)
class PreviewSection:
    """One heading with its sentences."""

    code: str
    title: T
    rows: tuple[RuleRow, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """A regulation at a number of entrants. warnings: what the committee has to decide first."""

    entrants: int
    pairs: bool
    sections: tuple[PreviewSection, ...]
    warnings: tuple[RuleRow, ...]


def preview(
    regulation: Regulation, entrants: int, window: Window | None = None, unknown: T | None = None
) -> Preview:
    """The regulation with so many entrants (pairs, where pairs enter).

    window: the days of the published list, None where the text has none or they are not known; unknown: why they are not.
    """
    rules = regulation.scoring_rules()
    format_ = format_of(rules.stages[0].kind)
    field = tuple(EntrantId(f"e{number:05}") for number in range(1, entrants + 1))
    play, warnings, placings, passed = PREVIEWS[format_](rules, field)
    if entrants < FEWEST:
        alone = Bilingual("参赛者少于两个，打不成比赛。", "With fewer than two entrants nothing is played.")
        warnings.append(RuleRow(alone, rules.stages[0].clause))
    sections = (
        PreviewSection("play", Bilingual("怎样打", "How it is played"), tuple(play)),
        PreviewSection("days", Bilingual("日期和时限", "Days and time limits"), tuple(_days(regulation, window, unknown))),
        PreviewSection("prizes", Bilingual("奖励", "Prizes"), tuple(_prizes(rules, placings, passed))),
    )  # fmt: skip
    return Preview(
        entrants,
        regulation.entry.shape == "pair",
        tuple(each for each in sections if each.rows),
        tuple(warnings),
    )


Played = tuple[list[RuleRow], list[RuleRow], list[Placing], Mapping[EntrantId, int]]
Field = tuple[EntrantId, ...]


def _ruling(ruling: NeedsRuling | None) -> list[RuleRow]:
    if ruling is None:
        return []
    reason = Bilingual(ruling.reason.zh, ruling.reason.en)
    more = [] if ruling.suggestion is None else [Bilingual(ruling.suggestion.zh, ruling.suggestion.en)]
    return [RuleRow(text, ruling.clause) for text in (reason, *more)]


def _one_after_another(field: Field) -> list[Placing]:
    return [Placing(place, entrant, (), None, False) for place, entrant in enumerate(field, start=1)]


def _name(stage: StageRule) -> T:
    return STAGE_NAMES.get(stage.code, Bilingual(stage.code, stage.code))


def _knock_out(rules: ScoringRules, field: Field) -> Played:
    """Groups of three by draw, then stage after stage; a field too small for the second stage has no draw (I-A-3)."""
    first, *later = rules.stages
    ruling = small_field(len(field), rules)
    if ruling is not None:
        return [], _ruling(ruling), _one_after_another(field), {}
    draw = draw_groups(field, _SEED)
    rows = [_drawn(first, len(field), len(draw.tables), len(draw.direct), bool(later))]
    deals, seated = len(draw.tables) * first.deals, first.places
    if first.places is not None and later:
        rows.append(_going_on(first, first.places - len(draw.direct), len(draw.direct)))
    for stage in later:
        tables = (seated or TABLE) // TABLE
        deals += tables * stage.deals
        rows.append(_seeded(stage, seated or TABLE, tables))
        seated = stage.places
    rows.append(_deals_in_all(first, deals))
    return rows, [], _one_after_another(field), {}


def _drawn(stage: StageRule, field: int, tables: int, direct: int, goes_on: bool) -> RuleRow:
    zh, en = f"{field} 人分成 {tables} 桌", f"{field} entrants make {tables} tables"
    if direct and goes_on:
        zh += f"，{direct} 人抽签直接进入下一阶段"
        en += f"; {direct} drawn straight into the next stage" if direct > 1 else " and 1 direct entrant"
    return RuleRow(
        Bilingual(f"{zh}；每桌打 {stage.deals} 副。", f"{en}; {stage.deals} deals a table."), stage.clause, _name(stage)
    )  # fmt: skip


def _going_on(stage: StageRule, places: int, direct: int) -> RuleRow:
    text = Bilingual(
        f"按成绩取前 {places} 名" + (f"，连同直接进入的 {direct} 人" if direct else "") + "进入下一阶段。",
        f"The best {places}" + (f" and the {direct} direct" if direct else "") + " go on.",
    )
    return RuleRow(text, stage.clause, _name(stage))


def _seeded(stage: StageRule, field: int, tables: int) -> RuleRow:
    text = Bilingual(
        f"{field} 人，{tables} 桌，每桌打 {stage.deals} 副"
        + (f"，取前 {stage.places} 名。" if stage.places else "。"),
        f"{field} players at {tables} {'table' if tables == 1 else 'tables'}, {stage.deals} deals each"
        + (f"; the best {stage.places} go on." if stage.places else "."),
    )
    return RuleRow(text, stage.clause, _name(stage))


def _deals_in_all(stage: StageRule, deals: int) -> RuleRow:
    text = Bilingual(f"全部共 {deals} 副（不计加赛）。", f"{deals} deals in all, play-offs apart.")
    return RuleRow(text, stage.clause)


def _swiss(rules: ScoringRules, field: Field) -> Played:
    """Groups where the text has them; tables and byes of a round."""
    (stage,) = rules.stages
    placings = _one_after_another(field)
    groups: tuple[Field, ...] = (field,)
    rows = []
    if stage.group is not None:
        division = divide([(entrant, None) for entrant in field], stage.group, _SEED, clause=stage.clause)
        if division.needs_ruling is not None:
            return [], _ruling(division.needs_ruling), placings, {}
        groups = division.groups
        rows.append(_groups(stage, groups))
    size = TABLE if rules.game == "landlord" else 2
    tables = sum(len(group) // size for group in groups)
    byes = sum(len(group) % size for group in groups)
    warnings = []
    smallest = min(len(group) for group in groups)
    if size == 2 and stage.rounds >= smallest:
        text = Bilingual(
            f"{smallest} 人打 {stage.rounds} 轮，对手会重复。",
            f"{smallest} entrants cannot play {stage.rounds} rounds without rematches.",
        )
        warnings.append(RuleRow(text, stage.clause))
    rows.append(_round_of(stage, tables, byes))
    rows.append(_all_rounds(rules, stage, tables))
    return rows, warnings, placings, {}


def _groups(stage: StageRule, groups: tuple[Field, ...]) -> RuleRow:
    sizes = sorted({len(group) for group in groups})
    zh, en = " 至 ".join(map(str, sizes)), " to ".join(map(str, sizes))
    text = Bilingual(f"分成 {len(groups)} 组，每组 {zh} 人。", f"{len(groups)} groups of {en}.")
    if len(groups) == 1:
        text = Bilingual(f"不分组，{zh} 人一组。", f"One group of {en}.")
    return RuleRow(text, stage.clause, _name(stage))


def _round_of(stage: StageRule, tables: int, byes: int) -> RuleRow:
    zh = f"每轮 {tables} 桌" + (f"，{byes} 个轮空。" if byes else "，没有轮空。")
    en = f"{tables} tables a round, " + (f"{byes} {'bye' if byes == 1 else 'byes'}." if byes else "no bye.")
    return RuleRow(Bilingual(zh, en), stage.clause, _name(stage))


def _all_rounds(rules: ScoringRules, stage: StageRule, tables: int) -> RuleRow:
    zh, en = f"共 {stage.rounds} 轮", f"{stage.rounds} rounds"
    if rules.game == "landlord":
        zh += f"，每桌每轮 {stage.deals} 副，全部共 {tables * stage.rounds * stage.deals} 副。"
        en += f" of {stage.deals} deals a table, {tables * stage.rounds * stage.deals} in all."
    else:
        what = ("局", "games") if isinstance(rules.scoring, BoardRules) else ("场", "matches")
        zh += f"，全部共 {tables * stage.rounds} {what[0]}"
        en += f", {tables * stage.rounds} {what[1]} in all"
        if stage.minutes:
            zh, en = f"{zh}，每轮 {stage.minutes} 分钟", f"{en}, {stage.minutes} minutes a round"
        zh, en = f"{zh}。", f"{en}."
    return RuleRow(Bilingual(zh, en), stage.clause, _name(stage))


def _bracket(rules: ScoringRules, field: Field) -> Played:
    """Round after round, the first side of each table going on."""
    (stage,) = rules.stages
    rows, passed = [], dict.fromkeys(field, 0)
    left: Field = field
    for number in range(1, stage.rounds + 1):
        if len(left) < 2:
            break
        drawn = draw_first_round(left, _SEED) if number == 1 else draw_later_round(left, _SEED)
        left = going_on(drawn, {table: sides[0] for table, sides in enumerate(drawn.tables, start=1)})
        passed |= dict.fromkeys(left, number)
        rows.append(_bracket_round(stage, number, len(drawn.tables), len(drawn.byes), len(left)))
    if len(left) == 1:
        passed[left[0]] = stage.rounds
    return rows, [], _by_rounds(field, passed), passed


def _by_rounds(field: Field, passed: Mapping[EntrantId, int]) -> list[Placing]:
    """Who passed more rounds stands ahead; the others share a rank."""
    order = sorted(field, key=lambda entrant: -passed[entrant])
    first: dict[int, int] = {}
    for place, entrant in enumerate(order, start=1):
        first.setdefault(passed[entrant], place)
    return [Placing(first[passed[entrant]], entrant, (), None, True) for entrant in order]


def _bracket_round(stage: StageRule, number: int, matches: int, byes: int, left: int) -> RuleRow:
    zh = f"第 {number} 轮 {matches} 场" + (f"，{byes} 对轮空" if byes else "") + f"，{left} 对晋级。"
    en = f"Round {number}: {matches} {'match' if matches == 1 else 'matches'}"
    en += (f", {byes} bye" if byes else "") + f"; {left} go on."
    return RuleRow(Bilingual(zh, en), stage.clause, _name(stage))


PREVIEWS: Mapping[Format, Callable[[ScoringRules, Field], Played]] = {
    Format.KNOCK_OUT: _knock_out,
    Format.SWISS: _swiss,
    Format.BRACKET: _bracket,
}
"""What each format says of its play: the rows, what has to be ruled first, and an outcome to count the prizes by."""


def _days(regulation: Regulation, window: Window | None, unknown: T | None) -> Iterator[RuleRow]:
    calendar = regulation.calendar
    for each in calendar.in_order():
        yield RuleRow(T("%(at)s", at=each.at), each.clause, each.label)
        if each.key is CalendarKey.REGISTRATION_CLOSES and regulation.has("publication"):
            yield from _list(regulation, window, unknown)
    fees = regulation.fees
    for term in regulation.windows.values():
        text = T(
            "%(start)s后 %(minutes)s 分钟内（含最后一秒）。", start=WINDOW_STARTS[term.starts], minutes=term.minutes
        )  # fmt: skip
        yield RuleRow(text, term.clause, WINDOW_CODES[term.code])
    for fee in fees.values():
        yield RuleRow(T("%(amount)s 元", amount=str(fee.amount)), fee.clause, FEE_CODES[fee.code])


def _list(regulation: Regulation, window: Window | None, unknown: T | None) -> Iterator[RuleRow]:
    clause, label = regulation.publication.clause, T("名单公示")
    if window is None:
        if unknown is not None:
            yield RuleRow(unknown, clause, label)
        return
    text = T("%(first)s起，%(end)s 结束", first=window.first_day, end=until(window.ends_at))
    yield RuleRow(text, clause, label)
    calendar = regulation.calendar
    if CalendarKey.PLAY_FROM in calendar.dates and calendar.play_from <= window.last_day:
        first = window.last_day + timedelta(days=1)
        late = T("名单公示结束前不能抽签，比赛开始不能早于 %(first)s。", first=first)
        yield RuleRow(late, clause, CALENDAR_KEYS[CalendarKey.PLAY_FROM])


def _prizes(
    rules: ScoringRules, placings: list[Placing], passed: Mapping[EntrantId, int]
) -> Iterator[RuleRow]:
    awards = (
        award_rounds(rules.prizes, placings, passed, decided=True)
        if passed
        else award(rules.prizes, placings, decided=True)
    )
    total = Fraction(0)
    for each in awards:
        count = _winners(each.rule, len(each.entrants) + each.places)
        amount = each.rule.amount
        label = Bilingual(each.rule.label.zh, each.rule.label.en)
        zh, en = f"{count} 名", f"{count}"
        if amount is not None:
            total += amount * count
            zh, en = f"{zh}，每名 {decimal_text(amount)} 元", f"{en}, {decimal_text(amount)} yuan each"
        yield RuleRow(Bilingual(f"{zh}。", f"{en}."), each.rule.clause, label)
    if total:
        text = Bilingual(
            f"奖金（奖品）合计 {decimal_text(total)} 元。", f"{decimal_text(total)} yuan in all."
        )
        yield RuleRow(text, rules.prizes[0].clause, Bilingual("合计", "Total"))
    if rules.rewarded is not None and passed:
        share = rewarded(rules.rewarded, awards, len(placings), decided=True)
        text = Bilingual(
            f"规程奖励 {share.places} 对，奖项共 {share.awarded} 对。",
            f"The text rewards {share.places}; the prizes come to {share.awarded}.",
        )
        yield RuleRow(text, share.rule.clause, Bilingual("获奖总数", "Rewarded"))


def _winners(rule: PrizeRule, found: int) -> int:
    """How many get a prize; of teams and of people the host chooses it is what the text says."""
    if rule.chosen is not None:
        return rule.chosen
    if rule.of_teams and rule.first_rank is not None and rule.last_rank is not None:
        return rule.last_rank - rule.first_rank + 1
    return found
