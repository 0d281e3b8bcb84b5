"""Compare the words generated from Spanish lemmas with a word list: precision, recall, and kinds of errors.

An error is an extra word, which only the generator has, or a missing word, which only the list has. An extra
word is explained by the lemma that gave it, a missing word by the word of the list whose form it is. Source:
[Heuri, chapter 5].
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import asdict, dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Final

from engine import InvalidInput, tile_set
from lexicons.spanish_words import VERB_LABELS, conjugate, generate

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from lexicons.spanish_words import Lemma, Paradigm

EXAMPLES: Final = 5
KINDS: Final = 30
"""The number of kinds of errors that the report lists."""

_VERB_ENDINGS: Final = ("EAR", "IZAR", "IFICAR", "ECER")
_VERB_PREFIXES: Final = ("DES", "RE", "EN", "EM", "A", "CONTRA", "SOBRE", "SUB", "AUTO", "IN", "ENTRE")
_ENDINGS: Final = {
    "MENTE": ("MENTE",),
    "ICO": ("ICO", "ICA"),
    "ERO": ("ERO", "ERA", "ERIA"),
    "ISMO, ISTA": ("ISMO", "ISTA"),
    "DOR": ("DOR", "DORA", "TOR", "TORA"),
    "CION, MIENTO, DURA": ("CION", "SION", "MIENTO", "DURA"),
    "ADO, ADA": ("ADO", "ADA", "IDO", "IDA"),
    "ENSE, EÑO, ANO": ("ENSE", "EÑO", "EÑA", "ANO", "ANA"),
    "NTE": ("NTE",),
    "BLE": ("BLE",),
    "OSO": ("OSO", "OSA"),
    "IVO, AL": ("IVO", "IVA", "AL"),
    "diminutive": ("ILLO", "ILLA", "ITO", "ITA", "ICO", "UELO", "UELA", "EJO", "EJA", "ETE", "ETA"),
    "IA": ("IA",),
    "ON": ("ON", "ONA"),
}


@dataclass(frozen=True, slots=True)
class Agreement:
    """Hold the sizes of a generated and a given word list, and the number of their common words."""

    generated: int
    listed: int
    common: int

    @property
    def precision(self) -> float:
        """The share of the generated words that the list has."""
        return self.common / self.generated if self.generated else 1.0

    @property
    def recall(self) -> float:
        """The share of the list's words that are generated."""
        return self.common / self.listed if self.listed else 1.0


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """Hold a kind of error: its side ("extra" or "missing"), number of words, examples, and what mends it."""

    side: str
    name: str
    needs: str
    words: int
    examples: tuple[str, ...]


def spelled(words: Iterable[str]) -> dict[str, int]:
    """Return words as Spanish tiles spell them, with their numbers of tiles; others and "" are left out."""
    alphabet = tile_set("spanish").alphabet
    found: dict[str, int] = {}
    for word in words:
        try:
            codes = alphabet.encode_word(word)
        except InvalidInput:
            continue
        if codes:
            found[alphabet.word(codes)] = len(codes)
    return found


def agreement_by_length(
    generated: Mapping[str, int], listed: Mapping[str, int]
) -> dict[int | None, Agreement]:
    """Return the agreement of two lists of `spelled` words by number of tiles; None is all words."""
    result: dict[int | None, Agreement] = {}
    for length in (None, *sorted({*generated.values(), *listed.values()})):
        ours = {word for word, tiles in generated.items() if length in (None, tiles)}
        theirs = {word for word, tiles in listed.items() if length in (None, tiles)}
        result[length] = Agreement(len(ours), len(theirs), len(ours & theirs))
    return result


def error_kinds(
    lemmas: Sequence[Lemma],
    generated: Collection[str],
    listed: Collection[str],
    progress: Callable[[int, int], None],
) -> list[ErrorKind]:
    """Return the kinds of errors, the commonest first. Words are as tiles spell them."""
    kinds: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    seen: set[str] = set()
    for done, lemma in enumerate(lemmas):
        if done % 1_000 == 0:
            progress(done, len(lemmas))
        extra = [word for word in generate([lemma]) if word not in listed and word not in seen]
        if extra:
            seen.update(extra)
            for word in extra:
                kinds["extra", *_extra(word, lemma, listed)].append(word)
    forms = _forms_of_verbs(lemmas, listed)
    unknown = set(listed) - set(generated)
    for word in sorted(unknown):
        kinds["missing", *_missing(word, forms, generated, unknown)].append(word)
    progress(len(lemmas), len(lemmas))
    chosen = Random(1)  # noqa: S311 - examples for a table
    return sorted(
        (
            ErrorKind(*kind, len(words), tuple(chosen.sample(words, min(EXAMPLES, len(words)))))
            for kind, words in kinds.items()
        ),
        key=lambda kind: (-kind.words, kind.name),
    )


def _one(text: str) -> str:
    """Return a text as tiles spell it, empty if they cannot."""
    return next(iter(spelled([text])), "")


def _extra(word: str, lemma: Lemma, listed: Collection[str]) -> tuple[str, str]:
    """Return the kind of an extra word, and what would mend it."""
    base = _one(lemma.text)
    if lemma.labels & VERB_LABELS:
        paradigm = conjugate(lemma.text)
        if word in _finite(paradigm) or not lemma.labels & {"plural", "feminine"}:
            return _extra_form(word, base, paradigm, listed)
    label = "old" if "old" in lemma.labels else "word"
    if word == base or base not in listed:
        return f"{label} {_ending(base)} that the list lacks", "no such lemma"
    return f"plural or feminine form of a listed {label}", "label invariable, or plural for feminine"


def _extra_form(word: str, base: str, paradigm: Paradigm, listed: Collection[str]) -> tuple[str, str]:
    """Return the kind of an extra form of a verb."""

    def has(tense: str, person: str = "") -> bool:
        return any(_one(form) in listed for form in paradigm.cell(tense, person))

    if base not in listed:
        return "form of a verb that the list lacks", "no such lemma"
    if not has("imperfect", "él"):
        return "form of a verb that the list does not conjugate", "label old"
    if word == base + "SE":
        return "infinitive in -se", "label without reflexive"
    if word not in _finite(paradigm):
        return "feminine or plural of a participle", "label intransitive"
    if not has("imperfect", "yo") or not has("imperfect", "nosotros"):
        return "first or second person of a verb of the third", "label impersonal or third_person"
    if word in {_one(form) for form in paradigm.cell("imperative", "vosotros")}:
        return "imperative of vosotros", "label pronominal"
    return f"form of a verb of family {paradigm.families[0].number}", "another family, or a defective verb"


def _finite(paradigm: Paradigm) -> set[str]:
    """Return the forms of the cells of a paradigm as tiles spell them."""
    return set(spelled(form for forms in paradigm.forms.values() for form in forms))


def _forms_of_verbs(lemmas: Iterable[Lemma], listed: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return the forms of the verbs that the list conjugates, and the kind of error if one is missing."""
    verbs = {_one(lemma.text) for lemma in lemmas if lemma.labels & VERB_LABELS}
    texts = {_one(lemma.text): lemma for lemma in lemmas}
    listed = set(listed)
    forms: dict[str, tuple[str, str]] = {}
    for infinitive in sorted(word.removesuffix("SE") for word in listed if word.endswith(("R", "RSE"))):
        try:
            paradigm = conjugate(infinitive)
        except InvalidInput:
            continue
        if not all(_one(form) in listed for form in paradigm.cell("imperfect", "él")):
            continue
        if infinitive in verbs:
            kind = "form of a known verb", "another label, or another family"
        elif infinitive in texts:
            kind = "form of a verb labelled as old", "label as a verb"
        else:
            kind = f"form of an unknown verb {_verb_class(infinitive)}", "its lemma"
        participle = paradigm.cell("participle")[0][:-1]
        inflected = spelled([participle + ending for ending in ("a", "os", "as")])
        for form in (*_finite(paradigm), *inflected):
            forms.setdefault(form, kind)
    return forms


def _verb_class(infinitive: str) -> str:
    """Return the ending of an infinitive, else its prefix."""
    for ending in _VERB_ENDINGS:
        if infinitive.endswith(ending):
            return f"in -{ending}"
    for prefix in _VERB_PREFIXES:
        if infinitive.startswith(prefix):
            return f"in {prefix}-"
    return "of another kind"


def _missing(
    word: str, forms: Mapping[str, tuple[str, str]], generated: Collection[str], unknown: Collection[str]
) -> tuple[str, str]:
    """Return the kind of a missing word, and what would mend it."""
    if word in forms:
        return forms[word]
    singulars = [word[:-1], word[:-2], word[:-3] + "Z"] if word.endswith("S") else []
    masculines = [
        form for one in (word, *singulars[:1]) if one.endswith("A") for form in (one[:-1] + "O", one[:-1])
    ]
    if word.endswith("SE") and word[:-2] in generated:
        return "infinitive in -se of a known verb", "label reflexive"
    if any(one in generated for one in singulars):
        return "plural of a known word", "label plural"
    if any(one in generated for one in masculines):
        return "feminine form of a known word", "label feminine"
    base = next((one for one in singulars if one in unknown), word)
    return f"unknown word {_ending(base)}", "its lemma"


def _ending(word: str) -> str:
    """Return the name of the ending of a noun, adjective or adverb."""
    for name, endings in _ENDINGS.items():
        if word.endswith(endings):
            return f"in -{name}"
    return "with another ending"


def run_spanish(
    lemmas: Sequence[Lemma],
    listed: Iterable[str],
    beside: Iterable[str],
    output: Path,
    progress: Callable[[int, int], None],
) -> dict[str, Any]:
    """Compare, write spanish.json into the folder `output`, and return its content."""
    theirs, other = spelled(listed), spelled(beside)
    ours = spelled(generate(lemmas))
    agreements = {"generated": agreement_by_length(ours, theirs)}
    if other:
        agreements["beside"] = agreement_by_length(other, theirs)
    report = {
        "lemmas": len(lemmas),
        "lengths": {
            name: {
                str(length or "all"): {**asdict(one), "precision": one.precision, "recall": one.recall}
                for length, one in by_length.items()
            }
            for name, by_length in agreements.items()
        },
        "errors": [asdict(kind) for kind in error_kinds(lemmas, ours, theirs, progress)],
    }
    output.mkdir(parents=True, exist_ok=True)
    (output / "spanish.json").write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return report
