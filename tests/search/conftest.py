"""The worlds of the generators' tests, for endgames."""

from tests.movegen.conftest import worlds

__all__ = ["worlds"]
