//! The OpenAPI 3.1 document, made from the table of routes and the types of their handlers.

mod example;
mod generators;
mod operation;
mod schemas;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::routes;

const DESCRIPTION: &str = "\
Plans, runs, proposals and sessions of Baton. Every answer is `{\"success\": true, \"data\": …}` or \
`{\"success\": false, \"error\": …}`; clients branch on `error.code`. Times are ISO 8601 in UTC, \
durations are milliseconds. `/steps` and `/nodes` are the same nodes in two vocabularies. A call that \
only a person may make is answered by agents' requests with 202 and `data.state` \
`waits_for_person`: ask `data.url` for the outcome. Three statuses differ from what you may expect: \
`ALREADY_RUNNING` is 400, a failed `If-Match` is 412, and a run that failed while the request waited \
for it is 200 with `success: false` and `EXECUTION_ERROR`. A new node has 3 retries in `/steps` and \
none in `/nodes`.";

/// The whole document.
#[must_use]
pub fn document() -> Value {
    let mut schemas = schemas::Schemas::new();
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for route in routes() {
        let operation = operation::describe(route, &mut schemas);
        let methods = paths.entry(&route.path).or_default();
        methods.insert(route.method.as_str().to_ascii_lowercase(), operation);
    }
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Baton",
            "version": "1",
            "summary": "Plans for coding agents, run step by step and approved by people.",
            "description": DESCRIPTION,
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "security": [{ "token": [] }],
        "paths": paths,
        "components": schemas.into_components(),
    });
    document["components"]["securitySchemes"] = json!({
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of `baton token create --surface read|write|decide`.",
        }
    });
    generators::simplify(&mut document);
    example::add_examples(&mut document);
    document
}

/// The document as it is checked in.
pub fn text() -> Result<String, serde_json::Error> {
    Ok(format!("{}\n", serde_json::to_string_pretty(&document())?))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{OPENAPI, OPENAPI_PATH, is_rest_path};

    #[test]
    fn checked_in_document_is_up_to_date() {
        let fresh = text().expect("JSON");
        assert!(fresh == OPENAPI, "run `cargo xtask bindings`");
    }

    #[test]
    fn routes_are_unique_and_below_the_roots() {
        let mut ids = BTreeSet::new();
        let mut places = BTreeSet::new();
        for route in routes() {
            assert!(ids.insert(&route.id), "{} is there twice", route.id);
            assert!(places.insert((&route.path, route.method)), "{}", route.path);
            assert!(is_rest_path(&route.path), "{}", route.path);
            assert!(
                !route.takes_body || route.example.is_some(),
                "{} has an example",
                route.id
            );
        }
        assert!(is_rest_path(OPENAPI_PATH) && is_rest_path("/api/plans"));
        for other in [
            "/api/plansx",
            "/api/operations/plan_get",
            "/api/sessions/7/output/stdout",
        ] {
            assert!(!is_rest_path(other), "{other}");
        }
    }
}
