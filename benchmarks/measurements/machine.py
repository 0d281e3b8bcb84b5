"""The processor and the memory of this process, for reports."""

from __future__ import annotations

import platform
import resource
from contextlib import suppress
from pathlib import Path


def processor_name() -> str:
    """Return the processor's name where Linux has it, else its architecture."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def peak_memory_bytes() -> int:
    """Return the peak memory of this process, its share of mapped tables included."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if platform.system() == "Darwin" else used * 1024
