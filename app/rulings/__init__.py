"""Rulings (判罚): what a referee or the chief referee decides about an entrant besides the cards: a penalty of the regulation, a
warning, lateness, or expulsion (取消参赛资格).

Each names its rule and clause and is kept as an adjustment of the event file, apart from the score sheet; a ruling is withdrawn (撤销)
only with a reason and stays readable. Standings ask for those in force through a protocol, so a withdrawn one is out of the ranks
at the next computation.
"""
