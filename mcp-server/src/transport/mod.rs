//! How messages come in and go out. Each transport takes any handler and knows no tool.

mod lines;
mod message;
pub mod stdio;
