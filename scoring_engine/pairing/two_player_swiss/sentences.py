"""The sentences of a draw, in both languages."""

from collections.abc import Mapping, Sequence

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


def joined(parts: Sequence[Text]) -> Text:
    """Several sentences, one after the other."""
    return Text("".join(part.zh for part in parts), " ".join(part.en for part in parts))


def points_text(points: Points) -> str:
    """Points as people write them: a decimal where there is one, else a fraction."""
    try:
        return decimal_text(points)
    except ValueError:
        return str(points)


def meeting(
    one: EntrantId, one_points: Points, other: EntrantId, other_points: Points, lifted: Text | None
) -> Text:
    """Who meets whom with what points; `lifted` where the points they are paired by are others."""
    if one_points == other_points:
        text = Text(
            f"{one}与{other}同为{points_text(one_points)}分，在同分中相遇。",
            f"{one} and {other} both have {points_text(one_points)} and meet among equal points.",
        )
    else:
        text = Text(
            f"{one}（{points_text(one_points)}分）与{other}（{points_text(other_points)}分）相遇。",
            f"{one} ({points_text(one_points)}) meets {other} ({points_text(other_points)}).",
        )
    return text if lifted is None else joined((text, lifted))


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
            f"与{down}同分者共{equals}人，为奇数", f"{equals}, an odd number, have the points of {down}"
        )
    else:
        why = Text(
            f"与{down}同分者共{equals}人，不能全部在同分中配对",
            f"of the {equals} with the points of {down} not all can meet among themselves",
        )
    reason = Text(
        f"{why.zh}，{down}下浮，{up}上浮。", f"{down} floats down and {up} floats up, because {why.en}."
    )
    if not repeats:
        return reason
    again = Text(
        "两人中有人曾同向浮动，未能避免。", "One of the two has floated that way before; unavoidable."
    )
    return joined((reason, again))


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


def having_bye(entrant: EntrantId, points: Points, passed_over: Sequence[EntrantId]) -> Text:
    """Why he has the bye."""
    text = Text(
        f"{entrant}轮空：在可以轮空的人中积分最低（{points_text(points)}分）。"
        if not passed_over
        else f"{entrant}（{points_text(points)}分）轮空。",
        f"{entrant} has the bye: the lowest points ({points_text(points)}) of those who may have it."
        if not passed_over
        else f"{entrant} ({points_text(points)}) has the bye.",
    )
    if not passed_over:
        return text
    names, names_en = "、".join(passed_over[:_SHOWN]), ", ".join(passed_over[:_SHOWN])
    more = len(passed_over) > _SHOWN
    why = Text(
        f"积分更低的{names}{'等' if more else ''}已轮空过，或必须参加对局才能编排。",
        f"{names_en}{' and others' if more else ''} with fewer points have had one, or are needed as opponents.",
    )
    return joined((text, why))


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
