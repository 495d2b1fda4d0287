use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// A status.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Status {
    Continuing,
    Ended,
    Unrecognized(String),
    UnrecognizedNumber(i64),
}
crate::open_enum! { Status { Continuing: "continuing", Ended: "ended" } }

#[derive(Clone, Debug, PartialEq)]
struct Season {
    season_number: Option<i32>,
    status: Option<Status>,
    r#type: Option<String>,
    extra: Map<String, Value>,
}
crate::open_object! { Season { season_number: "seasonNumber", status: "status", r#type: "type" } }

#[derive(Clone, Debug, PartialEq)]
struct Series {
    id: Option<i32>,
    title: Option<String>,
    seasons: Option<Vec<Season>>,
    main: Option<Box<Season>>,
    dictionary: Option<BTreeMap<String, Season>>,
    free: Option<Value>,
    extra: Map<String, Value>,
}
crate::open_object! {
    Series { id: "id", title: "title", seasons: "seasons", main: "main", dictionary: "dictionary", free: "free" }
}

#[derive(Clone, Debug, PartialEq)]
struct Nothing {
    extra: Map<String, Value>,
}
crate::open_object! { Nothing {} }

fn there_and_back(value: &Value) -> Value {
    let text = value.to_string();
    let borrowed: Series = serde_json::from_str(&text).unwrap();
    let read: Series = serde_json::from_reader(text.as_bytes()).unwrap();
    let owned: Series = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(borrowed, read);
    assert_eq!(borrowed, owned);
    let written = serde_json::to_value(&borrowed).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&serde_json::to_string(&borrowed).unwrap()).unwrap(), written);
    written
}

#[test]
fn unknown_members_nulls_and_enum_values_survive_on_every_level() {
    let season = json!({
        "seasonNumber": null, "status": "paused", "type": "x", "new": {"a": [null, 1.5]}, "other": null
    });
    let series = json!({
        "id": 1,
        "title": null,
        "newMember": 7,
        "seasons": [season, {"status": 9}, {"status": null}, {}],
        "main": season,
        "dictionary": {"one": season, "two": {"deep": {"deeper": [{}]}}},
        "free": {"x": null},
    });
    assert_eq!(there_and_back(&series), series);
}

/// A small deterministic generator, so that a failure can be repeated.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap()
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.roll(if depth == 0 { 5 } else { 7 }) {
            0 => Value::Null,
            1 => json!(self.roll(2) == 0),
            2 => json!(i64::try_from(self.roll(2000)).unwrap() - 1000),
            3 => json!(self.roll(1000) as f64 / 8.0),
            4 => json!(["", "continuing", "\u{202e}\"\\", "ü", "a\nb"][self.roll(5)]),
            5 => (0..self.roll(3)).map(|_| self.value(depth - 1)).collect(),
            _ => Value::Object((0..self.roll(4)).map(|i| (format!("m{i}"), self.value(depth - 1))).collect()),
        }
    }

    fn season(&mut self) -> Value {
        let mut season = Map::new();
        for name in ["seasonNumber", "status", "type", "unknown", "extra", "Status"] {
            let value = match (self.roll(4), name) {
                (0, _) => continue,
                (1, _) => Value::Null,
                (_, "seasonNumber") => json!(self.roll(30)),
                (2, "status") => json!(["continuing", "ended", "paused", ""][self.roll(4)]),
                (_, "status") => json!(i64::try_from(self.roll(9)).unwrap() - 4),
                (_, "type") => json!("t"),
                _ => self.value(3),
            };
            season.insert(name.to_owned(), value);
        }
        Value::Object(season)
    }

    fn series(&mut self) -> Value {
        let mut series = Map::new();
        for name in ["seasons", "unknown", "id", "title", "main", "dictionary", "free", "ID"] {
            let value = match (self.roll(5), name) {
                (0, _) => continue,
                (1, _) => Value::Null,
                (_, "id") => json!(self.roll(30)),
                (_, "title") => json!("a title"),
                (_, "main") => self.season(),
                (_, "seasons") => (0..self.roll(4)).map(|_| self.season()).collect(),
                (_, "dictionary") => json!({"a": self.season(), "": self.season()}),
                _ => self.value(3),
            };
            series.insert(name.to_owned(), value);
        }
        Value::Object(series)
    }
}

#[test]
fn whatever_is_decoded_is_encoded_again() {
    let mut dice = Dice(0x5eed);
    let mut nulls = 0;
    for _ in 0..2000 {
        let series = dice.series();
        nulls += usize::from(series.get("id") == Some(&Value::Null));
        assert_eq!(there_and_back(&series), series);
    }
    assert!(nulls > 100, "the sample has {nulls} nulls on a known member");
}

#[test]
fn a_field_given_a_value_wins_over_a_kept_null() {
    let mut series: Series = serde_json::from_value(json!({"title": null, "id": 1})).unwrap();
    assert_eq!(series.extra.get("title"), Some(&Value::Null));
    series.title = Some("new".to_owned());
    series.id = None;
    assert_eq!(serde_json::to_string(&series).unwrap(), r#"{"title":"new"}"#);
}

#[test]
fn of_two_members_of_one_name_the_last_counts() {
    let series: Series = serde_json::from_str(r#"{"id":1,"id":2,"x":1,"x":2}"#).unwrap();
    assert_eq!(serde_json::to_value(&series).unwrap(), json!({"id": 2, "x": 2}));
    let series: Series = serde_json::from_str(r#"{"id":null,"id":2}"#).unwrap();
    assert_eq!(serde_json::to_string(&series).unwrap(), r#"{"id":2}"#);
    let series: Series = serde_json::from_str(r#"{"id":2,"id":null}"#).unwrap();
    assert_eq!(serde_json::to_string(&series).unwrap(), r#"{"id":null}"#);
}

#[test]
fn an_escaped_name_is_recognised() {
    let series: Series = serde_json::from_str(r#"{"\u0069d":3,"\u0078":1}"#).unwrap();
    assert_eq!(series.id, Some(3));
    assert_eq!(series.extra.get("x"), Some(&json!(1)));
}

#[test]
fn an_error_names_its_place() {
    let text = r#"{"seasons":[{},{"dictionary":1,"seasonNumber":"two"}]}"#;
    let error =
        serde_path_to_error::deserialize::<_, Series>(&mut serde_json::Deserializer::from_str(text)).unwrap_err();
    assert_eq!(error.path().to_string(), "seasons[1].seasonNumber");
    let error = serde_json::from_str::<Series>("[]").unwrap_err();
    assert!(error.to_string().contains("an object (Series)"), "{error}");
    assert!(serde_json::from_str::<Series>("null").is_err());
}

#[test]
fn a_struct_without_fields_keeps_everything() {
    let value = json!({"a": null, "b": [1]});
    let nothing: Nothing = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(serde_json::to_value(&nothing).unwrap(), value);
}

#[test]
fn enum_values_convert_in_every_direction() {
    assert_eq!(Status::NAMES, ["continuing", "ended"]);
    for (text, value) in [
        ("continuing", Status::Continuing),
        ("ENDED", Status::Ended),
        ("paused", Status::Unrecognized("paused".into())),
        ("5", Status::Unrecognized("5".into())),
        ("", Status::Unrecognized(String::new())),
    ] {
        assert_eq!(Status::from(text), value);
        assert_eq!(Status::from(text.to_owned()), value);
        assert_eq!(Status::from(&text.to_owned()), value);
        assert_eq!(text.parse::<Status>().unwrap(), value);
        assert_eq!(serde_json::from_value::<Status>(json!(text)).unwrap(), value);
        assert!(value.to_string().eq_ignore_ascii_case(text));
    }
    assert_eq!(Status::UnrecognizedNumber(-3).to_string(), "-3");
    for number in [0, -1, i64::MAX, i64::MIN] {
        let status: Status = serde_json::from_value(json!(number)).unwrap();
        assert_eq!(status, Status::UnrecognizedNumber(number));
        assert_eq!(serde_json::to_value(&status).unwrap(), json!(number));
    }
    for wrong in [json!(true), json!(1.5), json!(null), json!([]), json!(u64::MAX)] {
        let error = serde_json::from_value::<Status>(wrong).unwrap_err();
        assert!(error.to_string().contains("a name or a number (Status)"), "{error}");
    }
}

#[test]
fn enum_values_work_as_query_parameters_and_as_names_in_dictionaries() {
    let url = |value: &Status| {
        crate::Client::connect("http://h", "key")
            .unwrap()
            .client
            .get("http://h/")
            .query(&progenitor_client::QueryParam::new("status", value))
            .build()
            .unwrap()
            .url()
            .to_string()
    };
    assert_eq!(url(&Status::Ended), "http://h/?status=ended");
    assert_eq!(url(&Status::Unrecognized("a b".into())), "http://h/?status=a+b");
    assert_eq!(url(&Status::UnrecognizedNumber(-2)), "http://h/?status=-2");

    let by_status: BTreeMap<Status, i32> = serde_json::from_str(r#"{"ended":1,"paused":2}"#).unwrap();
    assert_eq!(by_status.get(&Status::Ended), Some(&1));
    assert_eq!(serde_json::to_string(&by_status).unwrap(), r#"{"ended":1,"paused":2}"#);
}

#[cfg(feature = "json-schema")]
#[test]
fn the_schema_lists_the_known_values_and_stays_open() {
    let schema = schemars::SchemaGenerator::default().into_root_schema_for::<Status>();
    let schema = schema.to_value();
    assert_eq!(schema.pointer("/type"), Some(&json!(["string", "integer"])));
    assert_eq!(schema.pointer("/examples"), Some(&json!(["continuing", "ended"])));
    assert_eq!(schema.pointer("/enum"), None);
}
