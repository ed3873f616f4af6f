//! The MCP face: the books as tools over JSON-RPC. What an operation does is not decided here.

pub mod wire;
