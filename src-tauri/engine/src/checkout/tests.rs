//! Real repositories and real git: worktrees, fan-ins, conflicts and what is left of them.

mod fan_in;
mod homecoming;
mod hostile;
mod house;
mod leftovers;
mod outlook;
mod random;
mod shapes;
