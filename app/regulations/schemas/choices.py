"""What the values of a regulation document mean, in both languages: by key, by path where keys differ.

Names that the rules themselves have (kinds of document, criteria …) are taken from there.
"""

from collections.abc import Mapping

from app.regulations.rules import CALENDAR_KEYS, DOCUMENT_KINDS, criterion_name
from app.regulations.rules.documents import AFTER_SIGNING, DUE, REQUIRED_FOR
from app.regulations.rules.eligibility import (
    EMPLOYMENT_NAMES,
    MEMBER_KIND_NAMES,
    SEX_NAMES,
    TEAM_KIND_NAMES,
    UNION_NAMES,
)
from app.regulations.rules.engine_rows import DOUBLING_NAMES
from app.regulations.rules.terms import (
    FEE_CODES,
    OBJECTORS,
    REGISTRARS,
    RESUBMISSIONS,
    WINDOW_CODES,
    WINDOW_STARTS,
)
from app.regulations.rules.texts import Bilingual
from app.text import T
from scoring_engine.tie_breaks import CRITERIA

Words = Mapping[str, T]


def _of(**texts: tuple[str, str]) -> Words:
    return {value: Bilingual(zh, en) for value, (zh, en) in texts.items()}


_COUNTED = _of(counted=("计", "Counted"), not_counted=("不计", "Not counted"))
_MINUTES = _of(
    ceil=("不足一分钟按一分钟计", "A minute begun counts"), floor=("不足一分钟不计", "It does not count")
)
_SIDES = _of(banker=("庄家", "Banker"), defenders=("闲家（防家、旁家）", "Defenders"))
_EFFECTS = _of(
    points=("扣分", "Points"),
    zero_deal=("本副记零分", "The deal counts 0"),
    zero_round=("本轮记零分", "The round counts 0"),
    warnings=("累计警告扣分", "Points for warnings"),
    violation=("计违例次数", "Counted as a violation"),
    none=("记录在案", "On record"),
    after_warning=("第一次警告，以后扣分", "First a warning, then points"),
    warning=("警告", "A warning"),
    bank_lost=("自动下庄", "The bank is lost"),
    replay=("重打", "Played again"),
    deal_lost=("本副判负", "The deal is lost"),
    round_lost=("本轮弃权", "The round is forfeited"),
    referee=("由裁判裁定", "The referee decides"),
)
_CLAUSES = _of(
    landlord=("庄家", "Landlord"),
    bid=("叫分", "Bid"),
    winner=("胜方", "Winner"),
    rockets=("火箭", "Rockets"),
    bombs=("炸弹", "Bombs"),
    spring=("春天", "Spring"),
    anti_spring=("反春", "Anti-spring"),
    first_bidder=("首叫", "First bidder"),
    bids=("叫牌", "Bidding"),
    start=("起始级", "First level"),
    deck=("用牌", "Cards"),
    bank=("轮庄", "The bank"),
    past_a=("打过 A", "Passing A"),
    points=("积分", "Points"),
    given_up=("放弃一副", "Deal given up"),
    forfeit=("弃权", "Forfeit"),
    must_play=("必打级", "Must play"),
    banker_rotation=("连庄", "Bank kept"),
    equal_levels=("级数相同", "Equal levels"),
    time_up=("时间到", "Time up"),
    further_deals=("再打几副", "Further deals"),
    card_count=("张数", "Number of cards"),
    not_in_hand=("手中的牌", "Cards in hand"),
    follow_suit=("跟花色", "Following suit"),
    follow_triple=("跟三条", "Following a triple"),
    follow_pair=("跟对子", "Following a pair"),
    lowered_levels=("级牌降级", "Lowered level cards"),
)

_DAYS: Words = {key.value: name for key, name in CALENDAR_KEYS.items()}

_BY_PATH: Mapping[str, Words] = {
    "game": _of(
        landlord=("二打一", "Landlord"),
        go=("围棋", "Go"),
        xiangqi=("象棋", "Xiangqi"),
        tractor=("拖拉机", "Tractor"),
        eighty=("八十分", "Eighty Points"),
    ),
    "timezone": {"Asia/Shanghai": Bilingual("北京时间", "Beijing time")},
    "entry.shape": _of(
        single=("个人", "One player"),
        pair=("两人一对", "A pair of two"),
    ),
    "entry.resubmission.reading": RESUBMISSIONS,
    "eligibility[].rule": _of(
        born_on_or_before=("在某日及以前出生", "Born on or before a day"),
        age_on=("在某日年满几周岁", "Of an age on a day"),
        healthy=("身体健康", "In good health"),
        not_in_region=("没有到过某地区", "Not from a region"),
        residence_days=("比赛前不离开某地", "Stays in a place before play"),
        employed_by_unit=("所代表单位的员工", "Employed by the unit"),
        employment_barred=("某些用工关系不得参赛", "Kinds of employment barred"),
        association_members=("协会会员", "Members of the association"),
        union_members=("工会会员", "Trade union members"),
        sexes=("性别", "Sex"),
    ),
    "eligibility[].day": _of(
        registration_deadline=("报名截止日", "The day of the entry deadline"),
        first_day_of_play=("比赛首日", "The first day of play"),
    ),
    "eligibility[].team_kinds": TEAM_KIND_NAMES,
    "eligibility[].kinds": {kind.value: name for kind, name in EMPLOYMENT_NAMES.items()},
    "eligibility[].member_kinds": MEMBER_KIND_NAMES,
    "eligibility[].unions": UNION_NAMES,
    "eligibility[].allowed": {sex.value: name for sex, name in SEX_NAMES.items()},
    "documents[].kind": DOCUMENT_KINDS,
    "documents[].due": DUE,
    "documents[].after_signing": AFTER_SIGNING,
    "documents[].required_for": REQUIRED_FOR,
    "documents[].employments": {kind.value: name for kind, name in EMPLOYMENT_NAMES.items()},
    "registration.by": REGISTRARS,
    "registration.channel": _of(
        platform=("本平台", "This platform"),
        email=("电子邮件", "E-mail"),
        qr_form=("扫码填表", "A form behind a QR code"),
    ),
    "publication.deadline_day": _of(excluded=("不计", "Not counted"), counted=("计入", "Counted")),
    "objections.by": OBJECTORS,
    "windows[].code": WINDOW_CODES,
    "windows[].from": WINDOW_STARTS,
    "windows[].fee": FEE_CODES,
    "fees[].code": FEE_CODES,
    "scoring.doublings": DOUBLING_NAMES,
    "scoring.clauses": _CLAUSES,
    "scoring.match_points.compares": _of(
        with_adjustments=("计入后再比", "With adjustments"), as_played=("按打牌所得", "As played")
    ),
    "scoring.match_points.schemes.*.ties": _of(
        mean=("平分", "The mean"), highest=("都取较高的", "The highest"), lowest=("都取较低的", "The lowest")
    ),
    "scoring.forfeit.late": _of(ignored=("不计", "Ignored"), counted=("照计", "Counted")),
    "scoring.lateness.minutes": _MINUTES,
    "scoring.lateness.several": _of(
        sum=("两档相加", "The sum of both"),
        double_higher=("较高一档的双倍", "Twice the higher"),
        double_lower=("较低一档的双倍", "Twice the lower"),
    ),
    "scoring.levels.rows[].side": _SIDES,
    "scoring.bottom.rows[].unit": _of(
        single=("单张", "Single"),
        pair=("对子", "Pair"),
        triple=("刻子", "Triple"),
        pair_run=("连对", "Run of pairs"),
        triple_run=("连刻", "Run of triples"),
    ),
    "scoring.match.must_play": _of(
        hold_bank=("须坐庄获胜才升级", "Left by banking and winning"), free=("不作限制", "No restriction")
    ),
    "scoring.match.banker_rotation": _of(
        partner=("对家接庄", "The partner"), same_player=("同一人", "The same player")
    ),
    "scoring.match.equal_levels": _of(
        draw=("平局", "A draw"), bank=("在位坐庄的一方胜", "The side in the bank wins")
    ),
    "scoring.match.past_a": _of(
        from_a=("须从 A 升级", "Only from A"), from_any=("从任何级", "From any level")
    ),
    "scoring.match.time_up": _of(finish=("打完", "Finished"), stop=("作废", "Void")),
    "ranking[].criterion": {code: criterion_name(code) for code in CRITERIA},
    "ranking[].direction": _of(high=("高者在前", "Higher first"), low=("低者在前", "Lower first")),
    "ranking[].options.own_unplayed": _of(
        zero=("加 0", "0"),
        lowest_score=("加全组最低积分", "The lowest points of the group"),
        own_score=("加本人积分", "The player's own points"),
        start_score=("加本人起点分", "The player's starting points"),
    ),
    "ranking[].options.forfeits": {
        **_COUNTED,
        **_of(opponent=("计入该对手的积分", "The opponent's points count"), unplayed=("同轮空", "As a bye")),
    },
    "ranking[].options.opponent_unplayed": _of(
        as_scored=("按所得", "As scored"),
        draws=("都按和局", "As draws"),
        trailing_draws=("末尾的按和局", "As draws at the end"),
    ),
    "ranking[].options.handicap": _of(ignored=("不计", "Ignored"), counted=("计入", "Counted")),
    "ranking[].options.draws": _of(none=("不计", "Not counted"), half=("计一半", "Half")),
    "ranking[].options.variant": _of(
        opponents=("最后各轮的对手", "The last opponents"),
        own_last=("本人最后各轮的得分", "The player's last rounds"),
        own_first=("累进分的最初各轮", "The first running totals"),
    ),
    "ranking[].options.scope": _of(
        two=("恰好两人", "Exactly two"),
        group=("互相都相遇过的", "Those who all met"),
        certain=("结果已定的", "Those whose order is certain"),
    ),
    "ranking[].options.compares": _of(
        standings=("完整名次", "Full standings"), points=("只看积分", "Points alone")
    ),
    "ranking[].options.counts": _of(
        sole_first=("独得桌内第一", "Alone first"),
        shared_first=("并列第一也算", "Shared first too"),
        positive_game_points=("小分为正", "A positive total"),
        each_value=("各种场分依次", "Each value in turn"),
        highest_only=("只比最高", "The highest alone"),
    ),
    "stages[].kind": _of(
        drawn=("抽签分组（初赛）", "Drawn groups"),
        seeded=("按排名分组（复赛）", "Seeded groups"),
        final=("决赛", "Final"),
        swiss=("积分编排", "Swiss system"),
        bracket=("单场淘汰", "Knock-out bracket"),
    ),
    "penalties[].effect": _EFFECTS,
    "penalties[].per": _of(time=("次", "Time"), card=("张", "Card"), pair=("对", "Pair")),
    "penalties[].by": _SIDES,
    "penalties[].warned_per": _of(round=("一轮之内", "Within a round"), deal=("一副之内", "Within a deal")),
    "lateness.rows[].effect": _EFFECTS,
    "lateness.late_minutes": _MINUTES,
    "prizes[].of": _of(individual=("个人", "Individuals"), team=("团体", "Teams")),
    "prizes[].by": _of(
        rounds=("轮数", "Rounds"), counts=("对数", "Numbers"), percents=("比例", "Percentages")
    ),
    "teams.unnamed": _of(best=("取名次最好的", "Its best"), none=("不计团体", "No team result")),
    "teams.ties": _of(
        chain=("依次比较其余依据", "The rest of the chain"),
        game_points=("只比小分", "Game points alone"),
        shared=("并列", "Shared"),
    ),
    "pairing.unit": _of(
        hard=("不相遇", "Never meet"), soft=("尽量回避", "Avoided"), off=("不回避", "May meet")
    ),
    "pairing.equal_points": _of(lots=("抽签", "By lot"), half_split=("上下半区", "Half against half")),
    "pairing.first_round": _of(
        draw=("抽签", "By lot"),
        half_split=("1 对 n/2+1", "1 meets n/2+1"),
        accelerated=("加速编排", "Accelerated"),
    ),
    "pairing.rematch": _of(
        soft=("场分之后尽量避免", "Avoided after match points"),
        last=("小分之后尽量避免", "Avoided after game points"),
        hard=("不再相遇", "Never again"),
    ),
    "pairing.later_rounds": _of(points=("按积分", "By points"), cards=("每轮以牌抽签", "Drawn with cards")),
    "pairing.card_opponents": _of(
        colour_and_rank=("同颜色、同点数", "Equal colour and rank"),
        suit_and_rank=("同花色、同点数", "Equal suit and rank"),
    ),
    "pairing.bye_reading": _of(spread=("轮空最少的", "Those with the fewest"), any=("所有人", "Everybody")),
}

_BY_KEY: Mapping[str, Words] = {
    **dict.fromkeys(("before", "valid_at"), _DAYS),
    **dict.fromkeys(("forfeit_met", "forfeit_win_bye", "byes", "unplayed"), _COUNTED),
    **dict.fromkeys(
        ("seats", "first_bidder"), _of(west=("西", "West"), south=("南", "South"), east=("东", "East"))
    ),
}

_AS_WRITTEN = ("format", "version", "scoring.match.start", "scoring.match.must_play_levels")
"""Keys whose values need no words: they are shown as they are written."""


def words_of(path: str, value: str) -> T:
    """What a value of the key at this path means. Raises KeyError for one that has no words."""
    if path in _AS_WRITTEN:
        return Bilingual(value, value)
    words = _BY_PATH[path] if path in _BY_PATH else _BY_KEY[path.rpartition(".")[2]]
    return words[value]
