"""The worlds of the generators' tests, for loaded boards."""

from tests.movegen.conftest import worlds

__all__ = ["worlds"]
