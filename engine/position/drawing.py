"""Drawing tiles: an order that looks random and is the same on any machine."""

from __future__ import annotations

from hashlib import sha256


def shuffled(tiles: bytes, text: str) -> bytes:
    """Return tiles in an order that follows from a text."""
    key = sha256(text.encode("utf-8", "surrogatepass")).digest()
    order = sorted(range(len(tiles)), key=lambda place: sha256(key + place.to_bytes(2)).digest())
    return bytes([tiles[place] for place in order])
