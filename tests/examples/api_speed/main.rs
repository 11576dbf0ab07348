//! Times what programs and agents ask of Baton: pages of the REST API with many plans, beside a
//! bare server that sends the same bytes, events with many clients, and `baton mcp`.
//!
//! Takes the number of plans.
#![allow(clippy::print_stdout, reason = "the figures go to standard output")]

mod events;
mod http;
mod mcp;
mod served;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use baton_api::wire::{PlanCreate, PlanView};
use baton_tests::TestEnvironment;

use http::Connection;
use served::{Served, bare};

/// How often each page is read.
const READS: usize = 31;
/// The nodes of the large plan.
const NODES: usize = 1000;

fn main() {
    let count = std::env::args().nth(1).expect("a number of plans");
    let env = TestEnvironment::new();
    fill(&env, count.parse().expect("a number of plans"));
    let large = env.import(&large_plan()).plan.id;
    let served = Served::start(&env);
    page(
        &served,
        &format!("50 of {count} plans"),
        "/api/plans?limit=50",
    );
    page(
        &served,
        &format!("plan of {NODES} nodes"),
        &format!("/api/plans/{large}"),
    );
    mcp::measure(&env);
    events::measure(&env, &served);
}

fn fill(env: &TestEnvironment, count: u32) {
    for number in 0..count {
        let plan = PlanCreate {
            title: format!("Plan {number}"),
            description: format!("Work package {number} is done."),
            cwd: None,
        };
        let _: PlanView = env.call("plan_create", plan).expect("a plan");
    }
}

fn large_plan() -> String {
    let mut text = String::from("baton: 1\ntitle: Large\nnodes:\n");
    for node in 0..NODES {
        let depends = match node {
            0 => String::new(),
            _ => format!(", dependsOn: [n{}]", (node - 1) / 2),
        };
        writeln!(
            text,
            "  - {{id: n{node}, kind: command, command: 'true'{depends}}}"
        )
        .expect("text");
    }
    text
}

/// Prints the median of a page, and that of a bare server with the same bytes.
fn page(served: &Served, name: &str, path: &str) {
    let mut baton = Connection::open(served.port, &served.token);
    let body = baton.get(path);
    let size = body.len();
    let mut other = Connection::open(bare(body), "none");
    let (own, plain) = (times(&mut baton, path), times(&mut other, path));
    let (own, plain) = (median_ms(own), median_ms(plain));
    println!("{name:<22} {own:8.2} ms  bare axum {plain:6.2} ms  {size} bytes");
}

fn times(connection: &mut Connection, path: &str) -> Vec<Duration> {
    let read = |_| {
        let begun = Instant::now();
        connection.get(path);
        begun.elapsed()
    };
    (0..READS).map(read).collect()
}

fn median_ms(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1000.0
}
