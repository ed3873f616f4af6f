//! The MCP face: the books as tools over JSON-RPC. What an operation does is not decided here.

mod hints;
mod resources;
mod server;
mod thread;
mod tools;
pub mod wire;

use std::io::{self, Write};

use crate::{
    engine::{Domain, No, Result},
    model::visible,
    store::Paths,
    world::World,
};

use self::{hints::Names, server::Server, thread::BooksThread, tools::Toolbox, wire::Wire};

pub use self::thread::result_bytes_max;
pub use self::tools::{tool, toolset};

/// Which books are served, and how much of what they offer.
#[derive(Clone)]
pub struct Options {
    /// Where the books lie.
    pub paths: Paths,
    /// The domains whose operations are the tools, in the order in which they are listed.
    pub domains: &'static [&'static Domain],
    /// The toolsets to offer; `None` for all.
    pub tools: Option<Vec<String>>,
    /// Whether only operations that read are offered. Upkeep is not among them, because verification may mend tables.
    pub read_only: bool,
    /// Whether names are listed with underscores for dots. A call may use either spelling.
    pub underscore: bool,
}

/// Serves the books over standard input and output until the client goes.
///
/// The journal and tables are fully verified behind the first calls: `initialize` and `tools/list` do not wait for it.
/// What it finds is told on standard error, as everything that is not protocol.
///
/// Refuses, before anything is served: a toolset that does not exist; books that cannot be opened.
pub fn serve(options: Options, world: World) -> Result<()> {
    let (server, books) = start(options, world)?;
    let wire = Wire::stdio().map_err(|e| No::Fault(format!("starting to serve: {e}")))?;
    run(server, books, wire)
}

/// The same over any wire.
pub fn serve_over(options: Options, world: World, wire: Wire) -> Result<()> {
    let (server, books) = start(options, world)?;
    run(server, books, wire)
}

fn start(options: Options, world: World) -> Result<(Server, BooksThread)> {
    let tools = Toolbox::new(&options)?;
    let names = Names {
        domains: options.domains,
        underscore: options.underscore,
    };
    let books = BooksThread::open(options.paths, names, world)?;
    Ok((Server::new(tools, names, books.desk()), books))
}

/// A multi-thread runtime would hand pipelined calls to the books out of order.
fn run(server: Server, books: BooksThread, wire: Wire) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(|e| No::Fault(format!("starting to serve: {e}")))?;
    let ended = runtime.block_on(wire::serve(server, wire));
    // With the runtime go the callers that still wait: what has not begun is passed over, what runs is finished.
    drop(runtime);
    books.close();
    match ended {
        // A client that closed its end has gone, as one that closed the input has.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        // Not `unavailable`, which says that nothing changed: calls were perhaps done before.
        Err(e) => Err(No::Fault(format!(
            "serving: {e}; what calls had changed before stands in the books"
        ))),
        Ok(()) => Ok(()),
    }
}

/// Tells the person who started the server, on standard error; standard output is the protocol's.
fn tell(text: &str) {
    // Who closed standard error does not want to be told.
    let _ = writeln!(io::stderr(), "wb: {}", visible(text));
}
