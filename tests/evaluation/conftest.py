"""The worlds of the generators' tests, for evaluators."""

from tests.movegen.conftest import twl06, worlds

__all__ = ["twl06", "worlds"]
