//! Real repositories, real git.

mod repository;
mod restoring;
mod snapshots;
