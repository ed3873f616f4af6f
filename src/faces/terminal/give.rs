//! A file that a result holds, put where the command line says: `--output FILE`, or `-` for standard output.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use serde_json::Value;

use super::{Session, Stop};
use crate::{
    engine::{Answer, Content, No, OpDef, Result},
    model::{Refusal, quoted},
    store::Paths,
    world::place::{Place as NewFile, PlaceFault},
};

/// Adds the arguments that say where the file goes.
pub fn augment(op: &OpDef, command: Command) -> Command {
    if op.gives.is_none() {
        return command;
    }
    command
        .arg(
            Arg::new("output")
                .long("output")
                .short('o')
                .value_name("FILE")
                .value_hint(ValueHint::FilePath)
                .value_parser(value_parser!(PathBuf))
                .help("Write the file itself here, or to standard output with -"),
        )
        .arg(
            Arg::new("force")
                .long("force")
                .requires("output")
                .action(ArgAction::SetTrue)
                .help("Replace a file that is there already"),
        )
}

/// Where the file is to go, when the command line says so.
pub struct Place<'m> {
    path: &'m Path,
    force: bool,
}

impl<'m> Place<'m> {
    /// What the command line says.
    pub fn of(op: &OpDef, matches: &'m ArgMatches) -> Option<Place<'m>> {
        op.gives?;
        let path = matches.get_one::<PathBuf>("output")?;
        Some(Place {
            path,
            force: matches.get_flag("force"),
        })
    }

    /// Whether the file itself takes the place of the result on standard output.
    pub fn is_standard_output(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// The place as it was typed, for a person.
    pub fn name(&self) -> String {
        quoted(&self.path.to_string_lossy())
    }

    /// Writes the file of a result.
    ///
    /// Refuses: a file that is there already, unless it is to be replaced; a place inside any books, their top folder and their
    /// data too, or in the folder of remembered heads.
    pub fn put(
        &self,
        session: &mut Session<'_>,
        books: &Paths,
        (op, answer): (&OpDef, &Answer),
    ) -> Result<(), Stop> {
        let key = op.gives.map_or("", |gives| gives.content);
        let text = answer.value.get(key).and_then(Value::as_str);
        let bytes = text
            .and_then(Content::decode)
            .ok_or_else(|| No::Fault(format!("{} gives no file under {key}", op.verb)))?;
        if self.is_standard_output() {
            return session.console.bytes(&bytes);
        }
        let state = session.world.state_folder();
        self.write(&bytes, (books, state)).map_err(Stop::from)
    }

    fn write(&self, bytes: &[u8], (books, state): (&Paths, Option<&Path>)) -> Result<()> {
        let shown = quoted(&self.path.to_string_lossy());
        let mut closed = vec![&*books.root, &*books.data];
        closed.extend(state);
        let place = NewFile::outside(self.path, &closed).and_then(|place| {
            place.hold_unmarked(&Paths::marks())?;
            Ok(place)
        });
        let written = place.and_then(|place| match self.force {
            true => place.replace(bytes),
            false => place.write_new(bytes),
        });
        written.map_err(|fault| match fault {
            PlaceFault::Taken => {
                let message = format!("{shown} is there already; nothing was written");
                Refusal::new("output_exists", message)
                    .hint("name another file, or add --force to replace it")
                    .into()
            }
            PlaceFault::Io(e) => {
                No::Unavailable(Refusal::new("unavailable", format!("writing {shown}: {e}")))
            }
            other => No::argument("output", format!("{shown}: {other}")),
        })
    }
}
