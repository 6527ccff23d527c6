"""The public event file (`saishi-event`): read it, score it, verify it, pair its next round.

| function | answer |
|---|---|
| `parse(text)` | the JSON document of a file, numbers exact |
| `read(document, rules)` | an `EventRecord`, or `EventFileError` with every problem |
| `score(document, rules)` | the `saishi-score` document |
| `score_record(event)` | the same, of an event already read |
| `verify(document, rules)` | the list of `Difference`s between the file and what follows from it |
| `verify_draw(document, rules, stage, number)` | the differences of the draw of one round alone |
| `notes(document, rules)` | draws repaired by hand, and the rules that rounds break as they were played |
| `round_breaches(document, rules, number, placed, drawn)` | what a round changed by hand breaks |
| `pair(document, rules, seed)` | the next round |
| `not_paired(document, rules)` | who is not paired in the next round of a Swiss event, and why |
| `why(placing, placing)` | what separates two placings of a score document |

`rules` are the regulation's; the file's own `options` are applied to them while it is read, so a caller who has
applied them already does no harm. All functions are pure: no clock, no file, no randomness but the seed.
"""

from scoring_engine.event_file.differences import Difference, Note
from scoring_engine.event_file.explaining import why
from scoring_engine.event_file.pairing import not_paired, pair
from scoring_engine.event_file.reading import EventFileError, parse, read
from scoring_engine.event_file.scoring import score, score_record
from scoring_engine.event_file.swiss_draws.breaches import Breach
from scoring_engine.event_file.verifying import notes, round_breaches, verify, verify_draw

__all__ = [
    "Breach",
    "Difference",
    "EventFileError",
    "Note",
    "not_paired",
    "notes",
    "pair",
    "parse",
    "read",
    "round_breaches",
    "score",
    "score_record",
    "verify",
    "verify_draw",
    "why",
]
