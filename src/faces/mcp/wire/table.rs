//! The table of the wire: what each line is, and what is answered when it is no message. No input, no output.

use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};
use std::fmt::Display;

use rmcp::model::{
    ClientCapabilities, ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorCode,
    ErrorData, GetMeta, ProtocolVersion, RequestId, RequestMetaObject, ServerJsonRpcMessage,
};
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::envelope::{Envelope, Id, nests_deeper};
use super::requests::{self, Unfit};

/// Levels of arrays and objects in one message, its envelope among them.
pub const NESTING_MAX: usize = 64;
/// Lines in a row whose id cannot be read, after which the input is taken for something else than a client.
pub const UNREADABLE_MAX: u32 = 100;
/// Requests in flight at one time.
pub const IN_FLIGHT_MAX: usize = 10_000;
/// Cancelled requests whose ids stay barred.
const CANCELLED_MAX: usize = 1_000;

/// What to do with a line.
#[derive(Debug)]
pub enum Verdict {
    /// Hand it to the protocol.
    Pass(Box<ClientJsonRpcMessage>),
    /// Nothing, and no answer: a blank line, a notification that does not matter.
    Ignore,
    /// Answer with an error; the protocol never sees the line.
    Reject(Rejection),
}

/// The error that answers a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejection {
    /// The id of the request, where it could be read; else `"id": null` is written.
    pub id: Option<RequestId>,
    /// One of the codes of JSON-RPC.
    pub code: ErrorCode,
    /// One sentence, which quotes nothing of the line.
    pub message: Cow<'static, str>,
}

impl Rejection {
    /// The answer to a line that is longer than `limit_bytes`.
    pub(super) fn too_long(limit_bytes: usize) -> Rejection {
        parse_error(format!("a message has at most {limit_bytes} bytes"))
    }
}

impl From<Rejection> for ServerJsonRpcMessage {
    fn from(rejection: Rejection) -> ServerJsonRpcMessage {
        let error = ErrorData::new(rejection.code, rejection.message, None);
        ServerJsonRpcMessage::error(error, rejection.id)
    }
}

/// Which lifecycle the session follows; mirrors what the protocol crate decides from the same messages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Era {
    /// Nothing has opened it yet. A notification or an answer would end the protocol crate here.
    #[default]
    Unopened,
    /// `initialize` came: versions up to 2025-11-25.
    Handshake,
    /// A request that describes itself came: 2026-07-28.
    Stateless,
}

/// What the earlier lines of a connection mean for the next one.
#[derive(Debug, Default)]
pub struct State {
    era: Era,
    in_flight: HashSet<RequestId>,
    cancelled: VecDeque<RequestId>,
    unreadable_in_a_row: u32,
}

impl State {
    /// Notes that the answer to `id` is on its way, so that the id may come again.
    pub fn answered(&mut self, id: &RequestId) {
        self.in_flight.remove(id);
    }

    /// Whether a request was passed on and has no answer yet.
    pub(super) fn owes(&self) -> bool {
        !self.in_flight.is_empty()
    }

    /// Whether so many lines in a row could not be read that the reader should stop.
    ///
    /// A peer that reads our error answers and logs them to its output, which is our input, would else keep both busy
    /// for ever.
    pub fn is_hopeless(&self) -> bool {
        self.unreadable_in_a_row >= UNREADABLE_MAX
    }

    /// Counts a rejection without an id as unreadable; a message or a named rejection starts the count anew.
    pub(super) fn count(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Reject(Rejection { id: None, .. }) => {
                self.unreadable_in_a_row = self.unreadable_in_a_row.saturating_add(1);
            }
            Verdict::Reject(_) | Verdict::Pass(_) => self.unreadable_in_a_row = 0,
            Verdict::Ignore => {}
        }
    }

    fn bars(&self, id: &RequestId) -> bool {
        self.in_flight.contains(id) || self.cancelled.contains(id)
    }

    /// A cancelled request gets no answer, so `answered` never hears of it; yet its handler may still run, and what it
    /// gives back would answer the next request of that id. So the id stays barred, as the protocol has it.
    fn cancel(&mut self, id: &RequestId) {
        if self.in_flight.remove(id) {
            if self.cancelled.len() >= CANCELLED_MAX {
                self.cancelled.pop_front();
            }
            self.cancelled.push_back(id.clone());
        }
    }
}

/// A message for the protocol, nothing, or the error that answers the line.
type Judged = Result<Option<ClientJsonRpcMessage>, Rejection>;

/// Judges one line, its newline already cut off.
///
/// | the line | verdict |
/// |---|---|
/// | blank | ignore |
/// | not UTF-8, not JSON | -32700, id null |
/// | nested deeper than 64 | -32600, its id where it can be read |
/// | an array, a string, a number; a repeated or missing member; an id that is neither string nor 64-bit integer | -32600 |
/// | an id in flight, or of a cancelled request | -32600 |
/// | a method we do not have, at any time | -32601 |
/// | `params` no object, or not fitting the method | -32602 |
/// | a request before the session is open, but `initialize`, `ping`, `server/discover` | -32600 |
/// | a notification or an answer before the session is open, or unreadable | ignore |
/// | anything else | pass |
pub fn classify(line: &[u8], state: &mut State) -> Verdict {
    let verdict = match judge(line, state) {
        Ok(Some(message)) => Verdict::Pass(Box::new(message)),
        Ok(None) => Verdict::Ignore,
        Err(rejection) => Verdict::Reject(rejection),
    };
    state.count(&verdict);
    verdict
}

fn judge(line: &[u8], state: &mut State) -> Judged {
    let text = std::str::from_utf8(line).map_err(|_| parse_error("the line is not UTF-8"))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_ascii();
    if text.is_empty() {
        return Ok(None);
    }
    if nests_deeper(text, NESTING_MAX) {
        return too_deep(text);
    }
    let envelope = envelope(text)?;
    let id = envelope.id();
    check(&envelope).map_err(|message| invalid(envelope.known_id(), message))?;
    let Some(method) = envelope.get("method") else {
        return Ok(answer(text, state));
    };
    match id {
        Id::Absent => Ok(notification(text, state)),
        Id::Unreadable => Err(invalid(None, "id must be a string or a 64-bit integer")),
        Id::Known(id) => {
            let params = envelope.get("params");
            request(&text_of(method), id, Message { params, text }, state)
        }
    }
}

/// A request keeps its id, which is found without recursion; a notification and an answer get none, as ever.
fn too_deep(text: &str) -> Judged {
    let envelope = Envelope::read(text).ok();
    let id = envelope.as_ref().map_or(Id::Absent, Envelope::id);
    let asks = |envelope: &Envelope| envelope.get("method").is_some() && id != Id::Absent;
    match envelope {
        Some(envelope) if check(&envelope).is_ok() && !asks(&envelope) => Ok(None),
        envelope => Err(invalid(
            envelope.and_then(|envelope| envelope.known_id()),
            "nested deeper than 64 levels",
        )),
    }
}

/// An unreadable line; `why` is ours or the parser's, which for broken syntax names what it expected and where.
fn parse_error(why: impl Display) -> Rejection {
    Rejection {
        id: None,
        code: ErrorCode::PARSE_ERROR,
        message: format!("Parse error: {why}").into(),
    }
}

fn invalid(id: Option<RequestId>, why: &'static str) -> Rejection {
    Rejection {
        id,
        code: ErrorCode::INVALID_REQUEST,
        message: format!("Invalid request: {why}").into(),
    }
}

fn envelope(text: &str) -> Result<Envelope<'_>, Rejection> {
    if text.starts_with('{') {
        return Envelope::read(text).map_err(parse_error);
    }
    let _: IgnoredAny = serde_json::from_str(text).map_err(parse_error)?;
    Err(invalid(
        None,
        if text.starts_with('[') {
            "batches are not supported; send one message a line"
        } else {
            "a message is a JSON object"
        },
    ))
}

/// What makes an envelope no JSON-RPC message of either direction.
fn check(envelope: &Envelope) -> Result<(), &'static str> {
    let answers = envelope.get("result").is_some() || envelope.get("error").is_some();
    if envelope.repeats() {
        return Err("a member stands twice");
    }
    if envelope.is_crowded() {
        return Err("more than 16 members");
    }
    if envelope.get("jsonrpc").map(text_of).as_deref() != Some("2.0") {
        return Err("jsonrpc must be \"2.0\"");
    }
    match envelope.get("method") {
        None if answers => Ok(()),
        None => Err("method is missing"),
        Some(_) if answers => Err("method beside result or error"),
        Some(method) if text_of(method).is_empty() => {
            Err("method must be a string that is not empty")
        }
        Some(_) => Ok(()),
    }
}

/// The string that `raw` is; empty when it is none, or when it names a lone surrogate.
fn text_of(raw: &RawValue) -> String {
    serde_json::from_str(raw.get()).unwrap_or_default()
}

/// An answer to a question of ours is never answered itself, whatever its id: two peers that answer each other's errors
/// would never stop. Before the session is open nothing was asked.
fn answer(text: &str, state: &State) -> Option<ClientJsonRpcMessage> {
    let open = state.era != Era::Unopened;
    open.then(|| serde_json::from_str(text).ok()).flatten()
}

/// A notification is never answered, not even one that cannot be read.
fn notification(text: &str, state: &mut State) -> Option<ClientJsonRpcMessage> {
    if state.era == Era::Unopened {
        return None;
    }
    let notification: ClientNotification = serde_json::from_str(text).ok()?;
    if let ClientNotification::CancelledNotification(cancelled) = &notification
        && let Some(id) = &cancelled.params.request_id
    {
        state.cancel(id);
    }
    Some(ClientJsonRpcMessage::notification(notification))
}

/// The parts of a request that the envelope has found.
#[derive(Clone, Copy)]
struct Message<'a> {
    params: Option<&'a RawValue>,
    text: &'a str,
}

fn request(method: &str, id: RequestId, message: Message, state: &mut State) -> Judged {
    if state.bars(&id) {
        return Err(invalid(Some(id), "id in use"));
    }
    if state.in_flight.len() >= IN_FLIGHT_MAX {
        return Err(invalid(Some(id), "too many requests in flight"));
    }
    let mut request = typed(method, message).map_err(|why| unfit(id.clone(), why))?;
    if state.era != Era::Stateless {
        lend_version(&mut request);
    }
    if state.era == Era::Unopened {
        state.era =
            opened(&request).ok_or_else(|| invalid(Some(id.clone()), "send initialize first"))?;
    }
    state.in_flight.insert(id.clone());
    Ok(Some(ClientJsonRpcMessage::request(request, id)))
}

fn typed(method: &str, message: Message) -> Result<ClientRequest, Unfit> {
    let params = message.params;
    if params.is_none_or(|params| params.get().starts_with('{')) {
        return requests::read(method, params, message.text);
    }
    // Asked for nevertheless: an unknown method is unknown whatever its parameters are.
    match requests::read(method, None, "{}") {
        Err(Unfit::Method) => Err(Unfit::Method),
        _ => Err(Unfit::Params("params must be an object")),
    }
}

fn unfit(id: RequestId, unfit: Unfit) -> Rejection {
    let (code, message) = match unfit {
        Unfit::Method => (ErrorCode::METHOD_NOT_FOUND, "Method not found".into()),
        Unfit::Params(why) => (
            ErrorCode::INVALID_PARAMS,
            format!("Invalid params: {why}").into(),
        ),
    };
    Rejection {
        id: Some(id),
        code,
        message,
    }
}

/// Gives a bare `server/discover` the metadata that the protocol crate demands of it.
///
/// A client of a handshake revision that probes with it knows no `_meta`, and the crate would answer -32602, before and
/// after `initialize`. With the metadata lent, the handler gives its real answer and the crate, which takes discovery
/// for a probe, stays open for either lifecycle. The alternative, an answer of our own, would be a second home for what
/// the handler says about itself. Metadata that is there but incomplete is left alone: that client means the stateless
/// revision and must hear what it lacks.
fn lend_version(request: &mut ClientRequest) {
    if let ClientRequest::DiscoverRequest(_) = request
        && !describes_itself(request.get_meta())
    {
        let meta = request.get_meta_mut();
        meta.set_protocol_version(ProtocolVersion::V_2026_07_28);
        meta.set_client_capabilities(ClientCapabilities::default());
    }
}

fn describes_itself(meta: &RequestMetaObject) -> bool {
    RequestMetaObject::DRAFT_REQUIRED_KEYS
        .iter()
        .any(|key| meta.contains_key(*key))
}

/// The era after `request` while the session is not open; `None` when the request must wait for the handshake.
///
/// The protocol crate opens a stateless session only for complete metadata and a version it serves (ours are all it
/// knows); it answers anything less with an error and stays closed, and then a notification would end it.
fn opened(request: &ClientRequest) -> Option<Era> {
    let meta = request.get_meta();
    match request {
        ClientRequest::InitializeRequest(_) => Some(Era::Handshake),
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => Some(Era::Unopened),
        _ if !describes_itself(meta) => None,
        _ => {
            let complete = meta
                .missing_required_keys(&ProtocolVersion::V_2026_07_28)
                .is_empty();
            let served = meta
                .protocol_version()
                .is_some_and(|version| ProtocolVersion::KNOWN_VERSIONS.contains(&version));
            Some(if complete && served {
                Era::Stateless
            } else {
                Era::Unopened
            })
        }
    }
}

#[cfg(test)]
mod tests;
