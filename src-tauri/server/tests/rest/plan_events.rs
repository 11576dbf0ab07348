//! The streams of events: every event once and in order, whatever is cut off or restarted.

use std::thread;

use baton_server::Options;
use serde_json::{Value, json};

use super::Result;
use super::client::{Client, made_plan};
use crate::wire::{Message, TestServer};

const ALL: &str = "/api/plans/events";

/// The next event, without the message that only carries a number.
fn next(events: &mut crate::wire::Events) -> Result<Message> {
    loop {
        let message = events.next()?;
        if !message.data.is_empty() {
            return Ok(message);
        }
    }
}

/// Runs a new plan to its end, and returns its path.
fn run_a_plan(client: &Client<'_>) -> Result<String> {
    let path = made_plan(client)?;
    for (act, body) in [
        ("approve", Value::Null),
        ("execute", Value::Null),
        ("resume", json!({ "input": "yes" })),
    ] {
        let reply = client.post(&format!("{path}/{act}"), &body)?;
        assert_eq!(reply.status, 200, "{act}: {}", reply.text);
    }
    Ok(path)
}

/// The numbers and names of all stored events after `after`.
fn stored(served: &TestServer, after: u64) -> Result<Vec<(u64, String)>> {
    let input = json!({ "after": after, "limit": 1000 }).to_string();
    let page: Value = serde_json::from_str(&served.call("plan_events", &input)?.body)?;
    let events = page["events"].as_array().ok_or("events")?;
    let event = |event: &Value| Some((event["id"].as_u64()?, event["event"].as_str()?.to_owned()));
    Ok(events.iter().filter_map(event).collect())
}

#[test]
fn client_that_is_cut_off_at_random_gets_every_event_once() -> Result {
    let served = TestServer::start()?;
    let begin = served.stream(ALL, &served.token, None)?.next()?.id;
    let received = thread::scope(|scope| -> Result<Vec<(u64, String)>> {
        let load = scope.spawn(|| {
            thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| {
                        for _ in 0..4 {
                            run_a_plan(&Client::new(&served)).expect("a run");
                        }
                    });
                }
            });
            let last = json!({ "title": "The end" });
            let made = Client::new(&served).post("/api/plans", &last);
            assert_eq!(made.expect("an answer").status, 201);
        });
        let (mut received, mut last, mut random) = (Vec::new(), begin, 7_u64);
        let mut is_over = false;
        while !is_over {
            let mut events = served.stream(ALL, &served.token, Some(&last.to_string()))?;
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            for _ in 0..(random >> 33) % 9 {
                let message = next(&mut events)?;
                last = message.id;
                is_over = message.data.contains("The end");
                received.push((message.id, message.event));
                if is_over {
                    break;
                }
            }
        }
        load.join().map_err(|_| "the load panicked")?;
        Ok(received)
    })?;
    assert_eq!(received, stored(&served, begin)?);
    assert!(received.len() > 80, "{}", received.len());
    Ok(())
}

#[test]
fn run_is_told_by_name_with_its_data() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let mut events = served.stream(ALL, &served.token, None)?;
    let path = run_a_plan(&client)?;
    let mut told = Vec::new();
    while told.last() != Some(&"plan:completed".to_owned()) {
        let message = next(&mut events)?;
        let data: Value = serde_json::from_str(&message.data)?;
        assert_eq!(data["id"], message.id);
        assert!(path.ends_with(data["plan"]["id"].as_str().ok_or("a plan")?));
        assert_eq!(data["plan"]["title"], "Ask");
        assert!(
            data["at"].as_str().is_some_and(|at| at.ends_with('Z')),
            "{data}"
        );
        match message.event.as_str() {
            "approval:required" => {
                assert_eq!(
                    (&data["step"]["slug"], &data["reason"]),
                    (&json!("ask"), &json!("Ready?"))
                );
            }
            "step:completed" => assert_eq!(data["result"]["value"], "yes", "{data}"),
            _ => {}
        }
        told.push(message.event);
    }
    let begin = [
        "plans:created",
        "plans:approved",
        "plan:started",
        "approval:required",
        "plan:paused",
    ];
    assert_eq!(told[..begin.len()], begin);
    assert!(told.contains(&"step:completed".to_owned()), "{told:?}");
    Ok(())
}

#[test]
fn stream_resumes_after_a_restart_of_the_server() -> Result {
    let mut served = TestServer::start()?;
    let mut events = served.stream(ALL, &served.token, None)?;
    made_plan(&Client::new(&served))?;
    let seen = next(&mut events)?;
    let missed = made_plan(&Client::new(&served))?;
    drop(events);
    served.restart(Options::default())?;
    let since = format!("{ALL}?since={}", seen.id);
    for (target, last) in [(ALL, Some(seen.id.to_string())), (since.as_str(), None)] {
        let mut events = served.stream(target, &served.token, last.as_deref())?;
        let event = next(&mut events)?;
        assert_eq!(event.event, "plans:created");
        let data: Value = serde_json::from_str(&event.data)?;
        assert!(missed.ends_with(data["plan"]["id"].as_str().ok_or("a plan")?));
    }
    Ok(())
}

#[test]
fn client_is_told_once_that_events_were_deleted() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let before = served.stream(ALL, &served.token, None)?.next()?.id;
    let path = made_plan(&client)?;
    let other = made_plan(&client)?;
    let newest = stored(&served, before)?.last().ok_or("events")?.0;
    let plan = json!({ "plan": path.trim_start_matches("/api/plans/") }).to_string();
    for operation in ["plan_delete", "plan_purge"] {
        assert_eq!(served.call(operation, &plan)?.status, 200, "{operation}");
    }
    let before = before.to_string();
    let mut streams = Vec::new();
    for last in [before.as_str(), "nonsense", "18446744073709551615"] {
        let mut events = served.stream(ALL, &served.token, Some(last))?;
        let stale = next(&mut events)?;
        assert_eq!(
            (stale.event.as_str(), stale.id),
            ("stale", newest),
            "{last}"
        );
        assert_eq!(stale.data, json!({ "sequence": newest }).to_string());
        streams.push(events);
    }
    let mut own = served.stream(&format!("{other}/events"), &served.token, Some(&before))?;
    assert_eq!(
        next(&mut own)?.event,
        "plans:created",
        "nothing of it is gone"
    );
    made_plan(&client)?;
    for mut events in streams {
        assert_eq!(next(&mut events)?.event, "plans:created", "it continues");
    }
    Ok(())
}

#[test]
fn plan_has_its_own_stream_and_a_token_to_read_suffices() -> Result {
    let served = TestServer::start()?;
    let client = Client::new(&served);
    let (one, other) = (made_plan(&client)?, made_plan(&client)?);
    let input = json!({ "name": "reader", "surface": "read" }).to_string();
    let token: Value = serde_json::from_str(&served.call("token_create", &input)?.body)?;
    let token = token["token"].as_str().ok_or("a token")?;
    let mut events = served.stream(&format!("{one}/events"), token, Some("0"))?;
    assert_eq!(next(&mut events)?.event, "plans:created");
    for path in [&other, &one] {
        assert_eq!(
            client
                .post(&format!("{path}/approve"), &Value::Null)?
                .status,
            200
        );
    }
    let approved = next(&mut events)?;
    assert_eq!(approved.event, "plans:approved");
    assert!(
        approved
            .data
            .contains(one.trim_start_matches("/api/plans/"))
    );

    let nobody = Client::with_token(&served, "nothing");
    assert_eq!(nobody.get(ALL)?.status, 401);
    let gone = client.get("/api/plans/00000000-0000-0000-0000-000000000000/events")?;
    assert_eq!((gone.status, gone.code()), (404, "NOT_FOUND"));
    let wrong = client.get(&format!("{ALL}?since=soon"))?;
    assert_eq!((wrong.status, wrong.code()), (400, "INVALID_REQUEST"));
    Ok(())
}
