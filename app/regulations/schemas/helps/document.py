"""Words for the parts of a document beside those the engine reads."""

from collections.abc import Mapping

from app.regulations.schemas.helps.words import Help, words

DOCUMENT: Mapping[str, Help] = {
    "": words(
        *("规程", "Regulation"),
        *("一个项目的全部规定。", "Everything that holds for one event."),
    ),
    "..clause": words(
        *("出处", "Clause"),
        "这一条在规程原文中的位置，不含空格，例如 三(三)1；页面上的每个说明都链接到它。",
        "Where the source text says it, without spaces, such as 三(三)1; every refusal links to it.",
    ),
    "format": words(
        *("文件格式", "File format"),
        *("固定为 saishi-regulation。", "Always saishi-regulation."),
    ),
    "version": words(*("格式版本", "Format version"), *("固定为 1。", "Always 1.")),
    "id": words(
        *("规程代号", "Id"),
        "小写字母、数字和连字符，用在网址和成绩文件中，例如 beach-games-landlord-2021。",
        "Small letters, digits and hyphens, for addresses and event files: beach-games-landlord-2021.",
    ),
    "game": words(
        *("项目", "Game"),
        *("打什么牌、下什么棋；决定计分的方法。", "What is played; it decides how results are scored."),
    ),
    "name": words(
        *("规程名称", "Name"),
        *("规程的全称，写在页面和文件的题头。", "The full title, at the head of pages and documents."),
    ),
    "event": words(*("竞赛项目", "Event"), *("规程中的竞赛项目，例如公开个人赛。", "The event of the text.")),
    "event.zh": words(*("中文名", "Chinese name"), *("项目的中文名称。", "The name in Chinese.")),
    "event.en": words(*("英文名", "English name"), *("项目的英文名称。", "The name in English.")),
    "timezone": words(*("时区", "Time zone"), *("固定为北京时间。", "Always Beijing time.")),
    # entry
    "entry": words(*("报名形式", "Entry"), *("一份报名是一个人、一对，还是一队。", "What one entry is.")),
    "entry.shape": words(
        *("报名方式", "Shape"),
        *(
            "个人，或两人一对；团体成绩写在 teams。",
            "One player, or a pair of two; results of teams stand in `teams`.",
        ),
    ),
    "entry.complete": words(
        *("须填全", "Whole form only"),
        "报名表是否须同时填写全部选手的信息方可提交。",
        "Whether a form is sent in only with everybody's data.",
    ),
    "entry.resubmission": words(
        *("重复填写", "Filled in again"),
        *("同一选手再次填写报名表时怎样处理。", "What a second form of the same player does."),
    ),
    "entry.resubmission.reading": words(
        *("处理方法", "Reading"),
        *("按人还是按对以最新一次为准。", "Whether the latest counts by person or by pair."),
    ),
    # calendar
    "calendar": words(
        *("日程", "Calendar"),
        *("规程写明的日期，须依次不早于前一项。", "The dates of the text, none before the one above it."),
    ),
    "calendar.notice": words(*("通知发布", "Notice"), *("通知发布的日期。", "The day of the notice.")),
    "calendar.registration_opens": words(
        *("报名开始", "Entries open"),
        *("从这一时刻起接受报名。", "Entries are taken from this moment on."),
    ),
    "calendar.registration_closes": words(
        *("报名截止", "Entries close"),
        "到这一秒为止仍接受报名；只写日期的写 23:59:59。",
        "Entries are taken up to and including this second; 23:59:59 where the text gives a day alone.",
    ),
    "calendar.check_in": words(*("报到", "Check-in"), *("报到的日期。", "The day of check-in.")),
    "calendar.play_from": words(*("比赛开始", "Play starts"), *("比赛首日。", "The first day of play.")),
    "calendar.play_to": words(*("比赛结束", "Play ends"), *("比赛末日。", "The last day of play.")),
    "calendar.leave_by": words(*("离会", "Leave by"), *("离会的最晚时刻。", "When people must have left.")),
    "..at": words(
        *("日期或时间", "Date or time"),
        *("日期，或日期和时刻（北京时间）。", "A day, or a day and a time (Beijing time)."),
    ),
    # eligibility
    "eligibility": words(
        *("参赛资格", "Eligibility"),
        *("每行一条资格要求，全部满足才能参赛。", "One requirement a row; all must be met."),
    ),
    "eligibility[].rule": words(*("要求", "Rule"), *("从表中选一种要求。", "One of the rules there are.")),
    "eligibility[].date": words(
        *("日期", "Date"),
        *("在这一天及以前出生的可以参赛。", "Who was born on or before this day may enter."),
    ),
    "eligibility[].years": words(
        *("周岁", "Years"), *("须年满几周岁；生日当天算满。", "Full years; the birthday itself counts.")
    ),
    "eligibility[].day": words(
        *("以哪一天为准", "On which day"), *("在日程中的哪一天须满岁数。", "On which day of the calendar.")
    ),
    "eligibility[].region": words(
        *("地区", "Region"), *("例如北京、中高风险地区。", "Such as Beijing, or areas at risk.")
    ),
    "eligibility[].days": words(
        *("比赛前几日", "Days before play"), *("比赛前几日之内。", "In how many days before play.")
    ),
    "eligibility[].team_kinds": words(
        *("代表队种类", "Kinds of team"),
        *("哪些代表队的员工可以参赛。", "Of which teams the employees may enter."),
    ),
    "eligibility[].kinds": words(
        *("用工关系", "Employment"),
        *("这些用工关系的人员不得参赛。", "People employed in these ways may not enter."),
    ),
    "eligibility[].member_kinds": words(
        *("会员种类", "Kinds of member"),
        *("协会的哪些会员可以参赛。", "Which members of the association may enter."),
    ),
    "eligibility[].unions": words(
        *("工会", "Unions"), *("哪些工会的会员可以参赛。", "Members of which unions may enter.")
    ),
    "eligibility[].allowed": words(*("性别", "Sex"), *("哪些性别可以参赛。", "Which sexes may enter.")),
    # documents
    "documents": words(
        *("参赛材料", "Documents"), *("每行一种须提供的材料。", "One document a row that must be handed in.")
    ),
    "documents[].kind": words(*("种类", "Kind"), *("材料的种类。", "The kind of document.")),
    "documents[].within_days": words(
        *("几日内", "Days"),
        *(
            "最早可在这一天的前几日出具；没有要求的不写。",
            "The most days before that day on which it may be issued.",
        ),
    ),
    "documents[].due": words(
        *("何时提交", "When due"),
        *("条文没有写明的不写：组委会要求时提交。", "Left out where the text does not say: when asked for."),
    ),
    "documents[].before": words(
        *("在哪一天之前", "Before which day"),
        *(
            "“几日内”从日程的哪一天往前数；不写则为报到日。",
            "The day the days are counted back from; check-in where left out.",
        ),
    ),
    "documents[].valid_at": words(
        *("何时有效", "Valid on"),
        *("须在日程的哪些日子有效。", "On which days of the calendar it must be valid."),
    ),
    "documents[].required_for": words(
        *("谁提交", "Who hands it in"),
        *(
            "每名参赛者一份，或每个单位一份；不写则按种类：报名表和函件每单位一份，其余每人一份。",
            "Each player, or each unit once; left out, forms and letters are a unit's, all else each player's.",
        ),
    ),
    "documents[].employments": words(
        *("限哪些用工关系", "Only for employment"),
        *(
            "只要求这些用工关系的人员提交；不写则所有人。",
            "Only people employed in these ways hand it in; all where left out.",
        ),
    ),
    "documents[].max_pages": words(
        *("最多几页", "Pages"),
        *("照片或 PDF 最多几页；不写则按种类。", "The most pages; by its kind where left out."),
    ),
    "documents[].max_megabytes": words(
        *("最大多少 MB", "Megabytes"),
        *("每个文件最大多少 MB；不写则 20。", "The most of one file; 20 where left out."),
    ),
    "documents[].text": words(
        *("说明", "Wording"),
        *("页面上显示的说明；不写则由程序生成。", "What the page says of it; made by itself where left out."),
    ),
    "documents[].statement": words(
        *("承诺书正文", "Text to sign"),
        *(
            "参赛者要签署的正文；不写则用程序的通用文本。",
            "What each player signs; the general wording where left out.",
        ),
    ),
    "documents[].after_signing": words(
        *("签名之后", "Once signed"),
        *(
            "在手机上签名的承诺书由组委会审核，还是签名即通过；不写则审核。",
            "Whether one signed on the phone is reviewed, or accepted at once; reviewed where left out.",
        ),
    ),
    # registration
    "registration": words(
        *("报名", "Registration"), *("谁报名、怎样报、报多少。", "Who enters, how, and how many.")
    ),
    "registration.by": words(*("报名人", "Who enters"), *("由谁填写报名。", "Who sends in the entries.")),
    "registration.channel": words(
        *("报名途径", "Channel"), *("不写则在本平台报名。", "On this platform where left out.")
    ),
    "registration.entries_per_unit": words(
        *("单位限额", "Quota of a unit"), *("每单位最多报几人。", "How many a unit may enter.")
    ),
    "registration.entries_in_all": words(
        *("总限额", "Quota of the event"), *("本项目一共最多报多少。", "How many may enter in all.")
    ),
    "..limit": words(
        *("限额", "Limit"), *("正整数；不限就写 unlimited。", "A number above 0, or the word unlimited.")
    ),
    "registration.changes": words(
        *("截止后变更", "Changes after the deadline"),
        *(
            "报名截止后还可以怎样变更；没有条文的不写。",
            "What may still change; left out where the text is silent.",
        ),
    ),
    "registration.changes.after_deadline": words(
        *("截止后仍可变更", "Still open"),
        *("报名截止后是否仍可自行变更。", "Whether leaders may still change entries after the deadline."),
    ),
    "registration.changes.by_written_application": words(
        *("书面申请变更", "By application"),
        *(
            "是否可以提交书面申请，由组委会审核。",
            "Whether a written application is reviewed by the committee.",
        ),
    ),
    "registration.changes.published_again": words(
        *("变更后再公示", "Published again"),
        *("获准的变更是否再次公示。", "Whether a change that is allowed is published again."),
    ),
    # publication, objections
    "publication": words(
        *("公示", "Publication"),
        *("参赛名单的公示；没有条文的不写。", "The published list; left out where there is none."),
    ),
    "publication.workdays": words(
        *("工作日", "Working days"), *("公示几个工作日。", "For how many working days the list is public.")
    ),
    "publication.deadline_day": words(
        *("截止当日", "Day of the deadline"),
        *("报名截止当日是否计入公示期。", "Whether the day of the deadline counts."),
    ),
    "objections": words(
        *("异议", "Objections"),
        *("公示期内谁可以提出、怎样提出。", "Who may object during the publication, and how."),
    ),
    "objections.by": words(*("提出人", "Who may object"), *("谁可以提出异议。", "Who may object.")),
    "objections.written": words(
        *("书面", "In writing"), *("是否须以书面形式提出。", "Whether it must be in writing.")
    ),
    "objections.seal": words(*("公章", "Seal"), *("材料是否须加盖公章。", "Whether it must carry a seal.")),
    "objections.evidence": words(
        *("依据", "Evidence"),
        *("是否须提供可供核实的依据。", "Whether it must give evidence that can be checked."),
    ),
    # windows, fees, notices
    "windows": words(
        *("更正与申诉的时限", "Time windows"),
        *("每行一个时限；最后一秒仍有效。", "One window a row; its last second is in time."),
    ),
    "windows[].code": words(*("时限", "Window"), *("是什么的时限。", "What the window is for.")),
    "windows[].minutes": words(*("分钟", "Minutes"), *("时限为几分钟。", "How many minutes it lasts.")),
    "windows[].from": words(*("起算", "Counted from"), *("从什么时候起算。", "What it is counted from.")),
    "windows[].fee": words(
        *("费用", "Fee"),
        *("须交纳的费用，在“费用”中写明金额。", "The fee that is due; its amount is among the fees."),
    ),
    "fees": words(*("费用", "Fees"), *("每行一种费用。", "One fee a row.")),
    "fees[].code": words(*("名目", "Fee"), *("费用的名目。", "What the fee is for.")),
    "fees[].amount": words(*("金额（元）", "Amount (yuan)"), *("整数。", "A whole number.")),
    "fees[].refunded_when_won": words(
        *("成功退还", "Refunded if won"),
        *("申诉成功是否退还。", "Whether it is given back if the appeal succeeds."),
    ),
    "points": words(
        *("积分与等级", "Points and grades"),
        *(
            "赛事等级、名次对应的积分、积分对应的等级；由主办方填写。",
            "The host's tables of points and grades.",
        ),
    ),
    "points.event_grade": words(*("赛事等级", "Grade of the event"), *("例如 A。", "Such as A.")),
    "points.places": words(
        *("名次积分", "Points of places"),
        *("从第一名起依次，不重不漏。", "From the first rank on, without a gap."),
    ),
    "points.places[].from": words(*("自第几名", "From rank"), *("含这一名。", "Included.")),
    "points.places[].to": words(*("至第几名", "To rank"), *("含这一名。", "Included.")),
    "points.places[].points": words(*("积分", "Points"), *("每人得多少积分。", "What each is worth.")),
    "points.grades": words(*("等级", "Grades"), *("由低到高。", "Rising.")),
    "points.grades[].name": words(*("名称", "Name"), *("等级的名称。", "What the grade is called.")),
    "points.grades[].least": words(*("至少", "From"), *("满多少积分。", "With how many points.")),
    "notices": words(
        *("其他条文", "Other clauses"),
        *("需要参赛者知道、程序不执行的条文。", "What people must know and software does not enforce."),
    ),
    "notices[].text": words(*("条文", "Sentence"), *("写给参赛者的话。", "What people read.")),
    # interpretations
    "interpretations": words(
        *("解释", "Interpretations"),
        "条文没有写明、写错或互相矛盾之处：每行一个选项，各有默认值。",
        "What the text leaves open: an option a row, each with its default.",
    ),
    "interpretations[].id": words(
        *("编号", "Id"), *("例如 I-A-1；几行可以同属一个编号。", "Such as I-A-1; several rows may share one.")
    ),
    "interpretations[].option": words(
        *("选项名", "Option"),
        *("小写字母、数字和下划线，例如 deals_per_stage。", "Small letters, digits and underscores."),
    ),
    "interpretations[].default": words(
        *("默认值", "Default"), *("没有另选时采用的取值。", "What holds where nothing else is chosen.")
    ),
    "interpretations[].allowed": words(
        *("可选的取值", "Allowed values"),
        *("取值的列表，或 { min, max } 之间的整数。", "A list of values, or whole numbers { min, max }."),
    ),
    "interpretations[].words": words(
        *("取值的说明", "Words of the values"),
        *("列出的每个取值是什么意思。", "What each value of the list means."),
    ),
    "interpretations[].words.*": words(*("说明", "Meaning"), *("这个取值的意思。", "What this value means.")),
    "interpretations[].text": words(
        *("问题", "Question"), *("条文哪里没有写明。", "What the text leaves open, and where.")
    ),
    "options": words(
        *("已选的取值", "Chosen values"),
        *("与默认值不同的选项；相同的不写。", "Options whose value is not the default."),
    ),
    "options.*": words(
        *("取值", "Value"), *("须在该选项允许的取值之内。", "One of the values of that option.")
    ),
}
