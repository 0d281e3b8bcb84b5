"""The numbers of prometheus-client's metrics in the files that the workers of a server share.

Its own class for them asks each time whether the process is still the same, and packs what it writes, which
is most of what counting costs. These lie in the same files, in the same format, and are read the same way.
"""

from __future__ import annotations

import atexit
from threading import Lock
from typing import TYPE_CHECKING, Any

from prometheus_client.mmap_dict import MmapedDict, mmap_key

if TYPE_CHECKING:
    from pathlib import Path


def cells_of(folder: Path, slot: int) -> type:
    """Return the class of the numbers that are kept in the files of `slot`; prometheus-client makes them."""
    files: dict[str, MmapedDict] = {}
    opening = Lock()

    class Cell:
        """A number of one series, which only this process writes."""

        _multiprocess = True

        def __init__(
            self,
            kind: str,
            metric_name: str,
            name: str,
            label_names: list[str],
            label_values: list[str],
            text: str,
            multiprocess_mode: str = "",
            **_: Any,
        ) -> None:
            prefix = f"{kind}_{multiprocess_mode}" if kind == "gauge" else kind
            key = mmap_key(metric_name, name, label_names, label_values, text)
            with opening:
                if prefix not in files:
                    files[prefix] = MmapedDict(str(folder / f"{prefix}_{slot}.db"))  # type: ignore[no-untyped-call]
                    # Until then it stays open: series that are met later lie in it too.
                    atexit.register(files[prefix]._f.close)
                file = files[prefix]
                self._value: float = file.read_value(key)[0]  # type: ignore[no-untyped-call]
                at = file._positions[key]
                # A file that grows is mapped anew; this mapping of it stays as it is.
                self._cell = memoryview(file._m)[at : at + 8].cast("d")
            self._lock = Lock()

        def inc(self, amount: float) -> None:
            """Add to the number."""
            with self._lock:
                self._value += amount
                self._cell[0] = self._value

        def set(self, value: float, timestamp: float | None = None) -> None:
            """Put the number; no metric of ours goes by the time at which it was."""
            with self._lock:
                self._value = self._cell[0] = value

        def get(self) -> float:
            """Return the number."""
            return self._value

        def set_exemplar(self, exemplar: object) -> None:
            """Do nothing: the files hold no exemplars."""

        def get_exemplar(self) -> None:
            """Return None."""

    return Cell
