use std::collections::BTreeMap;

use super::{Extent, Fitted, Frame, Next, Omitted, fit, fit_lines, fit_text};
use crate::answer::query;
use serde_json::{Value, json};

const CAP: usize = 60_000;

const SERIES: &[&str] = &[
    "id",
    "title",
    "year",
    "status",
    "monitored",
    "qualityProfileId",
    "statistics.seasonCount",
    "statistics.episodeFileCount",
    "statistics.episodeCount",
    "statistics.sizeOnDisk",
    "path",
    "tags",
];

/// Numbers without a pattern, the same in each run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }
}

fn series(count: usize, overview: usize) -> Vec<Value> {
    let mut dice = Dice(0x1234_5678_9abc_def1);
    (0..count)
        .map(|id| {
            let title = format!("The \"Invented\" Tale {id}{}", "ö".repeat(dice.roll(20)));
            json!({
                "id": id, "title": title, "year": 1990 + dice.roll(30), "status": "continuing",
                "monitored": dice.roll(2) == 0, "overview": "o".repeat(dice.roll(overview + 1)),
                "qualityProfileId": 4, "path": format!("/tv/Invented Tale {id}"), "tags": [1, 2],
                "seasons": [{"seasonNumber": 1, "monitored": true}],
                "statistics": {"seasonCount": 3, "episodeFileCount": 20, "episodeCount": 30,
                               "sizeOnDisk": 9_007_199_254_740_993_u64 + id as u64, "percentOfEpisodes": 66.6},
            })
        })
        .collect()
}

/// The answer's text as it goes out.
fn text_of(fitted: &Fitted) -> String {
    match &fitted.extent {
        None => fitted.value.to_string(),
        Some(extent) => {
            let mut answer = serde_json::Map::new();
            answer.insert("result".to_owned(), fitted.value.clone());
            answer.extend(extent.members());
            Value::Object(answer).to_string()
        }
    }
}

/// Asks as a caller does, and holds every answer against the cap.
fn ask(data: &Value, asked: Option<&str>, columns: &[&str], cap: usize) -> Fitted {
    let frame = Frame { cap, columns, query: asked, list: None };
    let value = match asked {
        Some(expression) => query::apply(expression, data).unwrap_or_else(|error| panic!("{expression}: {error}")),
        None => data.clone(),
    };
    let fitted = fit(value, &frame);
    let text = text_of(&fitted);
    assert!(text.len() <= cap, "{} bytes for {asked:?} with a cap of {cap}", text.len());
    if let Some(Extent { returned, total, next, omitted, .. }) = &fitted.extent {
        assert!(returned <= total);
        assert!(*returned > 0 || !omitted.is_empty(), "nothing for {asked:?}: {text:.200}");
        assert!(next.is_some() || !omitted.is_empty() || returned <= total);
    }
    fitted
}

fn follow(asked: Option<&str>, next: &Next) -> String {
    match next {
        Next::Query(query) => query.clone(),
        Next::End(end) => {
            // As a caller does: such an end is replaced, anything else stays.
            let asked = asked.unwrap_or("@");
            let (start, last) = asked.rsplit_once(" | ").unwrap_or((asked, ""));
            let replaced = last.starts_with('[') && last.ends_with(":]");
            format!("{}{end}", if replaced { start } else { asked })
        }
        Next::Page { .. } => panic!("no query"),
    }
}

/// Follows a list to its end; the rows in order, and the omitted ones by their own queries.
fn collect(data: &Value, first: Option<&str>, columns: &[&str], cap: usize) -> (Vec<Value>, usize) {
    let mut rows = Vec::new();
    let mut asked = first.map(str::to_owned);
    for calls in 1.. {
        assert!(calls < 5_000, "no end in sight");
        let Fitted { value, extent } = ask(data, asked.as_deref(), columns, cap);
        let Value::Array(part) = value else { panic!("no list") };
        let omitted: Vec<Omitted> = extent.as_ref().map_or_else(Vec::new, |extent| extent.omitted.clone());
        let places: Vec<usize> =
            omitted.iter().map(|omitted| usize::try_from(omitted.what.as_u64().unwrap()).unwrap()).collect();
        let mut part = part.into_iter();
        let count = part.len() + places.len();
        for place in 0..count {
            match places.iter().position(|omitted| *omitted == place) {
                Some(index) => {
                    let query = follow(asked.as_deref(), &omitted[index].get);
                    rows.push(query::apply(&query, data).unwrap());
                }
                None => rows.push(part.next().unwrap()),
            }
        }
        match extent.and_then(|extent| extent.next) {
            Some(next) => asked = Some(follow(asked.as_deref(), &next)),
            None => return (rows, calls),
        }
    }
    unreachable!()
}

fn ids(rows: &[Value]) -> Vec<usize> {
    rows.iter().map(|row| usize::try_from(row["id"].as_u64().unwrap()).unwrap()).collect()
}

#[test]
fn what_fits_is_left_as_it_is() {
    for value in [json!([]), json!({"a": 1}), json!("text"), json!(null), Value::Array(series(5, 100))] {
        let fitted = ask(&value, None, SERIES, CAP);
        assert_eq!(fitted, Fitted { value, extent: None });
    }
}

#[test]
fn five_hundred_series_are_all_there_with_id_and_title() {
    let rows = series(500, 7_000);
    let fitted = ask(&Value::Array(rows.clone()), None, SERIES, CAP);
    let extent = fitted.extent.unwrap();
    assert_eq!((extent.total, extent.returned, &extent.next), (500, 500, &None));
    for (shown, row) in fitted.value.as_array().unwrap().iter().zip(&rows) {
        assert_eq!((&shown["id"], &shown["title"]), (&row["id"], &row["title"]));
        assert!(shown.get("overview").is_none());
    }
    let query = extent.note.split("query \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert_eq!(query, "[?id==`0`]");
    assert_eq!(query::apply(query, &Value::Array(rows.clone())).unwrap(), json!([rows[0]]));
}

#[test]
fn fewer_rows_keep_more_columns() {
    let count = |rows: usize| {
        let fitted = ask(&Value::Array(series(rows, 7_000)), None, SERIES, CAP);
        fitted.value[0].to_string().matches(':').count()
    };
    let counts: Vec<usize> = [100, 300, 500, 700].into_iter().map(count).collect();
    assert_eq!(counts[0], SERIES.len() + 1);
    assert!(counts.is_sorted_by(|one, two| one >= two), "{counts:?}");
    assert!(counts[3] >= 2);
}

#[test]
fn columns_that_say_nothing_are_left_to_the_others() {
    let rows: Vec<Value> = (0..40)
        .map(|n| json!({"name": "", "implementation": format!("Kind{n}"), "fields": ["f".repeat(4_000)]}))
        .collect();
    let rows = Value::Array(rows);
    let Fitted { value, extent } = ask(&rows, None, &["id", "name", "implementation", "tags"], CAP);
    assert_eq!(value[1], json!({"implementation": "Kind1"}));
    let note = extent.unwrap().note;
    let whole = query::apply("[?implementation=='Kind0']", &rows).unwrap();
    assert!(note.contains("\"[?implementation=='Kind0']\""), "{note}");
    assert_eq!(whole, json!([rows[0]]));
}

#[test]
fn hints_lead_through_every_row_once() {
    for (count, caps) in [(10, [2_500, 5_000]), (101, [2_500, 9_000]), (500, [20_000, CAP]), (10_000, [CAP, 0])] {
        let rows = Value::Array(series(count, 300));
        for cap in caps {
            for (first, columns) in [
                (None, SERIES),
                (None, &[][..]),
                (None, &["nothing", "at.all"][..]),
                (Some("[*].{id: id, overview: overview}"), SERIES),
                (Some("reverse(@)"), SERIES),
                (Some("@ | [3:]"), SERIES),
            ] {
                // Hundreds of parts of thousands of rows take long and show no more.
                if count > 1_000 && (cap < CAP || first.is_some() || columns != SERIES) {
                    continue;
                }
                let (found, _) = collect(&rows, first, columns, cap);
                let mut expected: Vec<usize> = (0..count).collect();
                match first {
                    Some("reverse(@)") => expected.reverse(),
                    Some("@ | [3:]") => drop(expected.drain(..3)),
                    _ => {}
                }
                assert_eq!(ids(&found), expected, "{count} {cap} {first:?}");
            }
        }
    }
}

#[test]
fn a_list_takes_few_calls() {
    let rows = Value::Array(series(10_000, 3_000));
    let (_, calls) = collect(&rows, None, SERIES, CAP);
    assert!(calls <= 20, "{calls}");
}

#[test]
fn rows_too_large_are_reached_by_their_own_query() {
    let rows: Vec<Value> =
        (0..40).map(|id| json!({"id": id, "text": "t".repeat(if id % 7 == 0 { 20_000 } else { 100 })})).collect();
    for count in [1, 2, 8, 40] {
        let rows = Value::Array(rows[..count].to_vec());
        for columns in [&[][..], &["id", "text"][..]] {
            let (found, _) = collect(&rows, None, columns, 5_000);
            assert_eq!(ids(&found), (0..count).collect::<Vec<_>>());
        }
    }
    // More of them than one answer names.
    let rows = Value::Array((0..100).map(|id| json!({"id": id, "text": "t".repeat(20_000)})).collect());
    let (found, _) = collect(&rows, None, &[], 5_000);
    assert_eq!(ids(&found), (0..100).collect::<Vec<_>>());
}

#[test]
fn null_rows_do_not_shift_the_others() {
    let rows: Vec<Value> =
        (0..300).map(|id| if id % 3 == 0 { json!(null) } else { json!({"id": id, "text": "t".repeat(50)}) }).collect();
    let (found, calls) = collect(&Value::Array(rows), None, &["id"], 3_000);
    assert!(calls > 2);
    assert_eq!(ids(&found), (0..300).filter(|id| id % 3 != 0).collect::<Vec<_>>());
    let rows: Vec<Value> = (0..300).map(|id| json!([id, "t".repeat(50)])).collect();
    let (found, _) = collect(&Value::Array(rows.clone()), Some("map(&@, @)"), &[], 3_000);
    assert_eq!(found, rows);
}

#[test]
fn a_long_query_still_leads_on() {
    let columns: Vec<String> = (0..200).map(|n| format!("c{n}: overview")).collect();
    let query = format!("[*].{{id: id, {}}}", columns.join(", "));
    assert!(query.len() > 2_500);
    let (found, calls) = collect(&Value::Array(series(60, 20)), Some(&query), &[], 15_000);
    assert_eq!(ids(&found), (0..60).collect::<Vec<_>>());
    assert!(calls > 2);
}

/// Sonarr's own paging over these records.
fn page_of(records: &[Value], page: u64, size: u64) -> Value {
    let (page_index, size_index) = (usize::try_from(page - 1).unwrap(), usize::try_from(size).unwrap());
    let shown: Vec<&Value> = records.iter().skip(page_index * size_index).take(size_index).collect();
    json!({"page": page, "pageSize": size, "sortKey": "time", "sortDirection": "descending",
           "totalRecords": records.len(), "records": shown})
}

#[test]
fn pages_lead_through_every_record_once() {
    for count in [12, 100, 503, 10_000] {
        let records = series(count, 300);
        for (first, size) in [(1, 10), (1, 250), (1, 10_000), (2, 37)] {
            for (cap, columns) in [(CAP, SERIES), (4_000, SERIES), (CAP, &[][..]), (4_000, &[][..])] {
                if count > 2_000 && (cap < CAP || columns.is_empty() || size < 100) {
                    continue;
                }
                let (mut page, mut size) = (first, size);
                let mut found = Vec::new();
                let skipped = usize::try_from((page - 1) * size).unwrap();
                for calls in 0.. {
                    assert!(calls < 3_000);
                    let Fitted { value, extent } = ask(&page_of(&records, page, size), None, columns, cap);
                    found.extend(value["records"].as_array().unwrap().iter().cloned());
                    assert_eq!(value["totalRecords"], count);
                    let next = match extent {
                        Some(extent) => {
                            assert_eq!(extent.total, count as u64);
                            assert_eq!(extent.omitted, Vec::new());
                            extent.next
                        }
                        // An answer that fits is Sonarr's own and is paged by its numbers.
                        None => {
                            let more = page * size < count as u64;
                            more.then_some(Next::Page { page: page + 1, page_size: size })
                        }
                    };
                    match next {
                        Some(Next::Page { page: next, page_size }) => (page, size) = (next, page_size),
                        Some(other) => panic!("{other:?}"),
                        None => break,
                    }
                }
                let expected: Vec<usize> = (skipped.min(count)..count).collect();
                assert_eq!(ids(&found), expected, "{count} {first} {size} {cap}");
            }
        }
    }
}

#[test]
fn records_too_large_are_reached_by_their_own_query() {
    let records: Vec<Value> =
        (0..20).map(|id| json!({"id": id, "text": "t".repeat(if id == 3 { 9_000 } else { 400 })})).collect();
    let (mut page, mut size) = (1, 20);
    let mut found = BTreeMap::new();
    loop {
        let whole = page_of(&records, page, size);
        let Fitted { value, extent } = ask(&whole, None, &[], 5_000);
        let mut shown = value["records"].as_array().unwrap().clone();
        let extent =
            extent.unwrap_or(Extent { total: 20, returned: 0, next: None, omitted: vec![], note: String::new() });
        for omitted in &extent.omitted {
            shown.push(query::apply(&follow(None, &omitted.get), &whole).unwrap());
        }
        for row in shown {
            assert!(found.insert(row["id"].as_u64().unwrap(), row).is_none());
        }
        let Some(Next::Page { page: next, page_size }) = extent.next else { break };
        (page, size) = (next, page_size);
    }
    assert_eq!(found.len(), 20);
    assert_eq!(found[&3], records[3]);
}

/// Everything within a value, by following every hint.
fn gather(data: &Value, asked: Option<&str>, cap: usize, depth: usize) -> Value {
    assert!(depth < 40, "hints lead in a circle: {asked:?}");
    let Fitted { value, extent } = ask(data, asked, &[], cap);
    let Some(extent) = extent else { return value };
    let rest = extent.next.map(|next| gather(data, Some(&follow(asked, &next)), cap, depth + 1));
    match (value, rest) {
        (Value::Object(mut members), rest) => {
            for omitted in &extent.omitted {
                let query = follow(asked, &omitted.get);
                members.insert(omitted.what.as_str().unwrap().to_owned(), gather(data, Some(&query), cap, depth + 1));
            }
            if let Some(Value::Object(rest)) = rest {
                for (name, value) in rest {
                    assert!(members.insert(name, value).is_none());
                }
            }
            Value::Object(members)
        }
        (Value::String(text), Some(Value::String(rest))) => Value::String(text + &rest),
        (Value::Array(mut rows), rest) => {
            for omitted in &extent.omitted {
                let query = follow(asked, &omitted.get);
                let place = usize::try_from(omitted.what.as_u64().unwrap()).unwrap();
                rows.insert(place, gather(data, Some(&query), cap, depth + 1));
            }
            if let Some(Value::Array(rest)) = rest {
                rows.extend(rest);
            }
            Value::Array(rows)
        }
        (value, _) => value,
    }
}

#[test]
fn an_object_can_be_had_in_parts() {
    let strings: serde_json::Map<String, Value> =
        (0..1_500).map(|n| (format!("Key{n}"), json!(format!("Text {n} \"{}\"", "y".repeat(n % 90))))).collect();
    let schema: Vec<Value> =
        (0..200).map(|n| json!({"name": format!("field{n}"), "helpText": "h".repeat(1_500)})).collect();
    let mut names = serde_json::Map::new();
    for name in ["with space", "true", "1st", "q\"uote", "plain"] {
        names.insert(name.to_owned(), json!("v".repeat(30_000)));
    }
    for value in [
        Value::Object(strings),
        json!({"id": 1, "name": "n", "fields": schema, "presets": [], "long": "line\n".repeat(30_000)}),
        Value::Object(names),
        json!({"only": {"one": {"member": "é".repeat(90_000)}}}),
        json!({"records": series(400, 100), "totalRecords": 400}),
        json!({"page": 1, "pageSize": 10, "totalRecords": 400, "records": "none", "more": "m".repeat(70_000)}),
        json!("one long text ".repeat(9_000)),
        json!([[["deep", "x".repeat(70_000)]]]),
    ] {
        for cap in [20_000, CAP] {
            assert_eq!(gather(&value, None, cap, 0), value);
        }
    }
}

#[test]
fn a_large_member_is_named_with_its_size() {
    let value = json!({"id": 1, "name": "n", "fields": ["f".repeat(70_000), 1], "tags": []});
    let Fitted { value, extent } = ask(&value, None, &[], CAP);
    assert_eq!(value, json!({"id": 1, "name": "n", "tags": []}));
    let extent = Value::Object(extent.unwrap().members());
    assert_eq!((&extent["total"], &extent["returned"]), (&json!(4), &json!(3)));
    assert_eq!(
        extent["omitted"],
        json!([{"what": "fields", "type": "array", "length": 2, "bytes": 70_006, "query": "fields"}])
    );
}

#[test]
fn a_text_is_cut_between_lines() {
    let log: String = (0..4_000).map(|n| format!("2026-11-30 12:00:00.{n}|Info|Import|\"Line\" {n}\n")).collect();
    let first = fit_text(log.clone(), &Frame { cap: CAP, columns: &[], query: None, list: None });
    assert!(text_of(&first).len() <= CAP);
    let mut found = first.value.as_str().unwrap().to_owned();
    let mut extent = first.extent.unwrap();
    assert_eq!(extent.total, 4_000);
    assert!(extent.note.contains("[-100:]"));
    while let Some(next) = extent.next {
        let asked = follow(None, &next);
        let Value::Array(lines) = query::apply_to_lines(&asked, &log).unwrap() else { panic!("no lines") };
        let part = fit_lines(lines, &Frame { cap: CAP, columns: &[], query: Some(&asked), list: None });
        assert!(text_of(&part).len() <= CAP);
        found.push('\n');
        found.push_str(part.value.as_str().unwrap());
        match part.extent {
            Some(part) => extent = part,
            None => break,
        }
    }
    assert_eq!(found, log.trim_end());
    let Value::Array(last) = query::apply_to_lines("[-2:]", &log).unwrap() else { panic!("no lines") };
    let last = fit_lines(last, &Frame { cap: CAP, columns: &[], query: Some("[-2:]"), list: None });
    assert_eq!(last.value.as_str().map(|text| text.lines().count()), Some(2));
}

#[test]
fn a_text_of_one_line_is_cut_between_characters() {
    let text = format!("short\n{}\nend", "é\"".repeat(50_000));
    let first = fit_text(text.clone(), &Frame { cap: CAP, columns: &[], query: None, list: None });
    assert_eq!(first.value, json!("short\nend"));
    let extent = first.extent.unwrap();
    let Next::Query(query) = &extent.omitted[0].get else { panic!("no query") };
    let line = query::apply_to_lines(query, &text).unwrap();
    assert_eq!(line.as_str().unwrap().chars().count(), 100_000);
    let part = fit(line, &Frame { cap: CAP, columns: &[], query: Some(query), list: None });
    assert!(text_of(&part).len() <= CAP);
    let Some(Next::Query(next)) = part.extent.unwrap().next else { panic!("no query") };
    assert!(query::apply_to_lines(&next, &text).unwrap().is_string());
}

/// Going on as `next` says gives every row of a list once, and what is around the list stays with its first part.
#[test]
fn a_list_within_an_object_is_gone_through_once() {
    let rows: Vec<Value> = (0..900).map(|id| json!({"id": id, "reason": "r".repeat(40 + id % 7)})).collect();
    let whole = json!({"total": 900, "kinds": [{"kind": "a", "count": 900}], "unseen": ["x"], "findings": rows});
    let cap = 4_000;
    let first = fit(whole.clone(), &Frame { cap, columns: &[], query: None, list: Some("findings") });
    assert!(text_of(&first).len() <= cap);
    assert_eq!((&first.value["total"], &first.value["unseen"]), (&json!(900), &json!(["x"])));
    assert_eq!(first.value.as_object().unwrap().keys().next_back().unwrap(), "findings");
    let mut seen = first.value["findings"].as_array().unwrap().clone();
    let extent = first.extent.unwrap();
    assert_eq!((extent.total, extent.returned), (900, seen.len() as u64));
    let mut next = extent.next;
    while let Some(Next::Query(asked)) = next {
        let selected = query::apply(&asked, &whole).unwrap();
        let part = fit(selected, &Frame { cap, columns: &[], query: Some(&asked), list: None });
        assert!(text_of(&part).len() <= cap);
        seen.extend(part.value.as_array().unwrap().iter().cloned());
        next = part.extent.and_then(|extent| extent.next);
    }
    assert_eq!(Some(&seen), whole["findings"].as_array());
}

/// A list that is not there, or that has too much around it, is no reason to show nothing.
#[test]
fn an_object_without_its_list_is_cut_like_any_other() {
    let frame = Frame { cap: 2_000, columns: &[], query: None, list: Some("findings") };
    for whole in [
        json!({"total": 3, "other": "o".repeat(5_000)}),
        json!({"unseen": "u".repeat(1_500), "findings": [{"id": "i".repeat(1_000)}, {"id": 2}]}),
    ] {
        let expected = fit(whole.clone(), &Frame { list: None, ..frame });
        assert_eq!(fit(whole, &frame), expected);
    }
}
