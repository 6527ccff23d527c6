"""The demonstration (演示): made-up competitions on a movable clock, for trying the whole job without a rehearsal.

It exists only where ``SAISHI_DEMO`` is set (``saishi demo``); elsewhere its pages are not found. The seed is written
once, through the same services people use, with dates counted from the day of the first start: one competition takes
entries, one is being played, and one has its list in public where the official calendar reaches that far.

Anyone may open ``/demo`` and sign in as any role; the organiser moves the clock. The outbox page shows the messages
that would have left the house.
"""
