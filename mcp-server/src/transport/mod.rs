//! How messages come in and go out. Each transport takes any handler and knows no tool.

mod body;
pub mod guard;
mod http;
mod lifecycle;
pub mod limits;
mod lines;
mod listen;
mod message;
pub mod network;
mod reply;
mod sessions;
mod sse;
pub mod stdio;
