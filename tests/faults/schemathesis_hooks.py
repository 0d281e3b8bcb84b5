"""How schemathesis writes lines of JSON."""

from __future__ import annotations

import json
from typing import Any

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(context: Any, value: Any) -> bytes:
    """Write each item of a list as a line, any other text as it is."""
    if isinstance(value, bytes):
        return value
    items = value if isinstance(value, list) else [value]
    written = [item if isinstance(item, str) else json.dumps(item) for item in items]
    return "\n".join(written).encode("utf-8", "surrogatepass")
