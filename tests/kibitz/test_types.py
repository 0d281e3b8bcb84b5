"""The types of the library, as the type checker of a user's program sees them."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """import kibitz

lexicon = kibitz.Lexicon.open("scowl80")
reveal_type(kibitz.Position.opening(lexicon, "AEINRST").plays())
"""


@pytest.mark.process
def test_a_program_outside_of_the_checkout_is_type_checked(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "program.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    assert 'Revealed type is "engine.library.moves.MoveList[engine.position.move.Play]"' in done.stdout
