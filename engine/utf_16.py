"""Recognize text in UTF-16 that has no byte order mark."""

from __future__ import annotations

_SAMPLE = 4096


def unmarked_utf_16(data: bytes) -> str | None:
    """Return "utf-16-le" or "utf-16-be" if bytes look like Latin text in it, None otherwise.

    In such text nearly every second byte is zero; text in other encodings has no zero bytes.
    """
    sample = data[:_SAMPLE]
    for offset, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if len(sample) >= 4 and 2 * sample[offset::2].count(0) > len(sample[offset::2]):
            return encoding
    return None
