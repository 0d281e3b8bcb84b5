"""Check and build a release: `make release`.

    release.py            check the version, build wheel and sdist into dist/, install and try both
    release.py check      only check version, changelog section, tag and translations
    release.py messages   list the texts that have no translation
    release.py notes      print the changelog section of this version
    release.py signature  check that the installed kibitz finds the plays that the tests expect

pyproject.toml states the version, so a clone without tags builds too. A tag `v0.2.0` marks the commit of a
release: this program refuses a tag that disagrees with pyproject.toml or CHANGELOG.md.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
LOCALES = ("engine/messages/locales", "service/locales")
IMPORTABLE = {"engine", "kibitz", "lexicons", "service"}
"""The folders that a wheel installs."""
MAX_WHEEL = 20_000_000
"""Bytes: a larger wheel takes too long to download; see "Word lists" in CONTRIBUTING.md."""


def version(root: Path = ROOT) -> str:
    """Return the version that pyproject.toml states."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["version"])


def changelog_section(root: Path = ROOT) -> str | None:
    """Return what CHANGELOG.md says of this version, None if it has no section `## VERSION`."""
    text = (root / "CHANGELOG.md").read_text("utf-8")
    heading = rf"^## \[?{re.escape(version(root))}\]?(?:[ \t][^\n]*)?$"
    found = re.search(rf"{heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1].strip() if found else None


def problems(root: Path = ROOT) -> list[str]:
    """Return what keeps this commit from being released, a sentence each."""
    found = []
    number = version(root)
    if not changelog_section(root):
        found.append(f"CHANGELOG.md has no section '## {number}', or nothing in it")
    elif re.search(
        rf"^## \[?{re.escape(number)}\]? .*unreleased", _changelog(root), re.MULTILINE | re.IGNORECASE
    ):
        found.append(f"CHANGELOG.md calls {number} unreleased")
    tags = [tag for tag in _git(root, "tag", "--points-at", "HEAD") if tag.startswith("v")]
    found += [
        f"this commit has the tag {tag}, but pyproject.toml says {number}"
        for tag in tags
        if tag != f"v{number}"
    ]
    if f"v{number}" not in tags and _git(root, "tag", "--list", f"v{number}"):
        found.append(f"the tag v{number} marks another commit: raise the version in pyproject.toml")
    if _git(root, "status", "--porcelain", "--untracked-files=no"):
        found.append("the working tree has uncommitted changes")
    if missing := untranslated(root):
        found.append(f"texts without a translation, which `make messages` lists: {len(missing)}")
    return found


def untranslated(root: Path = ROOT) -> dict[str, list[str]]:
    """Return the texts of the catalogues that lack a translation, each with the languages that lack it."""
    missing: dict[str, list[str]] = {}
    for path in sorted(file for folder in LOCALES for file in (root / folder).glob("*/LC_MESSAGES/*.po")):
        language = path.parents[1].name
        with path.open("rb") as file:
            catalogue = read_po(file, locale=language)
        for entry in catalogue:
            if entry.id and (entry.fuzzy or not entry.string or not all(entry.string)):
                text = entry.id if isinstance(entry.id, str) else entry.id[0]
                missing.setdefault(text, []).append(language)
    return missing


def list_untranslated() -> None:
    """Print the texts that have no translation, with the languages that lack it."""
    missing = untranslated()
    print(f"texts without a translation: {len(missing)}")
    for text, languages in missing.items():
        print(f"  {' '.join(languages)}: {text!r}")


def _changelog(root: Path) -> str:
    return (root / "CHANGELOG.md").read_text("utf-8")


def _git(root: Path, *arguments: str) -> list[str]:
    done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def build() -> list[Path]:
    """Build the sdist, and the wheel from it, into dist/."""
    shutil.rmtree(DIST, ignore_errors=True)
    subprocess.run([*_uv(), "build", "--quiet", "--out-dir", str(DIST), str(ROOT)], check=True)
    return sorted(path for path in DIST.iterdir() if path.name.endswith((".whl", ".tar.gz")))


def check_size(archive: Path) -> None:
    """Exit with a message if a wheel is too large."""
    size = archive.stat().st_size
    print(f"{archive.name}: {size / 1e6:.1f} MB")
    if archive.suffix == ".whl" and size > MAX_WHEEL:
        raise SystemExit(f"{archive.name} is larger than {MAX_WHEEL / 1e6:.0f} MB")


def check_names(archive: Path) -> None:
    """Exit with a message unless a wheel holds exactly the importable folders of kibitz."""
    if archive.suffix != ".whl":
        return
    with zipfile.ZipFile(archive) as wheel:
        found = {name.partition("/")[0] for name in wheel.namelist() if ".dist-info/" not in name}
    if found != IMPORTABLE:
        raise SystemExit(f"{archive.name} holds {sorted(found)}, not {sorted(IMPORTABLE)}")


def try_installed(archive: Path) -> None:
    """Install an archive into an empty environment; raise CalledProcessError if it does not answer there."""
    with tempfile.TemporaryDirectory(prefix="kibitz-release-") as folder:
        environment = Path(folder, "environment")
        subprocess.run([*_uv(), "venv", "--quiet", "--python", sys.executable, str(environment)], check=True)
        python = environment / "bin" / "python"
        subprocess.run(
            [*_uv(), "pip", "install", "--quiet", "--python", str(python), str(archive)], check=True
        )
        plain = {
            name: value for name, value in os.environ.items() if not name.startswith(("KIBITZ_", "PYTHON"))
        }
        plain["KIBITZ_DATA"] = str(Path(folder, "data"))

        def run(*command: str) -> str:
            done = subprocess.run(
                command, cwd=folder, env=plain, check=True, stdout=subprocess.PIPE, text=True
            )
            return done.stdout.strip()

        kibitz = str(environment / "bin" / "kibitz")
        if (said := run(kibitz, "--version")) != f"kibitz {version()}":
            raise SystemExit(f"{archive.name} answers {said!r} to kibitz --version")
        run(str(python), "-c", "import kibitz; kibitz.Position")
        run(str(python), "-c", "import engine; assert engine.translated('a pass', 'fr') == 'une passe'")
        run(str(python), str(Path(__file__).resolve()), "signature")
        alone = subprocess.run(
            [kibitz, "serve"], cwd=folder, env=plain, check=False, capture_output=True, text=True
        )
        if alone.returncode != 2 or "kibitz[service]" not in alone.stderr:
            raise SystemExit(f"kibitz serve without its packages says {alone.stderr!r}")
    print(f"{archive.name}: installed into an empty environment; version, import and signature are right")


def check_signature() -> None:
    """Exit with a message unless the `kibitz` beside this Python finds the plays that the tests expect."""
    expected = re.search(
        r'^SIGNATURE = "(\w+)"$',
        (ROOT / "tests/command_line/test_measure.py").read_text("utf-8"),
        re.MULTILINE,
    )
    kibitz = Path(sys.executable).parent / "kibitz"
    done = subprocess.run([str(kibitz), "signature"], check=True, stdout=subprocess.PIPE, text=True)
    if expected is None or done.stdout.strip() != expected[1]:
        raise SystemExit(
            f"kibitz signature printed {done.stdout.strip()}, not what tests/command_line expects"
        )


def _uv() -> list[str]:
    return [sys.executable, "-m", "uv"]


TASKS = ("release", "check", "messages", "notes", "signature")


def main(task: str = "release") -> None:
    """Run one task; exit with status 1 and the reasons if a release is not possible."""
    if task not in TASKS:
        raise SystemExit(f"there is no task {task!r}; known: {', '.join(TASKS)}")
    if task == "signature":
        check_signature()
    elif task == "messages":
        list_untranslated()
    elif task == "notes":
        print(changelog_section() or "")
    else:
        check()
        if task == "release":
            release()


def check() -> None:
    """Exit with the reasons if a release is not possible."""
    if found := problems():
        raise SystemExit("\n".join(f"kibitz: {problem}" for problem in found))
    print(f"version {version()}: pyproject.toml, changelog and tags agree, and the translations are complete")


def release() -> None:
    """Build sdist and wheel, and try each in an empty environment."""
    print("building sdist and wheel: a few minutes, most of them for compiling the kernels", flush=True)
    for archive in build():
        check_size(archive)
        check_names(archive)
        try_installed(archive)
    if f"v{version()}" not in _git(ROOT, "tag", "--points-at", "HEAD"):
        print(f"to publish: git tag v{version()} && git push --tags")


if __name__ == "__main__":
    main(*sys.argv[1:])
