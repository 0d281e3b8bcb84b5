"""The 38 families of irregular Spanish verbs: members and stems. Source: [Heuri, table 5.1].

The data are in data/families.toml, whose head explains them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from lexicons.spanish_words.endings import ending_set, read_data, read_endings

if TYPE_CHECKING:
    from lexicons.spanish_words.endings import Endings

REGULAR: Final = 0
"""The number of the family of regular verbs."""


@dataclass(frozen=True, slots=True)
class Stem:
    """Describe an irregular stem: how to make it from the root, and the endings that it takes by cell.

    `touches_end` says whether the change reaches the end of the root, whose spelling is then final.
    """

    old: str
    new: str
    root: str | None
    endings: Endings
    only: frozenset[str]

    def of(self, root: str) -> str:
        """Return the stem of a verb with this root; raise ValueError if the change does not fit."""
        if self.root is not None:
            return self.root
        if not self.old:
            # Before y the u of argüir is spoken without a mark: arguyo.
            return (root.removesuffix("ü") + "u" if root.endswith("ü") else root) + self.new
        at = root.rfind(self.old)
        if at < 0:
            raise ValueError(f"{root} has no {self.old}")
        new = self.new
        if new in {"ie", "ue"} and at == 0:
            new = {"ie": "ye", "ue": "hue"}[new]
        elif new == "ue" and self.old == "o" and root[at - 1] == "g":
            new = "üe"  # averg-o-nzar, avergüenzo: the u is spoken
        return root[:at] + new + root[at + len(self.old) :]

    def touches_end(self, root: str) -> bool:
        """Return whether the stem ends with other letters than the root."""
        return self.root is not None or (bool(self.old or self.new) and root.endswith(self.old))


@dataclass(frozen=True, slots=True)
class Family:
    """Describe a family of verbs: its number, its model verb and its irregular stems."""

    number: int
    model: str
    verbs: tuple[str, ...]
    stems: tuple[Stem, ...]


@cache
def families() -> tuple[Family, ...]:
    """Return all families in the order of their numbers; some numbers have several entries."""
    return tuple(
        Family(
            number=entry["number"],
            model=entry["model"],
            verbs=tuple(entry["verbs"]),
            stems=tuple(map(_stem, entry.get("stems", ()))),
        )
        for entry in read_data("families.toml")["family"]
    )


def _stem(entry: dict[str, Any]) -> Stem:
    old, _, new = entry.get("change", "").partition(">")
    endings = {cell: ending for name in entry.get("sets", ()) for cell, ending in ending_set(name).items()}
    return Stem(
        old=old,
        new=new,
        root=entry.get("root"),
        endings=endings | read_endings(entry),
        only=frozenset(entry.get("only", ())),
    )


def families_of(verb: str) -> tuple[Family, ...]:
    """Return the families of an infinitive: those with its name, else the one of the longest fitting pattern.

    The regular family is returned where no other fits.
    """
    named, patterns = _members()
    if verb in named:
        return named[verb]
    for start in range(len(verb)):
        if verb[start:] in patterns:
            return (patterns[verb[start:]],)
    return (families()[REGULAR],)


@cache
def _members() -> tuple[dict[str, tuple[Family, ...]], dict[str, Family]]:
    """Return the families by name of a verb, and by end of the infinitive."""
    named: dict[str, tuple[Family, ...]] = {}
    patterns: dict[str, Family] = {}
    for family in families():
        for verb in dict.fromkeys(family.verbs):
            if verb.startswith("*"):
                patterns[verb[1:]] = family
            else:
                named[verb] = (*named.get(verb, ()), family)
    return named, patterns


@cache
def _other_data() -> tuple[dict[str, list[str]], tuple[str, ...]]:
    data = read_data("families.toml")
    return data["participles"], tuple(data["stressed"]["verbs"])


def participles_of(verb: str) -> tuple[str, ...]:
    """Return the irregular participles of an infinitive whose family does not have them, often none."""
    for name, participles in _other_data()[0].items():
        end = name.removeprefix("*")
        if verb == name or (name.startswith("*") and verb.endswith(end)):
            return tuple(verb.removesuffix(end) + participle for participle in participles)
    return ()


def stresses_weak_vowel(verb: str) -> bool:
    """Return whether the stressed i or u of a root is a syllable of its own, as in envío and aíslo."""
    return any(verb.endswith(name[1:]) if name.startswith("*") else verb == name for name in _other_data()[1])
