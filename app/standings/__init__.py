"""Standings (名次): one stored snapshot per results version, with what decided each pair of neighbours.

Every change of results raises the event's ``results_version`` in its own transaction; the worker then computes the
public event file through ``scoring_engine`` and stores one snapshot for that version, or nothing if it is stored.
A periodic sweep finds events whose newest version has no snapshot. Pages, exports and the draw of the next stage all
read the same snapshot; nothing computes a rank of its own.

A stage paired by points (积分编排) offers its next round once every sheet is confirmed; the engine pairs the public event
file, and its questions to the committee are shown in its own words.

States of what is shown: provisional (暂定) while a table is open, then final. Everybody reads; the committee and the
chief referee draw the next stage from it.
"""
