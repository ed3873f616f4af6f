//! The one test program.

mod mcp;
