//! From a method's name to the protocol's typed request. Whether the session may ask for it now is decided in `table`.

use rmcp::model::{
    CallToolRequest, ClientRequest, CompleteRequest, DiscoverRequest, DiscoverRequestParams,
    GetPromptRequest, InitializeRequest, ListPromptsRequest, ListResourceTemplatesRequest,
    ListResourcesRequest, ListToolsRequest, PaginatedRequestParams, PingRequest,
    ReadResourceRequest,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::faces::repeated;

/// Why a message is no request that we know.
#[derive(Debug, PartialEq)]
pub(super) enum Unfit {
    /// The method's name is not ours.
    Method,
    /// The method is ours and its parameters do not fit; says why, in our words alone.
    Params(&'static str),
}

/// Reads the request `method` with `params` out of the whole message `text`.
///
/// One parse of the one type that the name tells. The protocol crate would try every type in turn and, when none fits,
/// hand over a custom request, which then reads as an unknown method although only a parameter was wrong. Methods that
/// these books never serve (tasks, skills, subscriptions, log levels) are not listed: they are unknown.
pub(super) fn read(
    method: &str,
    params: Option<&RawValue>,
    text: &str,
) -> Result<ClientRequest, Unfit> {
    match method {
        "ping" => typed::<PingRequest>(text),
        "initialize" => typed::<InitializeRequest>(text),
        "server/discover" => discover(params, text),
        "tools/list" => page::<ListToolsRequest>(params, text),
        "tools/call" => call(params, text),
        "resources/list" => page::<ListResourcesRequest>(params, text),
        "resources/templates/list" => page::<ListResourceTemplatesRequest>(params, text),
        "resources/read" => typed::<ReadResourceRequest>(text),
        "prompts/list" => page::<ListPromptsRequest>(params, text),
        "prompts/get" => typed::<GetPromptRequest>(text),
        "completion/complete" => typed::<CompleteRequest>(text),
        _ => Err(Unfit::Method),
    }
}

/// The parser's own words are left out: they quote the value, which may be a whole attachment.
fn typed<R: DeserializeOwned + Into<ClientRequest>>(text: &str) -> Result<ClientRequest, Unfit> {
    let request: Result<R, serde_json::Error> = serde_json::from_str(text);
    request.map(Into::into).map_err(|_| {
        Unfit::Params("the params lack a member that the method needs, or one has another type")
    })
}

/// A page of a list. The type takes unfit params for absent ones, and a wrong cursor would give the first page again.
fn page<R: DeserializeOwned + Into<ClientRequest>>(
    params: Option<&RawValue>,
    text: &str,
) -> Result<ClientRequest, Unfit> {
    if let Some(params) = params {
        let _: PaginatedRequestParams = serde_json::from_str(params.get())
            .map_err(|_| Unfit::Params("cursor must be a string"))?;
    }
    typed::<R>(text)
}

/// A client of a handshake revision probes without `params`; the type demands them, though it has no member.
fn discover(params: Option<&RawValue>, text: &str) -> Result<ClientRequest, Unfit> {
    match params {
        None => Ok(DiscoverRequest::new(DiscoverRequestParams {}).into()),
        Some(_) => typed::<DiscoverRequest>(text),
    }
}

/// The parts of a call whose shape the protocol rules; what the tool takes is the operation's own matter.
#[derive(Deserialize)]
struct Call<'a> {
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
}

fn call(params: Option<&RawValue>, text: &str) -> Result<ClientRequest, Unfit> {
    let Some(params) = params else {
        return Err(Unfit::Params("params with a name are missing"));
    };
    let call: Call = serde_json::from_str(params.get())
        .map_err(|_| Unfit::Params("params hold name or arguments twice"))?;
    if !call.name.is_some_and(|name| name.get().starts_with('"')) {
        return Err(Unfit::Params("name must be the tool's name, a string"));
    }
    if let Some(arguments) = call.arguments {
        if !arguments.get().starts_with('{') {
            return Err(Unfit::Params("arguments must be an object"));
        }
        if repeated::repeats_a_key(arguments.get()) {
            return Err(Unfit::Params(repeated::SAID));
        }
    }
    typed::<CallToolRequest>(text)
}
