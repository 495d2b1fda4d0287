use std::time::{Duration, Instant};

use super::{QueryError, apply, apply_for, apply_to_lines, example};
use serde_json::{Value, json};

fn library() -> Value {
    json!([
        {"id": 7, "title": "Harbour Lights", "year": 2019, "monitored": true, "ended": false,
         "statistics": {"sizeOnDisk": 9_007_199_254_740_993_u64}, "tags": [1, 2], "nextAiring": "2026-12-03T20:00:00Z"},
        {"id": 3, "title": "Cold Orchard", "year": 2021, "monitored": false, "ended": true,
         "statistics": {"sizeOnDisk": 0}, "tags": [], "nextAiring": null},
        {"id": 5, "title": "The Ferrymen", "year": 2019, "monitored": true, "ended": true,
         "statistics": {"sizeOnDisk": 18_446_744_073_709_551_615_u64}, "tags": [2], "nextAiring": "2026-12-01T20:00:00Z"},
    ])
}

fn ask(expression: &str) -> Value {
    apply(expression, &library()).unwrap_or_else(|error| panic!("{expression}: {error}"))
}

fn refusal(expression: &str) -> QueryError {
    apply(expression, &library()).expect_err(expression)
}

#[test]
fn selections_keep_order_and_exact_numbers() {
    assert_eq!(ask("@"), library());
    let text = ask("[*].{title: title, size: statistics.sizeOnDisk, id: id}").to_string();
    assert_eq!(
        text,
        r#"[{"title":"Harbour Lights","size":9007199254740993,"id":7},{"title":"Cold Orchard","size":0,"id":3},{"title":"The Ferrymen","size":18446744073709551615,"id":5}]"#
    );
    assert_eq!(ask("[0].keys(@)[:3]"), json!(["id", "title", "year"]));
    assert_eq!(ask("[?statistics.sizeOnDisk == `9007199254740992`]"), json!([]));
    assert_eq!(ask("[?statistics.sizeOnDisk > `9007199254740992`].id"), json!([7, 5]));
    assert_eq!(ask("sum([:2].statistics.sizeOnDisk)"), json!(9_007_199_254_740_993_u64));
    assert_eq!(ask("max([*].statistics.sizeOnDisk)"), json!(u64::MAX));
    assert_eq!(ask("to_string([0].statistics.sizeOnDisk)"), json!("9007199254740993"));
    assert_eq!(ask("to_number('9007199254740993')"), json!(9_007_199_254_740_993_u64));
}

#[test]
fn a_query_does_what_the_language_says() {
    for (expression, expected) in [
        ("length(@)", json!(3)),
        ("[-1].id", json!(5)),
        ("[::-1].id", json!([5, 3, 7])),
        ("[1:].id", json!([3, 5])),
        ("[5:]", json!([])),
        ("[-2:2].id", json!([3])),
        ("[].tags[]", json!([1, 2, 2])),
        ("[*].tags | [0]", json!([1, 2])),
        ("[?monitored && ended].id", json!([5])),
        ("[?!monitored || year == `2021`].id", json!([3])),
        ("[?contains(tags, `2`)].id", json!([7, 5])),
        ("[?starts_with(title, 'The')].id", json!([5])),
        ("[?contains(lower(title), 'ORCH') || contains(upper(title), 'ORCH')].id", json!([3])),
        ("sort_by(@, &title)[*].id", json!([3, 7, 5])),
        ("sort_by(@, &year)[*].id", json!([7, 5, 3])),
        ("sort([*].id)", json!([3, 5, 7])),
        ("min_by(@, &year).id", json!(7)),
        ("max_by(@, &year).id", json!(3)),
        ("map(&nextAiring, @)", json!(["2026-12-03T20:00:00Z", null, "2026-12-01T20:00:00Z"])),
        ("[*].nextAiring", json!(["2026-12-03T20:00:00Z", "2026-12-01T20:00:00Z"])),
        ("avg([*].year)", json!(2_019.666_666_666_666_7)),
        ("sum(`[1, 2.5]`)", json!(3.5)),
        ("ceil(`1.2`)", json!(2)),
        ("floor(`-1.2`)", json!(-2)),
        ("abs(`-3`)", json!(3)),
        ("join(', ', [*].title)", json!("Harbour Lights, Cold Orchard, The Ferrymen")),
        ("reverse('abc')", json!("cba")),
        ("type([0])", json!("object")),
        ("not_null([1].nextAiring, 'none')", json!("none")),
        ("to_array(`1`)", json!([1])),
        ("merge(`{\"a\": 1, \"b\": 1}`, `{\"b\": 2}`)", json!({"a": 1, "b": 2})),
        ("values([1].statistics)", json!([0])),
        ("[1].statistics.*", json!([0])),
        ("items([1].statistics)", json!([["sizeOnDisk", 0]])),
        ("[0].items(@) | [1:3] | from_items(@)", json!({"title": "Harbour Lights", "year": 2019})),
        ("[0].{a: id, a: year}", json!({"a": 2019})),
        ("[0].[id, year]", json!([7, 2019])),
        ("nothing.at.all", json!(null)),
        ("[0].title[0:7]", json!("Harbour")),
        ("[0] == [0]", json!(true)),
        ("[0] != [1]", json!(true)),
        ("[*].tags == `[[1, 2], [], [2.0]]`", json!(true)),
    ] {
        assert_eq!(ask(expression), expected, "{expression}");
    }
}

#[test]
fn what_a_caller_plainly_means_is_taken_so() {
    assert_eq!(ask("[?monitored == true].id"), json!([7, 5]));
    assert_eq!(ask("[?monitored == false].id"), json!([3]));
    assert_eq!(ask("[?nextAiring != null].id"), json!([7, 5]));
    assert_eq!(ask("[?nextAiring < '2026-12-02'].id"), json!([5]));
}

#[test]
fn an_error_says_what_where_and_what_is_right() {
    for (expression, position, problem) in [
        ("[?title == \"The Ferrymen\"]", Some(12), "single quotes, as in 'The Ferrymen'"),
        ("[?contains(title, \"x\")]", Some(19), "single quotes"),
        ("[?id == 5]", Some(9), "backticks, as in `5`"),
        ("[?id = `5`]", Some(6), "`==` compares"),
        ("[?title == 'x]", Some(12), "not closed"),
        ("[?title == `x`]", Some(12), "single quotes"),
        ("[*].{id: id", Some(12), "ends too early"),
        ("", Some(1), "ends too early"),
        ("[*].{id}", Some(8), "`}` cannot stand here"),
        ("[*] ] x", Some(5), "`]` cannot stand here"),
        ("größe", Some(3), "`ö` cannot stand here"),
        ("sorted_by(@, &id)", Some(1), "did you mean `sort_by`?"),
        ("frobnicate(@)", Some(1), "there is no function"),
        ("length(`1`)", Some(1), "has to be a text, a list or an object, but is number"),
        ("length()", Some(1), "takes one argument, not 0"),
        ("sort_by(@, title)", Some(1), "`&` before it"),
        ("sort_by(@, &nextAiring)", Some(1), "leave such items out"),
        ("[?contains(nextAiring, '2026')]", Some(3), "ask for it first"),
        ("[::0]", Some(5), "cannot be 0"),
        ("[99999999999]", Some(2), "backticks"),
    ] {
        let error = refusal(expression);
        assert_eq!(error.position, position, "{expression}: {error}");
        assert!(error.problem.contains(problem), "{expression}: {error}");
        let example = error.example.unwrap();
        assert!(apply(&example, &library()).is_ok(), "{example}");
    }
    let error = refusal("[*].{id: id, title: title}.[unknown(@)]").to_string();
    assert_eq!(
        error,
        "there is no function `unknown`; there are abs, avg, ceil, contains, ends_with, floor, from_items, items, \
         join, keys, length, lower, map, max, max_by, merge, min, min_by, not_null, reverse, sort, sort_by, \
         starts_with, sum, to_array, to_number, to_string, type, upper, values (at character 29, after \
         `{id: id, title: title}.[`); on this answer works, for example: [:10].{id: id, title: title, year: year}"
    );
}

#[test]
fn an_example_fits_the_answer() {
    for (value, columns, expected) in [
        (library(), &["title", "nothing", "id"][..], "[:10].{title: title, id: id, year: year}"),
        (json!({"page": 1, "records": [{"id": 1}], "totalRecords": 1}), &[][..], "records[:10].{id: id}"),
        (json!({"version": "4", "isDebug": false}), &[][..], "{version: version, isDebug: isDebug}"),
        (json!({"records": []}), &[][..], "{records: records}"),
        (json!(["a"]), &[][..], "[:10]"),
        (json!([]), &[][..], "@"),
        (json!("a"), &[][..], "@"),
    ] {
        assert_eq!(example(&value, columns).as_deref(), Some(expected));
        let error = apply_for("]", &value, columns).unwrap_err();
        assert_eq!(error.example.as_deref(), Some(expected));
        assert_ne!(apply(expected, &value).unwrap(), Value::Null);
    }
}

#[test]
fn a_text_is_asked_by_its_lines() {
    let log = "one\r\ntwo Error\nthree\n";
    assert_eq!(apply_to_lines("[-2:]", log).unwrap(), json!(["two Error", "three"]));
    let error = apply_to_lines("[", log).unwrap_err();
    let example = error.example.unwrap();
    assert_eq!(apply_to_lines(&example, log).unwrap(), json!(["two Error"]));
}

#[test]
fn whatever_explodes_is_stopped() {
    let rows: Vec<Value> = (0..20_000).map(|id| json!({"id": id, "title": "x".repeat(20)})).collect();
    let rows = Value::Array(rows);
    let started = Instant::now();
    for expression in [
        vec!["[@,@]"; 30].join("|"),
        vec!["[@,@][]"; 20].join("|"),
        vec!["{a:@,b:@}"; 30].join("|"),
        format!("{}|to_string(@)", vec!["[@,@]"; 28].join("|")),
        format!("{}|@[0]==@[1]", vec!["[@,@]"; 14].join("|")),
        "[*].[@,@,@,@,@,@,@,@,@,@][].[@,@,@,@,@,@,@,@,@,@][].[@,@,@,@,@,@,@,@,@,@][]".to_owned(),
        format!("join('{}', map(&'x', @))", "y".repeat(4000)),
        format!("{}|join(@[0],@)", ["[join('',@[].title||@),join('',@[].title||@)]"; 6].join("|")),
    ] {
        let started = Instant::now();
        let error = apply(&expression, &rows).expect_err(&expression);
        assert!(error.problem.contains("stopped"), "{expression}: {error}");
        assert!(started.elapsed() < Duration::from_secs(6), "{expression}: {:?}", started.elapsed());
    }
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[test]
fn whatever_goes_deep_is_refused() {
    for part in ["(", "[", "!", "&", "{a:", "[?", "a.", "a|", "not_null(", "[*].", "`[", "*.", "a||", "@["] {
        for times in [65, 1_000, 10_000] {
            let error = apply(&part.repeat(times), &library()).expect_err(part);
            assert!(!error.to_string().is_empty());
        }
    }
    // As deep as is accepted, on a thread with less room than those of a server.
    let thread = std::thread::Builder::new().stack_size(1024 * 1024).spawn(|| {
        for (open, close) in [("(", ")"), ("[", "]"), ("{a:", "}"), ("!", ""), ("[@|", "]"), ("map(&", ",@)")] {
            let times = 60;
            let expression = format!("{}@{}", open.repeat(times), close.repeat(times));
            let _ = apply(&expression, &library());
        }
        apply(&vec!["[@]"; 31].join("|"), &library()).unwrap()
    });
    let deep = thread.unwrap().join().unwrap();
    assert!(deep.to_string().starts_with(&"[".repeat(31)));
}

#[test]
fn an_answer_of_any_size_can_be_selected_whole() {
    let rows = Value::Array((0..60_000).map(|id| json!({"id": id, "text": "t".repeat(300)})).collect());
    assert_eq!(apply("[*]", &rows).unwrap(), rows);
}

/// Expressions of random parts: none panics, and where the parser's own evaluation answers, this
/// one answers the same.
#[test]
fn agrees_with_the_language_on_random_expressions() {
    let data = json!({
        "a": [{"b": 1, "c": "x"}, {"b": 2, "c": "y"}, {"b": null}, 3, "s", [1, [2]], true],
        "b": {"a": {"c": [0, 1, 2, 3]}, "c": ""},
        "c": "text",
    });
    let parts = [
        "a",
        "b",
        "c",
        ".",
        ".",
        "[0]",
        "[-1]",
        "[*]",
        "[]",
        "[?b]",
        "[?b == `1`]",
        "*",
        "@",
        "|",
        "||",
        "&&",
        "!",
        "==",
        "!=",
        "<",
        ">=",
        "{x: b, y: c}",
        "[a, b]",
        "(",
        ")",
        "length(",
        "type(",
        "to_array(",
        "keys(",
        "not_null(",
        "map(&b, ",
        "sort_by(",
        ", &b)",
        "`2`",
        "'x'",
        "`[1]`",
        ",",
        "]",
        "[",
        "max(",
        "values(",
    ];
    let mut state = 0x2545_f491_4f6c_dd17_u64;
    let mut next = move |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % bound as u64).unwrap()
    };
    let theirs_of = |expression: &str| {
        let compiled = jmespath::compile(expression).ok()?;
        let found = compiled.search(&data).ok()?;
        serde_json::to_value(found.as_ref()).ok()
    };
    let mut compared = 0;
    for _ in 0..60_000 {
        let length = 1 + next(7);
        let expression: String = (0..length).map(|_| parts[next(parts.len())]).collect();
        let ours = apply(&expression, &data);
        // Texts have an order here.
        if expression.contains(['<', '>']) {
            continue;
        }
        let Some(theirs) = theirs_of(&expression) else { continue };
        match ours {
            Ok(ours) => assert!(same(&ours, &theirs), "{expression}: {ours} instead of {theirs}"),
            Err(error) => panic!("{expression}: {error}, instead of {theirs}"),
        }
        compared += 1;
    }
    assert!(compared > 4_000, "only {compared} expressions were compared");
}

/// The other evaluation sorts members, so lists of names and values may come in another order.
fn same(one: &Value, two: &Value) -> bool {
    let sorted = |value: &Value| {
        let mut characters: Vec<char> = value.to_string().replace(".0", "").chars().collect();
        characters.sort_unstable();
        characters
    };
    sorted(one) == sorted(two)
}
