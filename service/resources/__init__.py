"""The operations, one module per group; a view parses, calls and answers, in a few lines."""
