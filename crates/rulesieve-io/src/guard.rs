//! A fence around a library that panics on damaged files.

use std::{
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook},
    sync::Once,
};

thread_local! {
    static FENCED: Cell<bool> = const { Cell::new(false) };
}

static INSTALL: Once = Once::new();

/// Runs `work`; a panic in it becomes `None`, and is not reported on standard error as a crash of the program would be.
pub(crate) fn fenced<T>(work: impl FnOnce() -> T) -> Option<T> {
    INSTALL.call_once(|| {
        let report = take_hook();
        set_hook(Box::new(move |panic| {
            if !FENCED.get() {
                report(panic);
            }
        }));
    });
    FENCED.set(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    FENCED.set(false);
    result.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_end_at_the_fence() {
        assert_eq!(fenced(|| 3), Some(3));
        assert_eq!(fenced(|| -> u8 { panic!("inside") }), None);
        assert!(catch_unwind(|| panic!("outside")).is_err());
    }
}
