//! The embedded server from outside: statuses, shapes, effects, errors, faults.

mod commands;
mod downloads;
mod errors;
mod faults;
mod next_version;
mod paging;
mod plain;
mod providers;
mod reads;
mod scale;
mod series;
mod shape;
mod shapes;
mod support;
