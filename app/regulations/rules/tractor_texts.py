"""Sentences and tables of the rules page for 升级 (拖拉机, 八十分), made from the rows that compute."""

from dataclasses import dataclass

from app.regulations.rules.texts import Bilingual
from scoring_engine.rules import PrizeShare, StageRule
from scoring_engine.tractor.bottom import BottomRow
from scoring_engine.tractor.lateness import LateTier
from scoring_engine.tractor.levels import LevelRow, LevelTable, Side, level_name
from scoring_engine.tractor.matches import MatchFormat
from scoring_engine.tractor.penalties import Effect, PenaltyRule
from scoring_engine.tractor.units import Shape


@dataclass(frozen=True, slots=True)
class RuleTable:
    """A table of the page (级数表, 抠底倍数): its heading, its columns, its rows with the clause of each."""

    title: Bilingual
    columns: tuple[Bilingual, ...]
    rows: tuple[tuple[tuple[Bilingual, ...], str], ...]


def both(text: str) -> Bilingual:
    """The same in both languages: a number."""
    return Bilingual(text, text)


def bracket_stage(stage: StageRule) -> list[Bilingual]:
    """单场淘汰: how many rounds, how long each lasts."""
    length = "" if stage.minutes is None else f"，每轮 {stage.minutes} 分钟"
    length_en = "" if stage.minutes is None else f" of {stage.minutes} minutes each"
    return [
        Bilingual(
            f"首轮抽签，单场淘汰，获胜方进入下一轮；共 {stage.rounds} 轮{length}。",
            f"The first round is drawn; single elimination, the winner goes on; {stage.rounds} rounds{length_en}.",
        ),
        Bilingual(
            "一轮对数为单数的，抽签一对轮空，直接进入下一轮。",
            "With an odd number of pairs one, drawn by lot, has a bye and goes on.",
        ),
    ]


def swiss_matches(stage: StageRule) -> list[Bilingual]:
    """积分编排 of matches: how many rounds, how long each lasts."""
    length = "" if stage.minutes is None else f"，每轮 {stage.minutes} 分钟"
    length_en = "" if stage.minutes is None else f" of {stage.minutes} minutes each"
    return [
        Bilingual(f"共 {stage.rounds} 轮{length}。", f"{stage.rounds} rounds{length_en}."),
    ]


_TIME_UP = {
    "stop": Bilingual(
        "时间到立即停止，没有打完的一副作废。", "Play stops when time is up; an unfinished deal is void."
    ),
    "finish": Bilingual("时间到时正在打的一副打完。", "The deal that runs when time is up is finished."),
}
_ROTATION = {
    "partner": Bilingual(
        "庄家升级，由其对家坐庄；庄家下台，由其下家坐庄。",
        "While the banker's side keeps the bank his partner banks next; when it loses it, the next player.",
    ),
    "same_player": Bilingual(
        "庄家不下台，仍由同一人坐庄；下台则由其下家坐庄。",
        "While the banker's side keeps the bank the same player banks; when it loses it, the next player.",
    ),
}
_EQUAL = {
    "draw": Bilingual("级数相同为平局。", "Equal levels are a draw."),
    "bank": Bilingual("级数相同，在位坐庄的一方获胜。", "With equal levels the side in the bank wins."),
}
_PAST_A = {
    "from_a": Bilingual(
        "升到 A 即停；从 A 再升级为打过 A，即获胜。", "A side stops at A; going up from A wins the match."
    ),
    "from_any": Bilingual("升过 A 即获胜。", "Going beyond A wins the match."),
}


def match_scoring(format_: MatchFormat) -> list[tuple[Bilingual, str]]:
    """What a match is judged by, each sentence with its clause."""
    deck, start = format_.deck, level_name(format_.start)
    rows = [
        (
            Bilingual(
                f"用 {deck.decks} 副牌，每人 {deck.hand} 张，底牌 {deck.bottom_cards} 张，共 {deck.points} 分。",
                f"{deck.decks} packs, {deck.hand} cards each and {deck.bottom_cards} in the bottom, {deck.points} points.",
            ),
            format_.clause_of("deck"),
        ),
        (
            Bilingual(f"双方从 {start} 打起。", f"Both sides begin at {start}."),
            format_.clause_of("start"),
        ),
        (_ROTATION[format_.banker_rotation], format_.clause_of("banker_rotation")),
    ]
    if format_.must_play:
        named = "、".join(level_name(level) for level in sorted(format_.must_play))
        rows.append(
            (
                Bilingual(
                    f"{named} 为必打：须坐庄打过才能离开；作为防家只上台、不升级。",
                    f"{named.replace('、', ', ')} must be played: a side leaves it only by banking there and winning.",
                ),
                format_.clause_of("must_play"),
            )
        )
    rows += [
        (_PAST_A[format_.past_a], format_.clause_of("past_a")),
        (_TIME_UP[format_.time_up], format_.clause_of("time_up")),
    ]
    if format_.further_deals:
        rows.append(
            (
                Bilingual(
                    f"之后再打 {format_.further_deals} 副结束。",
                    f"After it {format_.further_deals} more deals are played.",
                ),
                format_.clause_of("further_deals"),
            )
        )
    rows.append(
        (
            Bilingual("级数高的一方获胜。", "The side with the higher level wins."),
            format_.clause_of("equal_levels"),
        )
    )
    rows.append((_EQUAL[format_.equal_levels], format_.clause_of("equal_levels")))
    if format_.points is not None:
        won, drawn, lost, bye = (
            format_.points.win,
            format_.points.draw,
            format_.points.loss,
            format_.points.bye,
        )
        rows.append(
            (
                Bilingual(
                    f"胜一轮得 {won} 分，平局各得 {drawn} 分，负得 {lost} 分；轮空得 {bye} 分。",
                    f"A win is worth {won}, a draw {drawn}, a loss {lost}; a bye is worth {bye}.",
                ),
                format_.clause_of("points"),
            )
        )
    return rows


def match_tables(format_: MatchFormat) -> tuple[RuleTable, ...]:
    """升降级, 抠底倍数 and, where the text has it, 迟到, as tables."""
    tables = [_levels(format_.levels), _bottom(format_.bottom.rows, format_.bottom.clause)]
    if format_.lateness is not None:
        tables.append(_lateness(format_.lateness.tiers))
    return tuple(tables)


def _levels(table: LevelTable) -> RuleTable:
    return RuleTable(
        Bilingual("升降级表", "Levels"),
        (
            Bilingual("防家（旁家）得分", "Defenders' points"),
            Bilingual("结果", "Result"),
        ),
        tuple(((_range(row), _result(row)), row.clause) for row in table.rows),
    )


def _range(row: LevelRow) -> Bilingual:
    low, high = (None if bound is None else f"{bound}".replace("-", "−") for bound in (row.low, row.high))
    if low is None:
        return Bilingual(f"{high} 及以下", f"{high} or fewer")
    if high is None:
        return Bilingual(f"{low} 及以上", f"{low} or more")
    return Bilingual(f"{low} 至 {high}", f"{low} to {high}")


def _result(row: LevelRow) -> Bilingual:
    if row.side is Side.DEFENDERS and not row.levels:
        return Bilingual("防家上台，不升级", "Defenders take the bank, no level")
    who = ("庄家", "Banker") if row.side is Side.BANKER else ("防家上台，", "Defenders take the bank,")
    zh, en = f"{who[0]}升 {row.levels} 级", f"{who[1]} up {row.levels}"
    if row.every is None:
        return Bilingual(zh, en)
    further = ("少", "fewer") if row.low is None else ("多", "more")
    return Bilingual(
        f"{zh}，防家每{further[0]}得 {row.every} 分再多升一级",
        f"{en}, one more for each {row.every} points {further[1]}",
    )


def _bottom(rows: tuple[BottomRow, ...], clause: str) -> RuleTable:
    return RuleTable(
        Bilingual("抠底（挖底）倍数", "Multipliers of the bottom"),
        (Bilingual("赢得最后一轮的牌型", "What won the last trick"), Bilingual("倍数", "Times")),
        tuple(((_shape(row), both(f"×{row.factor}")), clause) for row in rows)
        + tuple(((_growth(row), _grows(row)), clause) for row in rows if row.add or row.times > 1),
    )


def _shape(row: BottomRow) -> Bilingual:
    name = Shape(row.kind, row.size).name
    return Bilingual(name.zh, name.en)


def _growth(row: BottomRow) -> Bilingual:
    name = Shape(row.kind, row.size).name
    return Bilingual(f"比{name.zh}每多一连", f"Each further one beyond {name.en}")


def _grows(row: BottomRow) -> Bilingual:
    return both(f"+{row.add}" if row.add else f"×{row.times}")


_LATE = {
    Effect.WARNING: Bilingual("警告，违例一次", "A warning, on record"),
    Effect.DEAL_LOST: Bilingual(
        "首局放弃，对手升级并坐庄", "The first deal is lost; the opponents go up and bank"
    ),
    Effect.ROUND_LOST: Bilingual("该轮弃权", "The round is forfeited"),
}


def _lateness(tiers: tuple[LateTier, ...]) -> RuleTable:
    rows = []
    least = 0
    for tier in tiers:
        reach = both(f"{least + 1}—{tier.to}") if tier.to is not None else both(f"{least + 1}+")
        effect = (
            Bilingual(f"首局扣 {-tier.points} 分", f"{-tier.points} points in the first deal")
            if tier.effect is Effect.POINTS
            else _LATE[tier.effect]
        )
        rows.append(((reach, effect), tier.clause))
        least = tier.to or least
    return RuleTable(
        Bilingual("迟到", "Lateness"),
        (Bilingual("迟到分钟", "Minutes late"), Bilingual("处罚", "Penalty")),
        tuple(rows),
    )


_PER = {
    "time": Bilingual("每次", "each time"),
    "card": Bilingual("每张", "for each card"),
    "pair": Bilingual("每对", "for each pair"),
}
_EFFECTS = {
    Effect.WARNING: Bilingual("警告", "A warning"),
    Effect.REPLAY: Bilingual("重新比赛该副", "The deal is played again"),
    Effect.DEAL_LOST: Bilingual("该副判负", "The deal is lost"),
    Effect.ROUND_LOST: Bilingual("该轮判负", "The round is lost"),
    Effect.REFEREE: Bilingual(
        "由裁判视情节警告、罚分或判负", "The referee warns, takes points or rules a loss"
    ),
}


def penalty_effect(rule: PenaltyRule) -> Bilingual:
    """What a penalty costs, in words."""
    points, per = -rule.points, _PER[rule.per]
    match rule.effect:
        case Effect.POINTS:
            return Bilingual(f"{per.zh}罚 {points} 分", f"{points} points {per.en}")
        case Effect.AFTER_WARNING:
            return Bilingual(
                f"第一次警告，以后{per.zh}罚 {points} 分", f"First a warning, then {points} points {per.en}"
            )
        case Effect.BANK_LOST if rule.insisted:
            return Bilingual(
                f"庄家自动下庄；旁家坚持要打的，罚庄家 {-rule.insisted} 分",
                f"The banker goes down; if the defenders insist on playing, {-rule.insisted} points against him",
            )
        case Effect.BANK_LOST:
            return Bilingual(
                "庄家自动下庄，除非旁家坚持要打",
                "The banker goes down unless the defenders insist on playing",
            )
    return _EFFECTS[rule.effect]


def prize_share(share: PrizeShare, rounds: int) -> Bilingual:
    """Who wins a prize of a bracket."""
    if share.by == "counts":
        return Bilingual(
            f"按名次依次取 {share.count} 对", f"The next {share.count} pairs in the order of the placings"
        )
    if share.by == "percents":
        return Bilingual(
            f"按名次依次取参赛对数的 {share.percent}%，累计向上取整",
            f"The next {share.percent}% of the pairs, the sum rounded up",
        )
    if share.passed == rounds:
        return Bilingual(f"第 {rounds} 轮的胜方", f"The winners of round {rounds}")
    return Bilingual(f"第 {share.passed + 1} 轮的负方", f"The losers of round {share.passed + 1}")
