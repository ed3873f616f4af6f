//! A terminal of the test's own: `wb` runs at it, the test types, and the screen is what a person would see. It knows as much
//! of a terminal as questions need; whatever else is sent to it fails the test.

use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    path::Path,
    process::{Child, Command, ExitStatus},
    sync::mpsc::{self, Receiver},
    thread,
    time::{Duration, Instant},
};

use rustix::{
    process::{Pid, Signal, kill_process},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize},
};

/// How long a program may take to say what is waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// A terminal with `wb` at it.
pub struct Pty {
    keys: File,
    /// The terminal's own end, kept so that its state can be looked at after the program.
    line: File,
    sent: Receiver<Vec<u8>>,
    /// All that was sent to the screen.
    pub raw: String,
    /// How much had been sent when the last answer was typed.
    answered: usize,
    columns: usize,
    child: Child,
}

impl Pty {
    /// Starts a command at a terminal of so many columns, where keys were typed before. What it prints goes to the screen too.
    pub fn start(mut command: Command, columns: u16, ahead: &str) -> Pty {
        let keys = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&keys).expect("granted");
        unlockpt(&keys).expect("unlocked");
        let size = Winsize {
            ws_row: 24,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&keys, size).expect("a size");
        let name = ptsname(&keys, Vec::new()).expect("a name");
        let path = Path::new(name.to_str().expect("UTF-8"));
        let open = || OpenOptions::new().read(true).write(true).open(path);
        let line = open().expect("the terminal's end");
        for stream in ["in", "out", "err"] {
            let end = line.try_clone().expect("a second handle");
            match stream {
                "in" => command.stdin(end),
                "out" => command.stdout(end),
                _ => command.stderr(end),
            };
        }
        let mut keys = File::from(keys);
        keys.write_all(ahead.as_bytes()).expect("keys");
        let child = command.spawn().expect("it runs");
        let mut screen = keys.try_clone().expect("a second handle");
        let (sender, sent) = mpsc::channel();
        thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Ok(count @ 1..) = screen.read(&mut piece) {
                if sender.send(piece[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Pty {
            keys,
            line,
            sent,
            raw: String::new(),
            answered: 0,
            columns: usize::from(columns),
            child,
        }
    }

    /// Waits until the last line of the screen is a prompt.
    fn awaits(&mut self, prompt: &str, raw: bool) {
        let until = Instant::now() + PATIENCE;
        let waits = |pty: &Pty| {
            let answered = pty.raw.len() > pty.answered;
            let stands = pty.screen().last().is_some_and(|line| line == prompt);
            answered && stands && pty.raw_mode() == raw
        };
        while !waits(self) {
            self.take(until);
        }
        self.answered = self.raw.len();
    }

    /// Whether the terminal hands over each key, as it does while a line is edited.
    fn raw_mode(&self) -> bool {
        let modes = tcgetattr(&self.line).expect("its state").local_modes;
        !modes.contains(LocalModes::ICANON)
    }

    /// Types at a prompt at which the program edits the line.
    pub fn types(&mut self, prompt: &str, keys: &str) {
        self.awaits(prompt, true);
        self.keys.write_all(keys.as_bytes()).expect("keys");
    }

    /// Sends the program a signal at a prompt at which it edits the line.
    pub fn signalled(&mut self, prompt: &str, signal: Signal) {
        self.awaits(prompt, true);
        kill_process(Pid::from_child(&self.child), signal).expect("a signal");
    }

    /// Types at a prompt at which the kernel does.
    pub fn types_plainly(&mut self, prompt: &str, keys: &str) {
        self.awaits(prompt, false);
        self.keys.write_all(keys.as_bytes()).expect("keys");
    }

    /// Waits for the end of the program.
    pub fn ends(&mut self) -> ExitStatus {
        let until = Instant::now() + PATIENCE;
        loop {
            let ended = self.child.try_wait().expect("a child");
            while let Ok(bytes) = self.sent.recv_timeout(Duration::from_millis(50)) {
                self.raw.push_str(&String::from_utf8_lossy(&bytes));
            }
            if let Some(status) = ended {
                return status;
            }
            self.patient(until);
        }
    }

    /// Whether lines are edited by the kernel and echoed, as the program found it.
    pub fn is_as_found(&self) -> bool {
        let modes = tcgetattr(&self.line).expect("its state").local_modes;
        modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
    }

    fn take(&mut self, until: Instant) {
        if let Ok(bytes) = self.sent.recv_timeout(Duration::from_millis(20)) {
            self.raw.push_str(&String::from_utf8_lossy(&bytes));
        }
        self.patient(until);
    }

    fn patient(&mut self, until: Instant) {
        if Instant::now() > until {
            self.child.kill().expect("it ends");
            panic!("too long:\n{}", self.screen().join("\n"));
        }
    }

    /// The lines of the screen, without the blanks at their ends.
    pub fn screen(&self) -> Vec<String> {
        let mut rows: Vec<Vec<char>> = vec![Vec::new()];
        let (mut row, mut column) = (0_usize, 0_usize);
        let mut rest = self.raw.as_str();
        while let Some(c) = rest.chars().next() {
            rest = &rest[c.len_utf8()..];
            match c {
                '\r' => column = 0,
                '\n' => row += 1,
                '\u{1b}' => {
                    let body = rest.strip_prefix('[').expect("a control sequence");
                    let end = body.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(0);
                    let count = body[..end].parse().unwrap_or(1);
                    let by = if body.starts_with(char::is_alphabetic) {
                        1
                    } else {
                        count
                    };
                    match &body[end..=end] {
                        "A" => row = row.saturating_sub(by),
                        "B" => row += by,
                        "C" => column = (column + by).min(self.columns - 1),
                        "D" => column = column.min(self.columns - 1).saturating_sub(by),
                        "J" => {
                            rows.truncate(row + 1);
                            rows[row].truncate(column);
                        }
                        "K" if body.starts_with('2') => rows[row].clear(),
                        "K" => rows[row].truncate(column),
                        other => panic!("a sequence that ends with {other}: {:?}", self.raw),
                    }
                    rest = &body[end + 1..];
                }
                c => {
                    if column == self.columns {
                        (row, column) = (row + 1, 0);
                    }
                    rows.resize(rows.len().max(row + 1), Vec::new());
                    let cells = &mut rows[row];
                    cells.resize(cells.len().max(column + 1), ' ');
                    cells[column] = c;
                    column += 1;
                }
            }
            rows.resize(rows.len().max(row + 1), Vec::new());
        }
        rows.truncate(row + 1);
        let text = |row: Vec<char>| row.into_iter().collect::<String>().trim_end().to_owned();
        rows.into_iter().map(text).collect()
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        if self.child.try_wait().is_ok_and(|ended| ended.is_none()) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
