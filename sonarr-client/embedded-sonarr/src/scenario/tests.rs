use std::collections::HashSet;

use super::*;
use crate::clock::Timekeeper;
use crate::{Clock, Options, seed};

fn built(series: usize, next_version: bool, scenarios: Vec<Scenario>) -> State {
    let options = Options { series, next_version, scenarios, ..Options::default() };
    seed::build(&options, Timekeeper::new(Clock::Real).now(), 1)
}

#[test]
fn names_are_plain_and_used_once() {
    let all = Scenario::all();
    let names: HashSet<&str> = all.iter().map(Scenario::name).collect();
    assert_eq!(names.len(), all.len());
    for scenario in &all {
        assert!(scenario.name().bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase()), "{scenario:?}");
        assert!(scenario.summary().ends_with('.'), "{scenario:?}");
        assert_eq!(scenario.name().parse(), Ok(*scenario));
    }
}

#[test]
fn a_name_that_is_not_there_is_refused_with_those_that_are() {
    let refused = "gremlins".parse::<Scenario>().unwrap_err().to_string();
    assert!(refused.contains("`gremlins`") && refused.contains("clean"), "{refused}");
}

#[test]
fn every_scenario_finds_something_to_spoil() {
    for next_version in [false, true] {
        for series in [12, 100] {
            for scenario in Scenario::all() {
                let state = built(series, next_version, vec![scenario]);
                let [planted] = state.planted.as_slice() else { panic!("{:?}", state.planted) };
                assert_eq!(planted.scenario, scenario.name());
                assert_eq!(planted.rows.is_empty(), scenario == Scenario::clean(), "{series} series: {planted:?}");
            }
        }
    }
    let all = built(100, false, Scenario::all());
    assert_eq!(all.planted.len(), Scenario::all().len());
    assert!(built(12, false, Vec::new()).planted.is_empty());
}
