"""Where a host name leads: a source may not be used to reach the machines beside this one."""

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from knowledge.errors import SourceProblem, SourceUnavailable

RESOLVE_DEADLINE_S = 5.0
# Addresses that a translator turns into the IPv4 address in their last 32 bits (RFC 6052).
_NAT64 = IPv6Network("64:ff9b::/96")
# Site-local addresses (RFC 3879) are retired but still routed in some networks; `ipaddress` takes them for global.
_SITE_LOCAL = IPv6Network("fec0::/10")


async def public_addresses(host: str, port: int, *, allow_private: bool) -> list[str]:
    """Return the addresses that a name has now; connect to one of these, for a second look-up may give others.

    Unless `allow_private`, raise SourceProblem when even one of them is not on the public internet. Raise
    SourceUnavailable when the name has none.
    """
    addresses = await _resolved(host, port)
    refused = [] if allow_private else [address for address in addresses if not is_public(address)]
    if refused:
        raise SourceProblem(
            f"{host!r} leads to {refused[0]}, which is not on the public internet, so it was not called;"
            " correct the address, or set `allow_private = true` for this source if it is meant"
        )
    return addresses


async def _resolved(host: str, port: int) -> list[str]:
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(RESOLVE_DEADLINE_S):
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except TimeoutError as exc:
        raise SourceUnavailable(f"the name {host!r} was not resolved within {RESOLVE_DEADLINE_S:g} s") from exc
    except (OSError, UnicodeError) as exc:
        raise SourceUnavailable(f"the name {host!r} cannot be resolved ({exc}); is it spelled right?") from exc
    # Each address once, in the order the system prefers.
    addresses = list(dict.fromkeys(str(address[0]) for *_, address in found))
    if not addresses:
        raise SourceUnavailable(f"the name {host!r} has no address")
    return addresses


def is_public(address: str) -> bool:
    """Tell whether an IP address is on the public internet; one that only wraps an IPv4 address is judged by that."""
    parsed = ip_address(address.partition("%")[0])
    inner = _wrapped(parsed) or parsed
    if isinstance(inner, IPv6Address) and inner in _SITE_LOCAL:
        return False
    return inner.is_global and not (inner.is_multicast or inner.is_reserved)


def _wrapped(address: IPv4Address | IPv6Address) -> IPv4Address | None:
    if isinstance(address, IPv4Address):
        return None
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour
