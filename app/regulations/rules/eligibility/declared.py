"""Rules that a person says to meet, and the one that only tells."""

from collections.abc import Callable

from app.regulations.rules.eligibility.kinds import Parameters
from app.regulations.rules.eligibility.people import MEMBER_KIND_NAMES, UNION_NAMES, Person
from app.regulations.rules.texts import Bilingual
from app.text import T


def describe_union(parameters: Parameters) -> T:
    unions = [UNION_NAMES[union] for union in parameters["unions"]]
    return Bilingual(
        f"{'、'.join(union.zh for union in unions)}的全体工会会员均可参赛。",
        f"Open to every trade union member of {' and '.join(union.en for union in unions)}.",
    )


def met_by_saying_so(
    rule: str, name: Callable[[Parameters], T]
) -> Callable[[Person, Parameters], tuple[str, T] | None]:
    """The judgement of a rule that is met by saying so."""

    def judge(person: Person, parameters: Parameters) -> tuple[str, T] | None:
        if rule in person.declared:
            return None
        return f"declared.{rule}", name(parameters)

    return judge


def no_union(parameters: Parameters) -> T:
    unions = [UNION_NAMES[union] for union in parameters["unions"]]
    return Bilingual(
        f"只限{'、'.join(union.zh for union in unions)}的工会会员参赛；是会员的请勾选。",
        f"Only trade union members of {' and '.join(union.en for union in unions)} may enter; tick if it is so.",
    )


def declare_union(parameters: Parameters) -> T:
    unions = [UNION_NAMES[union] for union in parameters["unions"]]
    return Bilingual(
        f"是{'、'.join(union.zh for union in unions)}的工会会员",
        f"Is a trade union member of {' or '.join(union.en for union in unions)}",
    )


def not_healthy(_parameters: Parameters) -> T:
    return Bilingual(
        "须身体健康方可参赛；身体健康的请勾选。", "Players are in good health; tick if it is so."
    )


def describe_health(_parameters: Parameters) -> T:
    return Bilingual("参赛者须身体健康。", "Players are in good health.")


def declare_health(_parameters: Parameters) -> T:
    return Bilingual("身体健康，适宜参赛", "Is in good health and fit to play")


def was_there(parameters: Parameters) -> T:
    region, days = Bilingual.of(parameters["region"]), parameters["days"]
    return Bilingual(
        f"比赛前 {days} 日内到过{region.zh}的不得参赛；没有到过的请勾选。",
        f"Players must not have been in {region.en} in the {days} days before play; tick if you were not.",
    )


def describe_there(parameters: Parameters) -> T:
    region, days = Bilingual.of(parameters["region"]), parameters["days"]
    return Bilingual(
        f"比赛前 {days} 日内到过{region.zh}的不得参赛。",
        f"Players must not have been in {region.en} in the {days} days before play.",
    )


def declare_not_there(parameters: Parameters) -> T:
    region, days = Bilingual.of(parameters["region"]), parameters["days"]
    return Bilingual(
        f"比赛前 {days} 日内没有、也不会到{region.zh}",
        f"Is not in {region.en} in the {days} days before play",
    )


def left(parameters: Parameters) -> T:
    region, days = Bilingual.of(parameters["region"]), parameters["days"]
    return Bilingual(
        f"比赛前 {days} 日内离开{region.zh}的不得参赛；不离开的请勾选。",
        f"Players must not leave {region.en} in the {days} days before play; tick if you do not.",
    )


def describe_stay(parameters: Parameters) -> T:
    region, days = Bilingual.of(parameters["region"]), parameters["days"]
    return Bilingual(
        f"比赛前 {days} 日内不得离开{region.zh}。",
        f"Players must not leave {region.en} in the {days} days before play.",
    )


def declare_stay(parameters: Parameters) -> T:
    region, days = Bilingual.of(parameters["region"]), parameters["days"]
    return Bilingual(
        f"比赛前 {days} 日内不离开{region.zh}", f"Stays in {region.en} for the {days} days before play"
    )


def judge_member(_person: Person, _parameters: Parameters) -> tuple[str, T] | None:
    return None


def describe_member(parameters: Parameters) -> T:
    kinds = [MEMBER_KIND_NAMES[kind] for kind in parameters["member_kinds"]]
    return Bilingual(
        f"协会的{'和'.join(kind.zh for kind in kinds)}均可报名参加。",
        f"Open to the association's {' and '.join(kind.en for kind in kinds)}.",
    )
