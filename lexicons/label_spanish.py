"""Label the Spanish lemmas of Debian's packages hunspell-es and wspanish; the result is always the same.

    python3 lexicons/label_spanish.py            # apt-get download into a temporary folder, nothing installed
    python3 lexicons/label_spanish.py --from /   # use installed packages (or the folder of unpacked ones)
    python3 lexicons/label_spanish.py --check    # label and compare with the file here; write nothing

`kibitz lexicon generate --help` explains labels. What the two lists say about a word decides on its labels:

* A verb that hunspell-es conjugates is a verb; one that it lists without its forms is old. One whose forms it
  lists as entries is a verb, too; without a second person it is one of the third persons.
* wspanish lists a verb that is only pronominal by its infinitive in -se alone (arrepentirse).
* An entry with plural, or with feminine form, has these. A word that only wspanish lists has a plural if it
  can be a noun; it has a feminine form if wspanish lists that, too.
* Forms of verbs and words with enclitic pronouns (dámelo) are no lemmas. Nor are words of one list alone that
  are derived at will: in hunspell-es the names of inhabitants in -eño, -uno and -ense, in wspanish the
  diminutives in -uelo and the present participles in -nte, in both superlatives. Nor are infinitives of
  wspanish alone.

spanish/by_hand.tsv holds what no list says: verbs without an object, of the third person, and that are only
pronominal. The abbreviations and Latin words that open_lists.toml leaves out are left out here, too. No label
comes from a tournament list.
The script runs with the Python of the project's environment, because it conjugates with kibitz.
"""

from __future__ import annotations

import argparse
import lzma
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from engine.errors import EngineError
from lexicons.dictionaries import open_list
from lexicons.spanish_dictionary import FEMININE, PLURAL, Dictionary
from lexicons.spanish_words import Lemma, conjugate
from lexicons.spanish_words.generation import inflected
from lexicons.spanish_words.inflection import feminine, plurals

HERE = Path(__file__).resolve().parent
VERSIONS = {"hunspell-es": "1:7.5.0-1", "wspanish": "1.0.30"}  # other versions give other lemmas
HAND_LABELS = HERE / "spanish" / "by_hand.tsv"
LEMMAS = HERE / "spanish" / "lemmas.tsv.xz"
HEAD = """\
# Spanish lemmas, labelled by label_spanish.py of kibitz from two Debian packages: hunspell-es 7.5.0 by
# Santiago Bosio and the RLA-ES project (Mozilla Public License 1.1) and wspanish 1.0.30 (public domain).
# The contents of this file are subject to the Mozilla Public License Version 1.1, see licences/MPL-1.1.
"""

_INFINITIVE = re.compile(r".*([aei]r|[aeo]ír)")
_PRONOMINAL = re.compile(r".*([aei]r|[aeo]ír)se")
_INHABITANT = re.compile(r".*(eño|uno|ense|ísimo)")
_ONLY_IN_WSPANISH = re.compile(r".*(nte|uel[oa]|[íi]sim[oa])")
_ENCLITIC = re.compile(r"(?:me|te|se|nos|os)?(?:l[aeo]s?|me|te|se|nos|os)")
_ACUTE = str.maketrans("áéíóú", "aeiou")
_PLAIN_WORD = re.compile(r"[a-zñáéíóúü]{2,}")


class Labels:
    """Collect the labels of lemmas from the lists of a folder that holds the unpacked packages."""

    def __init__(self, root: Path) -> None:
        self.labels: dict[str, set[str]] = defaultdict(set)
        dictionary = Dictionary(root / "usr/share/hunspell")
        self._flags: dict[str, set[str]] = defaultdict(set)
        lines = HAND_LABELS.read_text("utf-8").splitlines()
        self._by_hand = dict(line.split("\t") for line in lines)
        omitted = set(open_list("spanish").rules.skipped_entries.split())
        self._entries = [entry for entry in dictionary.all_entries() if entry.word not in omitted]
        for entry in self._entries:
            self._flags[entry.word] |= entry.flags
        text = (root / "usr/share/dict/spanish").read_text("utf-8")
        self._listed = {word for word in text.split("\n") if _PLAIN_WORD.fullmatch(word)} - omitted
        self._label_verbs()
        self._label_nouns()
        self._label_others()
        self._label_listed()

    def _label_verbs(self) -> None:
        verbs = {entry.word for entry in self._entries if entry.is_verb}
        third: set[str] = set()
        for word in sorted(self._flags.keys() - verbs):
            if _INFINITIVE.fullmatch(word) and (len(word) > 2 or word == "ir"):
                if self._lists_forms(word, "él"):
                    verbs.add(word)
                    if not self._lists_forms(word, "tú"):
                        third.add(word)
                elif not self._flags[word]:
                    self.labels[word].add("old")
        for word in verbs:
            only_pronominal = f"{word}se" in self._listed and word not in self._listed
            self.labels[word] |= {"pronominal", "reflexive"} if only_pronominal else {"transitive"}
            if word in third:
                self.labels[word] = {"third_person"}
            if word in self._by_hand:
                self.labels[word] = {self._by_hand[word]}
        self._collect_forms(verbs)

    def _collect_forms(self, verbs: set[str]) -> None:
        self._forms: set[str] = set()  # of verbs, as in print
        self._bases: set[str] = set()  # that take enclitic pronouns, without accents
        for word in verbs:
            paradigm = conjugate(word)
            self._forms.update(form for forms in paradigm.forms.values() for form in forms)
            taking = [word, *paradigm.cell("gerund")]
            for person in ("tú", "vos", "él", "nosotros", "vosotros", "ellos"):
                taking += paradigm.cell("imperative", person)
            self._bases.update(form.translate(_ACUTE) for form in taking)
            self._forms.update(inflected(Lemma(word, frozenset({"transitive"}))))

    def _lists_forms(self, infinitive: str, person: str) -> bool:
        """Return whether hunspell-es has the forms of a verb in this person as entries."""
        paradigm = conjugate(infinitive)
        tenses = ("imperfect", "future", "preterite", "past_subjunctive_ra")
        return all(paradigm.cell(tense, person)[0] in self._flags for tense in tenses)

    def _label_nouns(self) -> None:
        for word, flags in self._flags.items():
            inhabitant = word not in self._listed and _INHABITANT.fullmatch(word)
            if (PLURAL in flags or FEMININE in flags) and not inhabitant:
                self.labels[word].add("feminine" if FEMININE in flags else "plural")

    def _label_others(self) -> None:
        known = self._words()
        for word, flags in self._flags.items():
            if not flags and word not in self.labels and word not in known and not self._is_enclitic(word):
                old = _PRONOMINAL.fullmatch(word) is not None
                self.labels[word].add("old" if old else "invariable")

    def _label_listed(self) -> None:
        """Label the words that only wspanish lists."""
        known = self._words()
        unknown = sorted(
            word
            for word in self._listed
            if word not in known
            and word not in self._forms
            and not _INFINITIVE.fullmatch(word)
            and not _PRONOMINAL.fullmatch(word)
            and not _ONLY_IN_WSPANISH.fullmatch(word)
        )
        for word in unknown:
            invariable = word.endswith("mente") or self._is_enclitic(word) or not plurals(word)
            self.labels[word].add("invariable" if invariable else "plural")
        for word in unknown:
            other = feminine(word)
            if "plural" in self.labels.get(word, ()) and other is not None and other in self._listed:
                self.labels[word] = {"feminine"}
                if self.labels.get(other) == {"plural"}:
                    del self.labels[other]

    def _is_enclitic(self, word: str) -> bool:
        """Return whether a word is a form of a verb with enclitic pronouns."""
        plain = word.translate(_ACUTE)
        for at in range(2, len(plain) - 1):
            if plain[:at] in self._bases and _ENCLITIC.fullmatch(plain[at:]):
                return True
        # Before nos and os an imperative loses a letter: vámonos, sentaos.
        return re.fullmatch(r".*(monos|aos|eos|íos)", word) is not None and (
            plain.removesuffix("nos") + "s" in self._bases or plain.removesuffix("os") + "d" in self._bases
        )

    def _words(self) -> set[str]:
        """Return all forms of the lemmas labelled so far."""
        return {
            form for word, labels in self.labels.items() for form in inflected(Lemma(word, frozenset(labels)))
        }


def label(root: Path) -> str:
    """Return the labelled lemmas of the packages unpacked at `root`, as text."""
    labels = Labels(root).labels
    lines = [f"{word}\t{','.join(sorted(labels[word]))}\n" for word in sorted(labels) if len(word) > 1]
    return HEAD + "".join(lines)


def download(folder: Path) -> Path:
    """Download the Debian packages and unpack them in `folder`; return the root of their files."""
    names = [f"{name}={version}" for name, version in VERSIONS.items()]
    command = ["apt-get", "download", "-o", "APT::Sandbox::User=root", *names]
    subprocess.run(command, cwd=folder, check=True)  # noqa: S603 (fixed command, no shell)
    root = folder / "root"
    for package in sorted(folder.glob("*.deb")):
        subprocess.run(["dpkg-deb", "-x", package, root], check=True)  # noqa: S603, S607
    return root


def main() -> int:
    """Label the lemmas and write them beside this script; with `--check` only compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--from", dest="root", type=Path, help="root of installed or unpacked packages")
    parser.add_argument("--check", action="store_true", help="compare with the file here, write nothing")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        try:
            text = label(arguments.root or download(Path(temporary)))
        except (OSError, subprocess.CalledProcessError, EngineError) as error:
            wanted = ", ".join(f"{name} {version}" for name, version in VERSIONS.items())
            print(f"{error}\nThis needs a Debian with {wanted} (apt-get update), or --from FOLDER.")
            return 2
    if arguments.check:
        same = LEMMAS.exists() and lzma.decompress(LEMMAS.read_bytes()).decode() == text
        print("the lemmas equal those of the packages" if same else f"{LEMMAS.name} differs")
        return 0 if same else 1
    LEMMAS.parent.mkdir(exist_ok=True)
    LEMMAS.write_bytes(lzma.compress(text.encode(), check=lzma.CHECK_SHA256, preset=9 | lzma.PRESET_EXTREME))
    print(f"{LEMMAS.name}: {text.count(chr(10)) - HEAD.count(chr(10))} lemmas")
    return 0


if __name__ == "__main__":
    sys.exit(main())
