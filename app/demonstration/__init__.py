"""The demonstration (演示): made-up competitions on a movable clock, for trying the whole job without a rehearsal.

It exists only where ``SAISHI_DEMO`` is set (``saishi demo``); elsewhere its pages are not found. The seed is written
once, through the same services people use, with dates counted from the day of the first start: one competition takes
entries, one is being played, and one has its list in public where the official calendar reaches that far. Where the
text asks for documents, the worker hands in a few specimens (样张) after the start, so that a leader's checklist and the
review desk have something in every state.

Anyone may open ``/demo`` and sign in as any role; the organiser moves the clock. The outbox page shows the messages
that would have left the house.
"""
