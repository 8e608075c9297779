//! Ctrl-C: ends at once, or, where something must be put away first, as soon as that is done.

use rulesieve_io::AtomicFile;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

static REQUESTED: AtomicBool = AtomicBool::new(false);
/// Fits that will see the request after their iteration.
static WATCHED: AtomicUsize = AtomicUsize::new(0);
/// Files that are being written and must be put away, however often Ctrl-C is pressed.
static WRITING: AtomicUsize = AtomicUsize::new(0);

/// A file in the making that is written bit by bit, removed by whoever ends the program.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// The exit code after Ctrl-C.
pub(crate) const EXIT_CODE: u8 = 130;

/// Starts listening. Where no handler can be installed, Ctrl-C simply kills, which leaves nothing half-written either.
pub(crate) fn install() {
    let _ = ctrlc::set_handler(|| {
        let again = REQUESTED.swap(true, SeqCst);
        if WRITING.load(SeqCst) == 0 && (again || WATCHED.load(SeqCst) == 0) {
            // A file in the making goes away: nobody will drop it.
            if let Some(path) = TEMPORARY.lock().ok().and_then(|mut path| path.take()) {
                let _ = std::fs::remove_file(path);
            }
            #[allow(clippy::exit, reason = "nothing is open that would need to be closed")]
            std::process::exit(i32::from(EXIT_CODE));
        }
    });
}

/// Whether Ctrl-C was pressed.
pub fn requested() -> bool {
    REQUESTED.load(SeqCst)
}

/// While one exists, somebody checks [`requested`] often and ends by itself.
pub struct Watched(());

impl Watched {
    /// From now until it is dropped.
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

/// Writes a file; the program does not end before that is done or undone.
pub(crate) fn writing<T>(part: impl FnOnce() -> T) -> T {
    WRITING.fetch_add(1, SeqCst);
    let result = part();
    WRITING.fetch_sub(1, SeqCst);
    result
}

/// Begins a file that is written bit by bit, while Ctrl-C may end the program at any time and leave nothing of it.
///
/// # Errors
/// A file that cannot be written.
pub fn begin(path: &Path) -> io::Result<AtomicFile> {
    writing(|| {
        let file = AtomicFile::create(path)?;
        if let Ok(mut temporary) = TEMPORARY.lock() {
            *temporary = file.temporary().map(Path::to_path_buf);
        }
        Ok(file)
    })
}

/// Gives such a file its name, unless Ctrl-C was pressed meanwhile.
///
/// # Errors
/// A file that cannot be written, or Ctrl-C.
pub fn finish(file: AtomicFile) -> io::Result<()> {
    let done = writing(|| if requested() { Err(io::Error::other("interrupted")) } else { file.commit() });
    if let Ok(mut temporary) = TEMPORARY.lock() {
        *temporary = None;
    }
    done
}

/// A writer that fails once Ctrl-C was pressed, so that whoever writes cleans up.
pub(crate) struct Interruptible<'a>(pub(crate) &'a mut dyn Write);

impl Write for Interruptible<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Not ErrorKind::Interrupted: that one means "try again".
        if requested() { Err(io::Error::other("interrupted")) } else { self.0.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
