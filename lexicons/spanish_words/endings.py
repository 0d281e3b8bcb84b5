"""The endings of Spanish verbs: regular conjugations, and the ending sets of irregular families.

A *cell* is a tense and a person, such as ("present", "yo"); infinitive, gerund and participle have the person
"". The data are in data/endings.toml.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Cell: TypeAlias = tuple[str, str]
Endings: TypeAlias = "Mapping[Cell, str]"

NONFINITE: Final = ("infinitive", "gerund", "participle")
VERB_TENSES: Final = (
    "present",
    "imperfect",
    "preterite",
    "future",
    "conditional",
    "subjunctive",
    "past_subjunctive_ra",
    "past_subjunctive_se",
    "future_subjunctive",
    "imperative",
)
VERB_PERSONS: Final = ("yo", "tú", "vos", "él", "nosotros", "vosotros", "ellos")
VOS_TENSES: Final = ("present", "imperative")
"""The tenses in which vos differs from tú."""

REGULAR_ENDING: Final = "*"
_IN_DATA: Final = tuple(person for person in VERB_PERSONS if person != "vos")


def read_data(name: str) -> dict[str, Any]:
    """Return the content of a TOML file of this package."""
    return tomllib.loads(files(__package__).joinpath("data", name).read_text("utf-8"))


def read_endings(table: Mapping[str, Any]) -> dict[Cell, str]:
    """Return the endings of a table of tenses by cell; keys that are no tense are ignored.

    An empty ending is "_" in the table, a missing one "-". REGULAR_ENDING is left as it is.
    """
    endings: dict[Cell, str] = {}
    for key, value in table.items():
        if key in NONFINITE:
            endings[key, ""] = value
        elif key.removesuffix("_vos") in VOS_TENSES and key.endswith("_vos"):
            endings[key.removesuffix("_vos"), "vos"] = value
        elif key in VERB_TENSES:
            for person, ending in zip(_IN_DATA, value.split(), strict=True):
                if ending != "-":
                    endings[key, person] = "" if ending == "_" else ending
    return endings


@cache
def regular_endings(conjugation: str) -> Endings:
    """Return the regular endings of the conjugation "ar", "er" or "ir" by cell."""
    return read_endings(read_data("endings.toml")["conjugations"][conjugation])


@cache
def ending_set(name: str) -> Endings:
    """Return the ending set of a name such as "E4''"; "E1-o" is E1 without its ending o.

    Raises KeyError for an unknown name.
    """
    name, _, without = name.partition("-")
    table = read_data("endings.toml")["sets"][name]
    endings = {**(ending_set(table["with"]) if "with" in table else {}), **read_endings(table)}
    if without:
        regular = regular_endings("er")
        endings = {
            cell: ending
            for cell, ending in endings.items()
            if (regular[cell] if ending == REGULAR_ENDING else ending) != without
        }
    return endings
