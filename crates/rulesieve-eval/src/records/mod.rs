//! Saved runs in an SQLite file: the specification of each run, and the result of each task as soon as it is complete. Interrupted
//! runs can be resumed, and records can be computed from the file alone.

mod check;
mod error;

pub use error::RecordsError;

use crate::evaluate::{EvaluateError, EvaluationRecord, RunSpec, Task, TaskPart, TaskResult, summarise};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Identifies files of this program: "rsiv".
const APPLICATION: i32 = 0x7273_6976;
/// The version of the tables. In layout 1, the keys of runs depend on the version of the program.
const LAYOUT: i32 = 2;
/// Maximum time to wait for another program that writes to the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// Names of tables and columns never change, so that earlier files can be read.
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

/// A file of saved runs.
pub struct Records {
    connection: Connection,
    path: String,
}

/// A run, as it is listed.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct RunInfo {
    /// Its number.
    pub run: i64,
    /// The time of its start, in UTC.
    pub began: String,
    /// The evaluated table, as the user named it.
    pub input: String,
    /// The protocol.
    pub protocol: String,
    /// The methods.
    pub methods: Vec<String>,
    /// Number of completed tasks.
    pub done: usize,
    /// Number of all tasks.
    pub tasks: usize,
    /// Why it cannot be shown, if it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// A run that results can be added to.
pub struct Run {
    records: Records,
    id: i64,
}

impl Records {
    /// Opens or creates a file.
    ///
    /// # Errors
    /// Fails for other kinds of files, or if the file cannot be written.
    pub fn open(path: &Path) -> Result<Self, RecordsError> {
        let records = Self::connect(path, OpenFlags::default())?;
        records.create_tables().map_err(foreign)?;
        if records.check()? < LAYOUT {
            records.upgrade().map_err(fault(&records.path))?;
        }
        Ok(records)
    }

    /// Opens a file for reading.
    ///
    /// # Errors
    /// Fails for other kinds of files, or if the file cannot be read.
    pub fn read(path: &Path) -> Result<Self, RecordsError> {
        let records = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        records.check()?;
        Ok(records)
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Self, RecordsError> {
        let shown = path.display().to_string();
        let connection = Connection::open_with_flags(path, flags).map_err(fault(&shown))?;
        connection.busy_timeout(BUSY_TIMEOUT).map_err(fault(&shown))?;
        Ok(Self { connection, path: shown })
    }

    /// Creates the tables of a new file, under a lock.
    fn create_tables(&self) -> Result<(), RecordsError> {
        let fault = fault(&self.path);
        self.connection.execute_batch("BEGIN IMMEDIATE").map_err(&fault)?;
        let count = self.connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0));
        let created = match count {
            Ok(0) => self.connection.execute_batch(&format!(
                "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {LAYOUT}; {TABLES} COMMIT"
            )),
            Ok(_) => self.connection.execute_batch("COMMIT"),
            Err(error) => Err(error),
        };
        created.map_err(&fault)
    }

    /// Returns the layout of the file.
    fn check(&self) -> Result<i32, RecordsError> {
        let number = |name: &str| {
            let found = self.connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
            found.map_err(fault(&self.path)).map_err(foreign)
        };
        if number("application_id")? != APPLICATION {
            return Err(RecordsError::Foreign { path: self.path.clone() });
        }
        match number("user_version")? {
            known @ 1..=LAYOUT => Ok(known),
            found => Err(RecordsError::Layout { path: self.path.clone(), found }),
        }
    }

    /// Recomputes the keys of layout 1. Unreadable runs are not changed.
    fn upgrade(&self) -> rusqlite::Result<()> {
        let transaction = Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)?;
        let mut statement = transaction.prepare("SELECT id, frame FROM runs")?;
        let runs = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        for (id, text) in runs.collect::<rusqlite::Result<Vec<(i64, String)>>>()? {
            if let Ok(spec) = serde_json::from_str::<RunSpec>(&text) {
                transaction.execute("UPDATE runs SET key = ?1 WHERE id = ?2", params![spec.key(), id])?;
            }
        }
        drop(statement);
        transaction.pragma_update(None, "user_version", LAYOUT)?;
        transaction.commit()
    }

    /// Starts a run.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn begin(self, spec: &RunSpec, input: &str) -> Result<Run, RecordsError> {
        let text = "INSERT INTO runs (key, input, tasks, frame) VALUES (?1, ?2, ?3, ?4)";
        let values = params![spec.key(), input, spec.tasks().len() as i64, json(spec)];
        self.connection.execute(text, values).map_err(fault(&self.path))?;
        let id = self.connection.last_insert_rowid();
        Ok(Run { records: self, id })
    }

    /// Returns the newest run with the same data and options, or starts one; and whether it existed.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written.
    pub fn resume(self, spec: &RunSpec, input: &str) -> Result<(Run, bool), RecordsError> {
        let text = "SELECT id FROM runs WHERE key = ?1 ORDER BY id DESC LIMIT 1";
        let found = self.connection.query_row(text, [spec.key()], |row| row.get(0)).optional();
        match found.map_err(fault(&self.path))? {
            Some(id) => Ok((Run { records: self, id }, true)),
            None => Ok((self.begin(spec, input)?, false)),
        }
    }

    /// Lists all runs, oldest first.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn list(&self) -> Result<Vec<RunInfo>, RecordsError> {
        let text = "SELECT id, began, input, tasks, frame, (SELECT count(*) FROM outcomes WHERE run = id)
                    FROM runs ORDER BY id";
        let mut statement = self.connection.prepare(text).map_err(fault(&self.path))?;
        let rows = statement.query_map([], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get::<_, String>(4)?, row.get(5)?))
        });
        let rows: Vec<(i64, String, String, i64, String, i64)> =
            rows.and_then(Iterator::collect).map_err(fault(&self.path))?;
        let info = |(run, began, input, tasks, spec, done): (i64, String, String, i64, String, i64)| {
            let (protocol, methods, fault) = match self.spec(run, &spec) {
                Ok(spec) => {
                    let methods = spec.methods.iter().map(|(name, _)| name.clone()).collect();
                    (spec.protocol.name().to_owned(), methods, None)
                }
                Err(fault) => (String::new(), Vec::new(), Some(fault.to_string())),
            };
            RunInfo { run, began, input, protocol, methods, done: done as usize, tasks: tasks as usize, fault }
        };
        Ok(rows.into_iter().map(info).collect())
    }

    /// Returns the record of a run, and the name of its table.
    ///
    /// # Errors
    /// Fails if the run does not exist, or has no complete split.
    pub fn record(&self, run: i64) -> Result<(EvaluationRecord, String), EvaluateError> {
        let text = "SELECT frame, input FROM runs WHERE id = ?1";
        let found = self.connection.query_row(text, [run], |row| Ok((row.get(0)?, row.get(1)?))).optional();
        let Some((spec, input)): Option<(String, String)> = found.map_err(fault(&self.path))? else {
            return Err(RecordsError::NoRun { path: self.path.clone(), run }.into());
        };
        let spec = self.spec(run, &spec)?;
        let results = self.results(run, &spec)?;
        Ok((summarise(&spec, &results)?, input))
    }

    fn spec(&self, run: i64, text: &str) -> Result<RunSpec, RecordsError> {
        let spec: RunSpec = serde_json::from_str(text).map_err(|error| self.damaged(run, error.to_string()))?;
        check::spec(&spec).map_err(|fault| self.damaged(run, fault))?;
        Ok(spec)
    }

    fn results(&self, run: i64, spec: &RunSpec) -> Result<BTreeMap<Task, TaskResult>, RecordsError> {
        let text = "SELECT ranker, part, number, outcome FROM outcomes WHERE run = ?1";
        let mut statement = self.connection.prepare(text).map_err(fault(&self.path))?;
        let rows = statement.query_map([run], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)));
        let rows: Vec<(String, String, i64, String)> = rows.and_then(Iterator::collect).map_err(fault(&self.path))?;
        let one = |(ranker, part, number, text): (String, String, i64, String)| {
            let name = format!("{ranker}, {part} {number}");
            let damaged = |fault: String| self.damaged(run, format!("{name}: {fault}"));
            let result = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
            let known = spec.rankers().iter().position(|name| *name == ranker);
            let ranker = known.ok_or_else(|| damaged("it is of an unknown method".to_owned()))?;
            let part = match part.as_str() {
                "split" => TaskPart::Split(number as usize),
                _ => TaskPart::Subsample(number as usize),
            };
            let task = Task { ranker, part };
            check::result(spec, &task, &result).map_err(damaged)?;
            Ok((task, result))
        };
        rows.into_iter().map(one).collect()
    }

    fn damaged(&self, run: i64, fault: String) -> RecordsError {
        RecordsError::Damaged { path: self.path.clone(), run, fault }
    }
}

impl Run {
    /// Returns its number in the file.
    pub fn number(&self) -> i64 {
        self.id
    }

    /// Returns the results of all completed tasks.
    pub(crate) fn results(&self, spec: &RunSpec) -> Result<BTreeMap<Task, TaskResult>, RecordsError> {
        self.records.results(self.id, spec)
    }

    /// Returns the number of completed tasks.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn done(&self) -> Result<usize, RecordsError> {
        let text = "SELECT count(*) FROM outcomes WHERE run = ?1";
        let count = self.records.connection.query_row(text, [self.id], |row| row.get::<_, i64>(0));
        Ok(count.map_err(fault(&self.records.path))? as usize)
    }

    /// Saves a result to the disk.
    pub(crate) fn save(&mut self, spec: &RunSpec, task: &Task, result: &TaskResult) -> Result<(), RecordsError> {
        let (part, number) = match task.part {
            TaskPart::Split(number) => ("split", number),
            TaskPart::Subsample(number) => ("half", number),
        };
        let text = "INSERT OR REPLACE INTO outcomes (run, ranker, part, number, outcome) VALUES (?1, ?2, ?3, ?4, ?5)";
        let values = params![self.id, spec.rankers()[task.ranker], part, number as i64, json(result)];
        self.records.connection.execute(text, values).map_err(fault(&self.records.path))?;
        Ok(())
    }
}

/// Serializes lists, maps, texts and numbers, which cannot fail.
fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Reports a file that is not a database as another kind of file.
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
