"""The worlds of the generators' tests, for evaluators."""

from tests.movegen.conftest import large, twl06, worlds

__all__ = ["large", "twl06", "worlds"]
