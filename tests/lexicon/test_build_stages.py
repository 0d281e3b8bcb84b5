"""The share of a build that is done, over all its stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.lexicon.build_stages import STAGES, total_progress
from tests.lexicon.test_catalogue import catalogue, shelf

if TYPE_CHECKING:
    from engine.lexicon import Catalogue

__all__ = ["catalogue", "shelf"]


def test_every_stage_of_a_build_has_a_share(catalogue: Catalogue) -> None:
    stages: list[str] = []
    catalogue.build("tiny", lambda stage, _: stages.append(stage))
    assert list(dict.fromkeys(stages)) == list(STAGES)
    assert sum(STAGES.values()) == pytest.approx(1.0)


def test_the_share_grows_from_0_to_1(catalogue: Catalogue) -> None:
    shares: list[float] = []
    catalogue.build("tiny", total_progress(shares.append))
    assert shares[0] == 0.0
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)
    total_progress(shares.append)("wait for another build", 0.5)
    assert shares[-1] == pytest.approx(1.0)
