//! Ctrl-C: unfinished files are deleted, the terminal echoes again, and the process ends with code 130.
//!
//! A thread waits for the signal, so that it works whatever the program waits for. Files being written are
//! listed here from before they exist until they have their final names; both changes happen under one lock, which
//! the thread takes before it ends the process.

use super::exit::Kind;
use rustix::termios::{OptionalActions, Termios, tcsetattr};
use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A terminal that does not echo, and how it was before.
static TERMINAL: Mutex<Option<(File, Termios)>> = Mutex::new(None);

/// Remembers how a terminal was, before it is changed.
pub fn on_terminal(terminal: File, before: Termios) {
    *TERMINAL.lock().unwrap_or_else(PoisonError::into_inner) = Some((terminal, before));
}

/// Puts the terminal back, if one was changed.
pub fn restore_terminal() {
    if let Some((terminal, before)) = TERMINAL.lock().unwrap_or_else(PoisonError::into_inner).take() {
        let _ = tcsetattr(terminal, OptionalActions::Now, &before);
    }
}

/// The list of unfinished files; while it is held, a signal waits.
pub struct Unfinished(MutexGuard<'static, Vec<PathBuf>>);

/// Takes the list.
pub fn unfinished() -> Unfinished {
    Unfinished(UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Unfinished {
    /// Adds a file that has been created.
    pub fn add(&mut self, path: &Path) {
        self.0.push(path.to_owned());
    }

    /// Takes a file off that has its final name, or is gone.
    pub fn remove(&mut self, path: &Path) {
        self.0.retain(|listed| listed != path);
    }
}

/// Whether the command asks for Ctrl-C itself, and whether it came.
static IS_DEFERRED: AtomicBool = AtomicBool::new(false);
static CAME: AtomicBool = AtomicBool::new(false);

/// From now on the first Ctrl-C ends nothing: the command asks [`came`] and ends by itself. The second one does.
pub fn defer() {
    IS_DEFERRED.store(true, Ordering::SeqCst);
}

/// Whether Ctrl-C came since [`defer`].
pub fn came() -> bool {
    CAME.load(Ordering::SeqCst)
}

/// Begins to wait for signals. Also makes a write beyond the limit of file sizes an error instead of a signal.
///
/// # Errors
/// Where the system gives no thread or no handler.
pub fn watch() -> io::Result<()> {
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            if signal == SIGINT && IS_DEFERRED.load(Ordering::SeqCst) && !CAME.swap(true, Ordering::SeqCst) {
                continue;
            }
            restore_terminal();
            let list = unfinished();
            for path in list.0.iter() {
                let _ = std::fs::remove_file(path);
            }
            if signal == SIGINT {
                std::process::exit(i32::from(Kind::Interrupted.code()));
            }
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    })?;
    Ok(())
}
