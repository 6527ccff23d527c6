"""Rehearsals (演练): a competition that was made to practise, marked as one on every page, and deleted whole, with everybody in it."""
