"""What a newcomer calls first: the Makefile, the check of the machine, the lock file and the container."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
CHECK = ROOT / ".ci" / "check-machine"


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
    (tmp_path / "setup.py").write_text("import sys, time; time.sleep(2.5); sys.exit(7)")
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
    for program in ("redis-server", "nginx", "chromium", "npm"):
        command(bare, program, "exit 1")
    assert check(bare, "programs").returncode == 0


def test_every_target_explains_itself_and_the_documents_name_real_ones() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    shown = subprocess.run(["make", "-C", str(ROOT)], capture_output=True, text=True, check=True).stdout
    assert {"setup", "serve", "test", "lint", "debug-test", "clean"} <= targets
    for target in targets:
        assert re.search(rf"^{target} +\w", shown, re.MULTILINE), target
    for document in ("CONTRIBUTING.md", "README.md"):
        text = (ROOT / document).read_text("utf-8")
        named = re.findall(r"(?:^ *|`)make ([a-z-]+(?: [a-z-]+)*)", text, re.MULTILINE)
        assert {"serve", "test"} <= {word for words in named for word in words.split()} <= targets


def test_ci_runs_make_test() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert "make test" in (ROOT / ".ci" / "run").read_text()


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_call_targets_of_the_makefile(path: Path) -> None:
    text = path.read_text("utf-8")
    makefile = (ROOT / "Makefile").read_text()
    called = re.findall(r"run: make ([a-z-]+)", text)
    assert called
    for target in called:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}


def test_the_tests_run_on_every_supported_python_and_processor() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text())
    matrix = workflow["jobs"]["test"]["strategy"]["matrix"]
    pythons = [system["python"] for system in matrix["system"]]
    assert pythons == ["3.11", "3.12", "3.13", "3.14"]
    assert project["project"]["requires-python"] == f">={pythons[0]}"
    assert {system["image"].split(":")[0] for system in matrix["system"]} == {"debian", "ubuntu"}
    assert [processor["name"] for processor in matrix["processor"]] == ["x86-64", "arm64"]
    wheels = project["tool"]["cibuildwheel"]["build"].split()
    assert wheels == [f"cp{python.replace('.', '')}-manylinux*" for python in pythons]


def test_a_commit_runs_the_linters_of_make_lint_from_the_environment() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert [repository["repo"] for repository in hooks] == ["local"]
    entries = " ".join(hook["entry"] for hook in hooks[0]["hooks"])
    recipe = (ROOT / "Makefile").read_text().partition("\nlint:")[2].partition("\n\n")[0]
    for tool in re.findall(r"\$\(BIN\)/(\S+(?: check| format)?)", recipe):
        assert tool in entries, tool


def test_the_lock_file_names_only_the_public_index() -> None:
    lock = tomllib.loads((ROOT / "uv.lock").read_text())
    sources = {tuple(package["source"].items()) for package in lock["package"]}
    assert sources == {(("registry", "https://pypi.org/simple"),), (("editable", "."),)}
    files = [
        file
        for package in lock["package"]
        for file in [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]
    ]
    assert {file["url"].split("/")[2] for file in files} == {"files.pythonhosted.org"}
    assert all(file["hash"].startswith("sha256:") for file in files)


def test_the_lock_file_belongs_to_the_project_file() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    lock = tomllib.loads((ROOT / "uv.lock").read_text())
    (kibitz,) = (package for package in lock["package"] if package["name"] == "kibitz")

    def names(requirements: list[str]) -> set[str]:
        return {re.split(r"[<>=~\[; ]", requirement)[0].lower() for requirement in requirements}

    extras = project["project"]["optional-dependencies"].values()
    assert {item["name"] for item in kibitz["metadata"]["requires-dist"]} == names(
        [*project["project"]["dependencies"], *(requirement for extra in extras for requirement in extra)]
    )
    groups = project["dependency-groups"]
    locked = {
        group: {item["name"] for item in items} for group, items in kibitz["metadata"]["requires-dev"].items()
    }
    tools = [item for item in groups["dev"] if isinstance(item, str)]
    assert groups["dev"] == [{"include-group": "build"}, {"include-group": "docs"}, *tools]
    assert locked == {
        "build": names(groups["build"]),
        "docs": names(groups["docs"]),
        "dev": names([*groups["build"], *groups["docs"], *tools]),
    }
    build = next(item for item in project["build-system"]["requires"] if item.startswith("Cython"))
    assert build in groups["build"], "Cython must be pinned alike for both builds"


def test_serving_installs_nothing_that_only_tests_need() -> None:
    """`make serve` installs no tools of tests and linters; the targets that need tools install them."""
    asked = ["make", "-C", str(ROOT), "--dry-run", "--always-make", "serve"]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert "--no-dev" in done.stdout
    assert "tests and linters" not in done.stdout
    makefile = (ROOT / "Makefile").read_text()
    for target in ("test", "test-all", "lint", "unit-test", "debug-test", "debug-test-all", "release"):
        assert re.search(rf"^{target}:.*\$\(TOOLS\)", makefile, re.MULTILINE), target


def test_the_container_runs_as_nobody_and_builds_the_bundled_lexicon() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert "USER 10001" in lines
    assert "ARG LEXICONS=scowl80" in lines
    assert any('kibitz lexicon build "$id"' in line for line in lines)
