"""The sentences of a draw, in both languages."""

from collections.abc import Mapping, Sequence

from scoring_engine.pairing.reasons import joined
from scoring_engine.pairing.two_player_swiss.model import Order
from scoring_engine.pairing.two_player_swiss.result import Avoided, Rule, SideReason
from scoring_engine.values import EntrantId, Points, Text, decimal_text

_KEPT_APART: Mapping[Rule, Text] = {
    Rule.REMATCH: Text("已相遇过", "they have met"),
    Rule.SAME_UNIT: Text("同单位", "they are of one unit"),
    Rule.SAME_SIDE: Text(
        "两人都已连续同先后手", "both have had the same side as often running as is allowed"
    ),
}

_SHOWN = 4
"""How many avoided opponents a sentence names."""


def points_text(points: Points) -> str:
    """Points as people write them: a decimal where there is one, else a fraction."""
    try:
        return decimal_text(points)
    except ValueError:
        return str(points)


def meeting_equal(
    one: EntrantId,
    other: EntrantId,
    points: Points,
    *,
    equals: int,
    within: tuple[int, int],
    order: Order,
    sides: bool,
) -> Text:
    """Two with the same points; `within` are their places among the `equals` who have them, in drawn order."""
    start = Text(
        f"{one}与{other}同为{points_text(points)}分，在同分中相遇。",
        f"{one} and {other} both have {points_text(points)} and meet among equal points.",
    )
    if equals == len((one, other)):
        return start
    if order is Order.HALF_SPLIT:
        queue = Text(
            f"同分的{equals}人按序号分上下两半，依次一一对应。",
            f"The {equals} with these points are split into an upper and a lower half by number, first against first.",
        )
        return joined((start, queue))
    near = within[1] - within[0] == 1
    between = (
        Text(
            "排在两人之间的另有对手：先使全体的先后手更均衡，再让抽签相邻的人相遇。",
            "those between them meet others: first moves are balanced before neighbours in the lots meet.",
        )
        if sides
        else Text("排在两人之间的另有对手。", "those between them meet others.")
    )
    meet = Text("相邻的两人相遇。", "neighbours meet.") if near else between
    queue = Text(
        f"同分的{equals}人按抽签先后排队，{one}第{within[0]}，{other}第{within[1]}，{meet.zh}",
        f"The {equals} with these points stand in the order of lots, {one} at {within[0]} and {other} at {within[1]}: "
        f"{meet.en}",
    )
    return joined((start, queue))


def meeting_unequal(
    one: EntrantId, other: EntrantId, points: tuple[Points, Points], places: tuple[int, int]
) -> Text:
    """Two whose points differ, the upper first, with their places by points."""
    upper, lower = points_text(points[0]), points_text(points[1])
    apart = points_text(max(points) - min(points))  # who is lifted may have fewer
    return Text(
        f"{one}（{upper}分，第{places[0]}）与{other}（{lower}分，第{places[1]}）相遇，相差{apart}分。",
        f"{one} ({upper}, place {places[0]}) meets {other} ({lower}, place {places[1]}), {apart} apart.",
    )


def lifted_by(points: Points) -> Text:
    """The upper half plays as if it had more points."""
    return Text(
        f"加速编排：上半区编排时加{points_text(points)}分。",
        f"Accelerated: the upper half is paired with {points_text(points)} more points.",
    )


def floating(down: EntrantId, up: EntrantId, equals: int, repeats: int) -> Text:
    """Why the points differ: not everybody of the upper one's points could meet somebody with the same."""
    if equals == 1:
        why = Text(f"没有与{down}同分的人", f"nobody else has the points of {down}")
    elif equals % 2:
        why = Text(
            f"与{down}同分者共{equals}人，是单数，总有一人要遇到别的分数",
            f"{equals}, an odd number, have the points of {down}",
        )
    else:
        why = Text(
            f"与{down}同分者共{equals}人，不能全部在同分中配对",
            f"of the {equals} with the points of {down} not all can meet among themselves",
        )
    reason = Text(
        f"{why.zh}：{down}下浮（遇低分），{up}上浮（遇高分）。",
        f"{down} floats down and {up} floats up, because {why.en}.",
    )
    if not repeats:
        return reason
    again = Text(
        "两人中有人曾同向浮动，未能避免。", "One of the two has floated that way before; unavoidable."
    )
    return joined((reason, again))


def numbered(ahead: int, equals: int, at: int, order: Order) -> Text:
    """Why the table has its number: so many tables have higher points, `at` of `equals` tables with the same."""
    by = (
        Text("抽签先后", "the order of lots")
        if order is Order.LOTS
        else Text("序号先后", "the order of starting numbers")
    )
    start = (
        Text(
            f"桌号从高分排起，分数更高的{ahead}桌在前",
            f"Tables are numbered from the highest points, {ahead} before it",
        )
        if ahead
        else Text(
            "桌号从高分排起，没有分数更高的桌", "Tables are numbered from the highest points, none is higher"
        )
    )
    if equals == 1:
        return Text(f"{start.zh}。", f"{start.en}.")
    return Text(
        f"{start.zh}；分数相同的{equals}桌按{by.zh}，本桌第{at}。",
        f"{start.en}; of the {equals} with the same points it is number {at} in {by.en}.",
    )


def avoided(found: Sequence[Avoided]) -> Text | None:
    """The nearer opponents of equal points whom a rule excluded."""
    if not found:
        return None
    shown = found[:_SHOWN]
    more = len(found) - len(shown)
    zh = "；".join(f"{each.entrant}不与{each.other}（{_KEPT_APART[each.rule].zh}）" for each in shown)
    en = "; ".join(f"{each.entrant} not with {each.other} ({_KEPT_APART[each.rule].en})" for each in shown)
    return Text(
        f"避开：{zh}{f'，等{len(found)}对' if more else ''}。",
        f"Avoided: {en}{f', and {more} more' if more else ''}.",
    )


def moving_first(
    reason: SideReason, first: EntrantId, second: EntrantId, firsts: tuple[int, int], run: int
) -> Text:
    """Why the first mover moves first; `firsts` are the first moves each has had."""
    match reason:
        case SideReason.RUN:
            return Text(
                f"{first}先手：否则有人连续超过{run}次同一先后手。",
                f"{first} moves first: else one would have the same side more than {run} times running.",
            )
        case SideReason.FEWER_FIRST:
            return Text(
                f"{first}先手：先手{firsts[0]}次，少于{second}的{firsts[1]}次。",
                f"{first} moves first: {firsts[0]} first moves so far, {second} has {firsts[1]}.",
            )
        case SideReason.MORE_SECOND:
            return Text(
                f"{first}先手：先手次数相同，后手较多。",
                f"{first} moves first: as many first moves, more second.",
            )
        case SideReason.LAST_SECOND:
            return Text(
                f"{first}先手：两人最近一次先后手不同时，{first}为后手。",
                f"{first} moves first: moved second when the two last differed.",
            )
        case SideReason.LOTS:
            return Text(f"{first}先手：抽签决定。", f"{first} moves first: by lot.")


def having_bye(
    entrant: EntrantId, points: Points, had: Sequence[EntrantId], needed: Sequence[EntrantId], equals: int
) -> Text:
    """Why he has the bye: `had` and `needed` have fewer points, `equals` others have as many and could have it too."""
    if had or needed:
        parts = [
            Text(
                f"{entrant}（{points_text(points)}分）轮空。",
                f"{entrant} ({points_text(points)}) has the bye.",
            )
        ]
    else:
        parts = [
            Text(
                f"{entrant}轮空：在可以轮空的人中积分最低（{points_text(points)}分）。",
                f"{entrant} has the bye: the lowest points ({points_text(points)}) of those who may have it.",
            )
        ]
    if had:
        names, names_en = _some(had)
        parts.append(
            Text(
                f"积分更低的{names}已经轮空过，不再轮空。",
                f"{names_en} with fewer points have had one and get no other.",
            )
        )
    if needed:
        names, names_en = _some(needed)
        parts.append(
            Text(
                f"积分更低的{names}必须参加对局，其余的人才能合规配对。",
                f"{names_en} with fewer points are needed as opponents.",
            )
        )
    if equals:
        parts.append(
            Text(
                f"还有{equals}人同分而可以轮空：看怎样使其余的人配得最好，再看抽签先后。",
                f"{equals} more have these points and could have it: what pairs the others best decides, then lots.",
            )
        )
    return joined(parts)


def _some(entrants: Sequence[EntrantId]) -> tuple[str, str]:
    """The first few names, in both languages."""
    shown, more = entrants[:_SHOWN], len(entrants) > _SHOWN
    return (
        f"{'、'.join(shown)}{f'等{len(entrants)}人' if more else ''}",
        f"{', '.join(shown)}{f' and {len(entrants) - _SHOWN} more' if more else ''}",
    )


def broken(rule: Rule, entrants: Sequence[EntrantId]) -> Text:
    """What a draw breaks."""
    one, other = entrants[0], entrants[-1]
    return {
        Rule.REMATCH: Text(f"{one}与{other}再次相遇。", f"{one} and {other} meet again."),
        Rule.SECOND_BYE: Text(
            f"{one}再次轮空：没有可以轮空的人。", f"{one} has a second bye: nobody else can have one."
        ),
        Rule.SAME_UNIT: Text(
            f"{one}与{other}同单位而相遇。", f"{one} and {other} meet although they are of one unit."
        ),
        Rule.SAME_SIDE: Text(
            f"{one}与{other}相遇，其中一人连续同一先后手过多。",
            f"{one} and {other} meet, and one of them has the same side too often running.",
        ),
    }[rule]


def no_draw(what: Text, every_pair: bool, alone: Sequence[EntrantId]) -> Text:
    """No draw keeps every hard rule: what is broken, and who is left without any opponent the rules allow."""
    start = (
        Text("没有一种编排能遵守全部硬性规定。", "No draw keeps every hard rule.")
        if every_pair
        else Text(
            "在相近名次之间没有找到遵守全部硬性规定的编排。",
            "Among neighbouring ranks no draw was found that keeps every hard rule.",
        )
    )
    if not alone:
        return joined((start, what))
    names, names_en = "、".join(alone[:_SHOWN]), ", ".join(alone[:_SHOWN])
    more = len(alone) > _SHOWN
    stuck = Text(
        f"没有合规对手的人：{names}{f'等{len(alone)}人' if more else ''}。",
        f"Without any opponent the rules allow: {names_en}{f' and {len(alone) - _SHOWN} more' if more else ''}.",
    )
    return joined((start, what, stuck))


SUGGESTION = Text(
    "本程序给出违反最少的编排，供组委会采用；也可以提前结束本阶段，或让一人不参加本轮。",
    "The tables are the draw that breaks least; the committee may take it, end the stage here, or leave somebody out.",
)
