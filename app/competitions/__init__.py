"""Competitions (赛事): the mini-site of one competition with its events (项目), poster, QR code and staff.

An organiser creates a competition from a regulation (规程); the regulation is frozen as a version, and the event
refers to it. States follow from the regulation's dates and from what was done; none is set by hand.
"""
