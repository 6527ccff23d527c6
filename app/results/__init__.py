"""Results (成绩): the score sheets (记分表) of the tables, kept as append-only chains of revisions.

A revision holds all deals so far, or the result of a board (围棋、象棋), with who recorded it, when, on which device, and
the sender's idempotency key.
States: open 未开赛/进行中 -> entered 待确认 -> confirmed 已确认, or entered -> disputed 有争议 -> confirmed or open. By default
(`floor.rules.Terms`) handing in with the tick that the three players have checked the sheet enters and confirms it in one act, and what is
confirmed is public at once. The committee may have it confirmed by each side, or entered a second time by another referee who
does not see it (盲录复核), and published by the round, or only the last round so (封盘).
In force is the published revision, and nothing else reaches the standings, the event file, public pages or reports: a sheet that is
re-opened or corrected keeps it until the correction is confirmed.

Who may do what: referees, the chief referee and the committee of the competition record and hand in, each from the device that
holds the sheet, or by taking it over (接管); a side confirms or disputes by its card, its PIN or a signature; the chief referee
decides disputes and speaks for who is away; he and the committee publish a round, and re-open a confirmed sheet within the
correction window (更正时限) of the regulation, or until the next round is drawn where it has none. Of a locked round (已锁定) only what was
judged elsewhere is carried out (`service.correct`).
"""
