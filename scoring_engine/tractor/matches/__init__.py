"""Matches of 升级 (一轮, 一场): levels 2…A deal by deal, who banks, penalties, lateness, time up, the result.

| rule | clause |
|---|---|
| both sides start at 2 in every match; in the first deal the bank is contended and its winner named | C 八(十)1, I-C-3; D 五3, 五9 |
| the banker's side keeps the bank and goes up, or the defenders take it (上台, 下庄) | C 八(七), 八(十)3, 4; D 五13, 五14 |
| the player who banks next: partner, the same player, 下家 | C 八(十)3, 4; D 五16, 五19, I-D-4 |
| 必打; stop at A; passing A ends the match as a win | D 五3, I-D-2; I-C-13, I-D-13 |
| the running deal and two more after the announcement; an unfinished deal is void | C 八(四), I-C-18; I-D-5 |
| higher level wins; equal: a draw, or the side in the bank wins; 2, 1, 0 points | C 八(二), I-C-3; D 五3 |
| a deal given up: the opponents go up and bank; a banker who goes down by himself: 0 levels | I-C-8; D 五11, 五17 |
| a match forfeited: lost, without levels | C 十(二), I-C-14 |

`MatchFormat` is built from a regulation document, `read_match` reads a table of an event file, `score_match` scores it. A
match that cannot have happened is refused, never corrected. Points of a deal that only penalties can explain – they are added
to the defenders' score (C 八(十九), D 五12, 五22), and the level tables are open at both ends – are taken, with a note.

Not here: pairing and byes (`MatchPoints.bye` is their worth), ranking, the clock, who won the bidding for the bank.
"""

from scoring_engine.tractor.matches.faults import Fault, ImpossibleMatchError
from scoring_engine.tractor.matches.formats import (
    CLAUSE_KEYS,
    OPTIONS,
    MatchFormat,
    MatchPoints,
    next_seat,
)
from scoring_engine.tractor.matches.records import Deal, End, Ended, Match, read_match
from scoring_engine.tractor.matches.results import DealScore, DecidedBy, MatchScore, Outcome, decide
from scoring_engine.tractor.matches.scoring import faults_of, score_match

__all__ = [
    "CLAUSE_KEYS",
    "OPTIONS",
    "Deal",
    "DealScore",
    "DecidedBy",
    "End",
    "Ended",
    "Fault",
    "ImpossibleMatchError",
    "Match",
    "MatchFormat",
    "MatchPoints",
    "MatchScore",
    "Outcome",
    "decide",
    "faults_of",
    "next_seat",
    "read_match",
    "score_match",
]
