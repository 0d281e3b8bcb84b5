"""Print the OpenAPI document of the service."""

from __future__ import annotations

import json
from typing import Any

from service.app import create_app
from service.settings import Settings


def document() -> Any:
    """Return the OpenAPI document of the HTTP service."""
    return create_app(Settings.from_environment(log_level="error")).extensions["openapi"]


if __name__ == "__main__":
    print(json.dumps(document()))
