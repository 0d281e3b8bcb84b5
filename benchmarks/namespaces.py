"""Machines of a test: network namespaces of this machine, joined by bridges, with processes in them.

`connect` makes the namespaces, `Machine.command` runs a program in one, and `Machine.cut` pulls the cable of
one network. The network of this machine is not touched. Needs root, and the programs in TOOLS.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import ExitStack

TOOLS: Final = ("ip", "nsenter", "unshare", "redis-server", "nginx")
SYSTEM_FOLDERS: Final = ":/usr/sbin:/sbin"
"""Where these programs are, although PATH may not say so."""

_PLACE: Final = Path("/run/netns")


@dataclass
class Machine:
    """Hold a machine: the name of its namespace, its networks, and its address in each."""

    name: str
    networks: Sequence[str]
    addresses: dict[str, str] = field(default_factory=dict)
    plugs: dict[str, str] = field(default_factory=dict)
    switch: str = ""

    def command(
        self, words: Sequence[str], hosts: Path | None = None, before: Sequence[str] = ()
    ) -> list[str]:
        """Return the command that runs `words` on the machine.

        It has mounts of its own: the file `hosts` is its /etc/hosts, and `before` are commands of the shell
        that run first, such as mounts.
        """
        mounts = [] if hosts is None else [f"mount --bind {hosts} /etc/hosts"]
        script = "; ".join(["set -e", *mounts, *before, 'exec "$@"'])
        return [
            "nsenter",
            f"--net={_PLACE / self.name}",
            "unshare",
            "--mount",
            "sh",
            "-c",
            script,
            "sh",
            *words,
        ]

    def cut(self, network: str) -> None:
        """Disconnect it from a network: what is sent either way is lost, and nobody is notified."""
        ip("-n", self.switch, "link", "set", self.plugs[network], "down")

    def join(self, network: str) -> None:
        """Connect it to a network again."""
        ip("-n", self.switch, "link", "set", self.plugs[network], "up")


def lacking() -> list[str]:
    """Return what this machine lacks for namespaces: programs, root, or a right.

    Adds SYSTEM_FOLDERS to PATH.
    """
    os.environ["PATH"] += SYSTEM_FOLDERS
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        return missing
    if os.geteuid() != 0:
        return ["root"]
    tried = f"kbz{os.getpid()}"
    added = subprocess.run(["ip", "netns", "add", tried], capture_output=True, check=False)
    subprocess.run(["ip", "netns", "delete", tried], capture_output=True, check=False)
    return ["the right to make network namespaces"] if added.returncode else []


def connect(prefix: str, machines: Sequence[Machine], networks: Sequence[str], stack: ExitStack) -> None:
    """Make a namespace for each machine, and one with a bridge for each network; `stack` removes them.

    Fills in addresses, plugs and switch of the machines. `prefix` begins the name of the namespace of the
    bridges.
    """
    switch = f"{prefix}-net"
    _add_namespace(switch, stack)
    for name in networks:
        ip("-n", switch, "link", "add", name, "type", "bridge")
        ip("-n", switch, "link", "set", name, "up")
    for number, machine in enumerate(machines, 1):
        machine.switch = switch
        _add_namespace(machine.name, stack)
        ip("-n", machine.name, "link", "set", "lo", "up")
        for index, name in enumerate(machine.networks):
            mine, theirs = f"eth{index}", f"v{number}-{index}"
            peer = ("type", "veth", "peer", "name", theirs, "netns", switch)
            ip("link", "add", mine, "netns", machine.name, *peer)
            ip("-n", switch, "link", "set", theirs, "master", name, "up")
            # Addresses for tests of networks, RFC 2544.
            machine.addresses[name] = f"198.18.{list(networks).index(name)}.{number}"
            machine.plugs[name] = theirs
            ip("-n", machine.name, "address", "add", machine.addresses[name] + "/24", "dev", mine)
            ip("-n", machine.name, "link", "set", mine, "up")


def _add_namespace(name: str, stack: ExitStack) -> None:
    ip("netns", "add", name)
    stack.callback(subprocess.run, ["ip", "netns", "delete", name], check=False)


def ip(*words: str) -> None:
    """Run ip; raises CalledProcessError if it fails."""
    subprocess.run(["ip", *words], check=True, stdin=subprocess.DEVNULL)


def enter(name: str) -> None:
    """Move this thread, and those that it starts from now on, into a network namespace."""
    with (_PLACE / name).open() as file:
        if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), 0) != 0:
            raise OSError(ctypes.get_errno(), "setns")


def write_hosts(path: Path, names: Mapping[str, Sequence[str]]) -> Path:
    """Write a file like /etc/hosts with the addresses of each name, and return its path."""
    lines = [f"{address} {name}" for name, addresses in names.items() for address in addresses]
    path.write_text("\n".join(["127.0.0.1 localhost", *lines, ""]))
    return path


def nginx_command(site: Path, folder: Path) -> list[str]:
    """Return the command that runs nginx with the configuration of a site, and write the rest to `folder`."""
    main = folder / "nginx.conf"
    main.write_text(
        "daemon off; pid /run/nginx.pid; error_log stderr; events {}\n"
        f"http {{ access_log off; include {site}; }}\n"
    )
    return ["nginx", "-c", str(main)]
