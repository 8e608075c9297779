//! Every run in one file (SQLite): what it was about, and the outcome of every piece of work as soon as it is there. A run that was
//! killed goes on where it ended; tables are made again from the file alone.

mod check;
mod error;

pub use error::RecordsError;

use crate::evaluate::{EvaluateError, EvaluationRecord, Frame, Outcome, Task, TaskPart, summarise};
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Tells our files from those of others: "rsiv".
const APPLICATION: i32 = 0x7273_6976;
/// The version of the tables.
const LAYOUT: i32 = 1;
/// How long to wait for another program that writes.
const PATIENCE: Duration = Duration::from_secs(30);

const TABLES: &str = "
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL,
        input TEXT NOT NULL,
        began TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
        tasks INTEGER NOT NULL,
        frame TEXT NOT NULL
    );
    CREATE TABLE outcomes (
        run INTEGER NOT NULL REFERENCES runs (id),
        ranker TEXT NOT NULL,
        part TEXT NOT NULL,
        number INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        PRIMARY KEY (run, ranker, part, number)
    ) WITHOUT ROWID;
";

/// A file of records.
pub struct Records {
    connection: Connection,
    path: String,
}

/// A run, as it is listed.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct RunInfo {
    /// Its number.
    pub run: i64,
    /// When it began, in UTC.
    pub began: String,
    /// The table it was about, as it was named.
    pub input: String,
    /// The protocol.
    pub protocol: String,
    /// The methods.
    pub methods: Vec<String>,
    /// Pieces of work that are done.
    pub done: usize,
    /// Pieces of work in all.
    pub tasks: usize,
    /// Why it cannot be shown, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// A run that is open for more.
pub struct Run {
    records: Records,
    id: i64,
}

impl Records {
    /// Opens a file, or begins one.
    ///
    /// # Errors
    /// A file that is something else, or cannot be written.
    pub fn open(path: &Path) -> Result<Self, RecordsError> {
        let records = Self::connect(path, OpenFlags::default())?;
        records.begin_file().map_err(foreign)?;
        records.check()?;
        Ok(records)
    }

    /// Opens a file to read it.
    ///
    /// # Errors
    /// A file that is something else, or cannot be read.
    pub fn read(path: &Path) -> Result<Self, RecordsError> {
        let records = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        records.check()?;
        Ok(records)
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Self, RecordsError> {
        let shown = path.display().to_string();
        let connection = Connection::open_with_flags(path, flags).map_err(fault(&shown))?;
        connection.busy_timeout(PATIENCE).map_err(fault(&shown))?;
        Ok(Self { connection, path: shown })
    }

    /// Makes the tables of a new file. One program at a time may look and make them.
    fn begin_file(&self) -> Result<(), RecordsError> {
        let fault = fault(&self.path);
        self.connection.execute_batch("BEGIN IMMEDIATE").map_err(&fault)?;
        let count = self.connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0));
        let made = match count {
            Ok(0) => self.connection.execute_batch(&format!(
                "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {LAYOUT}; {TABLES} COMMIT"
            )),
            Ok(_) => self.connection.execute_batch("COMMIT"),
            Err(error) => Err(error),
        };
        made.map_err(&fault)
    }

    fn check(&self) -> Result<(), RecordsError> {
        let number = |name: &str| {
            let found = self.connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
            found.map_err(fault(&self.path)).map_err(foreign)
        };
        if number("application_id")? != APPLICATION {
            return Err(RecordsError::Foreign { path: self.path.clone() });
        }
        match number("user_version")? {
            LAYOUT => Ok(()),
            found => Err(RecordsError::Layout { path: self.path.clone(), found }),
        }
    }

    /// Begins a run.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn begin(self, frame: &Frame, input: &str) -> Result<Run, RecordsError> {
        let text = "INSERT INTO runs (key, input, tasks, frame) VALUES (?1, ?2, ?3, ?4)";
        let values = params![frame.key(), input, frame.tasks().len() as i64, json(frame)];
        self.connection.execute(text, values).map_err(fault(&self.path))?;
        let id = self.connection.last_insert_rowid();
        Ok(Run { records: self, id })
    }

    /// The newest run with the same data and wishes, or a new one; and whether it was there.
    ///
    /// # Errors
    /// A file that cannot be read or written.
    pub fn resume(self, frame: &Frame, input: &str) -> Result<(Run, bool), RecordsError> {
        let text = "SELECT id FROM runs WHERE key = ?1 ORDER BY id DESC LIMIT 1";
        let found = self.connection.query_row(text, [frame.key()], |row| row.get(0)).optional();
        match found.map_err(fault(&self.path))? {
            Some(id) => Ok((Run { records: self, id }, true)),
            None => Ok((self.begin(frame, input)?, false)),
        }
    }

    /// All runs, oldest first.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn list(&self) -> Result<Vec<RunInfo>, RecordsError> {
        let text = "SELECT id, began, input, tasks, frame, (SELECT count(*) FROM outcomes WHERE run = id)
                    FROM runs ORDER BY id";
        let mut statement = self.connection.prepare(text).map_err(fault(&self.path))?;
        let rows = statement.query_map([], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get::<_, String>(4)?, row.get(5)?))
        });
        let rows: Vec<(i64, String, String, i64, String, i64)> =
            rows.and_then(Iterator::collect).map_err(fault(&self.path))?;
        let info = |(run, began, input, tasks, frame, done): (i64, String, String, i64, String, i64)| {
            let (protocol, methods, fault) = match self.frame(run, &frame) {
                Ok(frame) => {
                    let methods = frame.methods.iter().map(|(name, _)| name.clone()).collect();
                    (frame.protocol.name().to_owned(), methods, None)
                }
                Err(fault) => (String::new(), Vec::new(), Some(fault.to_string())),
            };
            RunInfo { run, began, input, protocol, methods, done: done as usize, tasks: tasks as usize, fault }
        };
        Ok(rows.into_iter().map(info).collect())
    }

    /// The record of a run, made from what is kept, and the table it was about.
    ///
    /// # Errors
    /// No such run, or one of which nothing can be said yet.
    pub fn record(&self, run: i64) -> Result<(EvaluationRecord, String), EvaluateError> {
        let text = "SELECT frame, input FROM runs WHERE id = ?1";
        let found = self.connection.query_row(text, [run], |row| Ok((row.get(0)?, row.get(1)?))).optional();
        let Some((frame, input)): Option<(String, String)> = found.map_err(fault(&self.path))? else {
            return Err(RecordsError::NoRun { path: self.path.clone(), run }.into());
        };
        let frame = self.frame(run, &frame)?;
        let outcomes = self.outcomes(run, &frame)?;
        Ok((summarise(&frame, &outcomes)?, input))
    }

    fn frame(&self, run: i64, text: &str) -> Result<Frame, RecordsError> {
        let frame: Frame = serde_json::from_str(text).map_err(|error| self.damaged(run, error.to_string()))?;
        check::frame(&frame).map_err(|fault| self.damaged(run, fault))?;
        Ok(frame)
    }

    fn outcomes(&self, run: i64, frame: &Frame) -> Result<BTreeMap<Task, Outcome>, RecordsError> {
        let text = "SELECT ranker, part, number, outcome FROM outcomes WHERE run = ?1";
        let mut statement = self.connection.prepare(text).map_err(fault(&self.path))?;
        let rows = statement.query_map([run], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)));
        let rows: Vec<(String, String, i64, String)> = rows.and_then(Iterator::collect).map_err(fault(&self.path))?;
        let one = |(ranker, part, number, text): (String, String, i64, String)| {
            let place = format!("{ranker}, {part} {number}");
            let damaged = |fault: String| self.damaged(run, format!("{place}: {fault}"));
            let outcome = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
            let known = frame.rankers().iter().position(|name| *name == ranker);
            let ranker = known.ok_or_else(|| damaged("nobody of that name takes part".to_owned()))?;
            let part = match part.as_str() {
                "split" => TaskPart::Split(number as usize),
                _ => TaskPart::Half(number as usize),
            };
            let task = Task { ranker, part };
            check::outcome(frame, &task, &outcome).map_err(damaged)?;
            Ok((task, outcome))
        };
        rows.into_iter().map(one).collect()
    }

    fn damaged(&self, run: i64, fault: String) -> RecordsError {
        RecordsError::Damaged { path: self.path.clone(), run, fault }
    }
}

impl Run {
    /// Its number in the file.
    pub fn number(&self) -> i64 {
        self.id
    }

    /// What is done.
    pub(crate) fn outcomes(&self, frame: &Frame) -> Result<BTreeMap<Task, Outcome>, RecordsError> {
        self.records.outcomes(self.id, frame)
    }

    /// Pieces of work that are done.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn done(&self) -> Result<usize, RecordsError> {
        let text = "SELECT count(*) FROM outcomes WHERE run = ?1";
        let count = self.records.connection.query_row(text, [self.id], |row| row.get::<_, i64>(0));
        Ok(count.map_err(fault(&self.records.path))? as usize)
    }

    /// Keeps an outcome, on the disk when this returns.
    pub(crate) fn keep(&mut self, frame: &Frame, task: &Task, outcome: &Outcome) -> Result<(), RecordsError> {
        let (part, number) = match task.part {
            TaskPart::Split(number) => ("split", number),
            TaskPart::Half(number) => ("half", number),
        };
        let text = "INSERT OR REPLACE INTO outcomes (run, ranker, part, number, outcome) VALUES (?1, ?2, ?3, ?4, ?5)";
        let values = params![self.id, frame.rankers()[task.ranker], part, number as i64, json(outcome)];
        self.records.connection.execute(text, values).map_err(fault(&self.records.path))?;
        Ok(())
    }
}

/// Frames and outcomes are made of plain lists, maps, texts and numbers, which always become JSON.
fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// What is no database is not ours.
fn foreign(error: RecordsError) -> RecordsError {
    match error {
        RecordsError::File { source: rusqlite::Error::SqliteFailure(code, _), path }
            if code.code == rusqlite::ErrorCode::NotADatabase =>
        {
            RecordsError::Foreign { path }
        }
        other => other,
    }
}

fn fault(path: &str) -> impl Fn(rusqlite::Error) -> RecordsError {
    let path = path.to_owned();
    move |source| RecordsError::File { path: path.clone(), source }
}

#[cfg(test)]
mod tests;
