//! What is demanded of the canvas, and whether figures show it.

use anyhow::Result;

use super::Figures;

/// What a browser calls a long task, in milliseconds (W3C, Long Tasks §1).
const LONG: f64 = 50.0;
/// What a frame may take while a node is dragged, in milliseconds.
const DRAG: f64 = 33.0;
/// How long a plan of 10,000 nodes may take to open, in milliseconds.
const OPEN: f64 = 2_000.0;
/// "Does not grow": two samples of the same thing differ by as much.
const SAME: f64 = 1.2;

/// A figure, or how often it holds another one, and what it may be at most.
pub(super) struct Demand {
    words: String,
    figure: String,
    over: Option<String>,
    most: f64,
    /// Whether both figures are there by the processor too.
    by_processor: bool,
}

/// How a figure stands to a limit.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Met,
    /// By the clock it is missed; by the processor, which does not count what else the machine does nor how long a
    /// display waits for its next picture, it is met.
    MetByProcessor,
    Missed,
}

/// The demands on one engine, in the order in which they are told.
pub(super) fn of(engine: &str) -> Vec<Demand> {
    let mut demands = vec![
        ratio(engine, 1_000, "open", 0.5),
        ratio(engine, 10_000, "open", 0.2),
    ];
    demands.push(limit(
        engine,
        10_000,
        "open",
        "10,000 nodes: opened, ms",
        OPEN,
    ));
    for what in ["pan", "zoom"] {
        demands.extend([1_000, 10_000].map(|size| ratio(engine, size, what, 0.25)));
    }
    demands.push(Demand {
        words: "a frame at 100 %: 10,000 nodes over 1,000".to_owned(),
        figure: format!("{engine} baton 10000 pan-near"),
        over: Some(format!("{engine} baton 1000 pan-near")),
        most: SAME,
        by_processor: true,
    });
    demands.push(limit(
        engine,
        10_000,
        "drag",
        "10,000 nodes: a frame, one dragged, ms",
        DRAG,
    ));
    // Chromium tells of tasks, by the processor; elsewhere it is the longest time in which the page heard of nothing.
    let storm = limit(
        engine,
        1_000,
        "storm-longest-task",
        "1,000 changes a second: storm longest task, ms",
        LONG,
    );
    demands.push(Demand {
        by_processor: false,
        ..storm
    });
    demands
}

fn ratio(engine: &str, size: u32, what: &str, most: f64) -> Demand {
    Demand {
        words: format!("{size} nodes: {what} over plain"),
        figure: format!("{engine} baton {size} {what}"),
        over: Some(format!("{engine} plain {size} {what}")),
        most,
        by_processor: true,
    }
}

fn limit(engine: &str, size: u32, what: &str, words: &str, most: f64) -> Demand {
    let figure = format!("{engine} baton {size} {what}");
    Demand {
        words: words.to_owned(),
        figure,
        over: None,
        most,
        by_processor: true,
    }
}

impl Demand {
    /// The demand with its figures, as a line.
    pub(super) fn judged(&self, figures: &Figures) -> Result<String> {
        let clock = self.found(figures, "")?;
        let processor = if self.by_processor {
            Some(self.found(figures, "-busy")?)
        } else {
            None
        };
        let verdict = match verdict(self.most, clock, processor) {
            Verdict::Met => "met",
            Verdict::MetByProcessor => {
                "met by the processor; the clock counts the display's pace and other work too"
            }
            Verdict::Missed => "MISSED",
        };
        let beside = processor.map_or(String::new(), |found| format!(" (processor {found:.2})"));
        Ok(format!(
            "{:<44} {clock:9.2}{beside}, at most {}: {verdict}",
            self.words, self.most
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

    fn line(words: &str) -> Result<String> {
        let figures = Figures::read(FIGURES)?;
        let demand = of("webkit")
            .into_iter()
            .find(|demand| demand.words.starts_with(words));
        demand.map_or_else(|| Ok(String::new()), |demand| demand.judged(&figures))
    }

    #[test]
    fn a_demand_tells_its_figures_and_how_it_stands() -> Result<()> {
        let busy = line("1000 nodes: open")?;
        assert!(
            busy.ends_with("0.60 (processor 0.40), at most 0.5: met by the processor; the clock counts the display's pace and other work too"),
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
    fn a_figure_that_is_missing_is_an_error_and_no_verdict() {
        assert!(line("10000 nodes: zoom").is_err());
    }

    #[test]
    fn both_engines_are_asked_the_same_of() {
        let words = |engine: &str| {
            of(engine)
                .into_iter()
                .map(|demand| demand.words)
                .collect::<Vec<_>>()
        };
        let (chromium, webkit) = (words("chromium"), words("webkit"));
        assert_eq!(chromium.len(), 10);
        assert_eq!(chromium, webkit);
    }
}
