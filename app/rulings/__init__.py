"""Rulings (判罚): what a referee or the chief referee decides about an entrant besides the cards: a penalty of the regulation, a
warning, lateness, a forfeit, or expulsion (取消参赛资格).

Each names its rule and clause. Penalties of 二打一 and of boards are adjustments of the event file of their own; lateness, forfeits and
the penalties of 升级 stand on the score sheet, which has to stay possible with them. A ruling is withdrawn (撤销) only with a reason and
stays readable. Standings ask for those in force through a protocol, so a withdrawn one is out of the ranks at the next computation.

Who may do what: a referee gives warnings and penalties at his table until its result is confirmed; the chief referee gives and
withdraws all; the committee and the arbitration committee read; everybody reads rule, clause, table and effect of what is public.
"""
