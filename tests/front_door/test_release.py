"""`make release`: version, changelog section and tag must agree before anything is built."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import zipfile
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine import __version__

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.process
CHANGELOG = """# Changelog

## Unreleased

* Not yet.

## 0.2.0 (2026-11-22)

* First.
* Second.

## 0.1.0

* Old.
"""


@pytest.fixture(scope="module")
def release() -> ModuleType:
    found = importlib.util.spec_from_file_location("release", ROOT / ".ci" / "release.py")
    assert found
    assert found.loader
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org")
    subprocess.run(["git", "-C", str(root), *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository whose one commit can be released as 0.2.0."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "kibitz"\nversion = "0.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "Release 0.2.0")
    return tmp_path


def test_the_installed_version_is_that_of_the_project_file(release: ModuleType) -> None:
    assert __version__ == release.version()


def test_a_wheel_has_a_greatest_size(release: ModuleType, tmp_path: Path) -> None:
    wheel = tmp_path / "kibitz-0.2.0.whl"
    wheel.touch()
    os.truncate(wheel, release.MAX_WHEEL)
    release.check_size(wheel)
    os.truncate(wheel, release.MAX_WHEEL + 1)
    with pytest.raises(SystemExit, match=r"kibitz-0.2.0.whl is larger than 20 MB"):
        release.check_size(wheel)


@pytest.mark.parametrize(("extra", "said"), [("benchmarks/__init__.py", "holds \\['benchmarks'"), (None, "")])
def test_a_wheel_installs_only_what_runs(
    release: ModuleType, tmp_path: Path, extra: str | None, said: str
) -> None:
    wheel = tmp_path / "kibitz-0.2.0.whl"
    names = [f"{name}/__init__.py" for name in release.IMPORTABLE] + ["kibitz-0.2.0.dist-info/METADATA"]
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in [*names, *([extra] if extra else [])]:
            archive.writestr(name, "")
    with pytest.raises(SystemExit, match=said) if extra else nullcontext():
        release.check_names(wheel)


def test_the_lexicons_leave_room_for_the_rest_of_the_wheel(release: ModuleType) -> None:
    """Kernels and sources take 5.2 MB of it; what is in the folder of lexicons is compressed already."""
    files = [path for path in (ROOT / "lexicons").rglob("*") if path.suffix == ".xz"]
    assert sum(path.stat().st_size for path in files) < release.MAX_WHEEL - 6_000_000


def test_the_notes_are_the_section_of_the_version(release: ModuleType, root: Path) -> None:
    assert release.changelog_section(root) == "* First.\n* Second."


@pytest.mark.parametrize("tag", [None, "v0.2.0", "another-tag"])
def test_a_commit_can_be_released_before_and_after_it_is_tagged(
    release: ModuleType, root: Path, tag: str | None
) -> None:
    if tag:
        git(root, "tag", tag)
    assert release.problems(root) == []


def test_a_tag_of_another_version_is_refused(release: ModuleType, root: Path) -> None:
    git(root, "tag", "v0.3.0")
    assert release.problems(root) == ["this commit has the tag v0.3.0, but pyproject.toml says 0.2.0"]


def test_a_version_that_is_released_already_is_refused(release: ModuleType, root: Path) -> None:
    git(root, "tag", "v0.2.0")
    git(root, "commit", "-q", "--allow-empty", "-m", "More")
    assert release.problems(root) == [
        "the tag v0.2.0 marks another commit: raise the version in pyproject.toml"
    ]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("## 0.2.0 (2026-11-22)", "## 0.2.1", "CHANGELOG.md has no section '## 0.2.0', or nothing in it"),
        ("* First.\n* Second.\n", "", "CHANGELOG.md has no section '## 0.2.0', or nothing in it"),
        ("(2026-11-22)", "(unreleased)", "CHANGELOG.md calls 0.2.0 unreleased"),
    ],
)
def test_a_changelog_without_the_version_is_refused(
    release: ModuleType, root: Path, old: str, new: str, problem: str
) -> None:
    (root / "CHANGELOG.md").write_text(CHANGELOG.replace(old, new))
    git(root, "commit", "-q", "-a", "-m", "Change the changelog")
    assert release.problems(root) == [problem]


def test_uncommitted_changes_are_refused(release: ModuleType, root: Path) -> None:
    (root / "CHANGELOG.md").write_text(CHANGELOG + "* More.\n")
    assert release.problems(root) == ["the working tree has uncommitted changes"]


CATALOGUE = """msgid ""
msgstr ""

msgid "Undo"
msgstr "Annuler"

msgid "Redo"
msgstr ""

#, fuzzy
msgid "Cut"
msgstr "Copier"

msgid "{count} move"
msgid_plural "{count} moves"
msgstr[0] "{count} coup"
msgstr[1] ""
"""


def test_texts_without_a_translation_are_refused(release: ModuleType, root: Path) -> None:
    folder = root / "service" / "locales" / "fr" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "page.po").write_text(CATALOGUE)
    assert release.untranslated(root) == {"Redo": ["fr"], "Cut": ["fr"], "{count} move": ["fr"]}
    assert release.problems(root) == ["texts without a translation, which `make messages` lists: 3"]


def test_an_unknown_task_builds_nothing() -> None:
    command = [sys.executable, str(ROOT / ".ci" / "release.py"), "chek"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    expected = "there is no task 'chek'; known: release, check, messages, notes, signature\n"
    assert (done.returncode, done.stderr) == (1, expected)
