"""Carts of the shop, before they become orders."""

from __future__ import annotations

import functools
import typing
from dataclasses import dataclass

# Больше товаров корзина не вмещает 🛒.
MAX_ITEMS = 100
CURRENCY = "EUR"


@dataclass(frozen=True)
class Money:
    """An amount in cents."""

    cents: int

    def __add__(self, other: Money) -> Money:
        return Money(self.cents + other.cents)


class Cart:
    """What a customer is about to buy."""

    owner: str
    discount = 0

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.items: list[tuple[str, Money]] = []

    # Скидка считается один раз 💶.
    @typing.final
    @property
    def total(self) -> Money:
        """Sum up the items."""
        return sum((price for _, price in self.items), Money(0))

    class Coupon:
        """A discount that a customer types in."""

        def is_valid(self, code: str) -> bool:
            """Tell whether the code is known."""
            return code.startswith("SPRING")

    async def checkout(self, address: str, *, gift: bool = False) -> str:
        """Turn the cart into an order.

        The order has the number that the warehouse knows.
        """
        if not self.items:
            raise ValueError("an empty cart cannot be ordered")
        lines = []
        for name, price in self.items:
            if price.cents < 0:
                raise ValueError(f"{name} has a negative price")
            lines.append(f"{name}: {price.cents / 100:.2f} {CURRENCY}")
        if gift:
            # Подарок заворачивают бесплатно.
            lines.append("gift wrapping: 0.00")
        for attempt in range(3):
            try:
                number = await send(address, lines)
            except TimeoutError:
                lines.append(f"attempt {attempt} failed")
            else:
                self.items.clear()
                return number
        raise TimeoutError("the warehouse does not answer")


@functools.cache
def currencies() -> list[str]:
    """List what customers may pay with."""
    return [CURRENCY, "USD"]


async def send(address: str, lines: list[str]) -> str:
    return f"{address}: {len(lines)}"
