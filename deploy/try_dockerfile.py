#!/usr/bin/env python3
"""Run the steps of the Dockerfile in bare Debian roots, where there is no Docker; then start the result.

    sudo deploy/try_dockerfile.py [--architecture arm64] [FOLDER]

Needs root, debootstrap, unshare, setpriv and a network, two to ten minutes, and 1.5 GB in FOLDER (default: a
temporary one). It replaces the Python image by Debian 12 with Debian's Python of the same version. The result
runs as the user of the image, without capabilities, on a read-only root, in a separate network. It must
become healthy, answer a request, and end with code 0 after SIGTERM. Then its signature and its compressed
size are printed. The build arguments of the Dockerfile are variables of the environment here, such as
LEXICONS="club french". Another architecture than this machine's runs in qemu (Debian: qemu-user-static and
binfmt-support), some ten times slower.
Exit status: 0 if it did, 3 if this machine lacks something, otherwise 1.
"""

# ruff: noqa: S603, S607 - it runs tools of this machine on the Dockerfile of this repository

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
BASE = "python:3.11-slim-bookworm"
MIRROR = "http://deb.debian.org/debian"
# What that image has beside a bare Debian; its Python is in /usr/local.
PACKAGES = "ca-certificates,python3.11,python3.11-venv,python3.11-dev,python3-venv,netbase"
TOOLS = ("debootstrap", "unshare", "setpriv", "ip")
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")


@dataclass
class Stage:
    """A build stage: its root folder and the settings of its instructions so far."""

    name: str
    root: Path
    environment: dict[str, str] = field(
        default_factory=lambda: {"PATH": "/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin"}
    )
    folder: str = "/"
    user: str = "0"
    health: list[str] = field(default_factory=list)
    entry: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)


def instructions(text: str) -> list[tuple[str, str]]:
    """Return (name, rest) of each instruction of a Dockerfile, with continued lines joined."""
    lines = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    joined = re.sub(r"\\\n", " ", lines)
    found = []
    for line in filter(None, map(str.strip, joined.splitlines())):
        name, _, rest = line.partition(" ")
        found.append((name, rest.strip()))
    return found


def json_words(text: str) -> list[str]:
    """Return the words of an instruction in its JSON form, without the options before them."""
    words: list[str] = json.loads(text[text.index("[") :])
    return words


def inside(root: Path, command: str, *, before: str = "", namespaces: str = "--mount --pid --fork") -> int:
    """Run a shell command with the root `root`; `before` runs outside of it in the same namespaces."""
    place = shlex.quote(str(root))
    script = (
        f"set -e; mount --bind {place} {place}; mount -t proc proc {place}/proc; "
        f"mount --rbind /dev {place}/dev; {before} exec chroot {place} /bin/sh -c {shlex.quote(command)}"
    )
    words = ["unshare", *namespaces.split(), "--kill-child", "sh", "-c", script]
    return subprocess.run(words, env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}).returncode


def exports(stage: Stage) -> str:
    """Return shell commands that set the environment of a stage and the certificates of this machine."""
    known = dict(stage.environment)
    if CERTIFICATES.exists():
        known |= {"SSL_CERT_FILE": str(CERTIFICATES), "PIP_CERT": str(CERTIFICATES)}
    return "".join(f"export {name}={shlex.quote(value)}; " for name, value in known.items())


class Replay:
    """Run the instructions, with a root folder for each stage."""

    def __init__(self, folder: Path, architecture: str | None) -> None:
        self.folder = folder
        self.architecture = architecture
        self.stages: list[Stage] = []

    @property
    def stage(self) -> Stage:
        """The current stage."""
        return self.stages[-1]

    def bare(self) -> Path:
        """Return the root of a bare Debian with Python in /usr/local, created once."""
        root = self.folder / "bare"
        if not root.exists():
            say("debootstrap")
            options = ["--variant=minbase", f"--include={PACKAGES}"]
            if self.architecture:
                options.append(f"--arch={self.architecture}")
            done = subprocess.run(
                ["debootstrap", *options, "bookworm", str(root), MIRROR], stdout=subprocess.DEVNULL
            ).returncode
            check(done, "debootstrap")
            if CERTIFICATES.exists():
                shutil.copy(CERTIFICATES, root / str(CERTIFICATES)[1:])
            shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
            check(inside(root, "python3.11 -m venv --copies /usr/local"), "Python in /usr/local")
        return root

    def run_from(self, rest: str) -> None:
        """Start a stage."""
        image, _, name = rest.partition(" AS ")
        if image != BASE:
            raise SystemExit(f"this script can replace {BASE} only, not {image}")
        root = self.folder / f"stage{len(self.stages)}"
        subprocess.run(["cp", "-a", str(self.bare()), str(root)], check=True)
        self.stages.append(Stage(name, root))

    def run_run(self, rest: str) -> None:
        """Run a command in the stage."""
        stage = self.stage
        command = f"{exports(stage)} cd {shlex.quote(stage.folder)} && {rest}"
        check(inside(stage.root, command), rest)

    def run_copy(self, rest: str) -> None:
        """Copy from the context, without what .dockerignore excludes, or from an earlier stage."""
        *words, target = rest.split()
        options = dict(word[2:].split("=", 1) for word in words if word.startswith("--"))
        sources = [word for word in words if not word.startswith("--")]
        place = self.stage.root / (Path(self.stage.folder) / target).relative_to("/")
        for source in sources:
            if "from" in options:
                origin = next(stage.root for stage in self.stages if stage.name == options["from"])
                subprocess.run(["cp", "-aT", str(origin / source.lstrip("/")), str(place)], check=True)
            elif source == ".":
                copy_context(place)
            else:
                shutil.copy(ROOT / source, place)
        if "chown" in options:
            check(inside(self.stage.root, f"chown -R {options['chown']} {shlex.quote(target)}"), rest)

    def run_env(self, rest: str) -> None:
        """Set variables; a value may contain others, such as $PATH."""
        known = self.stage.environment
        for word in shlex.split(rest):
            name, _, value = word.partition("=")
            known[name] = re.sub(r"\$(\w+)", lambda match: known.get(match[1], ""), value)

    def run_arg(self, rest: str) -> None:
        """Set a build argument, which the environment of this script may give."""
        name, _, value = rest.partition("=")
        self.stage.environment[name] = os.environ.get(name, value)

    def run_workdir(self, rest: str) -> None:
        """Change the folder, creating it if necessary."""
        self.stage.folder = rest
        (self.stage.root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)

    def run_user(self, rest: str) -> None:
        """Remember the user."""
        self.stage.user = rest

    def run_healthcheck(self, rest: str) -> None:
        """Remember the check."""
        self.stage.health = json_words(rest)

    def run_entrypoint(self, rest: str) -> None:
        """Remember the program."""
        self.stage.entry = json_words(rest)

    def run_cmd(self, rest: str) -> None:
        """Remember its arguments."""
        self.stage.command = json_words(rest)

    def run_expose(self, rest: str) -> None:
        """Do nothing: it only documents."""

    run_stopsignal = run_expose

    def start(self) -> None:
        """Start the last stage like a container, and send it a request."""
        stage = self.stage
        user = f"setpriv --reuid {stage.user} --regid {stage.user} --clear-groups --bounding-set=-all"
        serve = shlex.join([*stage.entry, *stage.command])
        body = '{"tiles": [], "rack": "AEINRST", "top_n": 1}'
        ask = (
            "import json, urllib.request as r; "
            f"q = r.Request('http://127.0.0.1:8080/analyze', {body!r}.encode(), "
            "{'Content-Type': 'application/json'}); "
            "print('best play:', json.load(r.urlopen(q))['moves'][0]['move'])"
        )
        command = (
            f"{exports(stage)} cd {stage.folder}; touch /written 2>/dev/null && exit 9; "
            f"{user} --no-new-privs {serve} > /tmp/log & server=$!; "
            f"for i in $(seq 100); do {shlex.join(stage.health)} 2>/dev/null && break; sleep 0.2; done; "
            f"{shlex.join(stage.health)} && python -c {shlex.quote(ask)}; asked=$?; "
            "kill -TERM $server; wait $server; ended=$?; "
            "[ $asked = 0 ] && [ $ended = 0 ] || { cat /tmp/log; exit 1; }"
        )
        place = shlex.quote(str(stage.root))
        before = (
            f"ip link set lo up; mount -o remount,ro,bind {place} {place}; "
            f"mount -t tmpfs -o mode=1777 tmpfs {place}/tmp;"  # noqa: S108 - of the root
        )
        check(inside(stage.root, command, before=before, namespaces="--mount --net --pid --fork"), serve)

    def measure(self) -> None:
        """Print the signature of the last stage, and its compressed size beside that of the bare Debian."""
        check(inside(self.stage.root, f"{exports(self.stage)} kibitz signature"), "kibitz signature")
        whole, base = compressed(self.stage.root), compressed(self.bare())
        print(f"{whole:.0f} MB compressed, {base:.0f} MB of it Debian with Python")


def compressed(root: Path) -> float:
    """Return the size of a root folder as an archive by gzip, without what apt has downloaded, in MB."""
    archive = ["tar", "--create", "--gzip", "--one-file-system", "--exclude=./var/*/apt"]
    with tempfile.TemporaryFile(dir=root.parent) as file:
        check(subprocess.run([*archive, f"--directory={root}", "."], stdout=file).returncode, "tar")
        return file.tell() / 1e6


def copy_context(place: Path) -> None:
    """Copy what .dockerignore includes: the file must exclude everything, then include names again."""
    lines = [line for line in (ROOT / ".dockerignore").read_text().split("\n") if line and line[0] != "#"]
    if lines[0] != "*":
        raise SystemExit(".dockerignore no longer begins with *, which this script needs")
    ignore = shutil.ignore_patterns(*(line.removeprefix("**/") for line in lines if line.startswith("**/")))
    for line in lines:
        if line.startswith("!"):
            source = ROOT / line[1:]
            if source.is_dir():
                shutil.copytree(source, place / line[1:], ignore=ignore, dirs_exist_ok=True)
            else:
                shutil.copy(source, place)


def say(text: str) -> None:
    """Print the current step."""
    print(f"== {text}", flush=True)


def check(code: int, what: str) -> None:
    """Exit with 1 if a step has failed."""
    if code != 0:
        print(f"failed with code {code}: {what}", file=sys.stderr)
        raise SystemExit(1)


def options() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folder", metavar="FOLDER", nargs="?", help="where to put the roots")
    parser.add_argument("--architecture", help="that of the image (default: this machine's)")
    return parser.parse_args()


def main() -> None:
    """Run the steps of the Dockerfile."""
    lacking = [tool for tool in TOOLS if shutil.which(tool) is None]
    if os.geteuid() != 0 or lacking:
        what = ", ".join(lacking) or "root"
        print(f"not tried: needs {what} (see the head of {Path(__file__).name})", file=sys.stderr)
        raise SystemExit(3)
    chosen = options()
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        replay = Replay(Path(folder), chosen.architecture)
        for name, rest in instructions((ROOT / "Dockerfile").read_text()):
            say(f"{name} {rest}")
            getattr(replay, f"run_{name.lower()}")(rest)
        say("start")
        replay.start()
        say("measure")
        replay.measure()
    say("done")


if __name__ == "__main__":
    main()
