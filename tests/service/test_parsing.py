"""Bodies are read as the standard library reads them, but duplicate keys and deep nesting are errors."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from service.json_parser import read_json
from service.problems import Problem

_KEYS = st.sampled_from(['"a"', '"b"', '"\\u0061"', '"a\\"b"', '""', '"é"'])
_VALUES = st.recursive(
    st.sampled_from(["1", "1.5", "true", "null", '"a"', '"\\""', '"{["', '""', "-0"]),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
        | st.lists(st.tuples(_KEYS, inner), max_size=3).map(
            lambda pairs: "{" + ",".join(f"{key}: {value}" for key, value in pairs) + "}"
        )
    ),
    max_leaves=8,
)


class _TwiceError(Exception):
    """A key appears twice."""


def by_the_rule(text: str, deepest: int) -> Any:
    """Read a document with the standard library; return its value, or the code of the error."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(items)) != len(items):
            raise _TwiceError
        return dict(items)

    def depth(value: Any) -> int:
        inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
        return 0 if inside is None else 1 + max(map(depth, inside), default=0)

    try:
        found = json.loads(text, object_pairs_hook=pairs)
    except _TwiceError:
        return "duplicate_key"
    return "too_deep" if depth(found) > deepest else found


@settings(max_examples=300, deadline=None)
@given(
    text=_VALUES | st.lists(st.tuples(_KEYS, _VALUES), max_size=4).map(
        lambda pairs: "{" + ",".join(f"{key}:{value}" for key, value in pairs) + "}"
    ),
    deepest=st.integers(1, 4),
)  # fmt: skip
def test_bodies_are_read_as_the_standard_library_does(text: str, deepest: int) -> None:
    try:
        found = read_json(text.encode(), deepest)
    except Problem as problem:
        found = problem.problem_code
    expected = by_the_rule(text, deepest)
    assert (found, repr(found)) == (expected, repr(expected))
