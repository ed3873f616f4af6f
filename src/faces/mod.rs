//! The faces: each turns what a caller says into an operation's arguments. A face knows the registry, never a domain.

pub mod manual;
pub mod mcp;
mod repeated;
mod settings;
pub mod terminal;
