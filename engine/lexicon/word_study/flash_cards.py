"""Flash cards: questions whose answers are words of a lexicon.

The text of a question says what it asks: "AEINRST" for the words of these tiles, "_QI_" for the words that a
letter before or after QI makes, and "QA?" for the words of one more tile that begin so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.lexicon.queries.pattern import ANY, Pattern, read_word
from engine.lexicon.queries.search import anagrams_of, words_of
from engine.lexicon.queries.word_query import WordQuery

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.lexicon.lexicon import Lexicon

CARD_KINDS: Final = ("anagrams", "hooks", "beginnings")
"""What cards ask for: all words of some tiles, those that hooks make, those that begin with some tiles."""


@dataclass(frozen=True, slots=True)
class FlashCard:
    """Hold a question, which of CARD_KINDS it is, and its answers: words as tile codes, by alphabet."""

    question: str
    kind: str
    answers: tuple[bytes, ...]


def hooks_question(tiles: str) -> str:
    """Return the question for the hooks of a word, given as tiles."""
    return f"_{tiles}_"


def card_kind(question: str) -> str:
    """Return which of CARD_KINDS a question is; its letters are not read."""
    if question.startswith("_") and question.endswith("_"):
        return "hooks"
    return "beginnings" if question.endswith("?") else "anagrams"


def flash_card(lexicon: Lexicon, question: str) -> FlashCard:
    """Return the card of a question, with the answers that the lexicon has, maybe none.

    Equal questions have one text: tiles are upper case and, for anagrams, in the order of the tile set.
    Raises InvalidInput (field "question") for a text that asks nothing.
    """
    alphabet = lexicon.tile_set.alphabet
    kind = card_kind(question)
    word = read_word(question.strip("_?") if kind != "anagrams" else question, alphabet, "question")
    if kind == "hooks":
        hooks = [Pattern((run,)) for run in _with_any(word)]
        found = {one for hook in hooks for one in words_of(lexicon, WordQuery(hook))}
        return FlashCard(hooks_question(alphabet.text(word)), kind, tuple(sorted(found)))
    if kind == "beginnings":
        _, begun = _with_any(word)
        return FlashCard(
            f"{alphabet.text(word)}?", kind, tuple(words_of(lexicon, WordQuery(Pattern((begun,)))))
        )
    return FlashCard(alphabet.text(sorted(word)), kind, tuple(anagrams_of(lexicon, word)) if word else ())


def questions(lexicon: Lexicon, kind: str, query: WordQuery) -> Iterator[str]:
    """Yield the questions of one of CARD_KINDS about the words of a query, in its order, each once."""
    return questions_about(lexicon, kind, words_of(lexicon, query))


def questions_about(lexicon: Lexicon, kind: str, words: Iterable[bytes]) -> Iterator[str]:
    """Yield the questions of one of CARD_KINDS about words, given as tile codes, in their order, each once.

    A question for hooks is asked of words that take one; beginnings are asked of whole words less a tile.
    """
    alphabet = lexicon.tile_set.alphabet
    seen: set[bytes] = set()
    for word in words:
        asked = {"anagrams": bytes(sorted(word)), "hooks": word, "beginnings": word[:-1]}[kind]
        if asked in seen:
            continue
        seen.add(asked)
        text = alphabet.text(asked)
        if kind == "hooks":
            if _takes_hook(lexicon, word):
                yield hooks_question(text)
        else:
            yield text if kind == "anagrams" else f"{text}?"


def _takes_hook(lexicon: Lexicon, word: bytes) -> bool:
    letters = (bytes((code,)) for code in range(1, lexicon.tile_set.alphabet.size + 1))
    return any(lexicon.contains(letter + word) or lexicon.contains(word + letter) for letter in letters)


def _with_any(word: bytes) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """Return the places of one more tile before a word and after it."""
    places = tuple(bytes((code,)) for code in word)
    return (ANY, *places), (*places, ANY)
