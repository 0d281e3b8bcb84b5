"""Who may ask, and how often: a key or an address, and its allowance."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Final

from flask import g, request
from werkzeug.middleware.proxy_fix import ProxyFix

from service.problems import Problem
from service.protection.keys import KeyFile
from service.protection.rates import RateTable, in_whole_seconds

if TYPE_CHECKING:
    from flask import Flask, Response

    from service.observability.counts import Counts
    from service.settings import Settings

# What a machine or a person reads before it has a key, and what costs next to nothing.
OPEN_PATHS: Final = frozenset({"/", "/livez", "/readyz", "/metrics", "/openapi.json", "/docs"})
OPEN_FOLDERS: Final = ("/docs/", "/board/")


class Gate:
    """Admit requests or refuse them: 401 without a good key, 429 beyond the allowance."""

    def __init__(self, settings: Settings, counts: Counts, rates: RateTable | None = None) -> None:
        self._keys = None if settings.api_keys is None else KeyFile(settings.api_keys)
        self._need_key = settings.require_key
        self._limits = {False: settings.strangers_per_minute, True: settings.key_per_minute}
        self._stands_open = self._keys is None and not settings.strangers_per_minute
        self._rates = rates or RateTable()
        self._counts = counts

    def admit(self) -> None:
        """Let the current request pass, or raise the Problem that refuses it.

        Preflight requests of browsers pass, for they can carry no key.
        """
        if self._stands_open:
            return
        path = request.path
        if request.method == "OPTIONS" or path in OPEN_PATHS or path.startswith(OPEN_FOLDERS):
            return
        owner = self._owner()
        limit = self._limits[owner is not None]
        if limit == 0:
            return
        client = f"address {_network(request.remote_addr or '')}" if owner is None else f"key {owner}"
        verdict = g.rate = self._rates.ask(client, limit)
        if not verdict.allowed:
            self._counts.refused.add("rate")
            raise Problem(
                429,
                "rate_limited",
                f"more than {limit} requests a minute",
                headers={"Retry-After": in_whole_seconds(verdict.wait)},
            )

    def _owner(self) -> str | None:
        if self._keys is None:
            return None
        scheme, _, key = request.headers.get("Authorization", "").partition(" ")
        if not scheme:
            if self._need_key:
                raise self._unauthorized("key_required", "this service answers only with an API key")
            return None
        owner = self._keys.owner(key.strip()) if scheme.lower() == "bearer" else None
        if owner is None:
            raise self._unauthorized("unknown_key", "the Authorization header holds no key of this service")
        g.log_key = owner
        return owner

    def _unauthorized(self, code: str, detail: str) -> Problem:
        self._counts.refused.add("key")
        return Problem(401, code, detail, headers={"WWW-Authenticate": 'Bearer realm="kibitz"'})


def tell_rates(app: Flask, settings: Settings) -> None:
    """Tell in every answer what is left of the allowance; believe as many proxies as the settings say."""
    if settings.proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=settings.proxies, x_proto=settings.proxies, x_host=0
        )

    if not (settings.strangers_per_minute or (settings.api_keys and settings.key_per_minute)):
        return

    @app.after_request
    def tell(response: Response) -> Response:
        if (verdict := g.get("rate")) is not None:
            response.headers["RateLimit-Policy"] = f'"minute";q={verdict.limit};w=60'
            response.headers["RateLimit"] = (
                f'"minute";r={verdict.remaining};t={in_whole_seconds(verdict.reset)}'
            )
        return response


def _network(address: str) -> str:
    """Return what stands for a client: its IPv4 address, or the /64 that an IPv6 customer is given."""
    try:
        parsed = ip_address(address)
    except ValueError:  # a unix socket has no address
        return address
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))
    return str(parsed)
