//! Real repositories and real git: worktrees, fan-ins, conflicts and what is left of them.

mod fan_in;
mod house;
mod leftovers;
mod random;
mod shapes;
