-- What a customer is about to buy 🛒.
CREATE TABLE IF NOT EXISTS shop.cart (
  id bigint PRIMARY KEY,
  owner text NOT NULL
);

CREATE INDEX cart_owner ON shop.cart (owner);

/* Sums up the items, со скидкой 💶. */
CREATE FUNCTION shop.total(cart_id bigint) RETURNS bigint AS $$
  SELECT sum(cents) FROM shop.item WHERE cart = cart_id;
$$ LANGUAGE sql;
