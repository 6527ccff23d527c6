"""Penalties (罚则): signed adjustments of their offender alone, each naming its rule (I-A-13)."""
