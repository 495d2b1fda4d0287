//! The audits against libraries in which exactly known things are wrong, and against one in which nothing is.

mod command;
mod files;
mod listening;
mod media;
mod names;
mod planted;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use embedded_sonarr::{Options, Scenario};
use serde_json::{Map, Value, json};
use sonarr_mcp::audits::AUDITS;
use sonarr_mcp::write::consent::Mode;

use crate::tasks::House;

/// Kinds that no scenario plants, each with the reason.
const EXCUSED: &[(&str, &str)] = &[];

/// Kinds that are rightly found beside what a scenario plants, each with the reason: scenario, kind, reason.
const BESIDE: &[(&str, &str, &str)] = &[
    (
        "missing_keeps_failing",
        "release_keeps_failing",
        "what fails again and again is missing for it, and is one of the releases that keep failing",
    ),
    ("release_keeps_failing", "missing_keeps_failing", "the same from the other side"),
    ("grab_went_nowhere", "missing_not_found", "the episode of a grab that came to nothing is missing"),
    ("specials_block_completion", "missing_never_searched", "the specials are monitored, so they are missing"),
];

/// Kinds whose mending call does not make them go away by itself, each with the reason.
const STAYS: &[(&str, &str)] = &[
    ("client_unreachable", "the call tells what is wrong with the client, which has to be mended where it runs"),
    ("duplicate_episodes", "a refresh drops what TheTVDB has once; the embedded Sonarr has no TheTVDB to ask"),
];

async fn house(scenarios: Vec<Scenario>) -> House {
    House::with(Mode::Never, Options { scenarios, ..Options::default() }).await
}

/// What one audit finds.
async fn findings(house: &House, group: &str, name: &str) -> Vec<Map<String, Value>> {
    let call = json!({"operation": name, "query": "findings"});
    let answer = match house.send(&format!("sonarr_{group}"), call).await {
        Ok(answer) => answer,
        Err(failure) => panic!("{name}: {failure}"),
    };
    let (found, _) = crate::tasks::inner(&answer);
    let rows = found.as_array().cloned().unwrap_or_else(|| panic!("{name}: {found}"));
    rows.into_iter().map(|row| row.as_object().cloned().unwrap()).collect()
}

/// What all audits find, by kind.
async fn all_findings(house: &House) -> BTreeMap<String, Vec<Map<String, Value>>> {
    let mut found: BTreeMap<String, Vec<Map<String, Value>>> = BTreeMap::new();
    for audit in AUDITS {
        for finding in findings(house, audit.group, audit.name).await {
            let kind = finding["kind"].as_str().unwrap().to_owned();
            assert!(audit.kinds.iter().any(|one| one.name == kind), "{} finds {kind}", audit.name);
            assert!(!finding["reason"].as_str().unwrap().is_empty(), "{kind}");
            found.entry(kind).or_default().push(finding);
        }
    }
    found
}

/// The members of a planted row, of a finding: what a finding says beyond is its own affair.
fn like(planted: &Value, finding: &Map<String, Value>) -> bool {
    planted.as_object().unwrap().iter().all(|(name, value)| finding.get(name) == Some(value))
}

#[tokio::test]
async fn a_clean_library_needs_nobody() {
    for series in [12, 100] {
        let options = Options { series, scenarios: vec![Scenario::clean()], ..Options::default() };
        let house = House::with(Mode::Never, options).await;
        assert_eq!(all_findings(&house).await, BTreeMap::new(), "{series} series");
        let (overview, _) = house.get("sonarr_system_commands", "audit_library", json!({})).await;
        // File names are a request for each series, so a large library is sampled, and that is said; 94 have files.
        let sampled = json!(["audit_names: the file names of 54 more series; audit_names alone looks at all"]);
        let unseen = (series == 100).then_some(&sampled);
        assert_eq!((&overview["total"], overview.get("unseen")), (&json!(0), unseen), "{overview}");
        assert_eq!(overview["audits"].as_array().map(Vec::len), Some(AUDITS.len()));
    }
}

/// Each scenario is found: exactly what it planted, and nothing else that is not excused by name. An excuse that a run
/// disproves is refused.
#[tokio::test]
async fn each_scenario_is_found_exactly() {
    let kinds: BTreeSet<&str> = AUDITS.iter().flat_map(|audit| audit.kinds).map(|kind| kind.name).collect();
    let (mut reported, mut beside, mut wrong) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for scenario in Scenario::all().into_iter().filter(|scenario| kinds.contains(scenario.name())) {
        let house = house(vec![scenario]).await;
        let planted = house.sonarr.planted().remove(0).rows;
        let mut found = all_findings(&house).await;
        let own = found.remove(scenario.name()).unwrap_or_default();
        let all_found = planted.iter().all(|row| own.iter().any(|finding| like(row, finding)));
        if planted.is_empty() || own.len() != planted.len() || !all_found {
            wrong.push(format!("{} planted {planted:?} and was found as {own:?}", scenario.name()));
        }
        if !own.is_empty() {
            reported.insert(scenario.name().to_owned());
        }
        for (kind, findings) in found {
            let excused = BESIDE.iter().find(|(planted, other, _)| *planted == scenario.name() && *other == kind);
            match excused {
                Some((planted, other, _)) => drop(beside.insert((*planted, *other))),
                None => wrong.push(format!("beside {}: {findings:?}", scenario.name())),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let excused: BTreeSet<&str> = EXCUSED.iter().map(|(kind, _)| *kind).collect();
    let silent: Vec<&&str> =
        kinds.iter().filter(|kind| !reported.contains(**kind) && !excused.contains(*kind)).collect();
    assert!(silent.is_empty(), "no scenario makes an audit report {silent:?}");
    let disproved: Vec<&&str> = excused.iter().filter(|kind| reported.contains(**kind)).collect();
    assert!(disproved.is_empty(), "excused, and reported all the same: {disproved:?}");
    assert!(excused.is_subset(&kinds), "{excused:?}");
    let listed: BTreeSet<(&str, &str)> = BESIDE.iter().map(|(planted, other, _)| (*planted, *other)).collect();
    assert_eq!(listed, beside, "an excuse is listed that no run needs");
}

/// The call in `mend` is sent as it stands, and what it mends is found no more.
#[tokio::test]
async fn each_mending_call_mends() {
    let mut wrong = Vec::new();
    for audit in AUDITS {
        for kind in audit.kinds {
            let Ok(scenario) = kind.name.parse::<Scenario>() else { continue };
            let house = house(vec![scenario]).await;
            let found = findings(&house, audit.group, audit.name).await;
            let Some(finding) = found.iter().find(|finding| finding["kind"] == kind.name) else { continue };
            let Some(mend) = finding.get("mend") else { continue };
            let mut call = mend.clone();
            let tool = call.as_object_mut().unwrap().remove("tool").unwrap();
            if let Err(failure) = house.send(tool.as_str().unwrap(), call).await {
                wrong.push(format!("{}: {mend}: {failure}", kind.name));
                continue;
            }
            house.sonarr.advance(Duration::from_secs(10));
            let left = findings(&house, audit.group, audit.name).await;
            let gone = left.iter().filter(|left| left["kind"] == kind.name).count() + 1
                == found.iter().filter(|found| found["kind"] == kind.name).count();
            let stays = STAYS.iter().any(|(stays, _)| *stays == kind.name);
            if gone == stays {
                wrong.push(format!("{}: {mend} leaves {left:?}", kind.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whatever goes wrong at once, the overview counts what each audit by itself finds, and shows the worst of each kind.
#[tokio::test]
async fn the_overview_counts_what_each_audit_finds() {
    let options = Options { series: 60, scenarios: Scenario::all(), ..Options::default() };
    let house = House::with(Mode::Never, options).await;
    let (overview, _) = house.get("sonarr_system_commands", "audit_library", json!({})).await;
    let mut total = 0;
    for (audit, counted) in AUDITS.iter().zip(overview["audits"].as_array().unwrap()) {
        assert_eq!(counted["operation"], audit.name);
        let found = findings(&house, audit.group, audit.name).await;
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        for finding in &found {
            *kinds.entry(finding["kind"].as_str().unwrap()).or_default() += 1;
        }
        // Names are looked at for a part of the series only.
        if audit.name != "audit_names" {
            assert_eq!((&counted["total"], &counted["kinds"]), (&json!(found.len()), &json!(kinds)), "{}", audit.name);
        }
        total += usize::try_from(counted["total"].as_u64().unwrap()).unwrap();
    }
    assert_eq!(overview["total"], total);
    let worst = overview["worst"].as_array().unwrap();
    assert!(!worst.is_empty() && worst.len() <= 2 * AUDITS.iter().map(|audit| audit.kinds.len()).sum::<usize>());
}

/// A query selects from a worklist, and a cut one is gone through by what `next` says, each finding once.
#[tokio::test]
async fn a_worklist_is_selected_from_and_paged() {
    let options = Options { series: 120, ..Options::default() };
    let mut house = House::with(Mode::Never, options).await;
    let (whole, _) = house.get("sonarr_wanted", "audit_missing", json!({})).await;
    let all = findings(&house, "wanted", "audit_missing").await;
    assert!(all.len() > 40, "{}", all.len());
    assert_eq!(whole["total"], all.len());
    house.dispatcher = house.dispatcher.with_max_result_bytes(8_000);
    let mut call = json!({"operation": "audit_missing"});
    let mut seen = Vec::new();
    loop {
        let answer = house.send("sonarr_wanted", call.clone()).await.unwrap();
        let told: Value = serde_json::from_str(&answer.text()).unwrap();
        // The last part fits, so that nothing has to be said beside it.
        let rows = match told.get("result").unwrap_or(&told) {
            Value::Array(rows) => rows.clone(),
            page => {
                assert_eq!((&page["total"], &page["kinds"]), (&whole["total"], &whole["kinds"]));
                page["findings"].as_array().unwrap().clone()
            }
        };
        assert!(!rows.is_empty() && answer.text().len() <= 8_000);
        seen.extend(rows.into_iter().map(|row| row.as_object().cloned().unwrap()));
        match &told["next"] {
            Value::Null => break,
            next => call["query"] = next["query"].clone(),
        }
    }
    assert_eq!(seen, all);
    let call = json!({"operation": "audit_missing", "query": "findings[2:4].seriesId"});
    let (ids, _) = crate::tasks::inner(&house.send("sonarr_wanted", call).await.unwrap());
    assert_eq!(ids, json!([all[2]["seriesId"], all[3]["seriesId"]]));
}

/// What cannot be read is told with the reason, and the rest is answered; where nothing can be read, there is a failure.
#[tokio::test]
async fn a_part_that_cannot_be_read_is_told() {
    let house = house(vec![Scenario::clean()]).await;
    house.sonarr.inject("500*99@/queue/details".parse().unwrap());
    let (overview, _) = house.get("sonarr_system_commands", "audit_library", json!({})).await;
    let unseen = overview["unseen"].to_string();
    assert!(unseen.contains("audit_missing: ") && unseen.contains("audit_cutoff: "), "{unseen}");
    let made = overview["audits"].as_array().unwrap();
    assert!(!made.is_empty() && made.iter().all(|audit| audit["operation"] != "audit_missing"), "{overview}");
    house.sonarr.inject("500".parse().unwrap());
    let failure = house.call("sonarr_system_commands", "audit_library", json!({})).await.unwrap_err();
    assert_eq!(failure.code.name(), "sonarr_failed");
}

/// Nothing is sent any more once nobody waits for the answer.
#[tokio::test]
async fn an_audit_that_is_dropped_stops() {
    let house = house(vec![Scenario::clean()]).await;
    house.sonarr.inject("latency=400ms".parse().unwrap());
    let call = house.call("sonarr_system_commands", "audit_library", json!({}));
    assert!(tokio::time::timeout(Duration::from_millis(700), call).await.is_err());
    tokio::time::sleep(Duration::from_millis(600)).await;
    let sent = house.sonarr.requests().len();
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    assert_eq!(house.sonarr.requests().len(), sent);
    assert!(sent < 12, "{sent}");
}

/// An argument that an audit does not take is refused.
#[tokio::test]
async fn only_audits_of_the_history_take_days() {
    let house = house(vec![Scenario::clean()]).await;
    let failure = house.call("sonarr_wanted", "audit_missing", json!({"days": 3})).await.unwrap_err();
    assert_eq!(failure.path.as_deref(), Some("arguments.days"));
    for audit in AUDITS.iter().filter(|audit| !audit.parameters.is_empty()) {
        house.call(&format!("sonarr_{}", audit.group), audit.name, json!({"days": 3})).await.unwrap();
    }
}
