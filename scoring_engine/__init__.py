"""The scoring engine (计分引擎): pure functions from records and rules to scores, ranks and prizes."""
