const core = require("@shop/core");

// Больше товаров корзина не вмещает 🛒.
const MAX_ITEMS = 100;

/** What a customer is about to buy. */
class Cart {
  discount = 0;

  constructor(owner) {
    this.owner = owner;
    this.items = [];
  }

  /** Sum up the items, со скидкой 💶. */
  get total() {
    return this.items.reduce((sum, item) => sum + item.cents, 0);
  }

  // Turn the cart into an order.
  // The warehouse answers with its number.
  async checkout(address, gift = false) {
    if (this.items.length === 0) {
      throw new Error("an empty cart cannot be ordered");
    }
    const lines = [];
    for (const item of this.items) {
      if (item.cents < 0) {
        throw new Error(`${item.name} has a negative price`);
      }
      lines.push(`${item.name}: ${item.cents / 100}`);
    }
    if (gift) {
      lines.push("gift wrapping: 0.00");
    }
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const number = await core.send(address, lines);
      if (number) {
        this.items = [];
        return number;
      }
    }
    throw new Error("the warehouse does not answer");
  }
}

/** List what customers may pay with. */
module.exports.currencies = function () {
  return ["EUR", "USD"];
};

/** Tell whether the code is known. */
export const isValid = (code) => code.startsWith("SPRING");
