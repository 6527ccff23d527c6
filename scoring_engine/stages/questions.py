"""What the text leaves open in a stage (待裁定), and facts on the sheets that the committee should see (提示)."""

from collections.abc import Sequence

from scoring_engine.pairing.groups_of_three import TABLE
from scoring_engine.ranking import Placing
from scoring_engine.rules import ScoringRules, StageRule
from scoring_engine.stages.results import TableResult
from scoring_engine.values import EntrantId, NeedsRuling, Text, names_of


def is_small(field: int, rules: ScoringRules) -> bool:
    """Whether there are fewer entrants than places in the second stage; how to play is then the committee's ruling."""
    places = rules.stages[0].places
    return places is not None and field < places


def small_field(field: int, rules: ScoringRules) -> NeedsRuling | None:
    """Fewer entrants than places in the second stage: the text does not say how to play (I-A-3)."""
    first = rules.stages[0]
    if not is_small(field, rules):
        return None
    reading = rules.interpretation_of("small_field")
    return NeedsRuling(
        Text(
            f"只有{field}名参赛者，不足下一阶段的{first.places}个名额，规程没有规定如何进行（{reading}）。",
            f"There are {field} entrants for {first.places} places in the next stage; the text does not say how to "
            f"play ({reading}).",
        ),
        first.clause,
        _small_field_suggestion(field),
    )


def _small_field_suggestion(field: int) -> Text | None:
    if field == TABLE:
        return Text("建议三人直接进行决赛。", "The three could play the final at once.")
    if field == 2 * TABLE:
        return Text(
            "建议六人分两桌进行复赛，取三人进入决赛。", "The six could play a semifinal at two tables."
        )
    return None


def forfeit(rule: StageRule, tables: Sequence[TableResult], rules: ScoringRules) -> NeedsRuling | None:
    """Somebody gave up (弃权): the text does not say how that is scored (I-A-18)."""
    forfeits = sorted({entrant for result in tables for entrant in result.score.table.forfeits})
    if not forfeits or rules.option("forfeits") != "ruling":
        return None
    reading = rules.interpretation_of("forfeits")
    return NeedsRuling(
        Text(
            f"{names_of(forfeits).zh}弃权，规程没有规定弃权如何记分（{reading}）。",
            f"{names_of(forfeits).en} forfeited; the text does not say how that is scored ({reading}).",
        ),
        rule.clause,
    )


def of_tables(tables: Sequence[TableResult], rule: StageRule) -> tuple[NeedsRuling, ...]:
    """Lateness, for which there is no penalty, totals that deals cannot give, and a final at several tables."""
    notes: list[NeedsRuling] = []
    if rule.kind == "final" and len(tables) > 1:
        notes.append(
            NeedsRuling(
                Text(
                    f"决赛只有一桌，这里有{len(tables)}桌；名次按各桌成绩合在一起排列，请核对。",
                    f"A final has one table, here are {len(tables)}; they were ranked together, please check.",
                ),
                rule.clause,
            )
        )
    for result in tables:
        table = result.score.table
        if table.late:
            notes.append(
                NeedsRuling(
                    Text(
                        f"第{table.number}桌记有迟到，规程没有迟到罚则，未影响得分。",
                        f"Lateness is recorded at table {table.number}; the text has no penalty, no score changed.",
                    ),
                    rule.clause,
                )
            )
        totals = result.score.totals or {}
        if table.totals is not None and len({points % 3 for points in totals.values()}) > 1:
            # One deal gives +x, +x, −2x, so the totals of one table differ by multiples of 3.
            notes.append(
                NeedsRuling(
                    Text(
                        f"第{table.number}桌总分之差不是3的倍数，逐副计分不会出现，请核对。",
                        f"The totals of table {table.number} do not differ by multiples of 3; please check them.",
                    ),
                    rule.clause,
                )
            )
    return tuple(notes)


def of_seats(
    rule: StageRule, seated: Sequence[EntrantId], qualified: Sequence[EntrantId] | None
) -> tuple[NeedsRuling, ...]:
    """Who sits in a later stage against who came out of the stage before; `qualified` None while that is running."""
    if qualified is None:
        return (
            NeedsRuling(
                Text(
                    "上一阶段还没有打完，本阶段已有座位；名次暂定。",
                    "The stage before has not ended, and this one is seated already; placings are provisional.",
                ),
                rule.clause,
            ),
        )
    notes: list[NeedsRuling] = []
    if strangers := sorted(set(seated) - set(qualified)):
        names = names_of(strangers)
        notes.append(
            NeedsRuling(
                Text(
                    f"{names.zh}没有从上一阶段晋级，却坐在本阶段；成绩照记，请核对。",
                    f"{names.en} did not go on from the stage before but sit in this one; "
                    "they were scored, please check.",
                ),
                rule.clause,
            )
        )
    if missing := sorted(set(qualified) - set(seated)):
        names = names_of(missing)
        notes.append(
            NeedsRuling(
                Text(
                    f"{names.zh}已晋级本阶段，但没有座位，请核对。",
                    f"{names.en} went on to this stage but have no seat; please check.",
                ),
                rule.clause,
            )
        )
    return tuple(notes)


def of_unknown(rule: StageRule, group: Sequence[Placing]) -> tuple[NeedsRuling, ...]:
    """That a tie may only be one because totals were recorded instead of deals."""
    if all(value.counted for placing in group for value in placing.values):
        return ()
    names = names_of([placing.entrant for placing in group])
    return (
        NeedsRuling(
            Text(
                f"{names.zh}并列，但有人只记了总分，胜局数与单副得分无从比较；补录各副后可能分出先后。",
                f"{names.en} are tied, but only totals are known of some; their deals may separate them.",
            ),
            rule.clause,
        ),
    )


def of_needless_playoff(result: TableResult, rules: ScoringRules) -> NeedsRuling:
    """Deals of a play-off that no tie asked for."""
    number = result.score.table.number
    return NeedsRuling(
        Text(
            f"加赛第{result.round}轮第{number}桌不属于任何需要加赛的并列，没有改变名次。",
            f"Play-off round {result.round}, table {number}, belongs to no tie that is played off; "
            "no placing changed.",
        ),
        rules.stages[-1].clause,
    )
