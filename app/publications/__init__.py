"""Publications (公示): the numbered list of approved entrants, frozen, hashed and open to objection for N workdays.

The committee (组委会) publishes once registration has closed and every entry is decided. A list is never edited: its
text is stored as it was hashed, and later changes of names or entries leave it alone. Everybody reads it.

States follow from the clock alone: running (公示中) until 24:00 of the last workday, then final (公示期满).
"""
