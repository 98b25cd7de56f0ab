import { Injectable, Input } from "@shop/core";
import type { Warehouse } from "./warehouse";

// Больше товаров корзина не вмещает 🛒.
const MAX_ITEMS = 100;

/** What the shop knows of one thing in a cart. */
export interface Item {
  name: string;
  cents: number;
}

export type Currency = "EUR" | "USD";

/**
 * What a customer is about to buy.
 */
@Injectable({ scope: "request" })
export class Cart {
  @Input() owner: string = "";
  private items: Item[] = [];

  constructor(private readonly warehouse: Warehouse) {}

  /** Sum up the items, со скидкой 💶. */
  @Memoize()
  get total(): number {
    return this.items.reduce((sum, item) => sum + item.cents, 0);
  }

  /**
   * Turn the cart into an order.
   */
  @Log("checkout")
  async checkout(address: string, gift = false): Promise<string> {
    if (this.items.length === 0) {
      throw new Error("an empty cart cannot be ordered");
    }
    const lines: string[] = [];
    for (const item of this.items) {
      if (item.cents < 0) {
        throw new Error(`${item.name} has a negative price`);
      }
      lines.push(`${item.name}: ${item.cents / 100}`);
    }
    if (gift) {
      // Подарок заворачивают бесплатно.
      lines.push("gift wrapping: 0.00");
    }
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const number = await this.warehouse.send(address, lines);
      if (number) {
        this.items = [];
        return number;
      }
    }
    throw new Error("the warehouse does not answer");
  }
}

export namespace Coupons {
  /** Tell whether the code is known. */
  export function isValid(code: string): boolean {
    return code.startsWith("SPRING");
  }
}

/** List what customers may pay with. */
export const currencies = (): Currency[] => {
  return ["EUR", "USD"];
};
