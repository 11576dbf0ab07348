//! The arbiter: which agent does a node's work, and why.
//!
//! A node may name an agent, a team, or nobody; a planner may have suggested somebody. [`choose`] makes a [`Choice`] of
//! that, of the plan's default, and of what is known of each agent at the moment. It knows neither clock nor chance,
//! starts nothing and asks nobody: where the team's rule is to ask an agent, it says who is to be asked about whom, and
//! [`Asking::settle`] judges the answer.

mod asking;
mod case;
mod choice;
mod question;
mod roster;
mod team;
#[cfg(test)]
mod tests;

pub use asking::{Asking, NoAnswer};
pub use case::{Case, Verdict, choose};
pub use choice::{Choice, PassedOver, Reason, WhyNot};
pub use question::{Colleague, Situation, closing, question};
pub use roster::{Alone, Roster, Standing};
pub use team::{Rule, TEAM, Team, TeamFault, meant, team_name};
