//! The wire of the MCP face: one JSON-RPC message a line over an input and an output. No tool, no resource is known here.
//!
//! It stands between the bytes and the protocol crate `rmcp`, which leaves unreadable lines without an answer, drops the
//! id of an invalid request, forgets a last line that has no newline, and ends at a notification that comes early. Two
//! plain threads read and write, so that a slow peer blocks neither the protocol nor the books.

mod envelope;
mod lines;
mod requests;
mod table;

#[cfg(test)]
mod tests;

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::thread;

use rmcp::model::{
    ClientJsonRpcMessage, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use rmcp::service::{RoleServer, ServerInitializeError, Service, serve_server};
use rmcp::transport::Transport;
use serde::Serialize;
use tokio::sync::{mpsc, oneshot, watch};

use crate::model::printable_json;

use self::lines::{Failure, Line, Lines, Parcel};
pub use self::table::{Rejection, State, UNREADABLE_MAX, Verdict, classify};

/// Bytes a line may have, its newline not counted: an attachment of 25 MB in base64, and room for the rest.
pub const LINE_BYTES_MAX: usize = 36 * 1024 * 1024;
/// Lines read ahead of the protocol, and messages queued before the output.
const QUEUE_MAX: usize = 8;

/// A connection to one client, as the protocol crate's transport.
///
/// Answers -32700 or -32600 itself where a line is no message (see [`classify`]) and hands on everything else, of both
/// lifecycles. Ends at the end of the input, when the output is closed, and after [`UNREADABLE_MAX`] unreadable lines in
/// a row, the last of which is still answered.
pub struct Wire {
    inbox: mpsc::Receiver<Line>,
    /// `None` after the close.
    outbox: Option<mpsc::Sender<Parcel>>,
    state: State,
    limit_bytes: usize,
    /// The encoded answer to a rejected line, not yet queued.
    rejection: Option<Vec<u8>>,
    /// Resolves once the last rejection is written.
    unwritten: Option<oneshot::Receiver<io::Result<()>>>,
    /// Answers on their way out, of requests that no longer count as in flight.
    leaving: watch::Sender<usize>,
    failure: Failure,
}

impl Wire {
    /// The wire over this process's standard input and output. Nothing else may write to standard output.
    ///
    /// Fails when the system gives no thread.
    pub fn stdio() -> io::Result<Wire> {
        Wire::new(io::stdin(), io::stdout(), LINE_BYTES_MAX)
    }

    /// A wire over any input and output; a line may have `limit_bytes`.
    ///
    /// The reading thread ends with the input: the process need not wait for it. Fails when the system gives no thread.
    pub fn new(
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
        limit_bytes: usize,
    ) -> io::Result<Wire> {
        let failure = Failure::default();
        let (line_out, inbox) = mpsc::channel(QUEUE_MAX);
        let (outbox, parcel_in) = mpsc::channel(QUEUE_MAX);
        let (reading, writing) = (Arc::clone(&failure), Arc::clone(&failure));
        let lines = Lines::new(input, limit_bytes);
        thread::Builder::new()
            .name("wire-in".to_owned())
            .spawn(move || lines::read_all(lines, &line_out, &reading))?;
        thread::Builder::new()
            .name("wire-out".to_owned())
            .spawn(move || lines::write_all(output, parcel_in, &writing))?;
        Ok(Wire {
            inbox,
            outbox: Some(outbox),
            state: State::default(),
            limit_bytes,
            rejection: None,
            unwritten: None,
            leaving: watch::Sender::new(0),
            failure,
        })
    }

    /// Sends the answer to a rejected line and waits until it is written; `None` when the output is closed.
    ///
    /// Waiting keeps a flood of unreadable lines from piling up answers, and nothing unwritten is left at the end.
    /// May be dropped at any await and begun again: what is to be done stands in `self` until it is done.
    async fn settle(&mut self) -> Option<()> {
        if self.rejection.is_some() {
            let permit = self.outbox.as_ref()?.reserve().await.ok()?;
            let (written, receipt) = oneshot::channel();
            let bytes = self.rejection.take()?;
            permit.send(Parcel { bytes, written });
            self.unwritten = Some(receipt);
        }
        if let Some(receipt) = &mut self.unwritten {
            let result = receipt.await;
            self.unwritten = None;
            result.ok()?.ok()?;
        }
        Some(())
    }

    /// The next line; `None` at the end of the input or when the output is closed. May be dropped at its await.
    async fn line(&mut self) -> Option<Line> {
        let outbox = self.outbox.as_ref()?;
        tokio::select! {
            line = self.inbox.recv() => line,
            () = outbox.closed() => None,
        }
    }

    /// Waits until every request that was accepted is answered and its answer written, or the output is closed.
    ///
    /// The protocol crate gives what is unanswered at the end of the input five seconds, however much that is; so the end
    /// is kept from it until nothing is owed. A future that is begun again sees what was answered meanwhile.
    async fn settle_all(&self) {
        let Some(outbox) = &self.outbox else { return };
        let mut leaving = self.leaving.subscribe();
        while self.state.owes() || *leaving.borrow_and_update() > 0 {
            tokio::select! {
                () = outbox.closed() => return,
                changed = leaving.changed() => if changed.is_err() { return },
            }
        }
    }

    fn judge(&mut self, line: &Line) -> Verdict {
        match line {
            Line::Whole(bytes) => classify(bytes, &mut self.state),
            Line::TooLong => {
                let verdict = Verdict::Reject(Rejection::too_long(self.limit_bytes));
                self.state.count(&verdict);
                verdict
            }
        }
    }
}

impl Transport<RoleServer> for Wire {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        if let Some(id) = answered_id(&message) {
            self.state.answered(id);
        }
        let outbox = self.outbox.clone();
        let leaving = self.leaving.clone();
        leaving.send_modify(|count| *count += 1);
        async move {
            let written = write(outbox, &message).await;
            leaving.send_modify(|count| *count = count.saturating_sub(1));
            written
        }
    }

    /// The protocol drops this future whenever something else happens first, so no await in it may lose anything.
    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            self.settle().await?;
            if self.state.is_hopeless() {
                lines::keep(&self.failure, hopeless());
                self.settle_all().await;
                return None;
            }
            let Some(line) = self.line().await else {
                self.settle_all().await;
                return None;
            };
            match self.judge(&line) {
                Verdict::Pass(message) => return Some(*message),
                Verdict::Ignore => {}
                Verdict::Reject(rejection) => match encode(&rejection.into()) {
                    Ok(bytes) => self.rejection = Some(bytes),
                    Err(error) => {
                        lines::keep(&self.failure, error);
                        return None;
                    }
                },
            }
        }
    }

    /// Every message was awaited until it was written, so there is nothing left to flush.
    async fn close(&mut self) -> io::Result<()> {
        self.outbox = None;
        Ok(())
    }
}

/// Serves `service` over `wire` until the client goes. Every request that was accepted before is answered, however long that
/// takes, unless the output is closed.
///
/// The end of the input is no error, also before any session. An error is: the input could not be read, the output could
/// not be written (`BrokenPipe` when the client closed it first), [`UNREADABLE_MAX`] unreadable lines in a row
/// (`InvalidData`), a handshake that the service refused.
pub async fn serve(service: impl Service<RoleServer>, wire: Wire) -> io::Result<()> {
    let failure = Arc::clone(&wire.failure);
    let ended = match serve_server(service, wire).await {
        Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(io::Error::other(error)),
    };
    // The protocol crate only logs what went wrong beneath it; the first cause is the one to tell.
    match failure.get() {
        Some(error) => Err(io::Error::new(error.kind(), error.to_string())),
        None => ended,
    }
}

/// Queues a message and waits until it is written.
async fn write(
    outbox: Option<mpsc::Sender<Parcel>>,
    message: &ServerJsonRpcMessage,
) -> io::Result<()> {
    let bytes = encode(message)?;
    let (written, receipt) = oneshot::channel();
    let outbox = outbox.ok_or_else(closed)?;
    outbox
        .send(Parcel { bytes, written })
        .await
        .map_err(|_| closed())?;
    receipt.await.map_err(|_| closed())?
}

fn answered_id(message: &ServerJsonRpcMessage) -> Option<&RequestId> {
    match message {
        JsonRpcMessage::Response(response) => Some(&response.id),
        JsonRpcMessage::Error(error) => error.id.as_ref(),
        JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
    }
}

/// One line: the message and its newline.
fn encode(message: &ServerJsonRpcMessage) -> io::Result<Vec<u8>> {
    /// JSON-RPC wants `"id": null` where no id could be read; the protocol crate leaves the member out.
    #[derive(Serialize)]
    struct Nameless<'a> {
        jsonrpc: &'static str,
        id: (),
        error: &'a ErrorData,
    }
    let mut bytes = match message {
        JsonRpcMessage::Error(answer) if answer.id.is_none() => serde_json::to_vec(&Nameless {
            jsonrpc: "2.0",
            id: (),
            error: &answer.error,
        })?,
        _ => printable_json(&serde_json::to_string(message)?)
            .into_owned()
            .into_bytes(),
    };
    bytes.push(b'\n');
    Ok(bytes)
}

fn closed() -> io::Error {
    io::Error::new(io::ErrorKind::BrokenPipe, "the output is closed")
}

fn hopeless() -> io::Error {
    let text = format!("{UNREADABLE_MAX} lines in a row were no messages");
    io::Error::new(io::ErrorKind::InvalidData, text)
}
