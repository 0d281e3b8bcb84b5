"""The lexicon of made-up words."""

from tests.lab.experiments.conftest import made_up_data

__all__ = ["made_up_data"]
