"""Addresses that a source may not call."""

import pytest

from knowledge.errors import SourceProblem, SourceUnavailable
from knowledge.sources.addresses import is_public, public_addresses


@pytest.mark.parametrize(
    "address",
    ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::"],
)
def test_an_address_on_the_internet_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "::1",
        "0.0.0.0",
        "::",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.169.254",
        "224.0.0.1",
        "ff0e::1",
        "240.0.0.1",
        "fe80::1%eth0",
        "fc00::1",
        "fec0::1",
        "2001:db8::1",
    ],
)
def test_a_private_or_special_address_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    ["::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:a00:1::", "::7f00:1", "::ffff:0:127.0.0.1", "64:ff9b:1::a00:1"],
)
def test_a_private_address_is_seen_through_its_wrapping(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "0x7f.1", "2130706433"])
async def test_s37_a_name_of_this_machine_is_refused(host: str) -> None:
    with pytest.raises(SourceProblem, match="allow_private = true"):
        await public_addresses(host, 443, allow_private=False)


async def test_an_explicit_setting_allows_this_machine() -> None:
    assert await public_addresses("127.0.0.1", 443, allow_private=True) == ["127.0.0.1"]


async def test_a_public_address_needs_no_setting() -> None:
    assert await public_addresses("8.8.8.8", 443, allow_private=False) == ["8.8.8.8"]


@pytest.mark.parametrize("host", ["a" * 64 + ".example", "a..b"])
async def test_a_name_without_an_address_is_unavailable(host: str) -> None:
    with pytest.raises(SourceUnavailable, match=host):
        await public_addresses(host, 443, allow_private=True)
