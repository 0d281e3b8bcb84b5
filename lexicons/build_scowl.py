"""Build the bundled English word list from Debian's package `scowl`; the result is always the same.

    python3 lexicons/build_scowl.py              # apt-get download into a temporary folder, nothing installed
    python3 lexicons/build_scowl.py --from /     # use an installed package (or an unpacked one's folder)
    python3 lexicons/build_scowl.py --check      # build and compare with the files here; write nothing

The words are the entries of 2 to 15 lower-case letters a to z of every list `*-words.N` of SCOWL with N up to
80: all varieties of English (British, American, Canadian, Australian) with all spelling variants. Two-letter
entries without a vowel (a, e, i, o, u, y) are omitted, because at these sizes they are plurals of letters and
abbreviations (BS, KB). SCOWL has separate lists of names, abbreviations and contractions, which are not read.

The word list is plain text, sorted, one lower-case word a line, compressed with xz. The SHA-256 of the text
identifies it in tables and learned data. The script needs only Python's standard library, and apt-get and
dpkg-deb unless `--from` is given.
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
MAX_SIZE = 80
ABOUT = "play at home: 30 % of the plays found with it are not valid in North American clubs (NWL23)"
VERSION = "2020.12.07-2"  # of the Debian package; another version gives another list

_WORDS_FILE = re.compile(r".+-words\.(\d+)")
_PLAYABLE = re.compile(r"[a-z]{2,15}")
_VOWELS = frozenset("aeiouy")


def select_words(folder: Path) -> list[str]:
    """Return the sorted words of the `*-words.N` lists in a folder of SCOWL lists (ISO-8859-1 text)."""
    words: set[str] = set()
    for path in folder.iterdir():
        name = _WORDS_FILE.fullmatch(path.name)
        if name is None or int(name[1]) > MAX_SIZE:
            continue
        for word in path.read_text("iso-8859-1").split("\n"):
            if _PLAYABLE.fullmatch(word) and (len(word) > 2 or _VOWELS.intersection(word)):
                words.add(word)
    return sorted(words)


def build(root: Path) -> dict[str, bytes]:
    """Return the files of the bundled lexicon by name, built from the package unpacked at `root`."""
    source = f"SCOWL (Spell Checker Oriented Word Lists), Debian package scowl {VERSION}"
    words = select_words(root / "usr/share/dict/scowl")
    notice = (root / "usr/share/doc/scowl/copyright").read_bytes()
    return files_of(root, ID, "English (SCOWL, sizes up to 80)", ABOUT, words, source, notice)


def files_of(
    root: Path, list_id: str, name: str, about: str, words: list[str], source: str, notice: bytes
) -> dict[str, bytes]:
    """Return the files of a bundled lexicon with words of SCOWL, whose package is unpacked at `root`."""
    text = "".join(f"{word}\n" for word in words).encode("ascii")
    manifest = {
        "id": list_id,
        "name": name,
        "about": about,
        "language": "en",
        "tile_set": "english",
        "words_file": "words.txt.xz",
        "encoding": "utf-8",
        "word_count": len(words),
        "sha256": hashlib.sha256(text).hexdigest(),
        "source": source,
        "source_url": "http://wordlist.aspell.net/",
        "licence": "SCOWL licence (permissive, MIT-like); full terms in COPYRIGHT and SCOWL-README",
    }
    return {
        "words.txt.xz": lzma.compress(text, check=lzma.CHECK_SHA256, preset=9 | lzma.PRESET_EXTREME),
        "manifest.json": (json.dumps(manifest, indent=2) + "\n").encode(),
        # The licences require both texts: the notices, and that of SCOWL with all credits.
        "COPYRIGHT": notice,
        "SCOWL-README": gzip.decompress((root / "usr/share/doc/scowl/README.gz").read_bytes()),
    }


def download(folder: Path) -> Path:
    """Download the Debian package and unpack it in `folder`; return the root of its files."""
    command = ["apt-get", "download", "-o", "APT::Sandbox::User=root", f"scowl={VERSION}"]
    subprocess.run(command, cwd=folder, check=True)  # noqa: S603 (fixed command, no shell)
    package = next(folder.glob("scowl_*.deb"))
    root = folder / "root"
    subprocess.run(["dpkg-deb", "-x", package, root], check=True)  # noqa: S603, S607
    return root


def differences(built: dict[str, bytes], folder: Path) -> Iterator[str]:
    """Yield a message for each file that differs from the one in the folder; compare decompressed texts."""
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
    """Build the list and write it beside this script; with `--check` only compare."""
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
            print(f"{error}\nThis needs a Debian with scowl {VERSION} (apt-get update), or --from FOLDER.")
            return 2
    folder = HERE / ID
    if arguments.check:
        found = list(differences(built, folder))
        print("\n".join(found) or f"{ID} equals the list of the package")
        return 1 if found else 0
    folder.mkdir(exist_ok=True)
    for name, data in built.items():
        (folder / name).write_bytes(data)
    manifest = json.loads(built["manifest.json"])
    print(f"{ID}: {manifest['word_count']} words, sha256 {manifest['sha256']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
