"""Stages (阶段) of an event: results of one stage, who goes on, play-offs, the placings of the whole event."""
