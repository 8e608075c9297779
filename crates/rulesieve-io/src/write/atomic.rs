//! Files that are written completely or not at all.

use std::{
    fs::{self, OpenOptions},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

/// Writes a file atomically: writes a temporary file in the same directory, then renames it.
///
/// An existing file is unchanged on failure and keeps its permissions on success. A path that is not a regular file
/// (`/dev/stdout`, a named pipe) is written directly.
///
/// # Errors
///
/// Those of `write` and of the file system.
pub fn write_atomically(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    write(&mut file)?;
    file.commit()
}

/// Incremental version of [`write_atomically`]. Without [`commit`](Self::commit), the destination is unchanged.
#[derive(Debug)]
pub struct AtomicFile(Destination);

#[derive(Debug)]
enum Destination {
    /// Not a regular file: written directly.
    Direct(BufWriter<fs::File>),
    Temporary {
        file: BufWriter<NamedTempFile>,
        target: PathBuf,
        permissions: Option<fs::Permissions>,
    },
}

impl AtomicFile {
    /// Creates the temporary file.
    ///
    /// # Errors
    ///
    /// A path that cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let existing = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "the path is a directory"));
        }
        let target = match &existing {
            // Resolves links so that they survive. Opening fails for a write-protected file.
            Some(metadata) if metadata.is_file() => {
                OpenOptions::new().write(true).open(path)?;
                fs::canonicalize(path)?
            }
            Some(_) => {
                let file = OpenOptions::new().write(true).open(path)?;
                return Ok(Self(Destination::Direct(BufWriter::new(file))));
            }
            None => path.to_path_buf(),
        };
        let directory = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
            _ => PathBuf::from("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".rulesieve-").suffix(".tmp");
        if let Some(permissions) = default_permissions() {
            builder.permissions(permissions);
        }
        let file = BufWriter::new(builder.tempfile_in(directory)?);
        let permissions = existing.map(|metadata| metadata.permissions());
        Ok(Self(Destination::Temporary { file, target, permissions }))
    }

    /// Path of the temporary file, to remove it when the process ends without running destructors.
    pub fn temporary(&self) -> Option<&Path> {
        match &self.0 {
            Destination::Direct(_) => None,
            Destination::Temporary { file, .. } => Some(file.get_ref().path()),
        }
    }

    /// Renames the temporary file to its destination.
    ///
    /// # Errors
    ///
    /// Those of the file system.
    pub fn commit(self) -> io::Result<()> {
        match self.0 {
            Destination::Direct(mut file) => file.flush(),
            Destination::Temporary { file, target, permissions } => {
                let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                if let Some(permissions) = permissions {
                    file.as_file().set_permissions(permissions)?;
                }
                file.as_file().sync_all()?;
                file.persist(target).map_err(|error| error.error)?;
                Ok(())
            }
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Destination::Direct(file) => file.write(bytes),
            Destination::Temporary { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Destination::Direct(file) => file.flush(),
            Destination::Temporary { file, .. } => file.flush(),
        }
    }
}

/// Default permissions of new files, before the umask.
#[cfg(unix)]
fn default_permissions() -> Option<fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn default_permissions() -> Option<fs::Permissions> {
    None
}
