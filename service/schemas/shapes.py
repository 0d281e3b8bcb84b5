"""How the shapes of answers are written down: every field required, described, null only where it is said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import marshmallow as ma

if TYPE_CHECKING:
    from collections.abc import Callable


def _field(make: Callable[..., ma.fields.Field[Any]]) -> Callable[..., Any]:
    def build(description: str, *args: Any, null: bool = False, **kwargs: Any) -> Any:
        return make(*args, required=True, allow_none=null, metadata={"description": description}, **kwargs)

    return build


text = _field(ma.fields.String)
whole = _field(ma.fields.Integer)
number = _field(ma.fields.Float)
flag = _field(ma.fields.Boolean)
part = _field(ma.fields.Nested)
items = _field(ma.fields.List)


class Shape(ma.Schema):
    """Name every field of an object; there are no others."""

    class Meta:
        """Unknown fields would be a mistake of ours."""

        unknown = ma.RAISE
