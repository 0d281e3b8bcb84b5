"""The bytes of a delta set are not trusted: changed ones give None or a set that evaluators can use."""

from __future__ import annotations

import hashlib
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation.bingo_expectation import DeltaSet
from engine.evaluation.bingo_table import bingo_table
from engine.evaluation.heuri import VERSIONS
from engine.position import Rack
from engine.rules import RuleSet, board_layout
from tests.evaluation.heuri_values import heuri_values
from tests.movegen.examples import SEEDS, examples
from tests.movegen.games import play_at_random

if TYPE_CHECKING:
    from engine.loaded_board import LoadedBoard
    from tests.movegen.worlds import World

HEAD = 8 + 32  # magic and checksum
NAMES = 32 + 32  # the keys of board and table
WORLDS = ("english", "letters-33")


def board_of(world: World) -> LoadedBoard:
    game = play_at_random(Random(3), world, board_layout("standard15"), RuleSet(), 6)
    return game[-1][0]


def sealed(body: bytes) -> bytes:
    """Return the body with a checksum that fits it, as a forger would."""
    return b"KBDELTA1" + hashlib.sha256(body).digest() + body


def use(delta: DeltaSet, board: LoadedBoard, world: World) -> None:
    """Do with a delta set what an analysis may do."""
    assert delta.count <= int(delta.table.counted.sum())
    unseen = np.full(world.tile_set.alphabet.size + 1, 2, np.uint8)
    for rack in (b"\0\0" + bytes(world.letters[:1] * 5), bytes(sorted(world.letters[:3])), bytes(1)):
        for version in VERSIONS[2:]:  # 1 and 2 do not look at the board
            assert len(heuri_values(version, board, Rack(rack), unseen, 60, delta=delta))


@pytest.mark.parametrize("name", WORLDS)
def test_lengths_keys_and_checksums_that_do_not_fit_are_refused(worlds: dict[str, World], name: str) -> None:
    world = worlds[name]
    table, board = bingo_table(world.lexicon), board_of(world)
    data = DeltaSet.compute(board, table).to_bytes()
    body = data[HEAD:]

    def read(changed: bytes) -> DeltaSet | None:
        return DeltaSet.from_bytes(changed, board.key, table)

    assert read(data) is not None
    for at, byte in enumerate(data):
        assert read(data[:at] + bytes([byte ^ 1 << at % 8]) + data[at + 1 :]) is None
    for at in range(NAMES):
        assert read(sealed(body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :])) is None
    for length in {*range(NAMES + 9), *range(NAMES, len(body), 8), len(body) - 1}:
        assert read(data[: HEAD + length]) is None
        assert read(sealed(body[:length])) is None
    for more in (1, 7, 8, 64, 4096):
        assert read(sealed(body + bytes(more))) is None


@examples(40)
@given(name=st.sampled_from(WORLDS), seed=SEEDS, share=st.sampled_from((0.01, 0.5, 1.0)))
def test_any_set_of_entries_can_be_used(worlds: dict[str, World], name: str, seed: int, share: float) -> None:
    world, random = worlds[name], Random(seed)
    table, board = bingo_table(world.lexicon), board_of(world)
    body = DeltaSet.compute(board, table).to_bytes()[HEAD:]
    forged = bytes(random.randrange(256) if random.random() < share else byte for byte in body[NAMES:])
    for limbs in (forged, b"\xff" * len(forged), bytes(len(forged))):
        delta = DeltaSet.from_bytes(sealed(body[:NAMES] + limbs), board.key, table)
        assert delta is not None
        use(delta, board, world)
