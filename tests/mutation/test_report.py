"""What `make mutation` prints of a run."""

from tests.mutation.report import Mutant, figures, table, unexplained

DIFF = "--- a\n+++ b\n@@ -1 +1 @@\n-    found: int | None = 1\n+    found: int | None = 2\n"
SURVIVOR = Mutant("scoring_engine.ranking", "xǁCriterionǁvalue__mutmut_2", "survived", DIFF)
MUTANTS = [
    Mutant("scoring_engine.ranking", "xǁCriterionǁvalue__mutmut_1", "killed", ""),
    SURVIVOR,
    Mutant("scoring_engine.landlord.deals", "x_auction__mutmut_1", "timeout", DIFF),
    Mutant("scoring_engine.landlord.deals", "x_auction__mutmut_2", "no tests", DIFF),
]


def test_only_a_mutant_that_a_test_noticed_counts_as_killed() -> None:
    found = figures(MUTANTS)
    assert list(found) == ["scoring_engine.ranking", "scoring_engine.landlord.deals", "total"]
    assert [row.percent for row in found.values()] == [50, 0, 25]
    assert "| landlord.deals | 2 | 0 | 0 | 1 | 1 | 0.0 |" in table(found)
    assert figures([])["total"].percent == 0


def test_a_survivor_is_asked_for_until_its_function_and_change_have_a_reason() -> None:
    row = r"| `ranking.Criterion.value` | `found: int \| None = 1` | `found: int \| None = 2` |"
    assert unexplained([SURVIVOR], "") == [row]
    assert unexplained([SURVIVOR], f"{row} because |") == []
    assert unexplained([SURVIVOR], row.replace("= 2", "= 3")) == [row]


def test_every_mutant_that_was_not_killed_is_asked_for() -> None:
    assert [row.rpartition("|")[2].strip() for row in unexplained(MUTANTS, "")] == ["", "timeout", "no tests"]


def test_a_function_keeps_its_own_underscore() -> None:
    assert Mutant("m", "x__row__mutmut_12", "survived", DIFF).function == "_row"
    assert Mutant("m", "x_climb__mutmut_3", "survived", DIFF).function == "climb"
    assert Mutant("m", "xǁLevelRowǁ_merit__mutmut_3", "survived", DIFF).function == "LevelRow._merit"
