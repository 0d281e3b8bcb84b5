"""What to search for: the conditions that a word must meet, and the order of the words found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypedDict

from engine.errors import InvalidInput, check_known
from engine.lexicon.queries.pattern import Pattern, checked, read_word
from engine.messages import Text
from engine.position import Rack
from engine.rules import MAX_SIDE

if TYPE_CHECKING:
    from typing import Unpack

    from engine.lexicon.queries.compared_list import ComparedList
    from engine.rules import Alphabet

USES: Final = ("all", "some")
"""How a word uses the tiles of a query: all of them, or some."""

WORD_SORTS: Final = ("alphabet", "probability")
"""The orders of the words of one length: alphabetical, or the most probable first."""

MEASURES: Final = ("vowels", "points", "anagrams", "rank", "place")
"""The figures of a word, beside its length, that a query limits by its min_ and max_ fields."""


class WordLimits(TypedDict, total=False):
    """The conditions of a `WordQuery` that need not be read from text."""

    use: str
    min_length: int
    max_length: int
    min_vowels: int | None
    max_vowels: int | None
    min_points: int | None
    max_points: int | None
    min_anagrams: int | None
    max_anagrams: int | None
    min_rank: int | None
    max_rank: int | None
    min_place: int | None
    max_place: int | None
    sort: str


class WordConditions(WordLimits, total=False):
    """The conditions of a `WordQuery`, without pattern and lists, as `WordQuery.from_text` takes them."""

    tiles: str | None
    includes: str
    excludes: str
    takes_prefix: str
    takes_suffix: str


@dataclass(frozen=True, slots=True)
class WordQuery:
    """Describe the words to search: those that meet every condition given, and their order.

    `tiles` can include blanks. If `use` is "all" a word uses each of them, if "some" any part of them.
    `includes` are tile codes that a word has, at least as often as here; `excludes` those that it does not
    have. With `takes_prefix` before it, or `takes_suffix` after it, a word makes another word.
    `in_lexicon` and `not_in_lexicon` are lists that have the word, and that do not.

    Each min_ and max_ field is a limit, None for no limit. Lengths are in tiles, points those of the letters,
    anagrams the words of the same tiles, the word itself included. The rank is that by probability among all
    words of the length, from 1, where equal words share one. The place is that by probability, then by
    alphabet, among the words of the length that meet all other conditions, from 1.

    Raises InvalidInput for an unknown `use` or `sort`, or if a least value exceeds the greatest.
    """

    pattern: Pattern | None = None
    tiles: Rack | None = None
    use: str = "all"
    min_length: int = 2
    max_length: int = MAX_SIDE
    includes: bytes = b""
    excludes: bytes = b""
    takes_prefix: bytes = b""
    takes_suffix: bytes = b""
    in_lexicon: ComparedList | None = None
    not_in_lexicon: ComparedList | None = None
    min_vowels: int | None = None
    max_vowels: int | None = None
    min_points: int | None = None
    max_points: int | None = None
    min_anagrams: int | None = None
    max_anagrams: int | None = None
    min_rank: int | None = None
    max_rank: int | None = None
    min_place: int | None = None
    max_place: int | None = None
    sort: str = "alphabet"

    def __post_init__(self) -> None:
        check_known(Text("use"), self.use, USES, code="unknown_use", field="use")
        check_known("sort", self.sort, WORD_SORTS)
        if self.min_length > self.max_length:
            raise InvalidInput(
                Text(
                    "no word is at least {least} and at most {most} tiles long",
                    least=self.min_length,
                    most=self.max_length,
                ),
                code="lengths_cross",
                field="min_length",
            )
        for measure in MEASURES:
            least, most = self.limits(measure)
            if least is not None and most is not None and least > most:
                raise InvalidInput(
                    Text(
                        "{field}: the least value {least} is above the greatest, {most}",
                        field=measure,
                        least=least,
                        most=most,
                    ),
                    code="limits_cross",
                    field=f"min_{measure}",
                )

    @classmethod
    def from_text(
        cls,
        alphabet: Alphabet,
        pattern: str | None = None,
        *,
        tiles: str | None = None,
        includes: str = "",
        excludes: str = "",
        takes_prefix: str = "",
        takes_suffix: str = "",
        in_lexicon: ComparedList | None = None,
        not_in_lexicon: ComparedList | None = None,
        **limits: Unpack[WordLimits],
    ) -> WordQuery:
        """Read a query from text; raise InvalidInput naming the field.

        `tiles` is a rack in upper or lower case; letters are read as words are. Accents that no tile has are
        dropped, as in words.
        """
        typed = None if tiles is None else alphabet.unaccented(checked(tiles, "tiles").upper())
        return cls(
            None if pattern is None else Pattern.from_text(pattern, alphabet),
            None if typed is None else Rack.from_text(typed, alphabet, "tiles"),
            includes=read_word(includes, alphabet, "includes"),
            excludes=read_word(excludes, alphabet, "excludes"),
            takes_prefix=read_word(takes_prefix, alphabet, "takes_prefix"),
            takes_suffix=read_word(takes_suffix, alphabet, "takes_suffix"),
            in_lexicon=in_lexicon,
            not_in_lexicon=not_in_lexicon,
            **limits,
        )

    def limits(self, measure: str) -> tuple[int | None, int | None]:
        """Return the least and the greatest value of one of MEASURES, None for no limit."""
        return getattr(self, f"min_{measure}"), getattr(self, f"max_{measure}")

    @property
    def takes_long(self) -> bool:
        """Whether a first search may take seconds in a long list, to rank words or to sort another list."""
        limits = (*self.limits("rank"), *self.limits("place"), self.in_lexicon, self.not_in_lexicon)
        return self.sort == "probability" or any(limit is not None for limit in limits)

    def lengths(self, max_length: int) -> range:
        """Return the possible lengths of words, up to `max_length` of the lexicon."""
        low = max(2, self.min_length, len(self.includes))
        high = min(max_length - max(len(self.takes_prefix), len(self.takes_suffix)), self.max_length)
        if self.pattern is not None:
            low = max(low, self.pattern.min_length)
            high = high if self.pattern.is_open else min(high, self.pattern.min_length)
        if self.tiles is not None:
            low = max(low, len(self.tiles)) if self.use == "all" else low
            high = min(high, len(self.tiles))
        return range(low, high + 1)
