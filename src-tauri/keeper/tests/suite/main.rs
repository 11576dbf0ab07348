//! The keeper against real processes. Runs on Linux, as root or not, except for what says otherwise.

mod disk;
mod ending;
mod input;
mod loss;
mod output;
mod stopping;
mod support;
