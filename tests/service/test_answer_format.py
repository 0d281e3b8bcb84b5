"""Stored answers of an earlier format are not read: `ANSWER_FORMAT` rises with the fields of an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zlib import crc32

from engine.analysis.request import ANSWER_FORMAT

if TYPE_CHECKING:
    from flask.testing import FlaskClient

FIELDS_OF_FORMAT = (14, 1203713513)
"""A format, and the checksum of the fields of its answers."""


def test_the_format_rises_with_the_fields(client: FlaskClient) -> None:
    schemas = client.get("/openapi.json").get_json()["components"]["schemas"]
    fields = "\n".join(sorted(fields_of("Analysis", schemas)))
    assert (ANSWER_FORMAT, crc32(fields.encode())) == FIELDS_OF_FORMAT, (
        "the fields of an answer have changed: raise ANSWER_FORMAT and update FIELDS_OF_FORMAT"
    )


def fields_of(name: str, schemas: dict[str, Any], seen: frozenset[str] = frozenset()) -> set[str]:
    """Return the names and types of all fields of an answer, without their descriptions."""
    found = set()
    for field, schema in schemas[name]["properties"].items():
        text = repr(schema)
        inner = {other for other in schemas if f"/{other}'" in text} - seen - {name}
        found.add(f"{name}.{field} {schema.get('type')} {sorted(inner)}")
        for other in inner:
            found |= fields_of(other, schemas, seen | {name})
    return found
