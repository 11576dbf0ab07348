//! Tests of runs.
