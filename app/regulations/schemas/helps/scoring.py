"""Words for the table `scoring`, of each game."""

from collections.abc import Mapping

from app.regulations.schemas.helps.words import Help, words

SCORING: Mapping[str, Help] = {
    "scoring": words(
        *("计分", "Scoring"),
        *("一副、一局、一轮怎样记分；各项目不同。", "What a deal, a game or a round is worth."),
    ),
    "scoring.clauses": words(
        *("各项的出处", "Clauses of single keys"),
        *(
            "与计分的总出处不同的各项，各写出处。",
            "Where single rules stand, if not in the clause of the table.",
        ),
    ),
    "scoring.clauses.*": words(*("出处", "Clause"), *("这一项的出处。", "Where this rule stands.")),
    # 二打一
    "scoring.bids": words(
        *("叫分", "Bids"),
        *("可以叫的分，由小到大；“不叫”不写。", "The bids there are, rising; passing is left out."),
    ),
    "scoring.doublings": words(
        *("加倍项", "Doublings"), *("哪些各加一倍。", "What doubles the score, once each.")
    ),
    "scoring.seats": words(
        *("座位", "Seats"), *("三个座位的出牌次序。", "The three seats in the order of play.")
    ),
    "scoring.first_bidder": words(
        *("首叫", "First bidder"),
        *("第一副由哪个座位首叫，以后轮流。", "Who bids first in deal 1; then it rotates."),
    ),
    "scoring.match_points": words(
        *("场分", "Match points"),
        *("一轮的小分怎样换成场分。", "How the game points of a round become match points."),
    ),
    "scoring.match_points.scheme": words(
        *("采用的算法", "Scheme in force"), *("下列算法之一的名称。", "The name of one of the schemes below.")
    ),
    "scoring.match_points.compares": words(
        *("比较什么", "Compared"),
        *("迟到和判罚的小分是否影响本轮场分。", "Whether lateness and penalties change the match points."),
    ),
    "scoring.match_points.schemes": words(
        *("算法", "Schemes"), *("每个名称下一种算法。", "One way of making match points under each name.")
    ),
    "scoring.match_points.schemes.*": words(
        *("算法", "Scheme"),
        *(
            "按桌内名次（ranks）或按小分的段（bands），二者选一。",
            "By rank at the table, or by bands of game points.",
        ),
    ),
    "scoring.match_points.schemes.*.ranks": words(
        *("各名次的场分", "Points by rank"),
        *("桌内第一、二、三名。", "Of first, second and third at the table."),
    ),
    "scoring.match_points.schemes.*.ties": words(
        *("小分相同", "Equal totals"), *("桌内小分相同的怎样分。", "What players level at a table get.")
    ),
    "scoring.match_points.schemes.*.bands": words(
        *("小分的段", "Bands"), *("由低到高；第一段没有下限。", "Rising; the first has no lower end.")
    ),
    "scoring.match_points.schemes.*.bands[].from": words(
        *("自", "From"), *("小分从多少起。", "From how many game points on.")
    ),
    "scoring.match_points.schemes.*.bands[].points": words(
        *("场分", "Match points"), *("这一段的场分。", "What the band is worth.")
    ),
    "..match_points": words(
        *("场分", "Match points"), *("不小于 0，可以是 1.5。", "Not below 0; may be 1.5.")
    ),
    "..game_points": words(*("小分", "Game points"), *("不小于 0。", "Not below 0.")),
    "scoring.byes": words(
        *("轮空", "Byes"), *("没有对手的一轮得多少。", "What a round without opponents is worth.")
    ),
    "scoring.byes.bye": words(*("轮空", "Bye"), *("编排轮空的一轮。", "A bye by the pairing.")),
    "scoring.byes.half": words(
        *("半分轮空", "Half bye"), *("申请半分轮空的一轮。", "A half-point bye asked for.")
    ),
    "scoring.byes.zero": words(*("零分轮空", "Zero bye"), *("记零分的轮空。", "A bye worth nothing.")),
    "scoring.byes.absent": words(
        *("缺席", "Absent"), *("没有参加的一轮。", "A round in which the player did not take part.")
    ),
    "scoring.forfeit": words(
        *("弃权", "Forfeit"), *("一桌有人弃权时怎样记分。", "The points of a table with a forfeit.")
    ),
    "scoring.forfeit.others": words(
        *("未弃权的两人", "The two others"), *("一人弃权时，其余两人各得。", "Each of the two who are left.")
    ),
    "scoring.forfeit.sole": words(
        *("独自到场", "Alone"), *("两人弃权时，第三人得。", "The third where two forfeit.")
    ),
    "scoring.forfeit.offender": words(*("弃权方", "Offender"), *("弃权的人得。", "Who forfeits.")),
    "scoring.forfeit.late": words(
        *("弃权桌的迟到", "Lateness besides"),
        *("这一桌的其他迟到是否还计。", "Whether lateness of those left still counts."),
    ),
    "scoring.lateness": words(
        *("迟到", "Lateness"), *("迟到怎样加减小分。", "What lateness costs and gives.")
    ),
    "scoring.lateness.tiers": words(
        *("档", "Tiers"),
        *("由短到长；超过最后一档为弃权。", "Shortest first; longer than the last is a forfeit."),
    ),
    "scoring.lateness.tiers[].up_to": words(
        *("至（分钟）", "Up to (minutes)"), *("含这一分钟。", "Included.")
    ),
    "scoring.lateness.tiers[].others": words(
        *("其他人", "The others"), *("每个按时到的人加多少小分。", "What each who is in time gains.")
    ),
    "scoring.lateness.tiers[].offender": words(
        *("迟到者", "The late player"), *("扣多少小分，写负数。", "What the late player loses, below 0.")
    ),
    "scoring.lateness.minutes": words(
        *("不足一分钟", "Parts of a minute"), *("不足一分钟的怎样计。", "How a part of a minute counts.")
    ),
    "scoring.lateness.several": words(
        *("两人迟到", "Two late"),
        *("一桌两人迟到时，第三人得多少。", "What the third gets where two are late."),
    ),
    # 棋类
    "scoring.win": words(*("胜", "Win"), *("胜一局的积分。", "Points of a win.")),
    "scoring.draw": words(*("和", "Draw"), *("和一局的积分。", "Points of a draw.")),
    "scoring.loss": words(*("负", "Loss"), *("负一局的积分。", "Points of a loss.")),
    "scoring.forfeit_win": words(
        *("对方弃权", "Win by forfeit"), *("对方弃权时得。", "Points where the other forfeits.")
    ),
    "scoring.forfeit_loss": words(*("弃权", "Loss by forfeit"), *("弃权一方得。", "Points of who forfeits.")),
    "scoring.whole_byes": words(
        *("轮空取整", "Byes rounded"),
        *("轮空积分之和是否舍去半分。", "Whether the sum of byes is rounded down."),
    ),
    # 升级
    "scoring.decks": words(
        *("几副牌", "Packs"), *("一桌用几副扑克，含王。", "Packs at a table, jokers included.")
    ),
    "scoring.bottom_cards": words(
        *("底牌", "Bottom cards"), *("底牌几张；其余须四人均分。", "The rest must divide by four.")
    ),
    "scoring.levels": words(
        *("升降级表", "Level table"),
        *(
            "闲家得分对应的升级，每 5 分恰在一行。",
            "Defenders' points to levels; each multiple of 5 in one row.",
        ),
    ),
    "scoring.levels.rows": words(
        *("各行", "Rows"),
        *("由低到高，首尾两行敞口。", "Rising; the first and the last are open at one end."),
    ),
    "scoring.levels.rows[].from": words(
        *("自", "From"), *("5 的倍数；第一行不写。", "A multiple of 5; not in the first row.")
    ),
    "scoring.levels.rows[].to": words(
        *("至", "To"), *("5 的倍数；最后一行不写。", "A multiple of 5; not in the last row.")
    ),
    "scoring.levels.rows[].side": words(
        *("哪一方", "Side"), *("哪一方升级或上台。", "Which side goes up or takes the bank.")
    ),
    "scoring.levels.rows[].levels": words(
        *("升几级", "Levels"), *("0 表示只上台、不升级。", "0: takes the bank, no level.")
    ),
    "scoring.levels.rows[].every": words(
        *("每多", "Every"),
        *("首尾两行：每多几分再升一级。", "First and last row: one level more for so many points."),
    ),
    "scoring.levels.rows[].clause": words(
        *("出处", "Clause"),
        *("这一行的出处；不写则同全表。", "Of this row; that of the table where left out."),
    ),
    "scoring.bottom": words(
        *("抠底（挖底）", "Winning the bottom"),
        *(
            "闲家赢得最后一轮时底牌分的倍数。",
            "The multiplier of the bottom's points, won with the last trick.",
        ),
    ),
    "scoring.bottom.rows": words(*("各行", "Rows"), *("每种牌型一行。", "One row for each shape.")),
    "scoring.bottom.rows[].unit": words(
        *("牌型", "Shape"), *("用什么牌型赢得最后一轮。", "What won the last trick.")
    ),
    "scoring.bottom.rows[].size": words(*("几连", "Length"), *("连对、连刻的长度。", "The length of a run.")),
    "scoring.bottom.rows[].factor": words(
        *("倍数", "Factor"), *("底牌分乘以几。", "What the points are multiplied by.")
    ),
    "scoring.bottom.rows[].add": words(
        *("每多一连加", "Added"), *("最长一行：每多一连加几倍。", "Longest row: added for each further.")
    ),
    "scoring.bottom.rows[].times": words(
        *("每多一连乘", "Times"), *("最长一行：每多一连再乘几。", "Longest row: times for each further.")
    ),
    "scoring.match": words(*("一轮", "Match"), *("一轮（一场）怎样打。", "How a match is played.")),
    "scoring.match.start": words(
        *("起始级", "First level"), *("双方从几打起。", "The level both sides begin at.")
    ),
    "scoring.match.must_play_levels": words(
        *("必打级", "Levels to be played"), *("不能越过的级。", "Levels that are not skipped.")
    ),
    "scoring.match.must_play": words(
        *("必打的含义", "Must play"), *("怎样才算打过必打级。", "How such a level is left.")
    ),
    "scoring.match.banker_rotation": words(
        *("连庄", "Bank kept"), *("一方连庄时由谁坐庄。", "Who banks while a side keeps the bank.")
    ),
    "scoring.match.equal_levels": words(
        *("级数相同", "Equal levels"), *("时间到时级数相同怎样判。", "What equal levels are at the end.")
    ),
    "scoring.match.past_a": words(
        *("打过 A", "Passing A"), *("升级超过 A 时怎样算。", "What levels beyond A are.")
    ),
    "scoring.match.time_up": words(
        *("时间到", "Time up"), *("正在打的一副怎样处理。", "What happens to the deal that runs.")
    ),
    "scoring.match.further_deals": words(
        *("再打几副", "Further deals"), *("时间到之后再打几副。", "How many are played after it.")
    ),
    "scoring.match.given_up_levels": words(
        *("放弃一副", "Deal given up"),
        *("一副放弃或判负时对方升几级。", "Levels of the opponents where a deal is given up."),
    ),
    "scoring.match.points": words(
        *("积分", "Points"), *("积分编排赛一轮的积分。", "What a round is worth in a Swiss event.")
    ),
    "scoring.match.points.win": words(*("胜", "Win"), *("胜一轮的积分。", "Points of a win.")),
    "scoring.match.points.draw": words(*("平", "Draw"), *("平一轮的积分。", "Points of a draw.")),
    "scoring.match.points.loss": words(*("负", "Loss"), *("负一轮的积分。", "Points of a loss.")),
    "scoring.match.points.bye": words(*("轮空", "Bye"), *("轮空一轮的积分。", "Points of a bye.")),
}
