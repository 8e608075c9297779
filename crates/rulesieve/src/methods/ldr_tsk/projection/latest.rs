//! What was made last for some alpha and beta: fits on the same rows that differ in gamma alone share it.

use crate::linalg::LinalgError;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Alpha and beta, with what was made for them.
type Made<T> = ((f64, f64), Arc<T>);

/// The last one made.
#[derive(Debug)]
pub(super) struct Latest<T>(Mutex<Option<Made<T>>>);

impl<T> Latest<T> {
    pub(super) fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// The one for these weights. It is made while nobody is locked out: whoever makes it may take up another fit meanwhile.
    pub(super) fn of(
        &self,
        weights: (f64, f64),
        make: impl FnOnce() -> Result<T, LinalgError>,
    ) -> Result<Arc<T>, LinalgError> {
        let known = self.lock().as_ref().filter(|(of, _)| *of == weights).map(|(_, made)| Arc::clone(made));
        if let Some(made) = known {
            return Ok(made);
        }
        let made = Arc::new(make()?);
        *self.lock() = Some((weights, Arc::clone(&made)));
        Ok(made)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Made<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_one_is_kept_and_no_other() {
        let latest = Latest::new();
        let of = |weights, value: u32| *latest.of(weights, || Ok(value)).unwrap();
        assert_eq!([of((1.0, 2.0), 1), of((1.0, 2.0), 2), of((2.0, 1.0), 3), of((1.0, 2.0), 4)], [1, 1, 3, 4]);
        assert_eq!(latest.of((5.0, 5.0), || Err(LinalgError::NotFinite)).err(), Some(LinalgError::NotFinite));
        assert_eq!(of((1.0, 2.0), 5), 4, "what failed takes no place");
    }
}
