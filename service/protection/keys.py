"""API keys: 256 random bits each, of which only the SHA-256 is kept, in a file that the operator edits.

A line of the file is `name:hash`; empty lines and those that begin with # say nothing. As a key is random and
long, one round of a fast hash is enough: there is nothing to guess that a slow one would protect.
"""

from __future__ import annotations

import re
import secrets
import time
from hashlib import sha256
from hmac import compare_digest
from threading import Lock
from typing import TYPE_CHECKING, Final

from service.observability.structured import get_logger
from service.settings import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LOOK_EVERY: Final = 1.0  # seconds between two looks at the file
_LINE: Final = re.compile(r"([A-Za-z0-9._-]{1,64}):([0-9a-f]{64})")

log = get_logger("kibitz.keys")


def new_key(name: str) -> tuple[str, str]:
    """Make a key; return it and the line that stands for it in the file.

    Raises SettingsError if the name has other characters than letters, digits and "._-", or more than 64.
    """
    key = "kbz_" + secrets.token_urlsafe(32)
    line = f"{name}:{_hash(key)}"
    if not _LINE.fullmatch(line):
        raise SettingsError(f"{name!r} is no name for a key: 1 to 64 letters, digits or . _ - are")
    return key, line


class KeyFile:
    """Know the keys of a file; it is read again when it changes, so that a key can be taken back at once."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._clock = clock
        self._lock = Lock()
        self._seen = self._state()
        self._keys = read_keys(path)
        self._look_at = clock() + LOOK_EVERY

    def owner(self, key: str) -> str | None:
        """Return the name under which a key stands, None if it is unknown; in the same time for every key."""
        self._refresh()
        presented = _hash(key)
        owner = None
        for name, known in self._keys:
            if compare_digest(presented, known):
                owner = name
        return owner

    def _refresh(self) -> None:
        with self._lock:
            if self._clock() < self._look_at:
                return
            self._look_at = self._clock() + LOOK_EVERY
            state = self._state()
            if state == self._seen:
                return
            try:
                self._keys = read_keys(self._path)
            except (
                SettingsError
            ) as error:  # half written, perhaps: the keys known so far hold until it is whole
                log.error("keys_unreadable", detail=str(error))
            else:
                self._seen = state
                log.info("keys_read", keys=len(self._keys))

    def _state(self) -> tuple[int, int, int] | None:
        try:
            state = self._path.stat()
        except OSError:
            return None
        return state.st_mtime_ns, state.st_size, state.st_ino


def read_keys(path: Path) -> tuple[tuple[str, str], ...]:
    """Read (name, hash) of every key of a file; raises SettingsError that names the line at fault."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"KIBITZ_API_KEYS: {path} cannot be read: {error}") from None
    keys = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise SettingsError(f"{path}:{number}: is not name:hash; `kibitz key NAME` makes such lines")
        keys.append((match[1], match[2]))
    return tuple(keys)


def _hash(key: str) -> str:
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
