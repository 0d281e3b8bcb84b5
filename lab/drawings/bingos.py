"""The bingos that a leave of the followed board may become, by playing out every draw."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb, prod
from typing import TYPE_CHECKING, Final

from engine.movegen import InternalWords
from engine.position import Rack

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lab.drawings.followed_board import FollowedBoard

FULL: Final = 7
"""Tiles of a full rack."""
BONUS: Final = 50
HEURI_4_FACTOR: Final = 2.5
"""The factor k of Heuri 2 to 4."""


@dataclass(frozen=True, slots=True)
class BingoDraw:
    """Describe a draw that completes a leave to a septet or reduced octet that can be played.

    `probability` is that of the draw, `tile_points` the sum of the tile values of the seven tiles, `word`
    and `score` the bingo that scores most on the board.
    """

    drawn: str
    probability: float
    tile_points: int
    word: str
    score: int


def count_draws(followed: FollowedBoard, leave: str) -> int:
    """Count the different draws that complete a leave to a full rack."""
    return sum(1 for _ in _draws(followed, leave))


def bingo_draws(followed: FollowedBoard, leave: str) -> list[BingoDraw]:
    """Return the draws after which a bingo can be played on the board, the most probable first.

    As [Heuri, chapter 7] does, only seven tiles count that make a word of seven letters, or one of eight
    with any further letter.
    """
    generator = InternalWords(followed.lexicon)
    tiles = followed.position.tile_set
    alphabet = tiles.alphabet
    entries = _entries(followed)
    found = []
    for drawn, probability in _draws(followed, leave):
        rack = Rack(bytes(sorted([*alphabet.encode_word(leave), *drawn])))
        plays = generator.generate(followed.board, rack, followed.position.rules)
        bingos = (plays.array["placed"] == FULL).nonzero()[0].tolist()
        if bingos and any(letters in entries for letters in _without_blanks(rack, alphabet.letters)):
            best = max(bingos, key=lambda index: int(plays.array["score"][index]))
            found.append(
                BingoDraw(
                    drawn=alphabet.text(drawn),
                    probability=probability,
                    tile_points=sum(tiles.values[code] for code in rack.tiles),
                    word=followed.main_word(plays.move(best)),
                    score=int(plays.array["score"][best]),
                )
            )
    return sorted(found, key=lambda draw: (-draw.probability, draw.drawn))


def expectation(draws: list[BingoDraw]) -> float:
    """Return Heuri 4's bingo expectation: the sum of p (50 + k sigma), in points [Heuri, chapter 7]."""
    return sum(draw.probability * (BONUS + HEURI_4_FACTOR * draw.tile_points) for draw in draws)


def _draws(followed: FollowedBoard, leave: str) -> Iterator[tuple[bytes, float]]:
    """Yield every draw (tile codes) that fills a rack, and its probability."""
    unseen = followed.position.unseen()
    count = FULL - len(leave)
    total = comb(sum(unseen), count)
    held = [code for code, number in enumerate(unseen) if number]
    for drawn in combinations_with_replacement(held, count):
        ways = prod(comb(unseen[code], number) for code, number in Counter(drawn).items())
        if ways:
            yield bytes(drawn), ways / total


def _entries(followed: FollowedBoard) -> set[str]:
    """Return the letters, in order, of every septet and reduced octet without blanks."""
    words: Mapping[int, list[str]] = followed.words_by_length
    entries = {"".join(sorted(word)) for word in words[FULL]}
    for word in words[FULL + 1]:
        letters = "".join(sorted(word))
        entries.update(letters[:i] + letters[i + 1 :] for i in range(FULL + 1))
    return entries


def _without_blanks(rack: Rack, letters: tuple[str, ...]) -> Iterator[str]:
    """Yield the letters of a rack in order, with each choice of letters for its blanks."""
    fixed = [letters[code - 1] for code in rack.tiles if code]
    for chosen in combinations_with_replacement(letters, rack.tiles.count(0)):
        yield "".join(sorted([*fixed, *chosen]))
