"""The sentences of a draw of three, in both languages."""

from collections.abc import Sequence

from scoring_engine.pairing.reasons import joined
from scoring_engine.pairing.three_player_swiss.model import TABLE, Rematch, TrioPlayer
from scoring_engine.pairing.three_player_swiss.result import Met, TrioAvoided, TrioRule
from scoring_engine.values import EntrantId, Points, Text, UnitId, decimal_text, names_of

_SHOWN = 4
"""How many avoided people a sentence names."""

_SEATS = (Text("西", "W"), Text("南", "S"), Text("东", "E"))


def points_text(points: Points) -> str:
    """Points as people write them: a decimal where there is one, else a fraction."""
    try:
        return decimal_text(points)
    except ValueError:
        return str(points)


def drawn(entrants: Sequence[EntrantId]) -> Text:
    """Three of round 1."""
    return Text(f"抽签：{'、'.join(entrants)}。", f"By lot: {', '.join(entrants)}.")


def meeting(players: Sequence[TrioPlayer], places: Sequence[int], spread: Points) -> Text:
    """Who meets, with their scores and places."""
    each = [
        (player.id, place, points_text(player.match_points), points_text(player.game_points))
        for player, place in zip(players, places, strict=True)
    ]
    zh = "、".join(f"{entrant}（第{place}，场分{match}，小分{game}）" for entrant, place, match, game in each)
    en = ", ".join(
        f"{entrant} (place {place}, {match} match points, {game} game points)"
        for entrant, place, match, game in each
    )
    if not spread:
        return Text(f"场分相同者相遇：{zh}。", f"Equal match points meet: {en}.")
    return Text(
        f"场分相近者相遇，相差{points_text(spread)}：{zh}。",
        f"Near match points meet, {points_text(spread)} apart: {en}.",
    )


def floating(upper: Sequence[EntrantId], lower: Sequence[EntrantId], points: Points, equals: int) -> Text:
    """Why match points differ at a table: of the `equals` with the most here not all could fill tables by themselves."""
    match = points_text(points)
    above, below = names_of(upper), names_of(lower)
    left = equals % TABLE
    cannot = (
        Text(
            f"场分{match}的共{equals}人，三人一桌坐不满整桌",
            f"{equals} have {match} match points, which does not make whole tables of three",
        )
        if left
        else Text(
            f"场分{match}的共{equals}人，不能全部在同分中成桌",
            f"of the {equals} with {match} match points not all can sit among themselves",
        )
    )
    return Text(
        f"{cannot.zh}：{above.zh}下浮（遇低分），{below.zh}上浮（遇高分）。",
        f"{cannot.en}: {above.en} float down, {below.en} float up.",
    )


def numbered(best: EntrantId, place: int, *, first_round: bool) -> Text:
    """Why the table has its number: tables stand in the order of their best person."""
    if first_round:
        return Text(
            f"桌号按抽签先后：看每桌最先抽到的人，本桌是{best}。",
            f"Tables are numbered by lot, by whoever of the table was drawn first: here {best}.",
        )
    return Text(
        f"桌号从前往后排：看每桌名次最前的人，本桌是{best}（第{place}），名次相同看抽签先后。",
        f"Tables are numbered by the best of each, here {best} (place {place}); equal places by lot.",
    )


def rematches(found: Sequence[Met], rule: Rematch) -> Text | None:
    """Who meets again."""
    if not found:
        return None
    zh = "；".join(f"{each.entrants[0]}与{each.entrants[1]}曾相遇{each.times}次" for each in found)
    en = "; ".join(
        f"{each.entrants[0]} and {each.entrants[1]} have met {each.times} time(s)" for each in found
    )
    text = Text(f"未能避免重复相遇：{zh}。", f"Meeting again could not be avoided: {en}.")
    if rule is Rematch.HARD:
        return text
    return joined((text, Text("场分相近在先。", "Near match points come first.")))


_KEPT_APART = {
    TrioRule.SAME_UNIT: Text("同单位", "one unit"),
    TrioRule.REMATCH: Text("已相遇过", "have met"),
}


def avoided(found: Sequence[TrioAvoided]) -> Text | None:
    """Who was nearer, and why he sits elsewhere."""
    if not found:
        return None
    shown, more = found[:_SHOWN], len(found) - _SHOWN
    zh = "；".join(f"{each.entrant}不与{each.other}（{_KEPT_APART[each.rule].zh}）" for each in shown)
    en = "; ".join(f"{each.entrant} not with {each.other} ({_KEPT_APART[each.rule].en})" for each in shown)
    return Text(
        f"避开：{zh}{f'，等{len(found)}项' if more > 0 else ''}。",
        f"Avoided: {en}{f', and {more} more' if more > 0 else ''}.",
    )


def seating(entrants: Sequence[EntrantId], seats_had: Sequence[int], *, first_round: bool) -> Text:
    """Who sits where, and how often he sat there before."""
    parts = list(zip(entrants, _SEATS, seats_had, strict=True))
    if first_round:
        zh = "、".join(f"{entrant}坐{seat.zh}" for entrant, seat, _ in parts)
        en = ", ".join(f"{entrant} on {seat.en}" for entrant, seat, _ in parts)
        return Text(f"座位抽签决定：{zh}。", f"Seats by lot: {en}.")
    zh = "、".join(f"{entrant}坐{seat.zh}（坐过{had}次）" for entrant, seat, had in parts)
    en = ", ".join(f"{entrant} on {seat.en} ({had} before)" for entrant, seat, had in parts)
    return Text(f"座位按坐过次数少者优先：{zh}。", f"Seats had least come first: {en}.")


def bye(player: TrioPlayer, had_more: Sequence[EntrantId], *, first_round: bool, forced: bool) -> Text:
    """Why he has a bye; `had_more` are lower and sit down because they have had more byes."""
    score = f"场分{points_text(player.match_points)}，小分{points_text(player.game_points)}"
    score_en = (
        f"{points_text(player.match_points)} match points, {points_text(player.game_points)} game points"
    )
    if forced:
        return Text(
            f"{player.id}轮空（{score}）：其单位人数多于桌数，须有人轮空，同单位才能不相遇。",
            f"{player.id} has a bye ({score_en}): his unit has more people than there are tables, "
            "so one of them has to have it.",
        )
    if first_round:
        return Text(f"{player.id}轮空：抽签。", f"{player.id} has a bye: by lot.")
    text = Text(
        f"{player.id}轮空：在轮空最少（{player.byes}次）的人中名次最后（{score}）。",
        f"{player.id} has a bye: the lowest ({score_en}) of those who have had fewest ({player.byes}).",
    )
    if not had_more:
        return text
    names = names_of(had_more[:_SHOWN])
    more = len(had_more) > _SHOWN
    lower = Text(
        f"名次更后的{names.zh}{f'等{len(had_more)}人' if more else ''}轮空得更多，本轮不再轮空。",
        f"{names.en}{f' and {len(had_more) - _SHOWN} more' if more else ''}, who are lower, have had more and sit down.",
    )
    return joined((text, lower))


def other_bye(player: TrioPlayer) -> Text:
    """Why he has a bye although somebody lower could have had it."""
    return Text(
        f"{player.id}轮空：名次更后者轮空则其余的人无法都不重复相遇。",
        f"{player.id} has a bye: with somebody lower out, the others could not all avoid meeting again.",
    )


def too_few(entrants: Sequence[EntrantId]) -> Text:
    """Not enough people for a table."""
    names = names_of(entrants)
    return Text(
        f"只有{len(entrants)}人可以参加本轮（{names.zh}），不足一桌三人。",
        f"Only {len(entrants)} can take part in this round ({names.en}), too few for a table of three.",
    )


def unit_too_large(unit: UnitId, entrants: Sequence[EntrantId], tables: int, excess: int) -> Text:
    """Why people of one unit must meet."""
    names = names_of(entrants)
    return Text(
        f"单位{unit}有{len(entrants)}人上场（{names.zh}），多于{tables}桌，同单位不相遇无法做到：至少{excess}人只能与同单位者同桌。",
        f"Unit {unit} has {len(entrants)} people to seat ({names.en}) but there are {tables} tables: "
        f"at least {excess} cannot sit apart from their own unit.",
    )


def second_bye(entrant: EntrantId) -> Text:
    """Why somebody has a second bye while another has had none."""
    return Text(
        f"{entrant}再次轮空，而有人尚未轮空过：其单位人数多于桌数，没有别的办法使同单位不相遇。",
        f"{entrant} has another bye while somebody has had none: nothing else keeps his unit apart.",
    )


def meets(rule: TrioRule, one: EntrantId, other: EntrantId) -> Text:
    """What two at a table break."""
    if rule is TrioRule.SAME_UNIT:
        return Text(f"{one}与{other}同单位而同桌。", f"{one} and {other} are of one unit and at one table.")
    return Text(f"{one}与{other}再次相遇。", f"{one} and {other} meet again.")


def no_draw(found: Sequence[Text], entrants: Sequence[EntrantId], *, certain: bool) -> Text:
    """No draw without two who may not meet; who they are in the draw that breaks least."""
    start = (
        Text("没有一种编排能使不得相遇的人都不相遇。", "No draw keeps everybody apart who may not meet.")
        if certain
        else Text(
            "没有找到使不得相遇的人都不相遇的编排。",
            "No draw was found that keeps everybody apart who may not meet.",
        )
    )
    names = names_of(entrants)
    who = Text(f"涉及：{names.zh}。", f"Concerned: {names.en}.")
    return joined([start, *found[:_SHOWN], who])


SUGGESTION = Text(
    "本程序给出违反最少的编排，供组委会采用；也可以提前结束本阶段，或让一人不参加本轮。",
    "The tables are the draw that breaks least; the committee may take it, end the stage here, or leave somebody out.",
)
