"""Mail reports (邮件报告): what each reader is told without asking, by kind and by day; written from the other features' queries.

The committee hears of each objection at once and gets a digest at 08:30 on workdays; leaders hear of lists, decisions and their members'
ranks; the organiser gets the final report. A report is written once for each reader and occasion (``Message.key``).
"""
