//! Every operation sends exactly the request it stands for.

use base64::Engine;
use serde::Deserialize;
use serde_json::{Map, Value};
use sonarr_mcp::generated::GROUPS;
use sonarr_mcp::write::pairs::takes_patch;

use crate::recorder::{Recorded, Recorder, Reply};
use crate::session::{KEY, Session};

/// A call and the request it makes; the table is generated with the operations.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    tool: String,
    operation: String,
    arguments: Map<String, Value>,
    method: String,
    path: String,
    query: Vec<(String, String)>,
    body: Option<Value>,
    status: u16,
    multipart: bool,
}

fn rows() -> Vec<Row> {
    serde_json::from_str(include_str!("requests.json")).unwrap()
}

#[test]
fn every_operation_has_a_row() {
    let mut rows: Vec<(String, String)> = rows().into_iter().map(|row| (row.tool, row.operation)).collect();
    let mut operations: Vec<(String, String)> = GROUPS
        .iter()
        .flat_map(|group| group.operations)
        .map(|operation| (format!("sonarr_{}", operation.group), operation.name.to_owned()))
        .collect();
    rows.sort();
    operations.sort();
    assert_eq!(rows, operations);
    assert_eq!(rows.len(), 228);
}

#[tokio::test]
async fn every_operation_sends_its_request() {
    let recorder = Recorder::start().await;
    let mut session = Session::within(GROUPS, &format!("{}/base", recorder.url), 4).await;
    for mut row in rows() {
        let at = &row.operation.clone();
        let is_patch = replace_by_patch(&mut row);
        name_a_command(&mut row);
        let answer = if is_patch { before(row.body.as_ref().unwrap()).to_string() } else { "{}".to_owned() };
        recorder.reply(Reply::json(row.status, &answer));
        let call = serde_json::json!({"operation": row.operation, "arguments": row.arguments});
        let result = session.call(&row.tool, call).await;
        assert_eq!(result["isError"], false, "{at}: {result}");
        let requests = recorder.take();
        let [reads @ .., request] = requests.as_slice() else {
            panic!("{at}: no request");
        };
        assert_eq!(reads.len(), if is_patch { 2 } else { 0 }, "{at}");
        assert!(reads.iter().all(|read| read.method == "GET" && read.uri.path() == request.uri.path()), "{at}");
        check(&row, request);
    }
}

/// Gives an update a patch that makes its body of what [`before`] answers.
fn replace_by_patch(row: &mut Row) -> bool {
    let operations = GROUPS.iter().flat_map(|group| group.operations);
    let is_patch = operations.into_iter().any(|it| it.name == row.operation && takes_patch(it));
    if is_patch {
        row.arguments.remove("body");
        row.arguments.insert("patch".to_owned(), serde_json::json!({"memberOfYesterday": null}));
    }
    is_patch
}

/// Only a command that exists is sent, with parameters that it has.
fn name_a_command(row: &mut Row) {
    if row.operation == "run_command" {
        let body = serde_json::json!({"name": "RefreshSeries", "seriesIds": [3, 4], "isNewSeries": true});
        row.arguments.insert("body".to_owned(), body.clone());
        row.body = Some(body);
    }
}

/// The object that a patch is put on.
fn before(body: &Value) -> Value {
    let mut before = body.clone();
    before["memberOfYesterday"] = Value::from("old");
    before
}

fn check(row: &Row, request: &Recorded) {
    let at = &row.operation;
    assert_eq!(request.method.as_str(), row.method, "{at}");
    assert_eq!(request.uri.path(), format!("/base{}", row.path), "{at}");
    let sent = query(request.uri.query().unwrap_or_default());
    assert_eq!(by_name(sent), by_name(row.query.clone()), "{at}");

    let keys: Vec<_> = request.headers.get_all("x-api-key").iter().collect();
    assert_eq!(keys, [KEY], "{at}");
    assert!(!request.uri.to_string().to_lowercase().contains("apikey"), "{at}: {}", request.uri);
    let elsewhere = request.headers.iter().filter(|(name, _)| *name != "x-api-key");
    for (name, value) in elsewhere {
        assert!(!value.as_bytes().windows(KEY.len()).any(|part| part == KEY.as_bytes()), "{at}: {name}");
    }

    if row.multipart {
        return check_upload(row, request);
    }
    match &row.body {
        Some(body) => {
            assert_eq!(request.headers["content-type"], "application/json", "{at}");
            let sent: Value = serde_json::from_slice(&request.body).unwrap();
            assert_eq!(canonical(&sent), canonical(body), "{at}");
        }
        None => assert!(request.body.is_empty(), "{at}: {:?}", request.body),
    }
}

fn check_upload(row: &Row, request: &Recorded) {
    let content_type = request.headers["content-type"].to_str().unwrap();
    assert!(content_type.starts_with("multipart/form-data; boundary="), "{content_type}");
    let content = row.arguments["content"].as_str().unwrap();
    let content = base64::engine::general_purpose::STANDARD.decode(content).unwrap();
    let contains = |part: &[u8]| request.body.windows(part.len()).any(|window| window == part);
    let name = format!("filename={}", row.arguments["fileName"]);
    assert!(contains(name.as_bytes()), "{name}");
    assert!(contains(&[b"\r\n\r\n", content.as_slice(), b"\r\n--"].concat()));
    assert!(!contains(KEY.as_bytes()));
}

/// The names and values of a query, in order.
fn query(text: &str) -> Vec<(String, String)> {
    let part = |text: &str| percent_decoded(&text.replace('+', " "));
    text.split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (part(name), part(value))
        })
        .collect()
}

/// The order of different names means nothing; that of one name's values stays.
fn by_name(mut query: Vec<(String, String)>) -> Vec<(String, String)> {
    query.sort_by(|(a, _), (b, _)| a.cmp(b));
    query
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        match (first, tail) {
            (b'%', [high, low, tail @ ..]) => {
                let hex = String::from_utf8(vec![*high, *low]).unwrap();
                bytes.push(u8::from_str_radix(&hex, 16).unwrap());
                rest = tail;
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// 1 and 1.0 are one number, and the order of members is none.
fn canonical(value: &Value) -> Value {
    match value {
        Value::Number(number) => Value::from(number.as_f64().unwrap()),
        Value::Array(items) => items.iter().map(canonical).collect(),
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| name.as_str());
            Value::Object(members.into_iter().map(|(name, value)| (name.clone(), canonical(value))).collect())
        }
        other => other.clone(),
    }
}
