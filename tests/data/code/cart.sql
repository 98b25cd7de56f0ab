-- Корзины магазина 🛒.
SET search_path TO shop;

-- What a customer is about to buy.
CREATE TABLE IF NOT EXISTS shop.cart (
  id bigint PRIMARY KEY,
  owner text NOT NULL,
  created timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX cart_owner ON shop.cart (owner);

/* Carts that are still open, со скидкой 💶. */
CREATE OR REPLACE VIEW shop.open_cart AS
SELECT id, owner FROM shop.cart WHERE created > now();

-- Turns a cart into an order.
CREATE FUNCTION shop.checkout(cart_id bigint, gift boolean) RETURNS bigint AS $$
DECLARE
  number bigint;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM shop.item WHERE cart = cart_id) THEN
    RAISE EXCEPTION 'an empty cart cannot be ordered';
  END IF;
  IF EXISTS (SELECT 1 FROM shop.item WHERE cart = cart_id AND cents < 0) THEN
    RAISE EXCEPTION 'an item has a negative price';
  END IF;

  IF gift THEN
    -- Подарок заворачивают бесплатно.
    INSERT INTO shop.item (cart, name, cents) VALUES (cart_id, 'gift wrapping', 0);
  END IF;

  INSERT INTO shop.orders (cart, state) VALUES (cart_id, 'new') RETURNING id INTO number;
  DELETE FROM shop.item WHERE cart = cart_id;
  RETURN number;
END;
$$ LANGUAGE plpgsql;

INSERT INTO shop.currency (code) VALUES ('EUR');
INSERT INTO shop.currency (code) VALUES ('USD');
