"""Build the English list `club` from scowl80 and four dictionaries; the result is always the same.

    python lexicons/build_club.py                # downloads the packages into a temporary folder
    python lexicons/build_club.py --from FOLDER  # use the packages in a folder
    python lexicons/build_club.py --check        # build and compare with the files here; write nothing
    python lexicons/build_club.py --weigh FILE   # compute the weights of the rule with a word list of yours

The words of two letters are those of club/by_hand.tsv, with a dictionary that has each: most plays form some,
and SCOWL has many as abbreviations only. Of the longer words of scowl80, `club_rule.py` selects those that a
North American club is likely to play; by_hand.tsv adds a few. The dictionaries are WordNet,
SPECIALIST (in lemminflect), AGID (in pyinflect) and 2of12id (in categorized-words); kibitz needs none of them
to run.

`--weigh` reads only words of 4 to 8 letters that begin with every second letter of the alphabet (a, c, ...).
The script runs with the Python of the project's environment, and needs apt-get, dpkg-deb, pip and npm unless
`--from` is given.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lexicons.build_scowl import HERE, VERSION, differences, files_of, select_words
from lexicons.club_rule import WEIGHTS, ClubRule, Sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

ID: Final = "club"
ABOUT: Final = "North American clubs: 7 % of the plays found with it are not valid there (NWL23)"
HAND: Final = HERE / ID / "by_hand.tsv"
BY_HAND: Final = 2
"""The length up to which all words are by hand."""
WEIGHED_LENGTHS: Final = range(4, 9)
WEIGHED_LETTERS: Final = frozenset("acegikmoqsuwy")

# The packages by file name, with the SHA-256 of each, and how they are downloaded.
PACKAGES: Final = {
    "scowl_2020.12.07-2_all.deb": "de692546df9b169f2cbdf4d8d88111a374733a9c382b820a6f943914ca705718",
    "wordnet-base_1%3a3.0-37_all.deb": "61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752",
    "lemminflect-0.2.3-py3-none-any.whl": "1cf470efa783733ca5654cc1a6ee1de774e59031e61bf6210467625e84a8cf1c",
    "pyinflect-0.5.1-py3-none-any.whl": "94f052d48939bd4748942d807b2b87f15dcb94acb32b99d7162dba5d37188ea8",
    "categorized-words-1.0.0.tgz": "12f95cc1c544e2494d2148d8b50d889258330f7d2086c8204e7c4ac350d9905d",
}
DEBIAN: Final = ("apt-get", "download", "-o", "APT::Sandbox::User=root")
DOWNLOADS: Final = (
    (*DEBIAN, f"scowl={VERSION}", "wordnet-base=1:3.0-37"),
    (sys.executable, "-m", "pip", "download", "--no-deps", "lemminflect==0.2.3", "pyinflect==0.5.1"),
    ("npm", "pack", "categorized-words@1.0.0"),
)

# The lists of SCOWL by whose names a word is not only British or Australian.
_AMERICAN: Final = re.compile(r"(english|american|canadian|variant_[123])-words\.(\d+)")
_LIST: Final = re.compile(r".+-words\.(\d+)")
_PLAIN: Final = re.compile(r"[a-z]+")
_PARTS: Final = ("noun", "verb", "adj", "adv")


def download(folder: Path) -> None:
    """Download the packages into a folder, with the clients of their registries."""
    for command in DOWNLOADS:
        subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr)  # noqa: S603 (fixed commands)


def unpack(packages: Path, root: Path) -> None:
    """Unpack the packages into the folder `root`; raise ValueError for another package."""
    for name, sha256 in PACKAGES.items():
        path = packages / name
        if hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
            raise ValueError(f"{name} is not the package that club is built from: its SHA-256 differs")
        if name.endswith(".deb"):
            subprocess.run(["dpkg-deb", "-x", path, root], check=True)  # noqa: S603, S607
        elif name.endswith(".whl"):
            shutil.unpack_archive(path, root, "zip")
        else:
            shutil.unpack_archive(path, root, "gztar", filter="data")


def read_sources(root: Path) -> Sources:
    """Return what the dictionaries unpacked at `root` say about the words of scowl80."""
    scowl = root / "usr/share/dict/scowl"
    sizes = dict.fromkeys(select_words(scowl), 100)
    american = set()
    for path in sorted(scowl.iterdir()):
        if (name := _LIST.fullmatch(path.name)) and int(name[1]) <= 80:
            words = sizes.keys() & set(path.read_text("iso-8859-1").split("\n"))
            sizes |= {word: min(sizes[word], int(name[1])) for word in words}
            if _AMERICAN.fullmatch(path.name):
                american |= words
    forms: dict[str, set[str]] = defaultdict(set)
    specialist = set()
    with gzip.open(root / "lemminflect/resources/lemma_lu.csv.gz", "rt", encoding="utf-8") as lines:
        for line in lines:  # form,part of speech,base/base
            form, _, bases = line.rstrip("\n").split(",")
            if _PLAIN.fullmatch(form):
                specialist.add(form)
                forms[form].update(bases.split("/"))
    agid = set()
    for line in (root / "pyinflect/infl.csv").read_text("utf-8").splitlines():
        base, _, *cells = line.split(",")  # base,part of speech,form/form,...
        if _PLAIN.fullmatch(base):
            inflected = {form for cell in cells for form in cell.split("/") if _PLAIN.fullmatch(form)}
            agid |= inflected | {base}
            for form in inflected:
                forms[form].add(base)
    by_class = json.loads((root / "package/2of12id.json").read_text("utf-8"))
    return Sources(
        sizes=sizes,
        american=american,
        wordnet=set(_wordnet(root / "usr/share/wordnet")),
        agid=agid,
        specialist=specialist,
        common={word for words in by_class.values() for word in words},
        forms=forms,
    )


def _wordnet(folder: Path) -> Iterator[str]:
    """Yield the words of WordNet that are written in lower case."""
    for part in _PARTS:
        for line in (folder / f"data.{part}").read_text("utf-8").splitlines():
            if not line.startswith("  "):  # offset, file, part of speech, count in hex, then word and number
                fields = line.split(" ")
                words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
                yield from filter(_PLAIN.fullmatch, (word.partition("(")[0] for word in words))


def by_hand() -> list[str]:
    """Return the words of by_hand.tsv, which has a word and its dictionary on each line."""
    return [line.split("\t")[0] for line in HAND.read_text("utf-8").splitlines()]


def club_words(rule: ClubRule) -> list[str]:
    """Return the sorted words of club."""
    selected = {word for word in rule.sources.sizes if len(word) > BY_HAND and rule.selects(word)}
    return sorted(selected.union(by_hand()))


def build(root: Path) -> dict[str, bytes]:
    """Return the files of the bundled lexicon by name, built from the packages unpacked at `root`."""
    source = f"SCOWL (Debian package scowl {VERSION}), selected by a rule, and short words by hand"
    words = club_words(ClubRule(read_sources(root)))
    return files_of(root, ID, "English (club)", ABOUT, words, source, "\n".join(_notices(root)).encode())


def _notices(root: Path) -> Iterator[str]:
    """Yield the notices of SCOWL, whose words these are, and of the dictionaries that selected them."""
    yield "club holds words of SCOWL, and words added by hand. The notice of SCOWL:\n"
    yield (root / "usr/share/doc/scowl/copyright").read_text("utf-8")
    yield "Its words were selected with the help of these dictionaries. WordNet 3.0:\n"
    yield (root / "usr/share/doc/wordnet-base/copyright").read_text("utf-8")
    yield "lemminflect 0.2.3, with the SPECIALIST Lexicon of the U.S. National Library of Medicine:\n"
    yield (root / "lemminflect-0.2.3.dist-info/LICENSE").read_text("utf-8")
    yield "pyinflect 0.5.1, with AGID (Copyright 2000-2014 by Kevin Atkinson, under the terms of SCOWL):\n"
    yield (root / "pyinflect-0.5.1.dist-info/LICENSE").read_text("utf-8")
    yield "categorized-words 1.0.0 by Felix Fischer (MIT License), with 2of12id of 12Dicts, which Alan Beale"
    yield "released into the public domain.\n"


def weighed(rule: ClubRule, valid: Iterable[str]) -> NDArray[np.float64]:
    """Return the weights of logistic regression of which words are valid, on half of the alphabet."""
    words = [
        word
        for word in sorted(rule.sources.sizes)
        if len(word) in WEIGHED_LENGTHS and word[0] in WEIGHED_LETTERS
    ]
    features = np.array([rule.features(word) for word in words])
    wanted = np.isin(np.array(words), np.array(sorted(valid)))
    weights = np.zeros(len(WEIGHTS))
    for _ in range(10):  # Newton's method
        chance = 1 / (1 + np.exp(-features @ weights))
        curvature = (features * (chance * (1 - chance))[:, None]).T @ features
        weights += np.linalg.solve(curvature + 1e-3 * np.eye(len(weights)), features.T @ (wanted - chance))
    return weights


def main() -> int:
    """Build the list and write it beside this script; with `--check` only compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--from", dest="packages", type=Path, help="folder of the five packages")
    parser.add_argument("--check", action="store_true", help="compare with the files here, write nothing")
    parser.add_argument("--weigh", type=Path, metavar="FILE", help="a word list; write nothing")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        packages, root = arguments.packages or Path(temporary), Path(temporary) / "root"
        try:
            if arguments.packages is None:
                download(packages)
            unpack(packages, root)
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            print(f"{error}\nThis needs these packages, by apt-get, pip and npm, or --from FOLDER:")
            print("\n".join(PACKAGES))
            return 2
        if arguments.weigh is not None:
            valid = arguments.weigh.read_text("utf-8").lower().split()
            for (name, used), weight in zip(
                WEIGHTS.items(), weighed(ClubRule(read_sources(root)), valid), strict=True
            ):
                print(f"{weight:6.2f}  {used:5.1f}  {name}")
            return 0
        built = build(root)
    return written(built, check=arguments.check)


def written(built: dict[str, bytes], *, check: bool) -> int:
    """Write the files, or only compare them with those here; return the exit status."""
    folder = HERE / ID
    if check:
        found = list(differences(built, folder))
        print("\n".join(found) or f"{ID} equals the list that the packages give")
        return 1 if found else 0
    for name, data in built.items():
        (folder / name).write_bytes(data)
    manifest: dict[str, Any] = json.loads(built["manifest.json"])
    print(f"{ID}: {manifest['word_count']} words, sha256 {manifest['sha256']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
