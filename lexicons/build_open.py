"""Build open word lists of other languages from Debian's packages; the results are always the same.

    python lexicons/build_open.py --check french   # build the list and compare it with what is recorded here
    python lexicons/build_open.py --check          # all languages of open_lists.toml, one after the other
    python lexicons/build_open.py french           # write lexicons/french/: manifest, list, notice

The packages are downloaded into a temporary folder (apt-get download; nothing is installed), or read from
installed or unpacked ones with `--from FOLDER`. A list of another version of a package has other words, so
the versions of open_lists.toml are required. `--check` compares the number of words and the SHA-256 of the
list with open_lists.toml, and the files of a bundled list with those here.

Only lists that may be bundled are written (`bundled_under` in open_lists.toml). The list is plain text,
sorted, one lower-case word a line, front-coded (engine/lexicon/word_lists/front_coding.py) and compressed
with xz. Run this with a Python in which kibitz is installed.
"""

from __future__ import annotations

import argparse
import json
import lzma
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from engine import EngineError, front_coded
from lexicons.dictionaries import open_list, open_lists, open_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexicons.dictionaries import OpenList, SourcePackage

HERE = Path(__file__).resolve().parent
WORDS_FILE = "words.front.xz"
ABOUT = "all inflected forms of a spelling dictionary; not the list of a federation"


def build(wanted: OpenList, root: Path) -> dict[str, bytes]:
    """Return the files of a lexicon by name, not yet compressed, from its packages unpacked at `root`."""
    built = open_words(wanted, root)
    manifest = {
        "id": wanted.id,
        "name": wanted.name,
        "about": ABOUT,
        "language": wanted.language,
        "tile_set": wanted.tile_set,
        "words_file": WORDS_FILE,
        "encoding": "utf-8",
        "word_count": built.word_list.report.words,
        "sha256": built.word_list.sha256,
        "source": built.source,
        "source_url": wanted.source_url,
        "licence": _terms(wanted),
    }
    return {
        WORDS_FILE: front_coded(built.text),
        "manifest.json": (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode(),
        "COPYRIGHT": "".join(
            [_changes(wanted), *(_notice(wanted, one, root) for one in wanted.sources)]
        ).encode(),
    }


def _terms(wanted: OpenList) -> str:
    """Return the licence under which a list is bundled, and where its text is."""
    licence = wanted.bundled_under
    shared = f" and licences/{licence}" if (HERE / "licences" / licence).exists() else ""
    return f"{licence}; full terms in COPYRIGHT{shared}"


def _changes(wanted: OpenList) -> str:
    """Return what a modification must say: its source, its licence, and what was changed."""
    sources = " and of ".join(
        f"the Debian package {source.package} {source.version} ({', '.join(source.files)})"
        for source in wanted.sources
    )
    words = ", ".join(wanted.rules.added_words.split())
    added = f"Added words: {words}.\n" if words else ""
    return f"""\
{WORDS_FILE} is a modification of {sources}.
It was made for kibitz in 2026, under the licence {wanted.bundled_under}: the entries are expanded into
all their inflected forms, words that the game does not have are left out, and letters become those of
the tile set. build_open.py and open_lists.toml of kibitz repeat it. The notice of the source follows.
{added}
"""


def _notice(wanted: OpenList, source: SourcePackage, root: Path) -> str:
    """Return the copyright file of a package; of one with many dictionaries, what it says about this one."""
    text = (root / "usr/share/doc" / source.package / "copyright").read_text("utf-8")
    if not source.notice:
        return text
    head, *paragraphs = [paragraph.strip("\n") for paragraph in text.split("\n\n")]
    about = next(one for one in paragraphs if one.startswith(f"Files: {source.notice}\n"))
    offered = about.rpartition("License:")[2].split()
    chosen = {f"License: {name}" for name in offered if name.rstrip("+") == wanted.bundled_under}
    licences = [one for one in paragraphs if one.partition("\n")[0] in chosen]
    return "\n\n".join([head, about, *licences, ""])


def download(wanted: OpenList, folder: Path) -> Path:
    """Download the packages of a list and unpack them in `folder`; return the root of their files."""
    root = folder / "root"
    for source in wanted.sources:
        package = f"{source.package}={source.version}"
        command = ["apt-get", "download", "-q", "-o", "APT::Sandbox::User=root", package]
        subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr)  # noqa: S603 (fixed command, no shell)
        file = next(folder.glob(f"{source.package}_*.deb"))
        subprocess.run(["dpkg-deb", "-x", file, root], check=True)  # noqa: S603, S607
    return root


def differences(wanted: OpenList, built: dict[str, bytes]) -> Iterator[str]:
    """Yield a message for each difference from open_lists.toml and from the files of a bundled list."""
    manifest = json.loads(built["manifest.json"])
    for name, recorded in (("word_count", wanted.words), ("sha256", wanted.sha256)):
        if manifest[name] != recorded:
            yield f"{wanted.id}: {name} is {manifest[name]}, open_lists.toml has {recorded}"
    folder = HERE / wanted.id
    bundled = (folder / "manifest.json").exists()  # lexicons/spanish has lemmas, but no list
    for name, data in built.items() if bundled else ():
        path = folder / name
        here = path.read_bytes() if path.exists() else b""
        if (lzma.decompress(here) if here and name.endswith(".xz") else here) != data:
            yield f"{path.relative_to(HERE.parent)} differs"


def main() -> int:
    """Build the lists and write or compare them; return 1 for a difference, 2 if a list cannot be built."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help="by default, with --check, all")
    parser.add_argument("--from", dest="root", type=Path, help="root of installed or unpacked packages")
    parser.add_argument("--check", action="store_true", help="compare with what is here, write nothing")
    arguments = parser.parse_args()
    if not arguments.languages and not arguments.check:
        parser.error("name a language")
    status = 0
    for name in arguments.languages or open_lists():
        try:
            status = max(status, check_or_write(open_list(name), arguments.root, check=arguments.check))
        except (EngineError, OSError, subprocess.CalledProcessError) as error:
            print(f"{name}: {error}")
            status = 2
    return status


def check_or_write(wanted: OpenList, root: Path | None, *, check: bool) -> int:
    """Build one list and compare it with what is here, or write it; return the exit code."""
    if not check and not wanted.bundled_under:
        print(
            f"{wanted.id} may not be bundled ({wanted.licence}); kibitz lexicon fetch {wanted.id} builds it"
        )
        return 2
    with tempfile.TemporaryDirectory() as temporary:
        built = build(wanted, root or download(wanted, Path(temporary)))
    count = json.loads(built["manifest.json"])["word_count"]
    if check:
        found = list(differences(wanted, built))
        print("\n".join(found) or f"{wanted.id}: {count:,} words, as recorded")
        return 1 if found else 0
    folder = HERE / wanted.id
    folder.mkdir(exist_ok=True)
    for name, data in built.items():
        packed = name.endswith(".xz")
        preset = 9 | lzma.PRESET_EXTREME
        (folder / name).write_bytes(
            lzma.compress(data, check=lzma.CHECK_SHA256, preset=preset) if packed else data
        )
    print(f"{wanted.id}: {count:,} words, {(folder / WORDS_FILE).stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
