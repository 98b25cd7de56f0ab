import { memo, useState } from "react";

/** Properties of a cart. */
export interface CartProps {
  owner: string;
}

/** Shows how many things are in a cart. */
export const CartBadge = memo(({ owner }: CartProps) => {
  const [count] = useState(0);
  return <span title={owner}>🛒 {count}</span>;
});

// Кнопка оформления заказа.
export default function CheckoutButton({ owner }: CartProps) {
  return <button>Checkout of {owner}</button>;
}
