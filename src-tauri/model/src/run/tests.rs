//! Tests of runs: the tables of transitions, random journeys beside a naive reference, and cases that once went wrong.

mod agents;
mod continuation;
mod course;
mod disabled;
mod executor;
mod found;
mod handoff;
mod journeys;
mod judgement;
mod jumps;
mod layout;
mod leave;
mod locks;
mod merges;
mod peers;
mod recipe;
mod reference;
mod replan;
mod scale;
mod scenario;
mod semantics;
mod stop;
mod tables;
mod usage_limit;
