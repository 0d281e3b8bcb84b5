"""Who asks: an API key or an address; and who may not."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Final, NamedTuple

from flask import g, request
from werkzeug.middleware.proxy_fix import ProxyFix

from service.problems import Problem
from service.protection.keys import KeyFile
from service.protection.rates import RateTable

if TYPE_CHECKING:
    from flask import Flask

    from service.observability.counts import Counts
    from service.settings import Settings

# What a machine or a person reads before it has a key, and what costs next to nothing.
OPEN_PATHS: Final = frozenset({"/", "/livez", "/readyz", "/metrics", "/openapi.json", "/docs"})
OPEN_FOLDERS: Final = ("/static/",)


class Caller(NamedTuple):
    """Name who asks: by a key, or else by a network; `refusal` is what a bad key, or none, is answered."""

    name: str
    keyed: bool
    refusal: Problem | None = None


class Gate:
    """Tell callers apart by key or address, and refuse those without a good key (401)."""

    def __init__(self, settings: Settings, counts: Counts) -> None:
        self._keys = None if settings.api_keys is None else KeyFile(settings.api_keys)
        self._need_key = settings.require_key
        self._counts = counts

    def is_open(self) -> bool:
        """Tell whether the current request needs no key and counts for nobody.

        Preflight requests of browsers are such, for they can carry no key.
        """
        path = request.path
        return request.method == "OPTIONS" or path in OPEN_PATHS or path.startswith(OPEN_FOLDERS)

    def caller(self) -> Caller:
        """Return who makes the current request."""
        if "caller" not in g:
            g.caller = self._caller()
        known: Caller = g.caller
        return known

    def admit(self) -> None:
        """Let the current request pass, or raise the Problem that refuses it."""
        if self._keys is None or self.is_open():
            return
        caller = self.caller()
        if caller.refusal is not None:
            self._counts.refused.add("key")
            raise caller.refusal
        if caller.keyed:
            g.log_key = caller.name.removeprefix("key ")

    def _caller(self) -> Caller:
        address = f"address {_network(request.remote_addr or '')}"
        if self._keys is None:
            return Caller(address, keyed=False)
        scheme, _, key = request.headers.get("Authorization", "").partition(" ")
        if not scheme:
            refusal = (
                _unauthorized("key_required", "this service answers only with an API key")
                if self._need_key
                else None
            )
            return Caller(address, keyed=False, refusal=refusal)
        owner = self._keys.owner(key.strip()) if scheme.lower() == "bearer" else None
        if owner is None:
            detail = "the Authorization header holds no key of this service"
            return Caller(address, keyed=False, refusal=_unauthorized("unknown_key", detail))
        return Caller(f"key {owner}", keyed=True)


def _unauthorized(code: str, detail: str) -> Problem:
    return Problem(401, code, detail, headers={"WWW-Authenticate": 'Bearer realm="kibitz"'})


def open_gate(app: Flask, settings: Settings, counts: Counts, rates: RateTable | None) -> Gate:
    """Return the gate, with limits on how often each caller may ask, if the settings limit anybody.

    `rates`: what all workers know of the clients (default: this process alone). As many proxies are believed
    about the client's address as the settings say.
    """
    if settings.proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=settings.proxies, x_proto=settings.proxies, x_host=0
        )
    gate = Gate(settings, counts)
    if settings.strangers_per_minute or (settings.api_keys and settings.key_per_minute):
        from service.protection.limiting import limit_rates  # only here: it is 2 MB that most do not need

        limit_rates(app, settings, gate, counts, rates or RateTable())
    return gate


def _network(address: str) -> str:
    """Return what stands for a client: its IPv4 address, or the /64 that an IPv6 customer is given."""
    try:
        parsed = ip_address(address)
    except ValueError:  # a unix socket has no address
        return address
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))
    return str(parsed)
