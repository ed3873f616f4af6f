//! The handler behind the protocol: it lists the tools and hands each call to the thread that owns the books. It runs none.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomNotification,
    DiscoverResult, Implementation, ListToolsResult, PaginatedRequestParams, ProgressToken,
    ProtocolVersion, ServerCapabilities, ServerConfig, ServerNotification,
};
use rmcp::service::{Peer, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::json;
use tokio::sync::{oneshot, watch};

use super::{
    thread::{Answered, Desk, Job, Reached},
    tools::Toolbox,
};
use crate::{
    engine::No,
    model::{Refusal, clean, quoted},
};

/// How to keep these books well, for the model that calls: at most 2 KB.
const INSTRUCTIONS: &str = include_str!("instructions.md");
/// How long a client may keep what it was told of the server, in milliseconds: it is the same for the server's life.
const FRESH_MS: u64 = 3_600_000;
/// The most characters of a client's name and version in the journal.
const CLIENT_CHARS_MAX: usize = 100;

/// A server of some books.
pub(super) struct Server {
    tools: Toolbox,
    desk: Desk,
}

impl Server {
    pub(super) fn new(tools: Toolbox, desk: Desk) -> Server {
        Server { tools, desk }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(
                Implementation::new("wb", env!("CARGO_PKG_VERSION")).with_title("Wanderbooks"),
            )
            .with_instructions(INSTRUCTIONS)
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        let mut discovered = DiscoverResult::from_server_info(versions, self.get_info());
        discovered.ttl_ms = FRESH_MS;
        Ok(discovered)
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if page.is_some_and(|page| page.cursor.is_some()) {
            let why = "the tools are one page: there is no cursor";
            return Err(ErrorData::invalid_params(why, None));
        }
        let mut listed = ListToolsResult::with_all_items(self.tools.list());
        // Earlier revisions know nothing of freshness.
        let knows = |version| version >= ProtocolVersion::V_2026_07_28;
        if context.protocol_version().is_some_and(knows) {
            listed.ttl_ms = Some(FRESH_MS);
        }
        Ok(listed)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(op) = self.tools.find(&request.name) else {
            let why = format!("there is no tool {}", quoted(&request.name));
            return Err(ErrorData::invalid_params(why, None));
        };
        let (reply, answer) = oneshot::channel();
        let (progress, reached) = watch::channel(Reached::default());
        let token = context.meta.get_progress_token();
        let cancellation = context.ct.clone();
        // Nothing is awaited before the job is on the desk: that is what keeps calls in order of arrival.
        let taken = self.desk.put(Job {
            op,
            args: request.arguments.unwrap_or_default(),
            by: by(&context),
            cancelled: Box::new(move || cancellation.is_cancelled()),
            progress: token.is_some().then_some(progress),
            reply,
        });
        let answered = match (taken, token) {
            (false, _) => Err(stopped()),
            (true, None) => answer.await.unwrap_or_else(|_| Err(stopped())),
            (true, Some(token)) => reporting(answer, reached, &token, &context.peer).await,
        };
        Ok(result(answered).into())
    }
}

/// Who calls, for the journal: what the client says of itself, which proves nothing.
fn by(context: &RequestContext<RoleServer>) -> String {
    let said = context
        .client_info()
        .map(|client| format!("{}/{}", client.name, client.version))
        .unwrap_or_default();
    let (client, _) = clean(&said, CLIENT_CHARS_MAX);
    let client = if client.is_empty() {
        "unknown"
    } else {
        &client
    };
    json!({"face": "mcp", "client": client}).to_string()
}

/// Waits for the answer and meanwhile tells the client how far the work is.
async fn reporting(
    mut answer: oneshot::Receiver<Answered>,
    mut reached: watch::Receiver<Reached>,
    token: &ProgressToken,
    peer: &Peer<RoleServer>,
) -> Answered {
    let mut told = 0;
    loop {
        tokio::select! {
            biased;
            answered = &mut answer => return answered.unwrap_or_else(|_| Err(stopped())),
            changed = reached.changed() => {
                if changed.is_err() {
                    return answer.await.unwrap_or_else(|_| Err(stopped()));
                }
                let Reached { done, total } = *reached.borrow_and_update();
                // The protocol wants every report to be further than the last.
                if done <= told {
                    continue;
                }
                told = done;
                // The protocol crate's own notification holds floats; whole numbers stay whole in this one.
                let params = json!({"progressToken": token, "progress": done, "total": total});
                let report = CustomNotification::new("notifications/progress", Some(params));
                let sent = peer.send_notification(ServerNotification::CustomNotification(report));
                if sent.await.is_err() {
                    return answer.await.unwrap_or_else(|_| Err(stopped()));
                }
            }
        }
    }
}

/// The answer to a call that was cancelled before it began, or came when the books were closed already.
fn stopped() -> serde_json::Value {
    let message = "the call was not begun; nothing was changed";
    No::Unavailable(Refusal::new("unavailable", message)).to_value()
}

fn result(answered: Answered) -> CallToolResult {
    match answered {
        Ok(done) => {
            let mut result = CallToolResult::success(vec![ContentBlock::text(done.text)]);
            result.structured_content = Some(done.value);
            result
        }
        // Without structured content, which would have to be what the tool's output schema says.
        Err(refusal) => CallToolResult::error(vec![ContentBlock::text(refusal.to_string())]),
    }
}
