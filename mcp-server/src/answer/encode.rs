//! Some members of each record of a list, straight from the records' type.
//!
//! A list of thousands of records as JSON values takes many times the memory of its text, and most
//! of the time goes into members that nobody will see. Here a member that is not wanted is passed
//! over before it is encoded.

use serde::ser::{Error as _, Impossible, SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::{Error, Map, Value};

use super::columns::Columns;

/// Members by which another member of the same object may be told to be a secret. They stay where
/// they are; of `value` it only counts that it is there.
const TELLING: [&str; 5] = ["name", "value", "key", "privacy", "propertyName"];

/// The records of a list, each with these columns and the members that tell of secrets among them.
///
/// # Errors
/// When it is no list of objects.
pub fn records(list: &(impl Serialize + ?Sized), columns: &Columns<'_>) -> Result<Vec<Value>, Error> {
    list.serialize(List(columns))
}

fn unexpected() -> Error {
    Error::custom("it is no list of objects")
}

/// The methods for what is neither a list nor an object: all of them call `other`.
macro_rules! scalars {
    () => {
        scalars! {
            serialize_bool: bool,
            serialize_i8: i8,
            serialize_i16: i16,
            serialize_i32: i32,
            serialize_i64: i64,
            serialize_u8: u8,
            serialize_u16: u16,
            serialize_u32: u32,
            serialize_u64: u64,
            serialize_f32: f32,
            serialize_f64: f64,
            serialize_char: char,
            serialize_str: &str,
        }
    };
    ($($method:ident: $type:ty,)*) => {
        $(
            fn $method(self, value: $type) -> Result<Self::Ok, Error> {
                self.other(&value)
            }
        )*

        fn serialize_bytes(self, value: &[u8]) -> Result<Self::Ok, Error> {
            self.other(value)
        }

        fn serialize_none(self) -> Result<Self::Ok, Error> {
            self.other(&())
        }

        fn serialize_unit(self) -> Result<Self::Ok, Error> {
            self.other(&())
        }

        fn serialize_unit_struct(self, _: &'static str) -> Result<Self::Ok, Error> {
            self.other(&())
        }

        fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Result<Self::Ok, Error> {
            self.other(name)
        }

        fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Self::Ok, Error> {
            value.serialize(self)
        }

        fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<Self::Ok, Error> {
            value.serialize(self)
        }

        fn serialize_newtype_variant<T: Serialize + ?Sized>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> Result<Self::Ok, Error> {
            Err(unexpected())
        }

        type SerializeTuple = Impossible<Self::Ok, Error>;
        type SerializeTupleStruct = Impossible<Self::Ok, Error>;
        type SerializeTupleVariant = Impossible<Self::Ok, Error>;
        type SerializeStruct = Impossible<Self::Ok, Error>;
        type SerializeStructVariant = Impossible<Self::Ok, Error>;

        fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
            Err(unexpected())
        }

        fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
            Err(unexpected())
        }

        fn serialize_tuple_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeTupleVariant, Error> {
            Err(unexpected())
        }

        // The SDK's types write themselves as maps, for they keep members they do not know.
        fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Error> {
            Err(unexpected())
        }

        fn serialize_struct_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeStructVariant, Error> {
            Err(unexpected())
        }
    };
}

/// Takes a list.
struct List<'c>(&'c Columns<'c>);

impl List<'_> {
    fn other<T: Serialize + ?Sized>(self, _: &T) -> Result<Vec<Value>, Error> {
        Err(unexpected())
    }
}

impl<'c> Serializer for List<'c> {
    type Ok = Vec<Value>;
    type Error = Error;
    type SerializeSeq = Records<'c>;
    type SerializeMap = Impossible<Vec<Value>, Error>;

    scalars!();

    fn serialize_seq(self, length: Option<usize>) -> Result<Records<'c>, Error> {
        Ok(Records { columns: self.0, records: Vec::with_capacity(length.unwrap_or_default()) })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
        Err(unexpected())
    }
}

struct Records<'c> {
    columns: &'c Columns<'c>,
    records: Vec<Value>,
}

impl SerializeSeq for Records<'_> {
    type Ok = Vec<Value>;
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let record = value.serialize(Record(self.columns))?;
        if !record.is_object() {
            return Err(unexpected());
        }
        self.records.push(record);
        Ok(())
    }

    fn end(self) -> Result<Vec<Value>, Error> {
        Ok(self.records)
    }
}

/// Takes a record, or what stands in the place of one.
struct Record<'c>(&'c Columns<'c>);

impl Record<'_> {
    fn other<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, Error> {
        serde_json::to_value(value)
    }
}

impl<'c> Serializer for Record<'c> {
    type Ok = Value;
    type Error = Error;
    type SerializeSeq = Impossible<Value, Error>;
    type SerializeMap = Members<'c>;

    scalars!();

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        Err(unexpected())
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'c>, Error> {
        Ok(Members { columns: self.0, members: Map::new(), next: Wanted::Nothing })
    }
}

struct Members<'c> {
    columns: &'c Columns<'c>,
    members: Map<String, Value>,
    next: Wanted<'c>,
}

/// What is wanted of the next member.
#[derive(Clone, Copy)]
enum Wanted<'c> {
    Nothing,
    /// The columns within it, or all of it where there are none.
    Column(&'c str, &'c Columns<'c>),
    Telling(&'static str),
}

impl<'c> SerializeMap for Members<'c> {
    type Ok = Value;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.next = key.serialize(Name(self.columns))?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let (name, value) = match std::mem::replace(&mut self.next, Wanted::Nothing) {
            Wanted::Nothing => return Ok(()),
            Wanted::Column(name, within) if within.is_empty() => (name, serde_json::to_value(value)?),
            Wanted::Column(name, within) => (name, value.serialize(Record(within))?),
            Wanted::Telling("value") => ("value", Value::Null),
            Wanted::Telling(name) => (name, serde_json::to_value(value)?),
        };
        self.members.insert(name.to_owned(), value);
        Ok(())
    }

    fn end(self) -> Result<Value, Error> {
        Ok(Value::Object(self.members))
    }
}

/// Takes the name of a member, and says what is wanted of it.
struct Name<'c>(&'c Columns<'c>);

impl<'c> Name<'c> {
    fn other<T: Serialize + ?Sized>(self, _: &T) -> Result<Wanted<'c>, Error> {
        Err(unexpected())
    }
}

impl<'c> Serializer for Name<'c> {
    type Ok = Wanted<'c>;
    type Error = Error;
    type SerializeSeq = Impossible<Wanted<'c>, Error>;
    type SerializeMap = Impossible<Wanted<'c>, Error>;

    scalars! {
        serialize_bool: bool,
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_f32: f32,
        serialize_f64: f64,
        serialize_char: char,
    }

    fn serialize_str(self, name: &str) -> Result<Wanted<'c>, Error> {
        if let Some((name, within)) = self.0.member(name) {
            return Ok(Wanted::Column(name, within));
        }
        let telling = TELLING.iter().find(|telling| **telling == name);
        Ok(telling.map_or(Wanted::Nothing, |name| Wanted::Telling(name)))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        Err(unexpected())
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
        Err(unexpected())
    }
}

#[cfg(test)]
mod tests {
    use super::records;
    use crate::answer::columns::Columns;
    use serde_json::{Value, json};

    #[test]
    fn a_record_has_its_columns_and_what_tells_of_secrets() {
        let columns = Columns::new(&["id", "statistics.size", "title", "tags", "quality.quality.name"]);
        let list = json!([
            {"title": "A", "id": 3, "statistics": {"size": 2, "count": 5}, "more": {"deep": [1]}, "tags": [1, 2],
             "quality": {"quality": {"name": "HD", "id": 1}, "revision": {}}, "privacy": "apiKey", "value": [1]},
            {"id": 4, "statistics": null, "quality": {}},
            {}
        ]);
        let found = records(&list, &columns).unwrap();
        assert_eq!(
            Value::from(found.clone()),
            json!([
                {"title": "A", "id": 3, "statistics": {"size": 2}, "tags": [1, 2],
                 "quality": {"quality": {"name": "HD"}}, "privacy": "apiKey", "value": null},
                {"id": 4, "statistics": null, "quality": {}},
                {}
            ])
        );
        for (record, whole) in found.iter().zip(list.as_array().unwrap()) {
            assert_eq!(columns.of(record), columns.of(whole));
        }
    }

    #[test]
    fn what_is_no_list_of_objects_is_refused() {
        let columns = Columns::new(&["id"]);
        for other in [json!({"id": 1}), json!([1]), json!([[]]), json!([null]), json!(null), json!("a")] {
            assert!(records(&other, &columns).is_err(), "{other}");
        }
        assert_eq!(records(&json!([]), &columns).unwrap(), Vec::<Value>::new());
    }

    #[test]
    fn the_types_of_the_sdk_are_lists_of_objects() {
        let series: Vec<sonarr_client::types::SeriesResource> = serde_json::from_value(json!([
            {"id": 1, "title": "A", "coming": 3, "year": null, "statistics": {"sizeOnDisk": 5, "seasonCount": 1}}
        ]))
        .unwrap();
        let columns = Columns::new(&["id", "year", "coming", "statistics.sizeOnDisk"]);
        let found = records(&series, &columns).unwrap();
        assert_eq!(Value::from(found), json!([{"id": 1, "statistics": {"sizeOnDisk": 5}, "coming": 3, "year": null}]));
    }
}
