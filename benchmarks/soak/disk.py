"""A small disk of a host: an image with a file system of its own, which can be filled and slowed down.

Slow are reads: the processes of the host are in a control group whose reads from this disk are limited, and
what the system has cached of it is dropped. Writes are not slowed down, because the system writes later.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import ExitStack

TOOLS: Final = ("mkfs.ext4", "mount", "umount", "findmnt")
MEGABYTES: Final = 192
SLOW_BYTES: Final = 512 << 10
"""Bytes a second of a slow disk."""

_GROUPS: Final = Path("/sys/fs/cgroup")
_LIMIT: Final = "blkio.throttle.read_bps_device"


class Disk:
    """A file system on a loop device, and the control groups of the processes that use it."""

    def __init__(self, folder: Path, name: str, stack: ExitStack) -> None:
        """Create and mount it at `path`; `stack` removes it after the processes have ended."""
        self.path = folder / name
        self.path.mkdir()
        image = folder / f"{name}.img"
        with image.open("wb") as file:
            file.truncate(MEGABYTES << 20)
        subprocess.run(["mkfs.ext4", "-q", "-m", "0", str(image)], check=True)
        subprocess.run(["mount", "-o", "loop", str(image), str(self.path)], check=True)
        stack.callback(subprocess.run, ["umount", "--lazy", str(self.path)], check=False)
        self._groups = [_GROUPS / kind / name for kind in ("blkio", "memory")] if can_be_slow() else []
        for group in self._groups:
            group.mkdir()
            stack.callback(_remove, group)

    def copy(self, source: Path, target: Path) -> None:
        """Copy a folder onto the disk; what is cached of it will be charged to the processes that read it."""
        shutil.copytree(source, target)
        os.sync()
        for path in target.iterdir():
            with path.open("rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)

    def before(self) -> list[str]:
        """Return the shell commands that a process of the host runs first."""
        return [f"echo $$ > {group / 'cgroup.procs'}" for group in self._groups]

    @contextmanager
    def full(self) -> Iterator[None]:
        """Leave no room on the disk until the block ends."""
        filler = self.path / "filler"
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                if file.write(bytes(1 << 16)) < 1 << 16:
                    break
        try:
            yield
        finally:
            filler.unlink()

    @contextmanager
    def slow(self) -> Iterator[None]:
        """Limit reads until the block ends, and drop what is cached, so that the tables are read again."""
        limits, memory = self._groups
        found = subprocess.run(
            ["findmnt", "-no", "MAJ:MIN", str(self.path)], check=True, capture_output=True, text=True
        )
        device = found.stdout.strip()
        (limits / _LIMIT).write_text(f"{device} {SLOW_BYTES}")
        try:
            with suppress(OSError):  # pages in use cannot be dropped
                (memory / "memory.force_empty").write_text("0")
            yield
        finally:
            (limits / _LIMIT).write_text(f"{device} 0")


def can_be_slow() -> bool:
    """Return whether this system can limit the reads of a control group (version 1, blkio and memory)."""
    return (_GROUPS / "blkio" / _LIMIT).exists() or any((_GROUPS / "blkio").glob(f"*/{_LIMIT}"))


def _remove(group: Path) -> None:
    with suppress(OSError):
        group.rmdir()
