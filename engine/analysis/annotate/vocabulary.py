"""The words that the players of a game are taken to know, by which losses are split.

loss of a turn = loss by words + loss by choice

The loss by choice is what remains if only those moves are allowed that form known words: the best of them
less the move played. The rest of the loss is due to words. Known are the words that are not rarer than some
rarity in games of the engine against itself, and all that the player forms in the record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, NamedTuple

from engine.evaluation.word_frequency import find_word_frequencies
from engine.search.known_words import KnownWords

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.records import Replay


@dataclass(frozen=True, slots=True)
class WordKnowledge:
    """Say which words players are taken to know."""

    rarity: Annotated[int, "a known word is formed at least once in so many games of the engine with itself"]
    words: Annotated[int, "number of these words; those that a player forms in the record are known too"]
    games: Annotated[int, "number of games in which the words were counted"]
    table: Annotated[str, "table of the counts: its lexicon, and the start of its checksum"]


class Vocabulary(NamedTuple):
    """Hold what the heading says of known words, and the known words of each player."""

    knowledge: WordKnowledge
    by_player: tuple[KnownWords, ...]


def game_vocabulary(replay: Replay, lexicon: Lexicon, rarity: int) -> Vocabulary | None:
    """Return the words that the players of a game know; None if the lexicon's words were not counted."""
    table = find_word_frequencies(lexicon)
    if table is None:
        return None
    known = table.known(rarity)
    formed: list[list[bytes]] = [[] for _ in replay.record.players]
    for turn in replay.turns:
        if turn.move is not None and turn.points is not None and turn.event.player >= 0:
            formed[turn.event.player] += [word.letters for word in turn.position.words(turn.move)]
    common = KnownWords(lexicon, known)
    knowledge = WordKnowledge(rarity, int(known.sum()), table.games, table.name)
    return Vocabulary(knowledge, tuple([common.adding(words) for words in formed]))
