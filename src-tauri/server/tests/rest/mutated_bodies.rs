//! Bodies that are almost right never break a route: the answer is a success or an error with a
//! fix, and an error changes nothing.
//!
//! `BATON_CASES` sets the number of requests, `BATON_SEED` where they start.

use std::error::Error as _;

use baton_rest::{OPENAPI, Route, routes};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use serde_json::{Map, Value, json};

use super::Result;
use super::client::{Client, Reply, made_plan};
use crate::wire::TestServer;

const DEFAULT_CASES: u32 = 400;
/// The soak draws others.
const DEFAULT_SEED: u64 = 1;
/// An identifier that nothing has.
const NOTHING: &str = "00000000-0000-0000-0000-000000000000";

/// One change of a body.
#[derive(Debug, Clone)]
enum Mutation {
    /// Another value at some place.
    Replace(Index, Value),
    /// Without some key or item.
    Remove(Index),
    /// A key that nothing reads.
    UnknownKey(Index),
    /// Some value below that many lists.
    Nest(Index, usize),
    /// The text ends early.
    Cut(Index),
    /// A character somewhere in the text.
    Insert(Index, char),
}

#[derive(Debug, Clone)]
struct Case {
    route: usize,
    mutations: Vec<Mutation>,
}

fn odd_values() -> impl Strategy<Value = Value> {
    prop_oneof![
        select(vec![
            Value::Null,
            json!(true),
            json!(-1),
            json!(0.5),
            json!(u64::MAX),
            json!(1e300),
            json!(""),
            json!("\u{0}\u{1b}[31m\u{202e}"),
            json!("{{{nodes.ask.output}}}"),
            json!("../../../etc/passwd"),
            json!([]),
            json!({}),
            json!([[], {}, null]),
            json!("x".repeat(70_000)),
        ]),
        any::<String>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
    ]
}

fn mutations() -> impl Strategy<Value = Mutation> {
    prop_oneof![
        4 => (any::<Index>(), odd_values()).prop_map(|(at, value)| Mutation::Replace(at, value)),
        2 => any::<Index>().prop_map(Mutation::Remove),
        2 => any::<Index>().prop_map(Mutation::UnknownKey),
        1 => (any::<Index>(), 1..200_usize).prop_map(|(at, depth)| Mutation::Nest(at, depth)),
        1 => any::<Index>().prop_map(Mutation::Cut),
        1 => (any::<Index>(), any::<char>()).prop_map(|(at, inserted)| Mutation::Insert(at, inserted)),
    ]
}

/// The pointers of all values in a body.
fn pointers(value: &Value) -> Vec<String> {
    let mut all = vec![String::new()];
    let children: Vec<(String, &Value)> = match value {
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| (key.replace('~', "~0").replace('/', "~1"), value))
            .collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(at, item)| (at.to_string(), item))
            .collect(),
        _ => Vec::new(),
    };
    for (key, child) in children {
        all.extend(pointers(child).iter().map(|below| format!("/{key}{below}")));
    }
    all
}

fn mutated(example: &Value, mutations: &[Mutation]) -> String {
    let mut body = example.clone();
    for mutation in mutations {
        change(&mut body, mutation);
    }
    let mut text = body.to_string();
    for mutation in mutations {
        change_text(&mut text, mutation);
    }
    text
}

fn change(body: &mut Value, mutation: &Mutation) {
    let (Mutation::Replace(at, _)
    | Mutation::Remove(at)
    | Mutation::UnknownKey(at)
    | Mutation::Nest(at, _)) = mutation
    else {
        return;
    };
    let pointer = at.get(&pointers(body)).clone();
    if let Mutation::Remove(_) = mutation {
        remove(body, &pointer);
        return;
    }
    let Some(place) = body.pointer_mut(&pointer) else {
        return;
    };
    match mutation {
        Mutation::Replace(_, value) => *place = value.clone(),
        Mutation::UnknownKey(_) => match place {
            Value::Object(map) => {
                map.insert("unexpectedKey".to_owned(), json!(1));
            }
            other => *other = json!({ "unexpectedKey": 1 }),
        },
        Mutation::Nest(_, depth) => {
            let deepest = place.take();
            *place = (0..*depth).fold(deepest, |inner, _| json!([inner]));
        }
        Mutation::Remove(_) | Mutation::Cut(_) | Mutation::Insert(..) => {}
    }
}

fn remove(body: &mut Value, pointer: &str) {
    let Some((parent, key)) = pointer.rsplit_once('/') else {
        *body = Value::Object(Map::new());
        return;
    };
    match body.pointer_mut(parent) {
        Some(Value::Object(map)) => {
            map.remove(key);
        }
        Some(Value::Array(items)) => {
            if let Some(at) = key.parse().ok().filter(|at| *at < items.len()) {
                let _: Value = items.remove(at);
            }
        }
        _ => {}
    }
}

fn change_text(text: &mut String, mutation: &Mutation) {
    let place = |at: &Index, text: &str| {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        if places.is_empty() {
            0
        } else {
            *at.get(&places)
        }
    };
    match mutation {
        Mutation::Cut(at) => text.truncate(place(at, text)),
        Mutation::Insert(at, inserted) => text.insert(place(at, text), *inserted),
        _ => {}
    }
}

/// The routes that take a body, with the example of the document.
fn routes_with_bodies(document: &Value) -> Vec<(&'static Route, Value)> {
    let example = |route: &Route| {
        let method = route.method.as_str().to_ascii_lowercase();
        let body = &document["paths"][&route.path][&method]["requestBody"];
        body["content"]["application/json"]["example"].clone()
    };
    routes()
        .iter()
        .filter(|route| route.takes_body)
        .map(|route| (route, example(route)))
        .collect()
}

fn path_of(route: &Route, plan: &str) -> String {
    // An agent may be installed here, and must not be asked.
    let plan = match route.id == "generateNodes" {
        true => NOTHING,
        false => plan,
    };
    let path = route.path.replace("{plan}", plan).replace("{node}", "ask");
    let mut parts = path.split('/').map(|part| match part.starts_with('{') {
        true => NOTHING,
        false => part,
    });
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        filled.push('/');
        filled.push_str(part);
    }
    filled
}

/// What is wrong with an answer.
fn fault_of(reply: &Reply) -> Option<String> {
    let about = || Some(format!("{} {}", reply.status, clipped(&reply.text)));
    if reply.status < 400 {
        return None;
    }
    let unavailable = matches!(reply.code(), "NO_AGENT" | "BUSY" | "UNAVAILABLE");
    if reply.status >= 500 && !unavailable {
        return about();
    }
    let error = &reply.body["error"];
    let has = |key: &str| error[key].as_str().is_some_and(|text| !text.is_empty());
    // What a plan's state refuses is often all that can be said.
    let needs_fix = matches!(reply.code(), "INVALID_REQUEST" | "INVALID" | "NOT_FOUND");
    let complete = has("code") && has("message") && (has("fix") || !needs_fix);
    let small = reply.text.len() < 16_384;
    if complete && small { None } else { about() }
}

fn clipped(text: &str) -> String {
    text.chars().take(400).collect()
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn runner(cases: u32, seed: u64) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 200,
        ..Config::default()
    };
    let mut bytes = [0_u8; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

#[test]
#[expect(clippy::print_stdout, reason = "the soak counts the requests")]
fn mutated_bodies_get_an_error_with_a_fix_and_change_nothing() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let document: Value = serde_json::from_str(OPENAPI)?;
    let routes = routes_with_bodies(&document);
    let cases = number("BATON_CASES").map_or(DEFAULT_CASES, |cases| {
        u32::try_from(cases).unwrap_or(u32::MAX)
    });
    let seed = number("BATON_SEED").unwrap_or(DEFAULT_SEED);
    println!("BATON_SEED={seed}");
    let strategy = (0..routes.len(), prop::collection::vec(mutations(), 1..4))
        .prop_map(|(route, mutations)| Case { route, mutations });
    let outcome = runner(cases, seed).run(&strategy, |case| {
        let (route, example) = &routes[case.route];
        let failed = |error: &dyn std::fmt::Display| TestCaseError::fail(error.to_string());
        let plan = made_plan(&client).map_err(|error| failed(&error))?;
        let body = mutated(example, &case.mutations);
        let path = path_of(route, plan.trim_start_matches("/api/plans/"));
        let before = client.get(&plan).map_err(|error| failed(&error))?;
        let json = "content-type: application/json";
        let reply = client
            .raw(route.method.as_str(), &path, json, &body)
            .map_err(|error| failed(&error))?;
        let about = format!("{} {path} {}", route.id, clipped(&body));
        prop_assert_eq!(fault_of(&reply), None, "{}", about);
        if reply.status >= 400 {
            let after = client.get(&plan).map_err(|error| failed(&error))?;
            prop_assert_eq!(&before.text, &after.text, "{}", about);
        }
        Ok(())
    });
    println!("played: {cases} requests");
    match outcome {
        Ok(()) => Ok(()),
        Err(TestError::Fail(why, case)) => Err(format!("{why}\n{case:?}").into()),
        Err(error) => Err(error
            .source()
            .map_or_else(|| error.to_string(), ToString::to_string)
            .into()),
    }
}
