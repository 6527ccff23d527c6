"""Amendments (规程变更): a draft is published as the next version of an event's regulation.

States: draft -> published -> in force. A version is frozen (canonical JSON, SHA-256), says who published it, when and why,
and what it affects: registrations, windows, tables, rounds, placings, prizes. Nothing stored before is rewritten; from the
moment it says, the event runs by it and the standings are computed again.

Who may do what: the organiser, the committee and the chief referee publish; a change of what makes results (scoring,
chain, penalties) after the first result is a ruling of the chief referee. Everybody reads notice, impact and difference.
"""
