"""Publications (公示): the numbered list of approved entrants, frozen, hashed and open to objection for N workdays.

The committee (组委会) publishes once registration has closed and every entry is decided. A list is never edited: its
text is stored as it was hashed, and later changes of names or entries leave it alone. Everybody reads it. Who was approved later
stands on a supplementary list with a window of its own; a list that turned out wrong is superseded by a corrected one, which shows
what is different. Together the lists in force say who may play.

A window is open (公示中) until 24:00 of its last workday. Then the list is final (公示期满) as soon as no objection to it is open, and
its entries get their competition numbers (参赛号); the worker finds that by itself.
"""
