"""The draws of a Swiss event: from an event file to the pairing of its game, its answer, and the replay of a draw.

| module | what it does |
|---|---|
| `history` | points, opponents, sides, byes, seats before a round; who is not paired in it |
| `two_players`, `three_players`, `cards` | one group of one round, paired by the module of its game |
| `rounds` | a whole round: its groups, numbered tables, byes |
| `answers` | the next round as `saishi pair` prints it |
| `divisions` | the division into groups, drawn again |
| `replays` | a published draw drawn again |
| `breaches` | what a round breaks of the rules of pairing |
| `notes` | the rules a round as played breaks |
"""
