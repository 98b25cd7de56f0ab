// Package shop has the carts of the shop.
package shop

import (
	"errors"
	"fmt"
)

// MaxItems больше корзина не вмещает 🛒.
const MaxItems = 100

// Item is one thing in a cart.
type Item struct {
	Name  string
	Cents int
}

type (
	// Coupon is a discount that a customer types in.
	Coupon string
	// Warehouse sends what is ordered.
	Warehouse interface {
		Send(address string, lines []string) (string, error)
	}
)

// Cart is what a customer is about to buy.
type Cart[T Warehouse] struct {
	Owner     string
	items     []Item
	warehouse T
}

// Total sums up the items, со скидкой 💶.
func (c *Cart[T]) Total() int {
	sum := 0
	for _, item := range c.items {
		sum += item.Cents
	}
	return sum
}

// Checkout turns the cart into an order.
//
//nolint:cyclop
func (c *Cart[T]) Checkout(address string, gift bool) (string, error) {
	if len(c.items) == 0 {
		return "", errors.New("an empty cart cannot be ordered")
	}
	lines := []string{}
	for _, item := range c.items {
		if item.Cents < 0 {
			return "", fmt.Errorf("%s has a negative price", item.Name)
		}
		lines = append(lines, fmt.Sprintf("%s: %d", item.Name, item.Cents))
	}
	if gift {
		// Подарок заворачивают бесплатно.
		lines = append(lines, "gift wrapping: 0.00")
	}
	for attempt := 0; attempt < 3; attempt++ {
		number, err := c.warehouse.Send(address, lines)
		if err == nil {
			c.items = nil
			return number, nil
		}
	}
	return "", errors.New("the warehouse does not answer")
}

// Currencies lists what customers may pay with.
func Currencies() []string {
	return []string{"EUR", "USD"}
}
