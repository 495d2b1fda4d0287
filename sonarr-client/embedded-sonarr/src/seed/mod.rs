//! The library that a server starts with: invented, coherent, and the same for the same seed.

mod activity;
mod catalogue;
mod clean;
mod library;
mod next_version;
pub(crate) mod reference;
mod rng;
mod settings;
pub(crate) mod titles;

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};

pub(crate) use rng::Rng;

use crate::commands::Commands;
use crate::disk::Disk;
use crate::downloads::Downloads;
use crate::state::{Library, State};
use crate::types::Types;
use crate::{Options, scenario};

/// Makes the state of a new server that listens on `port`.
pub(crate) fn build(options: &Options, now: DateTime<Utc>, port: u16) -> State {
    let mut state = State {
        api_key: options.api_key.clone(),
        url_base: options.normal_url_base(),
        next_version: options.next_version,
        types: Types::of(options.next_version),
        now,
        started: now,
        starting_until: now + TimeDelta::from_std(options.starting_for).unwrap_or(TimeDelta::zero()),
        stopped: false,
        library: Library::default(),
        removed: BTreeMap::new(),
        tables: BTreeMap::new(),
        commands: Commands::default(),
        downloads: Downloads::default(),
        disk: Disk::default(),
        rng: Rng::new(options.seed),
        clean: !options.scenarios.is_empty(),
        planted: Vec::new(),
        fatal: Vec::new(),
        secrets: Vec::new(),
    };
    settings::build(&mut state, port);
    if state.clean {
        clean::build(&mut state, options);
        scenario::plant(&mut state, &options.scenarios);
    } else {
        library::build(&mut state, options);
        activity::build(&mut state);
    }
    if options.next_version {
        next_version::build(&mut state);
    }
    state
}

/// An invented secret, kept in the list of secrets.
fn canary(state: &mut State, name: &str) -> String {
    let secret = format!("canary-{name}-{}", state.rng.hex(12));
    state.secrets.push(secret.clone());
    secret
}
