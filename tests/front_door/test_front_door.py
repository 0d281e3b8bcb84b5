"""What a newcomer calls first: the check of the machine, the build of the kernels, and `make` itself."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHECK = ROOT / ".ci" / "check-machine"

pytestmark = pytest.mark.process


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A folder with only the everyday commands, as the PATH of a bare machine."""
    for name in ("sh", "id", "basename", "printf", "env"):
        (tmp_path / name).symlink_to(shutil.which(name) or f"/bin/{name}")
    return tmp_path


def command(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def check(bare: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": str(bare)}
    return subprocess.run([str(CHECK), *arguments], env=environment, capture_output=True, text=True)


def test_this_machine_can_build() -> None:
    subprocess.run([str(CHECK), "build", sys.executable], check=True)


@pytest.mark.parametrize("python", ["python3", "python3.12"])
def test_a_missing_python_is_named_with_everything_else_that_is_missing(bare: Path, python: str) -> None:
    result = check(bare, "build", python)
    assert result.returncode == 1
    assert result.stderr.endswith(f"sudo apt-get install {python} {python}-dev {python}-venv gcc libc6-dev\n")


def test_an_old_python_is_named(bare: Path) -> None:
    command(bare, "python3", 'case "$*" in *--version*) echo Python 3.10.12;; *) exit 1;; esac')
    result = check(bare, "build")
    assert result.returncode == 1
    assert "python3 is Python 3.10.12; kibitz needs Python 3.11 or later" in result.stderr
    assert "sudo apt-get install python3.11 python3.11-dev python3.11-venv gcc libc6-dev\n" in result.stderr
    assert "make PYTHON=python3.11 serve" in result.stderr


def test_everything_missing_is_named_at_once(bare: Path) -> None:
    """A Debian with python3 alone: no venv, no headers, no compiler."""
    command(bare, "python3", 'case "$*" in *ensurepip*) exit 1;; *sysconfig*) echo /nowhere;; esac')
    result = check(bare, "build")
    assert result.returncode == 1
    assert "sudo apt-get install python3-venv python3-dev gcc libc6-dev\n" in result.stderr


def test_a_compiler_without_the_c_library_is_named(bare: Path) -> None:
    command(bare, "python3", f'exec "{sys.executable}" "$@"')
    command(bare, "gcc", "exit 1")
    result = check(bare, "build")
    assert result.returncode == 1
    assert result.stderr.endswith("sudo apt-get install libc6-dev\n")


def test_another_python_than_that_of_the_environment_is_named(bare: Path) -> None:
    """`make PYTHON=python3.99` would otherwise use the environment as it is and say nothing."""
    command(bare, "python3.99", "echo CPython 3.99")
    result = check(bare, "environment", "python3.99")
    assert result.returncode == 1
    assert "python3.99 is CPython 3.99, but the environment .venv was made with CPython 3." in result.stderr
    assert "make clean && make PYTHON=python3.99 setup" in result.stderr
    assert check(bare, "environment", sys.executable).returncode == 0


def test_make_checks_a_python_that_is_named() -> None:
    for words, checked in ((("PYTHON=python3.99",), True), ((), False)):
        asked = ["make", "-C", str(ROOT), "--dry-run", *words, "kernels"]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHON"}
        done = subprocess.run(asked, capture_output=True, text=True, check=True, env=environment)
        assert (".ci/check-machine environment python3.99" in done.stdout) == checked


def test_building_the_kernels_reports_progress(tmp_path: Path) -> None:
    """A line at each interval, and the exit code of the build."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "build-kernels", tmp_path / ".ci")
    (tmp_path / "setup.py").write_text("import sys, time; time.sleep(5); sys.exit(7)")
    done = subprocess.run(
        [str(tmp_path / ".ci" / "build-kernels"), sys.executable, "1"], capture_output=True, text=True
    )
    assert done.returncode == 7
    assert "   1 s: 0 kernels translated to C, 0 compiled\n   2 s: " in done.stdout
    assert not list((tmp_path / "build").iterdir())


def test_missing_programs_are_named_where_it_cannot_be_installed(bare: Path) -> None:
    (bare / "id").unlink()
    command(bare, "id", "echo 1000")
    result = check(bare, "programs")
    assert result.returncode == 1
    assert "sudo apt-get install redis-server" in result.stderr


def test_missing_programs_are_installed_where_it_can_be(bare: Path) -> None:
    (bare / "id").unlink()
    command(bare, "id", "echo 0")
    command(
        bare,
        "apt-get",
        f'echo "$@" >> {bare}/log; test -e {bare}/updated || {{ : > {bare}/updated; exit 1; }}',
    )
    assert check(bare, "programs").returncode == 0
    log = (bare / "log").read_text().splitlines()
    assert [line.split()[0] for line in log] == ["install", "update", "install"]


def test_on_ubuntu_chromium_comes_from_playwright(bare: Path) -> None:
    """Ubuntu has Chromium only as a snap, which the tests cannot use."""
    for name in ("grep", "sed", "ln"):
        (bare / name).symlink_to(shutil.which(name) or f"/bin/{name}")
    for program in ("redis-server", "nginx", "npm"):
        command(bare, program, "exit 1")
    (bare / "os-release").write_text("NAME=Ubuntu\nID=ubuntu\n")
    tools = bare / ".venv" / "bin"
    tools.mkdir(parents=True)
    command(tools, "playwright", f'echo "$@" > {bare}/log')
    command(tools, "python", "echo /browsers/chrome")
    environment = {"PATH": str(bare), "OS_RELEASE": str(bare / "os-release")}
    subprocess.run([str(CHECK), "programs"], cwd=bare, env=environment, check=True, capture_output=True)
    assert (bare / "log").read_text() == "install --with-deps chromium\n"
    assert (tools / "chromium").readlink() == Path("/browsers/chrome")


def test_programs_are_left_alone_if_they_are_there(bare: Path) -> None:
    command(bare, "npm", "exit 1")
    assert check(bare, "npm").returncode == 0
    for program in ("redis-server", "nginx", "chromium"):
        command(bare, program, "exit 1")
    assert check(bare, "programs").returncode == 0


def test_serving_installs_nothing_that_only_tests_need() -> None:
    """`make serve` installs no tools of tests and linters; the targets that need tools install them."""
    asked = ["make", "-C", str(ROOT), "--dry-run", "--always-make", "serve"]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert "--no-dev" in done.stdout
    assert "tests and linters" not in done.stdout
