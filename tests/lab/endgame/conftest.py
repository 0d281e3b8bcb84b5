"""The worlds of the generators' tests."""

from tests.movegen.conftest import worlds

__all__ = ["worlds"]
