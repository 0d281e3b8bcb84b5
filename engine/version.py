"""The version of kibitz: the only place that states it."""

VERSION = "0.1.0"
