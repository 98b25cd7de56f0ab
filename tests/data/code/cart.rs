//! Carts of the shop, before they become orders.

use std::fmt;

/// Больше товаров корзина не вмещает 🛒.
pub const MAX_ITEMS: usize = 100;

/// What a customer is about to buy.
#[derive(Debug, Clone)]
pub struct Cart<W> {
    pub owner: String,
    items: Vec<(String, i64)>,
    warehouse: W,
}

/// Sends what is ordered.
pub trait Warehouse {
    /// Hand an order over.
    fn send(&self, address: &str, lines: &[String]) -> Option<String>;
}

impl<W: Warehouse> Cart<W> {
    /// Sum up the items, со скидкой 💶.
    #[must_use]
    pub fn total(&self) -> i64 {
        self.items.iter().map(|(_, cents)| cents).sum()
    }

    /// Turn the cart into an order.
    ///
    /// The warehouse answers with its number.
    #[inline]
    pub fn checkout(&mut self, address: &str, gift: bool) -> Result<String, String> {
        if self.items.is_empty() {
            return Err("an empty cart cannot be ordered".into());
        }
        let mut lines = Vec::new();
        for (name, cents) in &self.items {
            if *cents < 0 {
                return Err(format!("{name} has a negative price"));
            }
            lines.push(format!("{name}: {cents}"));
        }
        if gift {
            // Подарок заворачивают бесплатно.
            lines.push("gift wrapping: 0.00".into());
        }
        for _attempt in 0..3 {
            if let Some(number) = self.warehouse.send(address, &lines) {
                self.items.clear();
                return Ok(number);
            }
        }
        Err("the warehouse does not answer".into())
    }
}

impl<W> fmt::Display for Cart<W> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "cart of {}", self.owner)
    }
}

pub mod coupons {
    /// Tell whether the code is known.
    pub fn is_valid(code: &str) -> bool {
        code.starts_with("SPRING")
    }
}

/// List what customers may pay with.
pub fn currencies() -> Vec<&'static str> {
    vec!["EUR", "USD"]
}
