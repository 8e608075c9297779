//! Catches panics of a library that panics on damaged files.

use std::{
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook},
    sync::Once,
};

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
}

static INSTALL: Once = Once::new();

/// Runs `work` and returns `None` if it panics. The panic is not printed to standard error.
pub(crate) fn catch_panics<T>(work: impl FnOnce() -> T) -> Option<T> {
    INSTALL.call_once(|| {
        let report = take_hook();
        set_hook(Box::new(move |panic| {
            if !CATCHING.get() {
                report(panic);
            }
        }));
    });
    CATCHING.set(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    CATCHING.set(false);
    result.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_caught() {
        assert_eq!(catch_panics(|| 3), Some(3));
        assert_eq!(catch_panics(|| -> u8 { panic!("inside") }), None);
        assert!(catch_unwind(|| panic!("outside")).is_err());
    }
}
