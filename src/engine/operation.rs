//! One operation, defined once: the traits a domain implements and the definition that both faces read.

use clap::{ArgMatches, Args};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::{Books, House, No, Page, Reader, Result, Site, Source, Writer};
use crate::present::Sheet;

/// What running an operation may do to the books.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Reads one moment, cannot write.
    Read,
    /// Writes at once.
    Write,
    /// Writes only when confirmed; otherwise runs and is undone, which is its preview.
    Confirm,
    /// Looks after the paper itself, outside the road.
    Upkeep,
}

impl Effect {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Effect::Read => "read",
            Effect::Write => "write",
            Effect::Confirm => "confirm",
            Effect::Upkeep => "upkeep",
        }
    }

    /// What it means for a caller.
    pub const fn meaning(self) -> &'static str {
        match self {
            Effect::Read => "reads, changes nothing",
            Effect::Write => "writes at once",
            Effect::Confirm => "a preview unless confirmed",
            Effect::Upkeep => "looks after the files, outside the journal",
        }
    }
}

/// The same call as words on the terminal and as JSON over MCP.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// What follows the verb.
    pub words: &'static str,
    /// The tool's arguments.
    pub json: &'static str,
}

impl Example {
    /// An example.
    pub const fn new(words: &'static str, json: &'static str) -> Example {
        Example { words, json }
    }
}

/// The keys of a result that holds a file.
#[derive(Clone, Copy, Debug)]
pub struct Gives {
    /// The bytes, in base64.
    pub content: &'static str,
    /// What it is, as a media type.
    pub media_type: &'static str,
}

/// What stands for the tool's name of an operation that only the terminal offers.
const TERMINAL_ONLY: &str = "-";

/// An operation. The type is its arguments; its doc comment is its help, manual page and tool description.
pub trait Operation:
    Args + Serialize + DeserializeOwned + JsonSchema + Clone + Send + 'static
{
    /// What is typed after `wb`.
    const VERB: &'static str;
    /// The tool's name; `-` for what only the terminal offers.
    const TOOL: &'static str;
    /// At least one call that makes sense on the demo's books.
    const EXAMPLES: &'static [Example];
    /// Keys of the result that name things allotted by this very call; a preview leaves them out.
    const ALLOTTED: &'static [&'static str] = &[];
    /// Whether the same call made twice does what it does once.
    const IDEMPOTENT: bool = false;
    /// Whether what it makes for good stands on sums of the tables: a confirmed run verifies them first.
    const PROVEN: bool = false;
    /// The kinds of things whose facts, from other domains, stand in the result under keys of their own.
    const SHOWS: &'static [&'static str] = &[];
    /// The most bytes that a file named on the terminal may have.
    const FILE_BYTES_MAX: u64 = Source::BYTES_MAX;
    /// Where its result stands as a resource, as a URI template: arguments in braces, those of the query after `?`.
    const RESOURCE: Option<&'static str> = None;
    /// The keys of a result that holds a file.
    const GIVES: Option<Gives> = None;
    /// What it gives.
    type Output: Serialize + JsonSchema + 'static;

    /// The page that shows a result to a person; `None` for the generic page made from the result itself.
    fn sheet(_output: &Self::Output, _page: &Page) -> Result<Option<Sheet>> {
        Ok(None)
    }

    /// The arguments that are files.
    fn sources(&mut self) -> Vec<&mut Source> {
        Vec::new()
    }
}

/// An operation that only reads.
pub trait Read: Operation {
    /// What it gives where there are no books, for an operation that asks nothing of them.
    #[expect(
        clippy::type_complexity,
        reason = "a name for the type could not name Self"
    )]
    const ALONE: Option<fn(Self) -> Result<Self::Output>> = None;
    /// Answers from one moment of the books.
    fn run(self, books: &Reader<'_>) -> Result<Self::Output>;
}

/// An operation that records events at once.
pub trait Write: Operation {
    /// Records what happens, or refuses.
    fn run(self, books: &mut Writer<'_>) -> Result<Self::Output>;
}

/// An operation that records events when a person has confirmed what it comes to.
pub trait Confirm: Operation {
    /// Records what happens, or refuses; says what the person agrees to.
    fn run(self, books: &mut Writer<'_>) -> Result<(Self::Output, Stake)>;
}

/// What a person agrees to when they confirm: the exact outcome, without numbers that others may still move.
pub struct Stake(pub(super) Value);

impl Stake {
    /// The outcome as it goes into the digest of the preview.
    pub fn of(outcome: &impl Serialize) -> Result<Stake> {
        serde_json::to_value(outcome)
            .map(Stake)
            .map_err(|e| No::Fault(format!("writing a preview: {e}")))
    }
}

/// An operation on the paper itself.
pub trait Upkeep: Operation {
    /// Whether this very call works on books that are not open: it makes some, or mends what does not open.
    fn on_site(&self) -> bool {
        false
    }
    /// Does it.
    fn run(self, house: &mut House<'_>) -> Result<Self::Output>;
    /// Does a call that is on site, and gives the books that come of it.
    fn run_on_site(self, _site: &Site<'_>) -> Result<(Self::Output, Books)> {
        Err(No::Fault(format!("{} needs open books", Self::VERB)))
    }
}

/// Arguments that were read by a face, ready to run, more than once if need be.
pub struct Call {
    /// The arguments as JSON.
    pub args: Value,
    pub(super) run: Run,
    alone: Option<Box<RunAlone>>,
}

impl Call {
    /// The result where there are no books; `None` for a call that needs some.
    pub fn without_books(&self) -> Option<Result<Map<String, Value>>> {
        self.alone.as_ref().map(|run| run())
    }

    /// Makes its change within a command that is under way.
    pub(super) fn write(&self, writer: &mut Writer<'_>) -> Result<()> {
        match &self.run {
            Run::Write(run) => run(writer).map(|_| ()),
            _ => Err(No::Fault(
                "a call that changes nothing as part of a change".to_owned(),
            )),
        }
    }
}

/// A result, as JSON and as the page that shows it.
pub(super) struct Done {
    pub value: Map<String, Value>,
    pub show: Show,
    /// What a confirmation of it agrees to; none for what needs no confirmation.
    pub stake: Option<Stake>,
}

/// Makes the page of a result.
pub(super) type Show = Box<dyn Fn(&Page) -> Result<Option<Sheet>>>;
type RunAlone = dyn Fn() -> Result<Map<String, Value>> + Send;
type RunRead = dyn Fn(&Reader<'_>) -> Result<Done> + Send;
type RunWrite = dyn Fn(&mut Writer<'_>) -> Result<Done> + Send;
type RunUpkeep = dyn Fn(&mut House<'_>) -> Result<Done> + Send;
type RunSite = dyn Fn(&Site<'_>) -> Result<(Done, Books)> + Send;

pub(super) enum Run {
    Read(Box<RunRead>),
    Write(Box<RunWrite>),
    Upkeep(Box<RunUpkeep>),
    Site(Box<RunSite>),
}

/// An operation with its types erased: plain function pointers, so that a list of them costs nothing at the start.
#[derive(Clone, Copy)]
pub struct OpDef {
    /// What is typed after `wb`.
    pub verb: &'static str,
    /// The tool's name, `-` for none.
    pub tool: &'static str,
    /// What it may do.
    pub effect: Effect,
    /// Examples.
    pub examples: &'static [Example],
    /// Result keys that a preview leaves out.
    pub allotted: &'static [&'static str],
    /// Whether twice is once.
    pub idempotent: bool,
    /// The kinds of things whose facts from other domains it shows.
    pub shows: &'static [&'static str],
    /// Whether a confirmed run verifies the tables first.
    pub(super) proven: bool,
    /// Where its result stands as a resource, if it does.
    pub resource: Option<&'static str>,
    /// The keys of a result that holds a file.
    pub gives: Option<Gives>,
    /// Adds the arguments, and the doc comment as help, to a command.
    pub augment: fn(clap::Command) -> clap::Command,
    pub(super) arguments: fn() -> Map<String, Value>,
    pub(super) result: fn() -> Map<String, Value>,
    pub(super) matches: fn(&ArgMatches, &Map<String, Value>) -> Result<Call>,
    pub(super) json: fn(Value) -> serde_json::Result<Call>,
}

impl OpDef {
    /// An operation that only reads.
    pub const fn read<T: Read>() -> OpDef {
        let mut def = OpDef::of::<T>(Effect::Read);
        def.matches = |m, given| from_words::<T>(m, given, call_read);
        def.json = |v| from_value(v, call_read::<T>);
        def
    }

    /// An operation that records events at once.
    pub const fn write<T: Write>() -> OpDef {
        let mut def = OpDef::of::<T>(Effect::Write);
        def.matches = |m, given| from_words::<T>(m, given, call_write);
        def.json = |v| from_value(v, call_write::<T>);
        def
    }

    /// An operation that records events when confirmed.
    pub const fn confirm<T: Confirm>() -> OpDef {
        let mut def = OpDef::of::<T>(Effect::Confirm);
        def.matches = |m, given| from_words::<T>(m, given, call_confirm);
        def.json = |v| from_value(v, call_confirm::<T>);
        def
    }

    /// An operation on the paper itself.
    pub const fn upkeep<T: Upkeep>() -> OpDef {
        let mut def = OpDef::of::<T>(Effect::Upkeep);
        def.matches = |m, given| from_words::<T>(m, given, call_upkeep);
        def.json = |v| from_value(v, call_upkeep::<T>);
        def
    }

    const fn of<T: Operation>(effect: Effect) -> OpDef {
        OpDef {
            verb: T::VERB,
            tool: T::TOOL,
            effect,
            examples: T::EXAMPLES,
            allotted: T::ALLOTTED,
            idempotent: T::IDEMPOTENT,
            proven: T::PROVEN,
            shows: T::SHOWS,
            resource: T::RESOURCE,
            gives: T::GIVES,
            augment: T::augment_args,
            arguments: super::schema::of_arguments::<T>,
            result: super::schema::of_result::<T::Output>,
            matches: |_, _| Err(No::Fault("an operation without an effect".to_owned())),
            json: |_| Err(serde::de::Error::custom("an operation without an effect")),
        }
    }

    /// The group it is listed under, and its own word; an operation without a group stands alone.
    pub fn group_and_word(&self) -> (Option<&'static str>, &'static str) {
        match self.verb.split_once(' ') {
            Some((group, word)) => (Some(group), word),
            None => (None, self.verb),
        }
    }

    /// Whether it is a tool, and not only a verb of the terminal.
    pub fn is_tool(&self) -> bool {
        self.tool != TERMINAL_ONLY
    }

    /// The tool's name for clients that refuse dots.
    pub fn underscored(&self) -> String {
        self.tool.replace('.', "_")
    }

    /// First line and whole text of its doc comment.
    pub fn description(&self) -> (String, String) {
        let command = (self.augment)(clap::Command::new(self.verb));
        let short = command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        let long = command
            .get_long_about()
            .map_or_else(|| short.clone(), ToString::to_string);
        (short, long)
    }

    /// Whether it is one of the effects that the road carries to the journal.
    pub fn writes(&self) -> bool {
        matches!(self.effect, Effect::Write | Effect::Confirm)
    }

    /// The call that words on the terminal make, with what was `given` as JSON in the place of some of them. Files that they
    /// name are read.
    pub fn call_from_words(
        &self,
        matches: &ArgMatches,
        given: &Map<String, Value>,
    ) -> Result<Call> {
        (self.matches)(matches, given)
    }
}

fn from_words<T: Operation>(
    matches: &ArgMatches,
    given: &Map<String, Value>,
    call: fn(T) -> Result<Call>,
) -> Result<Call> {
    let mut operation = T::from_arg_matches(matches)
        .map_err(|e| No::argument("", e.to_string().trim().to_owned()))?;
    for source in operation.sources() {
        source.load(T::FILE_BYTES_MAX)?;
    }
    if given.is_empty() {
        return call(operation);
    }
    call(with_given(operation, given)?)
}

/// An operation with some of its arguments given as JSON. The files of the others stand in no JSON, so they are put back.
fn with_given<T: Operation>(mut operation: T, given: &Map<String, Value>) -> Result<T> {
    let mut args = to_map(&operation)?;
    let sources: Vec<Source> = operation.sources().into_iter().map(|s| s.clone()).collect();
    for source in &sources {
        let told = serde_json::to_value(source).ok();
        for value in args
            .values_mut()
            .filter(|value| Some(&**value) == told.as_ref())
        {
            *value = Value::from("");
        }
    }
    args.extend(given.clone());
    let unread = |e: serde_json::Error| {
        let names: Vec<&str> = given.keys().map(String::as_str).collect();
        No::argument(names.first().copied().unwrap_or_default(), e.to_string())
    };
    let mut read: T = serde_json::from_value(Value::Object(args)).map_err(unread)?;
    for (place, source) in read.sources().into_iter().zip(sources) {
        *place = source;
    }
    Ok(read)
}

fn from_value<T: Operation>(value: Value, call: fn(T) -> Result<Call>) -> serde_json::Result<Call> {
    let operation = serde_json::from_value(value)?;
    call(operation).map_err(|no| serde::de::Error::custom(no.sentences().0.join("; ")))
}

/// An argument or result as JSON. Both are structs of our own whose maps have text keys, so this cannot fail for them.
fn to_map(value: &impl Serialize) -> Result<Map<String, Value>> {
    match serde_json::to_value(value) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err(No::Fault("a result that is no object".to_owned())),
        Err(e) => Err(No::Fault(format!("writing a result: {e}"))),
    }
}

fn done<T: Operation>(output: T::Output) -> Result<Done> {
    let value = to_map(&output)?;
    Ok(Done {
        value,
        show: Box::new(move |page| T::sheet(&output, page)),
        stake: None,
    })
}

fn call<T: Serialize>(operation: &T, run: Run) -> Result<Call> {
    Ok(Call {
        args: to_map(operation).map(Value::Object)?,
        alone: None,
        run,
    })
}

fn call_read<T: Read>(operation: T) -> Result<Call> {
    let again = operation.clone();
    let run = move |books: &Reader<'_>| done::<T>(again.clone().run(books)?);
    let mut call = call(&operation, Run::Read(Box::new(run)))?;
    if let Some(alone) = T::ALONE {
        call.alone = Some(Box::new(move || to_map(&alone(operation.clone())?)));
    }
    Ok(call)
}
fn call_write<T: Write>(operation: T) -> Result<Call> {
    let again = operation.clone();
    let run = move |books: &mut Writer<'_>| done::<T>(again.clone().run(books)?);
    call(&operation, Run::Write(Box::new(run)))
}
fn call_confirm<T: Confirm>(operation: T) -> Result<Call> {
    let again = operation.clone();
    let run = move |books: &mut Writer<'_>| {
        let (output, stake) = again.clone().run(books)?;
        let done = done::<T>(output)?;
        Ok(Done {
            stake: Some(stake),
            ..done
        })
    };
    call(&operation, Run::Write(Box::new(run)))
}
fn call_upkeep<T: Upkeep>(operation: T) -> Result<Call> {
    let again = operation.clone();
    if operation.on_site() {
        let run = move |site: &Site<'_>| {
            let (output, books) = again.clone().run_on_site(site)?;
            Ok((done::<T>(output)?, books))
        };
        return call(&operation, Run::Site(Box::new(run)));
    }
    let run = move |house: &mut House<'_>| done::<T>(again.clone().run(house)?);
    call(&operation, Run::Upkeep(Box::new(run)))
}
