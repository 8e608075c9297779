//! Ctrl-C: ends the program at once, or after a running fit or file has been completed or removed.

use rulesieve_io::AtomicFile;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

static REQUESTED: AtomicBool = AtomicBool::new(false);
/// Number of running computations that check the request themselves.
static WATCHED: AtomicUsize = AtomicUsize::new(0);
/// Number of files that are being written; Ctrl-C waits for them.
static WRITING: AtomicUsize = AtomicUsize::new(0);

/// Temporary file of a file that is written in chunks; removed when the program ends early.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// The exit code after Ctrl-C.
pub(crate) const EXIT_CODE: u8 = 130;

/// Installs the handler. Without it, Ctrl-C kills the process, which leaves no incomplete files either.
pub(crate) fn install() {
    let _ = ctrlc::set_handler(|| {
        let repeated = REQUESTED.swap(true, SeqCst);
        if WRITING.load(SeqCst) == 0 && (repeated || WATCHED.load(SeqCst) == 0) {
            // The process ends without dropping the temporary file.
            if let Some(path) = TEMPORARY.lock().ok().and_then(|mut path| path.take()) {
                let _ = std::fs::remove_file(path);
            }
            #[allow(clippy::exit, reason = "no open file needs to be closed")]
            std::process::exit(i32::from(EXIT_CODE));
        }
    });
}

/// Returns whether Ctrl-C was pressed.
pub fn requested() -> bool {
    REQUESTED.load(SeqCst)
}

/// Guard of a computation that checks [`requested`] often and ends by itself; Ctrl-C then does not end the program.
pub struct Watched(());

impl Watched {
    /// Starts the guard, which lasts until it is dropped.
    pub fn begin() -> Self {
        WATCHED.fetch_add(1, SeqCst);
        Self(())
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        WATCHED.fetch_sub(1, SeqCst);
    }
}

/// Runs code that writes a file; Ctrl-C does not end the program before it returns.
pub(crate) fn writing<T>(part: impl FnOnce() -> T) -> T {
    WRITING.fetch_add(1, SeqCst);
    let result = part();
    WRITING.fetch_sub(1, SeqCst);
    result
}

/// Creates a file that is written in chunks; Ctrl-C removes it.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn begin(path: &Path) -> io::Result<AtomicFile> {
    writing(|| {
        let file = AtomicFile::create(path)?;
        if let Ok(mut temporary) = TEMPORARY.lock() {
            *temporary = file.temporary().map(Path::to_path_buf);
        }
        Ok(file)
    })
}

/// Completes such a file.
///
/// # Errors
/// Fails if the file cannot be written or Ctrl-C was pressed.
pub fn finish(file: AtomicFile) -> io::Result<()> {
    let done = writing(|| if requested() { Err(io::Error::other("interrupted")) } else { file.commit() });
    if let Ok(mut temporary) = TEMPORARY.lock() {
        *temporary = None;
    }
    done
}

/// A writer that fails after Ctrl-C, so that the caller removes the file.
pub(crate) struct Interruptible<'a>(pub(crate) &'a mut dyn Write);

impl Write for Interruptible<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Not ErrorKind::Interrupted, which callers retry.
        if requested() { Err(io::Error::other("interrupted")) } else { self.0.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
