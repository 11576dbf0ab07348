//! Counts plans by their status.

use baton_model::PlanStatus;

use crate::wire::*;
use crate::{ApiError, App};

/// Returns how many plans there are in each status, and what is known of all of them.
pub(crate) fn get(app: &App, input: PlansStatsQuery) -> Result<PlansStats, ApiError> {
    let counts = app.store.plans().counts(input.user.as_deref())?;
    let mut by_status = PlansByStatus::default();
    for count in &counts {
        *by_status.of(count.status) = count.plans;
    }
    let total: u32 = counts.iter().map(|count| count.plans).sum();
    let nodes: u64 = counts.iter().map(|count| count.nodes).sum();
    let completed = counts
        .iter()
        .find(|count| count.status == PlanStatus::Completed);
    Ok(PlansStats {
        completed_percent: percent(by_status.completed, total),
        mean_nodes: mean(nodes, total),
        mean_duration_ms: completed
            .and_then(|count| count.took_ms.checked_div(count.ended_runs.into())),
        total,
        by_status,
    })
}

fn percent(part: u32, total: u32) -> f64 {
    if total == 0 {
        return 0.0;
    }
    f64::from(part) * 100.0 / f64::from(total)
}

#[expect(clippy::cast_precision_loss, reason = "no plans have that many nodes")]
fn mean(sum: u64, count: u32) -> f64 {
    if count == 0 {
        return 0.0;
    }
    sum as f64 / f64::from(count)
}

impl PlansByStatus {
    fn of(&mut self, status: PlanStatus) -> &mut u32 {
        match status {
            PlanStatus::Pending => &mut self.pending,
            PlanStatus::Running => &mut self.running,
            PlanStatus::Paused => &mut self.paused,
            PlanStatus::Completed => &mut self.completed,
            PlanStatus::Failed => &mut self.failed,
            PlanStatus::Cancelled => &mut self.cancelled,
        }
    }
}
