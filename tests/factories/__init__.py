"""One factory module per feature; each builds the least valid object through the product's own commands."""
