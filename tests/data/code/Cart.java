package com.example.shop;

import java.util.ArrayList;
import java.util.List;

/**
 * What a customer is about to buy.
 */
@Service
public class Cart<W extends Warehouse> {
    // Больше товаров корзина не вмещает 🛒.
    private static final int MAX_ITEMS = 100;
    private List<Item> items = new ArrayList<>();
    private W warehouse;

    public Cart(W warehouse) {
        this.warehouse = warehouse;
    }

    /** Sums up the items, со скидкой 💶. */
    @Override
    public long total() {
        return items.stream().mapToLong(Item::cents).sum();
    }

    /**
     * Turns the cart into an order.
     */
    @Transactional(timeout = 3)
    public String checkout(String address, boolean gift) throws WarehouseException {
        if (items.isEmpty()) {
            throw new IllegalStateException("an empty cart cannot be ordered");
        }
        List<String> lines = new ArrayList<>();
        for (Item item : items) {
            if (item.cents() < 0) {
                throw new IllegalStateException(item.name() + " has a negative price");
            }
            lines.add(item.name() + ": " + item.cents());
        }
        if (gift) {
            // Подарок заворачивают бесплатно.
            lines.add("gift wrapping: 0.00");
        }
        for (int attempt = 0; attempt < 3; attempt++) {
            String number = warehouse.send(address, lines);
            if (number != null) {
                items.clear();
                return number;
            }
        }
        throw new WarehouseException("the warehouse does not answer");
    }

    /** One thing in a cart. */
    public record Item(String name, long cents) {
        /** Tells whether it costs nothing. */
        public boolean isFree() {
            return cents == 0;
        }
    }

    enum Currency {
        EUR, USD;

        String symbol() {
            return this == EUR ? "€" : "$";
        }
    }
}
