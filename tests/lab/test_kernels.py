"""Without its kernels the laboratory says which command compiles them."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.process
@pytest.mark.parametrize(
    ("missing", "code"),
    [
        ("lab.tables.automaton_narrow", "from lab.generators import generator; generator('gordon', None)"),
        (
            "lab.multisets.parity_kernel",
            "from lab.multisets.multiset_timings import multiset_timings; multiset_timings(None)",
        ),
    ],
)
def test_a_missing_kernel_is_an_error_with_the_remedy(missing: str, code: str) -> None:
    code = f"import sys; sys.modules['{missing}'] = None; {code}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "the kernels of the laboratory are not compiled; run: make kernels" in done.stderr
