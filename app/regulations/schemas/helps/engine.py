"""Words for the other tables the engine reads: ranking, stages, penalties, lateness, prizes, teams, pairing."""

from collections.abc import Mapping

from app.regulations.schemas.helps.words import Help, words

ENGINE: Mapping[str, Help] = {
    "ranking": words(
        *("名次依据", "Ranking"),
        *("依次比较；前一项相同才比后一项。", "Compared in turn, each where those before are equal."),
    ),
    "ranking[].criterion": words(*("依据", "Criterion"), *("比较什么。", "What is compared.")),
    "ranking[].direction": words(
        *("方向", "Direction"),
        *("高者或低者在前；由依据决定。", "Which stands ahead; the criterion decides."),
    ),
    "ranking[].options": words(*("算法", "How"), *("这一依据怎样计算。", "How this criterion is computed.")),
    "ranking[].options.own_unplayed": words(
        *("没有对手的一轮", "Round without opponents"),
        *("在对手分中加多少。", "What it adds to the opponents' points."),
    ),
    "ranking[].options.forfeits": words(
        *("弃权的一局", "Forfeited games"), *("怎样计入这一依据。", "How they count here.")
    ),
    "ranking[].options.opponent_unplayed": words(
        *("对手没有对局的一轮", "Opponent's unplayed rounds"),
        *("对手轮空或缺席的一轮在对手分中怎样计。", "How the unplayed rounds of an opponent count."),
    ),
    "ranking[].options.cut": words(
        *("去掉几个最低", "Lowest left out"),
        *("去掉几个最低的对手分。", "How many of the lowest are left out."),
    ),
    "ranking[].options.handicap": words(
        *("让子", "Handicap"), *("让子（起点分）是否计入。", "Whether starting points count.")
    ),
    "ranking[].options.draws": words(
        *("和局", "Draws"), *("和局的对手分怎样计。", "How drawn opponents count.")
    ),
    "ranking[].options.variant": words(
        *("递减什么", "What is taken off"), *("依次减去哪些轮。", "Which rounds are taken off in turn.")
    ),
    "ranking[].options.scope": words(
        *("几人之间", "Among how many"), *("在几人相同时比较直胜。", "Among how many tied it is compared.")
    ),
    "ranking[].options.byes": words(*("轮空", "Byes"), *("轮空是否计入。", "Whether byes count.")),
    "ranking[].options.compares": words(
        *("比较什么", "Compared"), *("前一轮的名次怎样排。", "How the earlier ranks are made.")
    ),
    "ranking[].options.counts": words(*("怎样计数", "Counted"), *("哪些计入这一依据。", "What counts here.")),
    "ranking[].options.unplayed": words(
        *("没有打的一轮", "Rounds not played"),
        *("轮空、弃权所得是否计入。", "Whether byes and forfeits count."),
    ),
    "ranking[].label": words(
        *("名称", "Name"),
        *("条文自己的说法，例如场分；不写则用通用名称。", "The text's own word, such as 场分."),
    ),
    "stages": words(*("赛制", "Stages"), *("每行一个阶段，按先后。", "One stage a row, in playing order.")),
    "stages[].code": words(
        *("代码", "Code"), *("成绩文件中的阶段代码，例如 prelim。", "The stage's code in event files.")
    ),
    "stages[].kind": words(*("方式", "Kind"), *("这一阶段怎样比赛。", "How the stage is played.")),
    "stages[].deals": words(
        *("每桌几副", "Deals a table"), *("数字，或一个选项的名称。", "A number, or the name of an option.")
    ),
    "stages[].places": words(
        *("晋级名额", "Places"), *("几人进入下一阶段，3 的倍数。", "How many go on; a multiple of 3.")
    ),
    "stages[].playoff_deals": words(
        *("加赛几副", "Play-off deals"),
        *("末位并列时加赛几副；没有的写 0。", "0 where there is no play-off."),
    ),
    "stages[].rounds": words(
        *("几轮", "Rounds"), *("数字，或一个选项的名称。", "A number, or the name of an option.")
    ),
    "stages[].group": words(
        *("每组人数", "Size of a group"), *("每组最少和最多几人。", "The least and the most in a group.")
    ),
    "stages[].minutes": words(*("每轮分钟", "Minutes"), *("一轮打多久。", "How long a round lasts.")),
    "stages[].call_minutes": words(
        *("最后几分钟提醒", "Call before the end"),
        *(
            "结束前几分钟提醒一次；没有的不填。",
            "How many minutes before the end it is announced; empty where it is not.",
        ),
    ),
    "penalties": words(
        *("判罚", "Penalties"), *("每行一种判罚，裁判按它记录。", "One penalty a row; referees record by it.")
    ),
    "penalties[].id": words(
        *("代码", "Id"), *("成绩文件中的代码，例如 smoking。", "Its code in event files.")
    ),
    "penalties[].name": words(*("名称", "Name"), *("罚什么。", "What is punished.")),
    "penalties[].effect": words(*("处理", "Effect"), *("对成绩有什么影响。", "What it does to the result.")),
    "penalties[].points": words(
        *("分数", "Points"),
        *("每次扣多少，写负数；升级为 5 的倍数。", "What each costs, below 0; 升级: multiples of 5."),
    ),
    "penalties[].every": words(
        *("每几次", "Every"), *("警告几次扣一次分。", "How many warnings cost the points.")
    ),
    "penalties[].per": words(
        *("按什么计", "Counted by"), *("按次、按张还是按对。", "By time, card or pair.")
    ),
    "penalties[].most": words(
        *("最多", "Most"), *("一次最多计几次（张、对）。", "The highest count at once.")
    ),
    "penalties[].by": words(
        *("哪一方", "Side"), *("只可能由哪一方犯规；双方都可能的不写。", "The only side that can commit it.")
    ),
    "penalties[].insisted": words(
        *("坚持要打", "Insisted"),
        *("旁家坚持要打时罚多少，写负数。", "What it costs where the defenders play on."),
    ),
    "penalties[].warned_per": words(
        *("警告范围", "Warned within"), *("第一次警告在一轮还是一副之内。", "Within a round or a deal.")
    ),
    "lateness": words(
        *("迟到", "Lateness"), *("升级比赛迟到的各档。", "The tiers of lateness of a 升级 event.")
    ),
    "lateness.rows": words(
        *("档", "Tiers"),
        *("由短到长，越久越重；最后一档没有“至”。", "Longer costs more; the last has no end."),
    ),
    "lateness.rows[].to": words(
        *("至（分钟）", "Up to (minutes)"), *("含这一分钟；最后一档不写。", "Included; not in the last.")
    ),
    "lateness.rows[].effect": words(*("处理", "Effect"), *("迟到的后果。", "What it costs.")),
    "lateness.rows[].points": words(
        *("分数", "Points"), *("首局扣多少，写负数。", "In the first deal, below 0.")
    ),
    "lateness.rows[].clause": words(
        *("出处", "Clause"),
        *("这一档的出处；不写则同全表。", "Of this tier; that of the table where left out."),
    ),
    "lateness.late_minutes": words(
        *("不足一分钟", "Parts of a minute"), *("不足一分钟的怎样计。", "How a part of a minute counts.")
    ),
    "prizes": words(*("奖励", "Prizes"), *("每行一种奖励。", "One prize a row.")),
    "prizes[].prize": words(*("代码", "Id"), *("成绩文件中的代码，例如 gold。", "Its code in event files.")),
    "prizes[].label": words(*("奖项", "Prize"), *("奖什么，例如金牌及获奖证书。", "What is awarded.")),
    "prizes[].ranks": words(*("名次", "Ranks"), *("从第几名到第几名。", "From which rank to which.")),
    "prizes[].chosen": words(
        *("评选", "Chosen"),
        *("由主办方评选几名，不按名次。", "How many the host chooses, whatever their rank."),
    ),
    "prizes[].amount": words(
        *("金额（元）", "Amount (yuan)"), *("没有金额的不写。", "Left out where there is none.")
    ),
    "prizes[].goods": words(
        *("奖品", "In goods"),
        *("金额是奖品的价值，不是奖金。", "The amount is the worth of goods, not money."),
    ),
    "prizes[].of": words(*("奖给", "For"), *("个人或团体。", "Individuals or teams.")),
    "prizes[].passed": words(
        *("晋级轮数", "Rounds passed"), *("恰好通过几轮的得此奖。", "Who passed exactly so many rounds.")
    ),
    "prizes[].by": words(
        *("按什么", "By"), *("按轮数、对数还是比例。", "By rounds, numbers or percentages.")
    ),
    "prizes[].count": words(*("对数", "Number"), *("按对数设奖时奖几对。", "With prizes by numbers.")),
    "prizes[].percent": words(
        *("比例（%）", "Percent"), *("按比例设奖时奖百分之几。", "With prizes by percentage.")
    ),
    "rewarded": words(
        *("获奖总数", "Rewarded"), *("获奖总数占参赛数的比例。", "How much of the field is rewarded in all.")
    ),
    "rewarded.percent": words(*("比例（%）", "Percent"), *("向上取整。", "Rounded up.")),
    "teams": words(*("团体", "Teams"), *("团体成绩怎样计；没有的不写。", "How team results are made.")),
    "teams.size": words(*("几人一队", "Size"), *("一队计几个人的成绩。", "How many members count.")),
    "teams.unnamed": words(
        *("没有写明队员", "None named"), *("单位没有写明队员时怎样计。", "For a unit that names nobody.")
    ),
    "teams.ties": words(
        *("成绩相同", "Equal teams"), *("团体成绩相同怎样排。", "How equal teams are separated.")
    ),
    "pairing": words(
        *("编排", "Pairing"), *("积分编排赛的各轮怎样编排。", "How the rounds of a Swiss event are paired.")
    ),
    "pairing.stands_out_after": words(
        *("连续弃权", "Forfeits running"),
        *("连续弃权几轮后不再编排；0 为照常。", "Not paired after so many; 0 for never."),
    ),
    "pairing.forfeit_met": words(
        *("弃权算相遇", "Forfeit as a meeting"),
        *("一方弃权的一局是否算已经相遇。", "Whether the two have met."),
    ),
    "pairing.unit": words(
        *("同单位回避", "Units apart"),
        *("同一单位的人是否回避。", "Whether people of one unit are kept apart."),
    ),
    "pairing.unit_rounds": words(
        *("回避几轮", "Rounds apart"), *("只用于前几轮；0 为每一轮。", "In how many first rounds; 0 for all.")
    ),
    "pairing.forfeit_win_bye": words(
        *("弃权胜与轮空", "Forfeit win and bye"),
        *("因对方弃权得胜的人是否还可以轮空。", "Whether such a winner may have the bye."),
    ),
    "pairing.equal_points": words(
        *("积分相同", "Equal points"), *("积分相同的人怎样配对。", "How people with equal points are paired.")
    ),
    "pairing.first_round": words(*("第一轮", "Round 1"), *("第一轮怎样编排。", "How round 1 is made.")),
    "pairing.accelerated_rounds": words(
        *("加速几轮", "Accelerated rounds"),
        *("前几轮分上下半区。", "In how many rounds the halves are apart."),
    ),
    "pairing.accelerated_points": words(
        *("加速加分", "Accelerated points"), *("上半区编排时加多少分。", "What the upper half has more.")
    ),
    "pairing.longest_run": words(
        *("连续同先后", "Moves running"),
        *("最多连续几局同为先走或后走。", "How often running one may move first, or second."),
    ),
    "pairing.rematch": words(
        *("重复相遇", "Rematch"), *("已经同桌过的是否可以再同桌。", "Whether people who met may meet again.")
    ),
    "pairing.later_rounds": words(
        *("以后各轮", "Later rounds"), *("第一轮以后怎样编排。", "How the rounds after the first are paired.")
    ),
    "pairing.card_opponents": words(
        *("以牌抽签", "Card draw"), *("抽到什么牌的互为对手。", "Which cards meet.")
    ),
    "pairing.bye_reading": words(
        *("轮空", "Bye"), *("单数时轮空在谁之间抽。", "Among whom the bye is drawn.")
    ),
}
