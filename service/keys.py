"""API keys of 256 random bits, in a file with their SHA-256 that the operator edits.

A line of the file is `name:hash`; empty lines and lines that begin with # are ignored.
"""

from __future__ import annotations

import re
import secrets
import stat
import time
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest
from ipaddress import IPv6Address, ip_address
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

from flask import g, request

from engine import Text
from service.logs import get_logger
from service.problems import Problem
from service.settings import SettingsError
from service.state import state

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from service.view_rules import ViewRules

RELOAD_SECONDS: Final = 1.0
"""The shortest time between two checks of the file."""

_LINE: Final = re.compile(r"([A-Za-z0-9._-]{1,64}):([0-9a-f]{64})")

log = get_logger("kibitz.keys")


class Caller(NamedTuple):
    """The sender of a request: the owner of a key or a network; `fault` if the key is unknown."""

    name: str
    keyed: bool
    fault: str | None = None


class KeyFile:
    """The keys of a file, which is read again when it changes, so that a key can be revoked at once."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._clock = clock
        self._lock = Lock()
        self._version = self._stat()
        self._keys = read_keys(path)
        self._next_look = clock() + RELOAD_SECONDS

    def owner(self, key: str) -> str | None:
        """Return the name of a key, None if it is unknown; compares every key in constant time."""
        self._reload()
        presented = _hash(key)
        owner = None
        for name, known in self._keys:
            if compare_digest(presented, known):
                owner = name
        return owner

    def _reload(self) -> None:
        with self._lock:
            if self._clock() < self._next_look:
                return
            self._next_look = self._clock() + RELOAD_SECONDS
            version = self._stat()
            if version == self._version:
                return
            try:
                self._keys = read_keys(self._path)
            except SettingsError as error:  # it may be incomplete: use the old keys until the next change
                log.error("keys_unreadable", detail=str(error))
            else:
                self._version = version
                log.info("keys_read", keys=len(self._keys))

    def _stat(self) -> tuple[int, int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino


def new_key(name: str) -> tuple[str, str]:
    """Return a new key and its line for the file.

    Raises SettingsError unless the name consists of 1 to 64 letters, digits and "._-".
    """
    key = "kbz_" + secrets.token_urlsafe(32)
    line = f"{name}:{_hash(key)}"
    if not _LINE.fullmatch(line):
        raise SettingsError(f"{name!r} cannot name a key: use 1 to 64 letters, digits or . _ -")
    return key, line


def read_keys(path: Path) -> tuple[tuple[str, str], ...]:
    """Return (name, hash) of every key of a file.

    Raises SettingsError with the number of a wrong line, or if other users may read or write the file.
    """
    try:
        if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise SettingsError(f"KIBITZ_API_KEYS: other users may read {path}; run: chmod 600 {path}")
        lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        raise SettingsError(f"KIBITZ_API_KEYS: {path} is not UTF-8") from None
    except OSError as error:
        raise SettingsError(f"KIBITZ_API_KEYS: {path} cannot be read: {error.strerror}") from None
    keys = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise SettingsError(f"{path}:{number}: must be name:hash; `kibitz key NAME` prints such a line")
        keys.append((match[1], match[2]))
    return tuple(keys)


def caller() -> Caller:
    """Return the sender of the current request."""
    if "caller" not in g:
        g.caller = _identify(state().keys)
    found: Caller = g.caller
    return found


def check_key(sender: Caller, rules: ViewRules) -> None:
    """Raise a Problem (401) for an unknown key, or for none where one is required."""
    needs_key = not _is_from_this_machine() if rules.is_local else state().settings.require_key
    if sender.fault is None and (sender.keyed or not needs_key):
        return
    state().metrics.refused.labels("key").inc()
    headers = {"WWW-Authenticate": 'Bearer realm="kibitz"'}
    code = "key_required" if sender.fault is None else "unknown_key"
    raise Problem(401, code, sender.fault or Text("this request needs an API key"), headers=headers)


def _is_from_this_machine() -> bool:
    if "X-Forwarded-For" in request.headers and not state().settings.proxies:
        return False  # a proxy on this machine forwards a request from elsewhere
    if not request.remote_addr:
        return True  # a unix socket
    try:
        address = ip_address(request.remote_addr)
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def _identify(keys: KeyFile | None) -> Caller:
    address = f"address {_network(request.remote_addr or '')}"
    authorization = request.headers.get("Authorization", "")
    if keys is None or not authorization:
        return Caller(address, keyed=False)
    scheme, _, key = authorization.partition(" ")
    owner = keys.owner(key.strip()) if scheme.lower() == "bearer" else None
    if owner is None:
        return Caller(address, keyed=False, fault=Text("the Authorization header has no key of this service"))
    return Caller(f"key {owner}", keyed=True)


@lru_cache(maxsize=1024)
def _network(address: str) -> str:
    """Return the name of a client: its IPv4 address, or its /64 network of IPv6."""
    try:
        parsed = ip_address(address)
    except ValueError:  # a unix socket has no address
        return address
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))
    return str(parsed)


def _hash(key: str) -> str:
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
