"""Draws (抽签编排): who sits at which table, in each stage, and the seed anyone can replay it from.

The first stage (初赛) is drawn into groups of three from the final published list; one or two left over go straight
on (直接进入复赛). Later stages are grouped by the order of the stage before, which the caller brings; the draw
puts shared ranks in order and says who bids first. A play-off (加赛) seats three. A Swiss stage (积分编排) has several
rounds, each paired by points from the event file so far, with byes (轮空).

More entrants than one group (组别) may have are divided by draw before the first round of such a stage: number 0 of its rounds.

Before a draw its seed may be committed to (种子承诺): hash, time and frozen list are public, the seed is not; the public may add
words or numbers (公众数据) once; the draw reveals all of it. A commitment is withdrawn only with a reason that is public.

A drawn round is changed by hand (人工调整) only before its first score, each change with a public reason, and only once a second
person confirms; the draw stays beside it. A round that is taken back (作废) stays too, with its seed, its reason and whatever
was entered, and its stage and number can be drawn again; once scores were entered, only by the chief referee (`app.results`).

Who may do what: the committee (组委会) and the chief referee (裁判长) draw; everybody reads. Staff also see the tokens
of the tables, whose QR codes lead referees to the score sheets.
"""
