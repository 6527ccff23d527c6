"""Sentences of the rules page for rounds of 二打一 at tables of three, made from the rows that compute.

Each is (sentence, clause): a round's parts stand in different clauses of the text.
"""

from collections.abc import Iterator

from app.regulations.rules.board_texts import BYE_NAMES
from app.regulations.rules.texts import Bilingual
from scoring_engine.rules import LandlordRules, RoundPoints, StageRule, Worth
from scoring_engine.values import decimal_text

Sentence = tuple[Bilingual, str]

SEAT_NAMES = (Bilingual("西", "West"), Bilingual("南", "South"), Bilingual("东", "East"))

TIES = {
    "mean": Bilingual("名次相同的平分", "equals share the mean"),
    "highest": Bilingual("名次相同的都取较高者", "equals all get the higher"),
    "lowest": Bilingual("名次相同的都取较低者", "equals all get the lower"),
}
COMPARES = {
    "with_adjustments": Bilingual("含迟到和判罚的小分", "lateness and penalties included"),
    "as_played": Bilingual("不含迟到和判罚的小分", "without lateness and penalties"),
}
MINUTES = {
    "ceil": Bilingual("不足一分钟按一分钟计", "a part of a minute counts as a whole one"),
    "floor": Bilingual("不足一分钟不计", "a part of a minute does not count"),
}
SEVERAL = {
    "sum": Bilingual("两档之和", "the sum of both tiers"),
    "double_higher": Bilingual("较高一档的双倍", "twice the higher tier"),
    "double_lower": Bilingual("较低一档的双倍", "twice the lower tier"),
}


def rounds_stage(stage: StageRule) -> list[Bilingual]:
    """积分编排 at tables of three: how many rounds and deals."""
    return [
        Bilingual(
            f"共 {stage.rounds} 轮，每轮三人一桌打 {stage.deals} 副。",
            f"{stage.rounds} rounds, each of {stage.deals} deals at tables of three.",
        )
    ]


def first_bids(landlord: LandlordRules) -> list[Sentence]:
    """Who bids first, where the text says so."""
    if landlord.first_seat is None:
        return []
    order = [SEAT_NAMES[(landlord.first_seat + step) % 3] for step in range(3)]
    sentence = Bilingual(
        f"座位依次为{'、'.join(seat.zh for seat in SEAT_NAMES)}；第一副由{order[0].zh}家首先叫牌，"
        f"第二副由{order[1].zh}家，第三副由{order[2].zh}家，以后轮流。",
        f"The seats are {', '.join(seat.en for seat in SEAT_NAMES)}; {order[0].en} bids first in deal 1, "
        f"{order[1].en} in deal 2, {order[2].en} in deal 3, and so on.",
    )
    return [(sentence, landlord.deal_clauses.get("first_bidder", ""))]


def round_points(rounds: RoundPoints) -> Iterator[Sentence]:
    """场分 of a round, byes, lateness and forfeits."""
    yield _match_points(rounds), rounds.clause
    for kind in (kind for kind in BYE_NAMES if kind in rounds.byes):
        name = BYE_NAMES[kind]
        zh, en = _worth(rounds.byes[kind])
        yield Bilingual(f"{name.zh}一轮得 {zh}。", f"{name.en} is worth {en}."), rounds.forfeits.clause
    yield from _lateness(rounds)
    yield from _forfeits(rounds)


def _match_points(rounds: RoundPoints) -> Bilingual:
    scheme, compares = rounds.scheme, COMPARES[rounds.compares]
    if scheme.ranks:
        shown, ties = [decimal_text(rank) for rank in scheme.ranks], TIES[scheme.ties]
        return Bilingual(
            f"每轮按桌内小分（{compares.zh}）排名，第一、二、三名得 {'、'.join(shown)} 场分，{ties.zh}。",
            f"Each round the game points at the table ({compares.en}) give {', '.join(shown)} match points to "
            f"first, second and third; {ties.en}.",
        )
    parts = [
        (
            "其余" if band.least is None else f"小分不少于 {decimal_text(band.least)} ",
            "otherwise" if band.least is None else f"from {decimal_text(band.least)} game points on",
            decimal_text(band.points),
        )
        for band in reversed(scheme.bands)
    ]
    return Bilingual(
        f"每轮按小分（{compares.zh}）得场分：{'；'.join(f'{zh}得 {worth}' for zh, _, worth in parts)}。",
        f"Match points of a round by its game points ({compares.en}): "
        f"{'; '.join(f'{worth} {en}' for _, en, worth in parts)}.",
    )


def _lateness(rounds: RoundPoints) -> Iterator[Sentence]:
    lateness, least = rounds.lateness, 1
    for tier in lateness.tiers:
        yield (
            Bilingual(
                f"迟到 {least}–{tier.up_to} 分钟：按时到场者各得 {tier.others} 小分，迟到者扣 {-tier.offender} 小分。",
                f"{least}–{tier.up_to} minutes late: {tier.others} game points for each who was in time, "
                f"{-tier.offender} off for the late one.",
            ),
            lateness.clause,
        )
        least = tier.up_to + 1
    minutes, several, last = MINUTES[lateness.minutes], SEVERAL[lateness.several], lateness.tiers[-1].up_to
    yield (
        Bilingual(
            f"迟到超过 {last} 分钟判弃权；{minutes.zh}。一桌两人迟到的，按时到场者得{several.zh}，迟到者各扣各的。",
            f"More than {last} minutes late is a forfeit; {minutes.en}. With two late at a table whoever was in time "
            f"gets {several.en}, and each late one loses his own.",
        ),
        lateness.clause,
    )


def _forfeits(rounds: RoundPoints) -> Iterator[Sentence]:
    forfeits = rounds.forfeits
    for who, who_en, worth in (
        ("一人弃权，其余两人各得", "Where one forfeits, the other two get", forfeits.others),
        ("两人弃权，第三人得", "Where two forfeit, the third gets", forfeits.sole),
        ("弃权者得", "Whoever forfeits gets", forfeits.offender),
    ):
        zh, en = _worth(worth)
        yield Bilingual(f"{who} {zh}。", f"{who_en} {en}."), forfeits.clause
    if forfeits.late == "counted":
        sentence = Bilingual(
            "有人弃权的一桌，其他人的迟到照计小分。",
            "At a table with a forfeit the lateness of others counts besides.",
        )
        yield sentence, forfeits.clause


def _worth(worth: Worth) -> tuple[str, str]:
    match, game = decimal_text(worth.match_points), decimal_text(worth.game_points)
    return f"{match} 场分、{game} 小分", f"{match} match points and {game} game points"
