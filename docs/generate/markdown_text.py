"""Text that Markdown must show as it is."""

from __future__ import annotations


def escaped(text: str) -> str:
    """Escape what Markdown would take for a table, for HTML or for emphasis."""
    for character in ("|", "<", "*", "["):
        text = text.replace(character, f"\\{character}")
    return text
