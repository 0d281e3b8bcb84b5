"""The cache: finished answers, and loaded boards with their delta sets, in this process and in Redis.

All back ends keep the promise of `engine.Store`: `get_many` gives what was put or None, `put_many` may
drop anything, and neither ever raises. So an answer can be faster for the cache, but never different.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.cache.claims import ClaimedAnswer
from service.cache.flight import SingleFlight
from service.cache.known import Known, KnownRequests, name_of_bytes, name_of_document
from service.cache.memory import MemoryStore
from service.cache.metered import MeteredCache
from service.cache.worth import SoonMade

if TYPE_CHECKING:
    from service.cache.interface import BackEnd
    from service.settings import Settings

__all__ = [
    "ClaimedAnswer",
    "Known",
    "KnownRequests",
    "MemoryStore",
    "MeteredCache",
    "SingleFlight",
    "SoonMade",
    "name_of_bytes",
    "name_of_document",
    "open_store",
]


def open_store(settings: Settings) -> BackEnd:
    """Open the store that the settings ask for: Redis, if it has an address, behind what this process keeps.

    Redis is not contacted here, and its client is imported only when it is wanted: it costs more
    memory than the rest of the service's HTTP code.
    """
    if settings.redis_url is None:
        return MemoryStore(settings.cache_bytes)
    from service.cache.redis import RedisStore
    from service.cache.tiered import TieredStore

    behind = RedisStore(
        settings.redis_url, timeout=settings.redis_timeout_ms / 1000, life=settings.cache_seconds
    )
    return TieredStore(behind, settings.cache_bytes) if settings.cache_bytes else behind
