"""The wrapping of a value outside this process: it carries its key and a checksum.

Layout: 4 bytes magic, 16 bytes BLAKE2b over key and payload (the key's length first), then the payload.
The key is in the checksum, so that a value that answers for another key is refused like a damaged one.
"""

from __future__ import annotations

from hashlib import blake2b

MAGIC = b"KBZ1"
_DIGEST = 16
_HEADER = len(MAGIC) + _DIGEST


def seal(key: str, payload: bytes) -> bytes:
    """Wrap `payload` for storage under `key`."""
    return MAGIC + _checksum(key, payload) + payload


def unseal(key: str, value: object) -> bytes | None:
    """Return the payload that `seal` wrapped for this very key, or None for anything else."""
    if not isinstance(value, bytes) or len(value) < _HEADER or not value.startswith(MAGIC):
        return None
    payload = value[_HEADER:]
    return payload if value[len(MAGIC) : _HEADER] == _checksum(key, payload) else None


def _checksum(key: str, payload: bytes) -> bytes:
    name = key.encode()
    checksum = blake2b(len(name).to_bytes(4, "little"), digest_size=_DIGEST)
    checksum.update(name)
    checksum.update(payload)
    return checksum.digest()
