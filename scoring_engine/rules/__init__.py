"""The engine's part of a regulation (规程): what scores, ranks, ends a stage, is punished and rewarded.

`ScoringRules.from_mapping` takes a whole regulation document (the TOML file, or the same keys as JSON) and reads
the keys below; other keys (calendar, eligibility …) belong to others and are not looked at. Every rule carries its
`clause`. What the text leaves open is an **option**: declared in `interpretations` with its default, chosen through
`options`; the engine holds no default of its own, so a document that forgets one is refused by name.

The mapping of regulation A, complete (TOML):

    id = "beach-games-landlord-2021"
    game = "landlord"

    [scoring]
    bids = [1, 2, 3]                    # 叫分; the highest ends the bidding; 0 or 不叫 is no bid
    doublings = ["rockets", "bombs", "spring", "anti_spring"]   # what n of 2^n counts
    clause = "四(二)比赛通则7"

    [[ranking]]                         # the chain, in order; codes: tie_breaks.CRITERIA
    criterion = "total_points"
    clause = "四(二)8(一)"
    [[ranking]]
    criterion = "deals_won"
    clause = "四(二)8(一)"
    [[ranking]]
    criterion = "best_deals"
    clause = "四(二)8(一)"

    [[stages]]
    code = "prelim"
    kind = "drawn"                      # 随机抽签分组; N mod 3 entrants go straight on
    deals = "deals_per_stage"           # a number, or the name of an option
    places = 9                          # how many are in the next stage, direct entrants included
    playoff_deals = 3                   # 三局决胜负
    clause = "四(二)初赛"
    [[stages]]
    code = "semifinal"
    kind = "seeded"                     # grouped by the order of the stage before
    deals = "deals_per_stage"
    places = 3
    playoff_deals = 3
    clause = "四(二)复赛"
    [[stages]]
    code = "final"
    kind = "final"                      # one table; decides the first three places
    deals = "deals_per_stage"
    playoff_deals = 3                   # 加赛三局
    clause = "四(二)决赛"

    [[penalties]]
    id = "signals"                      # 报牌
    effect = "zero_deal"                # this deal counts 0; the adjustment needs `deal`
    name = { zh = "报牌", en = "Signalling cards" }
    clause = "四(二)8(三)"
    [[penalties]]
    id = "smoking"
    effect = "points"                   # `points` each time; the adjustment may give `count`
    points = -3
    name = { zh = "吸烟", en = "Smoking" }
    clause = "四(二)8(五)"
    [[penalties]]
    id = "phone"
    effect = "zero_round"               # the whole round (轮) counts 0
    name = { zh = "使用手机", en = "Using a phone" }
    clause = "四(二)8(七)"
    [[penalties]]
    id = "abuse"
    effect = "points"
    points = -3
    name = { zh = "漫骂、侮辱性语言", en = "Abusive language" }
    clause = "四(二)8(十二)"
    [[penalties]]
    id = "timeouts"
    effect = "warnings"                 # `count` warnings; `points` at every `every`-th
    every = 3
    points = -3
    name = { zh = "超时警告", en = "Time warnings" }
    clause = "四(二)比赛通则3"
    [[penalties]]
    id = "alcohol"
    effect = "none"                     # kept on record, changes no score (不得进场, 纪律处罚)
    name = { zh = "饮酒", en = "Alcohol" }
    clause = "四(二)8(六)"

    [[prizes]]
    prize = "gold"                      # likewise silver (2), bronze (3), certificate (ranks 4-9)
    label = { zh = "金牌及获奖证书", en = "Gold medal and certificate" }
    ranks = [1, 1]                      # from, to
    amount = ""                         # decimal string in yuan; left out where the text has none
    clause = "六(一)"
    [[prizes]]
    prize = "sportsmanship"
    label = { zh = "体育道德风尚奖", en = "Sportsmanship award" }
    chosen = 2                          # how many the organiser chooses; instead of `ranks`
    clause = "六(二)"

    [points]                            # 职工赛事积分; without `places` nothing is computed
    event_grade = "A"
    places = [{ from = 1, to = 1, points = 20 }]                # from the first rank on, without a gap
    grades = [{ name = { zh = "一级", en = "first" }, least = 20 }]
    clause = "六(三)"

    [[interpretations]]                 # the engine reads id, option, default, allowed, clause
    id = "I-A-1"
    option = "deals_per_stage"
    default = 10
    allowed = { min = 1, max = 100 }    # for a number; for words a list

(`amount = ""` above stands for "left out".) The options the engine needs of a landlord regulation, their values
(the first is the default rules of A give) and what they decide, are `options.OPTIONS`. An entry of `interpretations` without `option` only informs its reader; options the
engine does not use (`deadline_day` …) may stand there too and may be true or false.

A board game (`game = "go"` or `"xiangqi"`) differs in `scoring`, `ranking` and `stages`:

    [scoring]
    win = 2
    draw = 1
    loss = 0
    forfeit_win = 2                     # 弃权 0:2; where both forfeit, both have forfeit_loss
    forfeit_loss = 0
    byes = { bye = 2, absent = 0 }      # a round without a game: 轮空, and neither seated nor 轮空; also half, zero
    whole_byes = false                  # whether all byes of an entrant together are rounded down
    clause = "附件2二"
    [[ranking]]
    criterion = "opponent_score"
    options = { own_unplayed = { option = "bye_opponent_score" }, cut = 0 }   # tie_breaks.CRITERIA has them all
    clause = "附件2二"
    [[stages]]
    code = "swiss"
    kind = "swiss"
    rounds = "rounds"                   # a number, or the name of an option
    group = [20, 32]                    # how few and how many a group may have; left out where the text is silent
    clause = "附件2一3"
    [[penalties]]
    id = "violation"
    effect = "violation"                # counts in the criterion `violations`; the adjustment may give `count`

升级 (`game = "tractor"`, 拖拉机, Swiss; `game = "eighty"`, 八十分, a bracket) has the `scoring`, `penalties` and `lateness` of
`tractor.matches.MatchFormat`; every table has two sides. A bracket has prizes by the round an entrant came to:

    [[stages]]
    code = "knockout"
    kind = "bracket"                    # 单场淘汰: the winner goes on to the next round
    rounds = 3
    minutes = 60                        # of a round; said to the reader
    call_minutes = 10                   # optional: so long before its end the last deals are announced; said to the reader
    clause = "五3"
    [[prizes]]
    prize = "first"
    label = { zh = "一等奖", en = "First prize" }
    amount = 1000                       # for each entrant (对)
    passed = 3                          # who passed exactly so many rounds: 3 of 3 are the winners of the last
    by = { option = "prize_levels" }    # "rounds"; or "counts", "percents": the next `count` or `percent` of the field
    count = { option = "first_prizes" }
    percent = { option = "first_percent" }
    clause = "七"
    [rewarded]                          # all prizes together come to so much of the field, rounded up
    percent = 50
    clause = "七"

二打一 in rounds (B3: `game = "landlord"`, a `swiss` stage with `deals`) has in `scoring`, besides bids and doublings:

    [scoring]
    seats = ["west", "south", "east"]   # the order of play; a table's seats stand in it
    first_bidder = "west"               # of deal 1; then the first bid goes round
    [scoring.match_points]              # 场分 of a round by its 小分
    scheme = { option = "match_points_scheme" }
    compares = "with_adjustments"       # or "as_played": without lateness and penalties
    clause = "附件4六(一)"
    [scoring.match_points.schemes]      # by name: `ranks` with `ties` mean, highest, lowest; or `bands`
    rank_2_1_0 = { ranks = [2, 1, 0], ties = "mean" }
    sign_2_1_0 = { bands = [{ points = 0 }, { from = 0, points = 1 }, { from = 1, points = 2 }] }
    [scoring.byes]                      # by name, each with both kinds of points
    bye = { match_points = 1.5, game_points = 32 }
    absent = { match_points = 0, game_points = 0 }
    [scoring.forfeit]                   # 弃权: two left, one left, who is not there
    others = { match_points = 1.5, game_points = 32 }
    sole = { match_points = 1.5, game_points = 32 }
    offender = { match_points = 0, game_points = 0 }
    late = "ignored"                    # or "counted": lateness of whoever is left
    clause = "附件4八(六)2"
    [scoring.lateness]                  # longer than the last tier is a forfeit
    tiers = [{ up_to = 5, others = 3, offender = -6 }, { up_to = 10, others = 6, offender = -12 }]
    minutes = "ceil"                    # or "floor"
    several = "sum"                     # or "double_higher", "double_lower": two late at one table
    clause = "附件4八(六)1"

How the rounds of a Swiss event are paired stands in `pairing`; `pairing_parts.PAIRING_KEYS` has the keys of each game and
their values, all of which stand there. Without it the event is scored and not paired.

    [pairing]                           # 拖拉机
    later_rounds = { option = "later_rounds" }
    card_opponents = { option = "card_opponents" }
    bye_reading = { option = "bye_reading" }
    unit = { option = "unit_apart" }
    unit_rounds = 0                     # in how many first rounds; 0: in all
    forfeit_win_bye = "not_counted"
    equal_points = "lots"
    stands_out_after = { option = "stands_out_after" }
    forfeit_met = "counted"
    clause = "八(一)"

A Swiss event may have team results, and prizes for them:

    [teams]
    size = 2
    unnamed = "best"                    # or "none": a unit that names nobody
    ties = "chain"                      # or "game_points", "shared"
    clause = "附件4七(二)"
    [[prizes]]
    of = "team"                         # the ranks are those of teams; left out, of individuals

A link of `ranking` may have a `label`, the text's own word for it. A value of `scoring`, `teams` or of a criterion's `options` may refer to an option: `{ option = "bye_points" }`.
"""

from scoring_engine.rules.award_points import AwardPoints
from scoring_engine.rules.games import GAMES
from scoring_engine.rules.model import (
    BYE_KINDS,
    DOUBLINGS,
    PLAYOFF,
    BoardRules,
    Criterion,
    Interpretation,
    LandlordRules,
    PenaltyRule,
    PrizeRule,
    PrizeShare,
    Rewarded,
    RulesError,
    ScoringRules,
    StageRule,
    TeamRule,
)
from scoring_engine.rules.options import OPTIONS, OptionValue
from scoring_engine.rules.pairing_parts import PAIRING_KEYS, PairingRules
from scoring_engine.rules.round_points import RoundPoints, Worth
from scoring_engine.rules.stage_kinds import STAGE_KINDS, Format

__all__ = [
    "BYE_KINDS",
    "DOUBLINGS",
    "GAMES",
    "OPTIONS",
    "PAIRING_KEYS",
    "PLAYOFF",
    "STAGE_KINDS",
    "AwardPoints",
    "BoardRules",
    "Criterion",
    "Format",
    "Interpretation",
    "LandlordRules",
    "OptionValue",
    "PairingRules",
    "PenaltyRule",
    "PrizeRule",
    "PrizeShare",
    "Rewarded",
    "RoundPoints",
    "RulesError",
    "ScoringRules",
    "StageRule",
    "TeamRule",
    "Worth",
]
