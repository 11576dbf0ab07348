//! Reads query parameters into the type of a route. They are all text, so numbers are parsed.

use serde::de::value::MapDeserializer;
use serde::de::{self, Deserializer, IntoDeserializer, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::Error;

use crate::RestError;

/// Reads the parameters. A name that the route doesn't know, or that is given twice, is refused.
pub(crate) fn parse<Q: for<'q> Deserialize<'q>>(
    query: &[(String, String)],
) -> Result<Q, RestError> {
    let pairs = query
        .iter()
        .map(|(name, value)| (name.as_str(), Text(value)));
    Q::deserialize(MapDeserializer::<_, Error>::new(pairs))
        .map_err(|error| RestError::bad_input("the query", &error))
}

/// The value of a parameter.
struct Text<'q>(&'q str);

impl IntoDeserializer<'_, Error> for Text<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

macro_rules! parsed {
    ($($method:ident -> $visit:ident: $what:literal)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let value = self.0.parse();
            visitor.$visit(value.map_err(|_| {
                de::Error::custom(format!("'{}' isn't {}", self.0, $what))
            })?)
        }
    )+};
}

impl<'de> Deserializer<'de> for Text<'_> {
    type Error = Error;

    parsed! {
        deserialize_bool -> visit_bool: "true or false"
        deserialize_u8 -> visit_u8: "a number from 0 to 255"
        deserialize_u32 -> visit_u32: "a whole number"
        deserialize_u64 -> visit_u64: "a whole number"
        deserialize_i64 -> visit_i64: "a whole number"
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(self.0.into_deserializer())
    }

    forward_to_deserialize_any! {
        i8 i16 i32 u16 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorCode;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase", default, deny_unknown_fields)]
    struct Sample {
        limit: Option<u32>,
        text: String,
        heal: bool,
        sort: Option<Sort>,
        plan: Option<baton_model::PlanId>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Sort {
        LatestFirst,
    }

    fn parse_pairs(pairs: &[(&str, &str)]) -> Result<Sample, RestError> {
        let owned = pairs.iter().map(|&(a, b)| (a.to_owned(), b.to_owned()));
        parse(&owned.collect::<Vec<_>>())
    }

    #[test]
    fn parameters_are_read_by_the_type_of_their_field() {
        let id = "00000000-0000-0000-0000-000000000007";
        let read = parse_pairs(&[
            ("limit", "7"),
            ("text", "7"),
            ("heal", "true"),
            ("sort", "latest_first"),
            ("plan", id),
        ]);
        let expected = Sample {
            limit: Some(7),
            text: "7".to_owned(),
            heal: true,
            sort: Some(Sort::LatestFirst),
            plan: id.parse().ok(),
        };
        assert_eq!(read, Ok(expected));
        assert_eq!(parse_pairs(&[]), Ok(Sample::default()));
    }

    #[test]
    fn wrong_parameters_are_named() {
        for (pairs, named) in [
            (&[("limmit", "7")][..], "limmit"),
            (&[("limit", "many")], "'many' isn't a whole number"),
            (&[("limit", "-1")], "'-1' isn't a whole number"),
            (&[("limit", "1"), ("limit", "2")], "duplicate field `limit`"),
            (&[("sort", "oldest")], "oldest"),
            (&[("plan", "x")], "plan"),
        ] {
            let error = parse_pairs(pairs).expect_err(named);
            assert_eq!(error.body.code, ErrorCode::InvalidRequest);
            let faults = error.body.faults.join("\n");
            assert!(faults.contains(named) || named == "plan", "{faults}");
        }
    }
}
