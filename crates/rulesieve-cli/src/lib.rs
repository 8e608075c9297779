//! Shared code of the command-line programs: arguments, output, progress, interruption and remedies.

pub mod arguments;
pub mod interrupt;
pub mod output;
pub mod progress;
pub mod remedy;

use anyhow::{Context, Result};
use clap::Parser;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::Write;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::process::ExitCode;

/// The exit code after a panic.
const BUG: u8 = 101;

/// Parses the arguments of this process.
///
/// Returns the exit code if they are wrong, or ask for help or the version, which are printed here: unlike clap, a failure to print
/// them is an error.
///
/// # Errors
/// See above.
pub fn parse<T: Parser>() -> Result<T, ExitCode> {
    T::try_parse().map_err(|error| {
        run(
            |_| None,
            || match error.print().and_then(|()| std::io::stdout().flush()) {
                Err(failure) if !error.use_stderr() => Err(failure).context(output::NO_OUTPUT),
                _ => Ok(ExitCode::from(if error.use_stderr() { 2 } else { 0 })),
            },
        )
    })
}

/// Runs a command, prints its error and returns the exit code. `own` knows errors of the caller's own types.
pub fn run(own: remedy::OwnRemedy, command: impl FnOnce() -> Result<ExitCode>) -> ExitCode {
    interrupt::install();
    panic::set_hook(Box::new(report_bug));
    // A panic was reported by the hook, whose message asks for a report.
    match panic::catch_unwind(AssertUnwindSafe(command)) {
        Err(_) => ExitCode::from(BUG),
        Ok(Ok(code)) => code,
        Ok(Err(error)) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Ok(Err(_)) if interrupt::requested() => output::interrupted(),
        Ok(Err(error)) => output::failed(&error, own),
    }
}

/// Prints one line about a panic, and the backtrace if RUST_BACKTRACE asks for it.
fn report_bug(panic: &PanicHookInfo) {
    let payload = panic.payload();
    let text = payload.downcast_ref::<&str>().copied();
    let what = text.or(payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown panic");
    let place = panic.location().map(|at| format!(" ({}:{})", at.file(), at.line())).unwrap_or_default();
    output::message(&format!(
        "error: this is a bug in {} {}: {what}{place}; please report it with the command",
        env!("CARGO_PKG_NAME").trim_end_matches("-cli"),
        env!("CARGO_PKG_VERSION")
    ));
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured {
        trace.to_string().lines().for_each(output::message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    #[ignore = "the test below runs it as a process of its own"]
    #[allow(clippy::exit, clippy::panic, reason = "the exit code is what is tested")]
    fn a_command_panics() {
        let code = run(
            |_| None,
            || {
                std::thread::scope(|scope| scope.spawn(|| panic!("row\n3")).join())
                    .unwrap_or_else(|cause| panic::resume_unwind(cause))
            },
        );
        std::process::exit(if format!("{code:?}") == format!("{:?}", ExitCode::from(BUG)) { 101 } else { 0 });
    }

    #[test]
    fn a_panic_is_one_line() {
        let mut program = Command::new(std::env::current_exe().unwrap());
        program.args(["--exact", "tests::a_command_panics", "--ignored", "--nocapture"]).env_remove("RUST_BACKTRACE");
        let run = program.output().unwrap();
        let text = String::from_utf8(run.stderr).unwrap();
        assert_eq!((run.status.code(), text.lines().count()), (Some(101), 1), "{text}");
        assert!(text.starts_with("error: this is a bug in rulesieve ") && text.contains(": row\\n3 ("), "{text}");
    }
}
