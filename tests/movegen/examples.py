"""How many random examples a test takes: few by default, many where slow tests run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy

SEEDS = st.integers(0, 2**32 - 1)


def examples(count: int) -> settings:
    """Return settings for about `count` examples, fewer under a profile that asks for fewer than 100."""
    return settings(
        max_examples=max(4, count * settings.default.max_examples // 100),
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


def few_or_many(few: int, many: int) -> pytest.MarkDecorator:
    """Give a test the argument `count`: few examples, and many where slow tests run."""
    return pytest.mark.parametrize(
        "count", [pytest.param(few, id="few"), pytest.param(many, id="many", marks=pytest.mark.slow)]
    )


def run_examples(count: int, check: Callable[..., None], **strategies: SearchStrategy[Any]) -> None:
    """Call `check` with about `count` random arguments, by name."""
    examples(count)(given(**strategies)(check))()
