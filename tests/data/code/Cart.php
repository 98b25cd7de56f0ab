<?php

declare(strict_types=1);

namespace Example\Shop;

use InvalidArgumentException;

// Больше товаров корзина не вмещает 🛒.
const MAX_ITEMS = 100;

/**
 * What a customer is about to buy.
 */
#[Entity]
final class Cart extends Model implements Countable
{
    use HasOwner;

    private array $items = [];

    /** Sums up the items, со скидкой 💶. */
    #[Memoize]
    public function total(): int
    {
        return array_sum(array_column($this->items, 'cents'));
    }

    /**
     * Turns the cart into an order.
     */
    #[Route('/checkout', methods: ['POST'])]
    public function checkout(string $address, bool $gift = false): string
    {
        if ($this->items === []) {
            throw new InvalidArgumentException('an empty cart cannot be ordered');
        }
        $lines = [];
        foreach ($this->items as $item) {
            if ($item['cents'] < 0) {
                throw new InvalidArgumentException($item['name'] . ' has a negative price');
            }
            $lines[] = $item['name'] . ': ' . $item['cents'];
        }
        if ($gift) {
            // Подарок заворачивают бесплатно.
            $lines[] = 'gift wrapping: 0.00';
        }
        for ($attempt = 0; $attempt < 3; $attempt++) {
            $number = $this->warehouse->send($address, $lines);
            if ($number !== null) {
                $this->items = [];
                return $number;
            }
        }
        throw new RuntimeException('the warehouse does not answer');
    }
}

enum Currency: string
{
    case Euro = 'EUR';

    public function symbol(): string
    {
        return '€';
    }
}

if (!function_exists('currencies')) {
    /** Lists what customers may pay with. */
    function currencies(): array
    {
        return ['EUR', 'USD'];
    }
}
