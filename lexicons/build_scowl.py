"""Builds the bundled English word list from Debian's ``scowl`` package, byte for byte the same each time.

    python3 lexicons/build_scowl.py              # apt-get download into a temporary folder, nothing installed
    python3 lexicons/build_scowl.py --from /     # use an installed package (or an unpacked one's folder)
    python3 lexicons/build_scowl.py --check      # build, compare with what is here, write nothing

Which words: every ``*-words.N`` list of SCOWL with N up to 80, for every variety of English and all
spelling variants (British, American, Canadian, Australian, -ise and -ize, and the lesser variants);
of these, the entries of 2 to 15 lower-case letters a to z. Two-letter entries without a vowel (a, e, i,
o, u, y) are left out: at these sizes they are plurals of letters and abbreviations (BS, KB), not words.
Names, abbreviations and contractions are lists of their own in SCOWL and are not read.

The word list is plain text, one lower-case word a line, sorted, compressed with xz; its SHA-256 (of the
text, not of the compression) is what tables and learned data are bound to. Needs only Python's standard
library, and apt-get and dpkg-deb unless ``--from`` is given.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import lzma
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).resolve().parent
ID = "scowl80"
LARGEST_SIZE = 80
VERSION = "2020.12.07-2"  # of the Debian package; another version gives another list

_WORDS_FILE = re.compile(r".+-words\.(\d+)")
_PLAYABLE = re.compile(r"[a-z]{2,15}")
_VOWELS = frozenset("aeiouy")


def select_words(folder: Path) -> list[str]:
    """Return the sorted words of the ``*-words.N`` lists in a folder of SCOWL lists (ISO-8859-1 text)."""
    words: set[str] = set()
    for path in folder.iterdir():
        name = _WORDS_FILE.fullmatch(path.name)
        if name is None or int(name[1]) > LARGEST_SIZE:
            continue
        for word in path.read_text("iso-8859-1").split("\n"):
            if _PLAYABLE.fullmatch(word) and (len(word) > 2 or _VOWELS.intersection(word)):
                words.add(word)
    return sorted(words)


def build(root: Path) -> dict[str, bytes]:
    """Return the files of the bundled lexicon by name, made from the package unpacked at ``root``."""
    words = select_words(root / "usr/share/dict/scowl")
    text = "".join(f"{word}\n" for word in words).encode("ascii")
    manifest = {
        "id": ID,
        "name": "English (SCOWL, sizes up to 80)",
        "language": "en",
        "tile_set": "english",
        "words_file": "words.txt.xz",
        "encoding": "utf-8",
        "word_count": len(words),
        "sha256": hashlib.sha256(text).hexdigest(),
        "source": f"SCOWL (Spell Checker Oriented Word Lists), Debian package scowl {VERSION}",
        "source_url": "http://wordlist.aspell.net/",
        "licence": "SCOWL licence (permissive, MIT-like); full terms in COPYRIGHT and SCOWL-README",
    }
    return {
        "words.txt.xz": lzma.compress(text, check=lzma.CHECK_SHA256, preset=9 | lzma.PRESET_EXTREME),
        "manifest.json": (json.dumps(manifest, indent=2) + "\n").encode(),
        # Both verbatim, as the terms ask: the package's notice, and SCOWL's own with all its credits.
        "COPYRIGHT": (root / "usr/share/doc/scowl/copyright").read_bytes(),
        "SCOWL-README": gzip.decompress((root / "usr/share/doc/scowl/README.gz").read_bytes()),
    }


def download(folder: Path) -> Path:
    """Fetch the Debian package by apt-get and unpack it below ``folder``; return the unpacked root."""
    command = ["apt-get", "download", "-o", "APT::Sandbox::User=root", f"scowl={VERSION}"]
    subprocess.run(command, cwd=folder, check=True)  # noqa: S603 (fixed command, no shell)
    package = next(folder.glob("scowl_*.deb"))
    root = folder / "root"
    subprocess.run(["dpkg-deb", "-x", package, root], check=True)  # noqa: S603, S607
    return root


def differences(built: dict[str, bytes], folder: Path) -> Iterator[str]:
    """Yield what differs between the files built and those in the folder; compressed files by their text."""
    for name, data in built.items():
        path = folder / name
        here = path.read_bytes() if path.exists() else b""
        if name.endswith(".xz"):
            same = bool(here) and lzma.decompress(data) == lzma.decompress(here)
        else:
            same = data == here
        if not same:
            yield f"{path.relative_to(HERE.parent)} differs"


def main() -> int:
    """Build the list and write it beside this script, or with ``--check`` compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--from", dest="root", type=Path, help="root of an installed or unpacked package")
    parser.add_argument("--check", action="store_true", help="compare with the files here, write nothing")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        try:
            built = build(arguments.root or download(Path(temporary)))
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"{error}\nNeeds a Debian that has scowl {VERSION} (apt-get update), or --from FOLDER.")
            return 2
    folder = HERE / ID
    if arguments.check:
        found = list(differences(built, folder))
        print("\n".join(found) or f"{ID} is what the package gives")
        return 1 if found else 0
    folder.mkdir(exist_ok=True)
    for name, data in built.items():
        (folder / name).write_bytes(data)
    manifest = json.loads(built["manifest.json"])
    print(f"{ID}: {manifest['word_count']} words, sha256 {manifest['sha256']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
