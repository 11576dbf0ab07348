//! Jumps: where a run continues after a node, and which nodes are skipped.

use super::super::judgment::{self, Parent, Standing};
use super::{Fact, Phase, Reference};

impl Reference {
    /// Reopens the nodes skipped by this jump, and resumes a run that it had ended.
    pub(super) fn take_back_jump(&mut self, number: usize) {
        for between in 0..self.known.len() {
            self.known[between].overtaken.remove(&number);
            if self.known[between].fact == (Fact::JumpedOver { by: number }) {
                let mut others =
                    (0..between).filter(|&by| by != number && self.has_jumped_over(by, between));
                self.known[between].fact = others
                    .next()
                    .map_or(Fact::Untouched, |by| Fact::JumpedOver { by });
            }
        }
        if self.phase == (Phase::Aborting { by: number }) {
            self.phase = Phase::Going;
        }
    }

    /// Whether the run jumped over `number` after the end of `by`.
    pub(super) fn has_jumped_over(&self, by: usize, number: usize) -> bool {
        let target = match self.known[by].fact {
            Fact::Done { .. } => self.layout.success[by],
            Fact::WentOn { at } => Some(at),
            _ => None,
        };
        by < number && target.is_some_and(|target| target > number)
    }

    pub(super) fn jump(&mut self, number: usize, target: Option<usize>) {
        let Some(target) = target else { return };
        if matches!(self.known[target].fact, Fact::JumpedOver { .. }) {
            self.known[target].fact = Fact::Untouched;
        }
        let standings = self.standings();
        for (between, standing) in standings
            .into_iter()
            .enumerate()
            .take(target)
            .skip(number + 1)
        {
            if self.is_jumped_to(between) {
                continue;
            }
            let known = &mut self.known[between];
            match standing {
                Standing::Fact(Fact::Reserved | Fact::Lives) => {
                    known.overtaken.insert(number);
                }
                Standing::Fact(Fact::AsksInput { .. }) => {
                    (known.fact, known.tried) = (Fact::JumpedOver { by: number }, known.tried - 1);
                }
                Standing::Ready
                | Standing::Waits
                | Standing::Blocked
                | Standing::Fact(Fact::AsksApproval | Fact::Retrying | Fact::Parked) => {
                    known.fact = Fact::JumpedOver { by: number };
                }
                Standing::Fact(_) | Standing::LeftOut => {}
            }
        }
    }

    /// An attempt that was jumped over is not followed by another one.
    pub(super) fn end_if_overtaken(&mut self, number: usize) {
        let overtaken = std::mem::take(&mut self.known[number].overtaken);
        let is_open = matches!(
            self.known[number].fact,
            Fact::Untouched | Fact::Retrying | Fact::Parked
        );
        if let Some(&by) = overtaken
            .first()
            .filter(|_| is_open && !self.is_jumped_to(number))
        {
            self.known[number].fact = Fact::JumpedOver { by };
        }
    }

    /// Whether a failure can make this node start.
    pub(super) fn can_handle(&self, number: usize) -> bool {
        let may_come = matches!(
            self.known[number].fact,
            Fact::Untouched | Fact::AsksApproval | Fact::JumpedOver { .. }
        );
        may_come
            && self.is_wanted(number)
            && (self.is_jumped_to(number) || !self.is_cut_off(number))
    }

    /// Whether it is on an untaken branch, so that it could only start through a jump.
    pub(super) fn is_cut_off(&self, number: usize) -> bool {
        let standings = self.standings();
        let ways = self.layout.parents[number].iter();
        let ways = ways.filter(|(_, ways)| !ways.on_success && !ways.is_only_after_failure());
        let parents: Vec<Parent> = ways
            .map(|&(parent, ways)| {
                match Parent::of(standings[parent], self.known[parent].taken, ways) {
                    Parent::N if matches!(self.known[parent].fact, Fact::JumpedOver { .. }) => {
                        Parent::Open
                    }
                    Parent::H | Parent::F => Parent::Open,
                    Parent::T => Parent::P,
                    other => other,
                }
            })
            .collect();
        parents.contains(&Parent::N)
            && judgment::judge(self.layout.rules[number], &parents) == Standing::LeftOut
    }

    /// A handler was skipped before it started, so the failures become unhandled.
    pub(super) fn lose_handler(&mut self, number: usize) {
        if !matches!(
            self.known[number].fact,
            Fact::Untouched | Fact::AsksApproval
        ) {
            return;
        }
        for parent in 0..self.known.len() {
            if self.known[parent].fact == (Fact::WentOn { at: number }) {
                self.take_back_jump(parent);
                self.known[parent].fact = Fact::Failed;
                self.abort(parent);
            }
        }
    }
}
