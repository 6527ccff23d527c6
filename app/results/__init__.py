"""Results (成绩): the score sheets (记分表) of the tables, kept as append-only chains of revisions.

A revision holds all deals so far, or the result of a board (围棋、象棋), with who recorded it, when, on which device, and
the sender's idempotency key.
States: open 未开赛/进行中 -> entered 已录入 -> confirmed 已确认. Handing in with the tick that the three players have
checked the sheet enters and confirms it in one act; a re-opened sheet is open again, while its last confirmed revision
stays in force until the correction is handed in. Only confirmed revisions reach the standings and the public pages.

Who may do what: referees, the chief referee and the committee of the competition record and hand in; the chief referee
and the committee re-open a confirmed sheet within the correction window (更正时限) of the regulation, or until the next
round is drawn where it has none.
"""
