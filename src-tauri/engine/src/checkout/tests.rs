//! Tests with real repositories and real git: worktrees, fan-ins, conflicts and leftovers.

mod fan_in;
mod fan_in_preview;
mod hostile;
mod leftovers;
mod merge_back;
mod node_diff;
mod proposal;
mod random;
mod shapes;
mod test_environment;
