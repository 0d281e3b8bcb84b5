"""Shuffle tiles reproducibly: the order is the same on every machine."""

from __future__ import annotations

from hashlib import sha256


def shuffled(tiles: bytes, text: str) -> bytes:
    """Return tiles in a random order that depends only on `text`."""
    key = sha256(text.encode("utf-8", "surrogatepass")).digest()
    order = sorted(range(len(tiles)), key=lambda place: sha256(key + place.to_bytes(2)).digest())
    return bytes([tiles[place] for place in order])
