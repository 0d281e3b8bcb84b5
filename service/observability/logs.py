"""Lines of JSON for what the standard library's logging is given: gunicorn's own messages.

The fields are those of `structured`: `timestamp`, `level`, `logger`, `event`. This module is apart from it
because the master of gunicorn imports no more than it must.
"""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Any


class JsonFormatter(logging.Formatter):
    """Write a record of the standard library's logging as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as a JSON object without line breaks."""
        entry: dict[str, Any] = {
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="microseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)
