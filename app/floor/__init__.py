"""The floor (赛场): a round as it is played. Opening it, its clock, who referees at which table, who has arrived, calls for a
referee, what is announced to every phone, and the terms (办赛方式) the committee chose for its sheets.

A round (进行中的一轮) is opened, its clock runs, it ends, its results are published and locked; each moment is recorded once.
A round that nobody opened is opened by its first score. It ends when the last of its tables hands in, or when the chief referee says so.

Who may do what: the chief referee (裁判长) opens, calls time, ends, publishes and locks; the committee too, and chooses the terms;
referees record arrivals and answer calls; a player reaches his own table by the key on his card (选手卡).
"""
