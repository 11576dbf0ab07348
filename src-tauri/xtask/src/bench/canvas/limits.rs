//! The limits of the canvas, and the verdicts on measured figures.

use anyhow::Result;

use super::Figures;

/// The duration from which browsers report a long task, in milliseconds (W3C, Long Tasks §1).
const LONG_TASK_MS: f64 = 50.0;
/// The limit on a frame while a node is dragged, in milliseconds.
const MAX_DRAG_FRAME_MS: f64 = 33.0;
/// The limit on opening a plan of 10,000 nodes, in milliseconds.
const MAX_OPEN_MS: f64 = 2_000.0;
/// The difference that two samples of the same thing may have.
const NOISE_FACTOR: f64 = 1.2;

/// The maximum of a figure, or of the ratio of two figures.
pub(super) struct Limit {
    description: String,
    figure: String,
    over: Option<String>,
    most: f64,
    /// Whether the figures also exist as processor time.
    by_processor: bool,
}

/// The result of comparing a figure with its limit.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Met,
    /// Missed by wall-clock time, but met by processor time, which excludes other work on the
    /// machine and waiting for the display.
    MetByProcessor,
    Missed,
}

/// Returns the limits for one engine, in display order.
pub(super) fn limits_for(engine: &str) -> Vec<Limit> {
    let mut limits = vec![
        ratio_limit(engine, 1_000, "open", 0.5),
        ratio_limit(engine, 10_000, "open", 0.2),
    ];
    limits.push(absolute_limit(
        engine,
        10_000,
        "open",
        "10,000 nodes: opened, ms",
        MAX_OPEN_MS,
    ));
    for what in ["pan", "zoom"] {
        limits.extend([1_000, 10_000].map(|size| ratio_limit(engine, size, what, 0.25)));
    }
    limits.push(Limit {
        description: "a frame at 100 %: 10,000 nodes over 1,000".to_owned(),
        figure: format!("{engine} baton 10000 pan-near"),
        over: Some(format!("{engine} baton 1000 pan-near")),
        most: NOISE_FACTOR,
        by_processor: true,
    });
    limits.push(absolute_limit(
        engine,
        10_000,
        "drag",
        "10,000 nodes: a frame, one dragged, ms",
        MAX_DRAG_FRAME_MS,
    ));
    // Chromium reports long tasks by processor time; elsewhere this is the longest time in which
    // the page handled no event.
    let storm = absolute_limit(
        engine,
        1_000,
        "storm-longest-task",
        "1,000 changes a second: storm longest task, ms",
        LONG_TASK_MS,
    );
    limits.push(Limit {
        by_processor: false,
        ..storm
    });
    limits
}

fn ratio_limit(engine: &str, size: u32, what: &str, most: f64) -> Limit {
    Limit {
        description: format!("{size} nodes: {what} over plain"),
        figure: format!("{engine} baton {size} {what}"),
        over: Some(format!("{engine} plain {size} {what}")),
        most,
        by_processor: true,
    }
}

fn absolute_limit(engine: &str, size: u32, what: &str, description: &str, most: f64) -> Limit {
    let figure = format!("{engine} baton {size} {what}");
    Limit {
        description: description.to_owned(),
        figure,
        over: None,
        most,
        by_processor: true,
    }
}

impl Limit {
    /// Formats the limit, its figures and the verdict as a line.
    pub(super) fn judge(&self, figures: &Figures) -> Result<String> {
        let clock = self.found(figures, "")?;
        let processor = if self.by_processor {
            Some(self.found(figures, "-busy")?)
        } else {
            None
        };
        let verdict = match verdict(self.most, clock, processor) {
            Verdict::Met => "met",
            Verdict::MetByProcessor => {
                "met by processor time; wall-clock time includes the display's pace and other work"
            }
            Verdict::Missed => "MISSED",
        };
        let beside = processor.map_or(String::new(), |found| format!(" (processor {found:.2})"));
        Ok(format!(
            "{:<44} {clock:9.2}{beside}, at most {}: {verdict}",
            self.description, self.most
        ))
    }

    fn found(&self, figures: &Figures, end: &str) -> Result<f64> {
        let figure = figures.get(&format!("{}{end}", self.figure))?;
        let Some(over) = &self.over else {
            return Ok(figure);
        };
        Ok(figure / figures.get(&format!("{over}{end}"))?)
    }
}

fn verdict(most: f64, clock: f64, processor: Option<f64>) -> Verdict {
    if clock <= most {
        return Verdict::Met;
    }
    match processor {
        Some(found) if found <= most => Verdict::MetByProcessor,
        _ => Verdict::Missed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIGURES: &str = "\
webkit baton 1000 open 900\nwebkit plain 1000 open 1500\nwebkit baton 1000 open-busy 400\nwebkit plain 1000 open-busy 1000
webkit baton 10000 drag 32.5\nwebkit baton 10000 drag-busy 20\nwebkit baton 1000 storm-longest-task 71\n";

    fn line(description: &str) -> Result<String> {
        let figures = Figures::read(FIGURES)?;
        let limit = limits_for("webkit")
            .into_iter()
            .find(|limit| limit.description.starts_with(description));
        limit.map_or_else(|| Ok(String::new()), |limit| limit.judge(&figures))
    }

    #[test]
    fn limit_line_shows_figures_and_verdict() -> Result<()> {
        let busy = line("1000 nodes: open")?;
        assert!(
            busy.ends_with("0.60 (processor 0.40), at most 0.5: met by processor time; wall-clock time includes the display's pace and other work"),
            "{busy}"
        );
        let met = line("10,000 nodes: a frame")?;
        assert!(
            met.ends_with("32.50 (processor 20.00), at most 33: met"),
            "{met}"
        );
        let missed = line("1,000 changes")?;
        assert!(missed.ends_with("71.00, at most 50: MISSED"), "{missed}");
        Ok(())
    }

    #[test]
    fn missing_figure_is_an_error() {
        assert!(line("10000 nodes: zoom").is_err());
    }

    #[test]
    fn both_engines_have_the_same_limits() {
        let description = |engine: &str| {
            limits_for(engine)
                .into_iter()
                .map(|limit| limit.description)
                .collect::<Vec<_>>()
        };
        let (chromium, webkit) = (description("chromium"), description("webkit"));
        assert_eq!(chromium.len(), 10);
        assert_eq!(chromium, webkit);
    }
}
