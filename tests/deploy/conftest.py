"""The small lexicon of the tests of the service."""

from tests.service.conftest import data

__all__ = ["data"]
