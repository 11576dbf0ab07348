//! Turns answers into JSON, with times as ISO 8601 text.
//!
//! Baton's types serialize times as numbers of milliseconds, because the window computes with them.
//! A serializer recognizes them by their type, so that numbers in a person's own data stay numbers.

use std::fmt::Display;

use baton_model::{TIMESTAMP_NAME, Timestamp};
use serde::Serialize;
use serde::ser::{
    self, Impossible, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::{Error, Map, Value};

/// Serializes `value`. Fails as [`serde_json::to_value`] does.
pub(crate) fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value, Error> {
    value.serialize(IsoJson)
}

/// A time as text: `2026-05-01T12:00:00.25Z`.
pub(crate) fn iso(time: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(time.0)
        .map_or_else(|_| time.0.to_string(), |time| time.to_string())
}

struct IsoJson;

/// A list, or the content of a tuple variant with this name.
struct List(Option<&'static str>, Vec<Value>);

/// An object, or the content of a struct variant with this name.
struct Object {
    variant: Option<&'static str>,
    entries: Map<String, Value>,
    key: Option<String>,
}

impl Object {
    fn new(variant: Option<&'static str>) -> Self {
        Self {
            variant,
            entries: Map::new(),
            key: None,
        }
    }

    fn insert<T: Serialize + ?Sized>(&mut self, key: String, value: &T) -> Result<(), Error> {
        self.entries.insert(key, to_value(value)?);
        Ok(())
    }

    fn finish(self) -> Value {
        wrapped(self.variant, Value::Object(self.entries))
    }
}

fn wrapped(variant: Option<&'static str>, content: Value) -> Value {
    match variant {
        None => content,
        Some(variant) => Value::Object(Map::from_iter([(variant.to_owned(), content)])),
    }
}

/// Scalars are the same as in ordinary JSON.
macro_rules! scalars {
    ($($method:ident($type:ty))+) => {$(
        fn $method(self, value: $type) -> Result<Value, Error> {
            serde_json::to_value(value)
        }
    )+};
}

impl Serializer for IsoJson {
    type Ok = Value;
    type Error = Error;
    type SerializeSeq = List;
    type SerializeTuple = List;
    type SerializeTupleStruct = List;
    type SerializeTupleVariant = List;
    type SerializeMap = Object;
    type SerializeStruct = Object;
    type SerializeStructVariant = Object;

    scalars! {
        serialize_bool(bool)
        serialize_i8(i8)
        serialize_i16(i16)
        serialize_i32(i32)
        serialize_i64(i64)
        serialize_u8(u8)
        serialize_u16(u16)
        serialize_u32(u32)
        serialize_u64(u64)
        serialize_f32(f32)
        serialize_f64(f64)
        serialize_char(char)
        serialize_str(&str)
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<Value, Error> {
        serde_json::to_value(bytes)
    }

    fn serialize_none(self) -> Result<Value, Error> {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, Error> {
        to_value(value)
    }

    fn serialize_unit(self) -> Result<Value, Error> {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Value, Error> {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Value, Error> {
        Ok(variant.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Value, Error> {
        let plain = to_value(value)?;
        Ok(match plain.as_i64() {
            Some(ms) if name == TIMESTAMP_NAME => iso(Timestamp(ms)).into(),
            _ => plain,
        })
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value, Error> {
        Ok(wrapped(Some(variant), to_value(value)?))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<List, Error> {
        Ok(List(None, Vec::with_capacity(length.unwrap_or(0))))
    }

    fn serialize_tuple(self, length: usize) -> Result<List, Error> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<List, Error> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<List, Error> {
        Ok(List(Some(variant), Vec::with_capacity(length)))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Object, Error> {
        Ok(Object::new(None))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Object, Error> {
        Ok(Object::new(None))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Object, Error> {
        Ok(Object::new(Some(variant)))
    }
}

/// All kinds of lists are the same in JSON.
macro_rules! lists {
    ($($trait:ident::$method:ident)+) => {$(
        impl $trait for List {
            type Ok = Value;
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.1.push(to_value(value)?);
                Ok(())
            }

            fn end(self) -> Result<Value, Error> {
                Ok(wrapped(self.0, self.1.into()))
            }
        }
    )+};
}
lists! {
    SerializeSeq::serialize_element
    SerializeTuple::serialize_element
    SerializeTupleStruct::serialize_field
    SerializeTupleVariant::serialize_field
}

/// Structs are objects in JSON.
macro_rules! structs {
    ($($trait:ident)+) => {$(
        impl $trait for Object {
            type Ok = Value;
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                self.insert(key.to_owned(), value)
            }

            fn end(self) -> Result<Value, Error> {
                Ok(self.finish())
            }
        }
    )+};
}
structs! { SerializeStruct SerializeStructVariant }

impl SerializeMap for Object {
    type Ok = Value;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.key = Some(key.serialize(KeyText)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let key = self.key.take().unwrap_or_default();
        self.insert(key, value)
    }

    fn end(self) -> Result<Value, Error> {
        Ok(self.finish())
    }
}

/// The key of a map as text. Identifiers and numbers are keys as well.
struct KeyText;

fn no_key<T>() -> Result<T, Error> {
    Err(ser::Error::custom("keys of maps must be text"))
}

macro_rules! key_numbers {
    ($($method:ident($type:ty))+) => {$(
        fn $method(self, value: $type) -> Result<String, Error> {
            Ok(value.to_string())
        }
    )+};
}

impl Serializer for KeyText {
    type Ok = String;
    type Error = Error;
    type SerializeSeq = Impossible<String, Error>;
    type SerializeTuple = Impossible<String, Error>;
    type SerializeTupleStruct = Impossible<String, Error>;
    type SerializeTupleVariant = Impossible<String, Error>;
    type SerializeMap = Impossible<String, Error>;
    type SerializeStruct = Impossible<String, Error>;
    type SerializeStructVariant = Impossible<String, Error>;

    key_numbers! {
        serialize_bool(bool)
        serialize_i8(i8)
        serialize_i16(i16)
        serialize_i32(i32)
        serialize_i64(i64)
        serialize_u8(u8)
        serialize_u16(u16)
        serialize_u32(u32)
        serialize_u64(u64)
        serialize_char(char)
        serialize_str(&str)
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<String, Error> {
        Ok(value.to_string())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<String, Error> {
        Ok(variant.to_owned())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<String, Error> {
        value.serialize(self)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<String, Error> {
        value.serialize(self)
    }

    fn serialize_f32(self, _: f32) -> Result<String, Error> {
        no_key()
    }

    fn serialize_f64(self, _: f64) -> Result<String, Error> {
        no_key()
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<String, Error> {
        no_key()
    }

    fn serialize_none(self) -> Result<String, Error> {
        no_key()
    }

    fn serialize_unit(self) -> Result<String, Error> {
        no_key()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<String, Error> {
        no_key()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<String, Error> {
        no_key()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        no_key()
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
        no_key()
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, Error> {
        no_key()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        no_key()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
        no_key()
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Error> {
        no_key()
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        no_key()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use baton_model::plan::Autonomy;
    use baton_model::run::WaitingFor;
    use baton_model::{NodeId, NodeState, PlanId};
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn times_become_text_and_other_numbers_stay() {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Row {
            created_at: Timestamp,
            ended_at: Option<Timestamp>,
            missing: Option<Timestamp>,
            metadata: Value,
            duration_ms: i64,
        }
        let row = Row {
            created_at: Timestamp(1_790_000_000_250),
            ended_at: Some(Timestamp(0)),
            missing: None,
            metadata: json!({ "createdAt": 5, "list": [1.5, null] }),
            duration_ms: 7,
        };
        assert_eq!(
            to_value(&row).expect("JSON"),
            json!({
                "createdAt": "2026-09-21T14:13:20.25Z",
                "endedAt": "1970-01-01T00:00:00Z",
                "missing": null,
                "metadata": { "createdAt": 5, "list": [1.5, null] },
                "durationMs": 7
            })
        );
    }

    #[test]
    fn everything_else_is_the_same_as_in_ordinary_json() {
        let id = NodeId(Uuid::from_u128(7));
        fn same<T: Serialize>(value: &T) {
            let ordinary = serde_json::to_value(value).expect("JSON");
            assert_eq!(to_value(value).expect("JSON"), ordinary);
        }
        same(&NodeState::Blocked { by: id });
        same(&NodeState::Waiting {
            what: WaitingFor::Slot,
        });
        same(&PlanId(Uuid::nil()));
        same(&Autonomy::AskAll);
        same(&BTreeMap::from([(id, vec![(1, "a")])]));
        same(&baton_model::Plan::new(PlanId(Uuid::nil()), "A plan"));
        same(&Ok::<u8, ()>(3));
        let waiting = NodeState::Waiting {
            what: WaitingFor::RetryAt { at: Timestamp(0) },
        };
        assert_eq!(
            to_value(&waiting).expect("JSON")["for"]["at"],
            "1970-01-01T00:00:00Z",
            "also inside tagged states"
        );
    }
}
