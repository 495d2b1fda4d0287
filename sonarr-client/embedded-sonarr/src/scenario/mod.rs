//! Scenarios: faults of a library that are planted on request, and what each of them planted.
//!
//! A server that is given any scenario begins with a library in which nothing is wrong, and then each scenario makes one
//! kind of thing go wrong in it. So whatever looks for such things can be held to exactly what was planted. A file of
//! this module has the scenarios that belong together; adding one is a function and a line in its `SCENARIOS`.

mod files;
mod grabs;
mod ground;
mod health;
mod indexers;
mod media;
mod missing;
mod monitoring;
mod names;
mod queue;
mod series;
mod settings;

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

pub(crate) use ground::Ground;

use crate::state::State;

/// Something that goes wrong in a library, and can be planted there.
#[derive(Clone, Copy)]
pub struct Scenario {
    name: &'static str,
    summary: &'static str,
    plant: fn(&mut Ground<'_>) -> Vec<Value>,
}

/// What a scenario planted.
#[derive(Clone, Debug, PartialEq)]
pub struct Planted {
    /// The name of the [`Scenario`].
    pub scenario: &'static str,
    /// One object for each thing that is now wrong: ids, names and paths under the API's own member names.
    pub rows: Vec<Value>,
}

/// A library in which nothing is wrong.
const CLEAN: Scenario = Scenario::new("clean", "A library in which nothing is wrong.", |_| Vec::new());

/// The scenarios of every file, in the order in which they are planted.
const FILES: [&[Scenario]; 11] = [
    missing::SCENARIOS,
    queue::SCENARIOS,
    grabs::SCENARIOS,
    indexers::SCENARIOS,
    monitoring::SCENARIOS,
    series::SCENARIOS,
    files::SCENARIOS,
    names::SCENARIOS,
    media::SCENARIOS,
    settings::SCENARIOS,
    health::SCENARIOS,
];

impl Scenario {
    /// `plant` changes the clean library, and returns one object for each thing that it made wrong.
    const fn new(name: &'static str, summary: &'static str, plant: fn(&mut Ground<'_>) -> Vec<Value>) -> Self {
        Scenario { name, summary, plant }
    }

    /// Every scenario: `clean` first, then all that plant something.
    pub fn all() -> Vec<Scenario> {
        std::iter::once(CLEAN).chain(FILES.into_iter().flatten().copied()).collect()
    }

    /// The library in which nothing is wrong.
    pub fn clean() -> Scenario {
        CLEAN
    }

    /// Its name: the kind of thing that it plants, lower case with underscores.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What is wrong afterwards, in one sentence.
    pub fn summary(&self) -> &'static str {
        self.summary
    }
}

/// Plants scenarios in a clean library, each once, in the order of [`Scenario::all`] however they were given.
pub(crate) fn plant(state: &mut State, wanted: &[Scenario]) {
    let mut ground = Ground::new(state);
    let mut planted = Vec::new();
    for scenario in Scenario::all().into_iter().filter(|scenario| wanted.contains(scenario)) {
        planted.push(Planted { scenario: scenario.name, rows: (scenario.plant)(&mut ground) });
    }
    state.planted = planted;
}

impl PartialEq for Scenario {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Scenario {}

impl fmt::Debug for Scenario {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Scenario").field(&self.name).finish()
    }
}

/// A name that no scenario has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownScenario(String);

impl fmt::Display for UnknownScenario {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = Scenario::all().iter().map(Scenario::name).collect();
        write!(formatter, "there is no scenario `{}`; there are {}", self.0, known.join(", "))
    }
}

impl std::error::Error for UnknownScenario {}

impl FromStr for Scenario {
    type Err = UnknownScenario;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Scenario::all().into_iter().find(|scenario| scenario.name == name);
        found.ok_or_else(|| UnknownScenario(name.to_owned()))
    }
}

#[cfg(test)]
mod tests;
