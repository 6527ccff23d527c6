"""Who is not paired again after forfeits (弃权) until he is reinstated (I-B-19)."""

from collections.abc import Mapping
from enum import StrEnum


class Attendance(StrEnum):
    """How an entrant took part in a round."""

    PLAYED = "played"
    FORFEIT = "forfeit"  # he did not appear himself
    BYE = "bye"  # had a bye, or won because the opponent did not appear
    ABSENT = "absent"  # not paired: excused, late, or standing out


def stands_out(
    attendance: Mapping[int, Attendance], reinstated_before: int | None = None, running: int = 2
) -> bool:
    """Whether he has given up so many rounds running that he is not paired.

    attendance: round -> what he did; rounds that are missing count as absent, which neither adds to a run nor ends it:
    who stands out stays out. reinstated_before: the round he was reinstated for; only forfeits from it on count.
    running: how many forfeits running it takes, 0 for never.
    """
    if running < 0:
        raise ValueError(f"{running} forfeits running")
    run = 0
    for number in sorted(attendance):
        if reinstated_before is not None and number < reinstated_before:
            continue
        match attendance[number]:
            case Attendance.FORFEIT:
                run += 1
                if run == running:
                    return True
            case Attendance.PLAYED | Attendance.BYE:
                run = 0
            case Attendance.ABSENT:
                pass
    return False
