"""Hypothesis strategies shared by the tests of rules, positions and records."""

from __future__ import annotations

from hypothesis import strategies as st

from engine.rules import tile_set, tile_set_ids

tile_sets = st.sampled_from(tile_set_ids()).map(tile_set)

LETTERS = "AÁBCČDEÉFGHIÍJKLĽMNŇÑOÓÔPQRŔSŠTŤUÚVWXYÝZŽΑΒΓΔЖШЩЪЫЬЭЮЯ"

foreign_text = st.one_of(
    st.text(st.characters(), max_size=60),
    st.text("0123456789/?[]().-;ABCHLRabchlr ÑñČčĹ·'\u0301\u0660\ud800\x00", max_size=60),
    st.sampled_from(
        ["\ud800", "9" * 5000, "٣" * 40, "A" * 100_000, "[" * 100_000, "²", "1e9", "\u0301" * 9000]
    ),
)
"""Text of every kind of nonsense: lone surrogates, huge digit runs, digits of other scripts, great length."""

letter_items = st.lists(
    st.builds(
        lambda letter, count, value: {"letter": letter, "count": count, "value": value},
        st.one_of(st.sampled_from(LETTERS), st.text(LETTERS, min_size=2, max_size=3)),
        st.integers(0, 6),
        st.integers(0, 20),
    ),
    min_size=1,
    max_size=63,
    unique_by=lambda item: item["letter"],
)
"""Up to 63 letters of a made-up tile set."""
