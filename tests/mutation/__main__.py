"""`make mutation`: change the rules of scoring line by line and see whether the tests notice (docs/mutation.md).

Without arguments every mutant runs; `python -m tests.mutation 'scoring_engine.tractor.levels.*'` runs those of a module.
Ends with the figures of each module and each survivor that docs/mutation.md gives no reason for. The exit status is 1
where fewer than 90 % were killed, or where a survivor has no reason yet.
"""

import subprocess
import sys
from collections import deque
from fnmatch import fnmatch
from pathlib import Path

from mutmut.mutation.data import SourceFileMutationData
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.stats import status_by_exit_code
from mutmut.utils.file_utils import walk_mutatable_files

from tests.mutation.report import Mutant, figures, table, unexplained

EVERYTHING = "scoring_engine.*"
WANTED = 90
REASONS = Path("docs/mutation.md")


def main(patterns: list[str]) -> int:
    # By name, so that mutmut first runs the tests of these mutants unchanged, under the names it will ask for later.
    if not run(patterns):
        return 2
    mutants = read(patterns)
    found = figures(mutants)
    print(table(found))
    open_questions = unexplained(mutants, REASONS.read_text(encoding="utf-8"))
    for row in open_questions:
        print(row)
    if open_questions:
        print(f"{REASONS}: {len(open_questions)} survivors have no reason there")
    if found["total"].percent < WANTED:
        print(f"fewer than {WANTED} % were killed")
    return int(bool(open_questions) or found["total"].percent < WANTED)


def run(patterns: list[str]) -> bool:
    """Runs mutmut; shows a line for every hundredth mutant, and its last words where it fails."""
    command = [str(Path(sys.executable).with_name("mutmut")), "run", "--max-children", "2", *patterns]
    last, shown = deque[str](maxlen=60), 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as running:
        assert running.stdout is not None
        for line in running.stdout:
            last.append(line)
            words = line.replace("/", " ").split()
            done = int(words[1]) if len(words) > 2 and words[1].isdigit() and "🎉" in line else 0
            if done // 100 > shown:
                shown = done // 100
                print(line.strip(), flush=True)
    if running.returncode:
        print("".join(last))
    return running.returncode == 0


def read(patterns: list[str]) -> list[Mutant]:
    """What mutmut noted of the mutants of these names."""
    mutants = []
    for path in walk_mutatable_files():
        noted = SourceFileMutationData(path=path)
        noted.load()
        for key, code in noted.exit_code_by_key.items():
            if not any(fnmatch(key, pattern) for pattern in patterns):
                continue
            status = status_by_exit_code[code]
            diff = "" if status == "killed" else get_diff_for_mutant(key, path=path)
            module, _, name = key.rpartition(".")
            mutants.append(Mutant(module, name, status, diff))
    return mutants


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or [EVERYTHING]))
