//! The one test program.

mod import;
mod mcp;
