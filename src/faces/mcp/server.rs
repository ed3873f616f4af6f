//! The handler behind the protocol: it lists tools and resources and hands each call to the thread that owns the books. It runs none.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomNotification,
    DiscoverResult, Implementation, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProgressToken, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents,
    ServerCapabilities, ServerConfig, ServerNotification,
};
use rmcp::service::{Peer, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Map, Value, json};
use tokio::sync::{oneshot, watch};

use super::{
    hints::Names,
    resources,
    thread::{Answered, Desk, Job, Reached, readable},
    tools::Toolbox,
};
use crate::{
    engine::{No, OpDef},
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
    names: Names,
    desk: Desk,
}

impl Server {
    pub(super) fn new(tools: Toolbox, names: Names, desk: Desk) -> Server {
        Server { tools, names, desk }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(
            ServerCapabilities::builder()
                .enable_tools()
                .enable_resources()
                .build(),
        )
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
        one_page(page, "tools")?;
        let mut listed = ListToolsResult::with_all_items(self.tools.list());
        listed.ttl_ms = knows_freshness(&context).then_some(FRESH_MS);
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
        let args = request.arguments.unwrap_or_default();
        Ok(result(self.ask(op, args, &context).await).into())
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        one_page(page, "resources")?;
        let listed = resources::list(self.tools.ops(), self.names);
        let mut listed = ListResourcesResult::with_all_items(listed);
        listed.ttl_ms = knows_freshness(&context).then_some(FRESH_MS);
        Ok(listed)
    }

    async fn list_resource_templates(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        one_page(page, "resource templates")?;
        let listed = resources::templates(self.tools.ops(), self.names);
        let mut listed = ListResourceTemplatesResult::with_all_items(listed);
        listed.ttl_ms = knows_freshness(&context).then_some(FRESH_MS);
        Ok(listed)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let Some((op, args)) = resources::find(self.tools.ops(), &uri) else {
            let why = format!("there is no resource {}", quoted(&uri));
            return Err(ErrorData::invalid_params(why, None));
        };
        let done = self.ask(op, args, &context).await.map_err(|refusal| {
            let message = refusal.get("message").and_then(Value::as_str);
            let message = message.unwrap_or("the resource cannot be read").to_owned();
            match refusal["code"] == "internal" {
                true => ErrorData::internal_error(message, Some(refusal)),
                false => ErrorData::invalid_params(message, Some(refusal)),
            }
        })?;
        let mut contents =
            vec![ResourceContents::text(done.text, &uri).with_mime_type(resources::JSON)];
        if let Some(gives) = op.gives {
            let part = |key: &str| done.value.get(key)?.as_str().map(str::to_owned);
            if let (Some(bytes), Some(media_type)) = (part(gives.content), part(gives.media_type)) {
                contents.push(ResourceContents::blob(bytes, &uri).with_mime_type(media_type));
            }
        }
        let mut read = ReadResourceResult::new(contents);
        // What the books say may change with the next call.
        read.ttl_ms = knows_freshness(&context).then_some(0);
        Ok(read.into())
    }
}

impl Server {
    /// Hands a call to the books and waits for its answer.
    async fn ask(
        &self,
        op: &'static OpDef,
        args: Map<String, Value>,
        context: &RequestContext<RoleServer>,
    ) -> Answered {
        let (reply, answer) = oneshot::channel();
        let (progress, reached) = watch::channel(Reached::default());
        let token = context.meta.get_progress_token();
        let cancellation = context.ct.clone();
        // Nothing is awaited before the job is on the desk: that is what keeps calls in order of arrival.
        let taken = self.desk.put(Job {
            op,
            args,
            by: by(context),
            cancelled: Box::new(move || cancellation.is_cancelled()),
            progress: token.is_some().then_some(progress),
            reply,
        });
        match (taken, token) {
            (false, _) => Err(stopped()),
            (true, None) => answer.await.unwrap_or_else(|_| Err(stopped())),
            (true, Some(token)) => reporting(answer, reached, &token, &context.peer).await,
        }
    }
}

/// Refuses a cursor: every list is one page.
fn one_page(page: Option<PaginatedRequestParams>, what: &str) -> Result<(), ErrorData> {
    if page.is_some_and(|page| page.cursor.is_some()) {
        let why = format!("the {what} are one page: there is no cursor");
        return Err(ErrorData::invalid_params(why, None));
    }
    Ok(())
}

/// Earlier revisions know nothing of freshness.
fn knows_freshness(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
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
fn stopped() -> Value {
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
        Err(refusal) => CallToolResult::error(vec![ContentBlock::text(readable(&refusal))]),
    }
}
