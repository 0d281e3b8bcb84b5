"""Cache the annotations of this process, because clients request them again in other formats."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Final, TypeAlias

from cachetools import LRUCache

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import AnnotationNote, AnnotationOptions, Deadline, Lexicon

MAX_ANNOTATIONS: Final = 16
"""The most annotations that are stored; one takes a few hundred kilobytes."""

Key: TypeAlias = "tuple[str | bytes, Lexicon, AnnotationOptions]"
"""The text of a record, the lexicon, and the options of the annotation."""


class AnnotationCache:
    """An LRU of annotations. An annotation that a deadline cut short is not stored."""

    def __init__(self) -> None:
        self._entries: LRUCache[Key, tuple[AnnotationNote, ...]] = LRUCache(MAX_ANNOTATIONS)
        self._lock = Lock()

    def get(self, key: Key) -> tuple[AnnotationNote, ...] | None:
        """Return a stored annotation, None if there is none."""
        with self._lock:
            return self._entries.get(key)

    def stored(
        self, key: Key, notes: Iterator[AnnotationNote], deadline: Deadline | None
    ) -> Iterator[AnnotationNote]:
        """Yield the notes of an annotation while they are computed, and store it at the end."""
        found = []
        for note in notes:
            found.append(note)
            yield note
        if deadline is None or not deadline.passed:
            with self._lock:
                self._entries[key] = tuple(found)
