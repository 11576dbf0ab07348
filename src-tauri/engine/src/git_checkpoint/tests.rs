//! Tests with real repositories and real git.

mod repository;
mod restoring;
mod snapshots;
