//! Converts plans to documents and images, and text to plans, without storing anything.

use std::borrow::Cow;
use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use baton_formats::export::{self, ExportFormat, View};
use baton_formats::graph_thumbnail::{self, GraphThumbnail};
use baton_formats::layout;
use baton_formats::mermaid;
use baton_formats::plan_file::{
    self, EmbeddedPlan, Format, KeyLocations, PlanFile, PlanFileError, SubPlanLocations,
};
use baton_model::{NodeId, Plan, RunId};
use uuid::Uuid;

use crate::wire::*;
use crate::{ApiError, App, Code, exports, picture, runs};

/// Renders a plan as a document, graph, or image, optionally with the states of a run.
pub(crate) fn render(app: &App, input: PlanDraw) -> Result<FileText, ApiError> {
    let mut view = view(app, input.run, input.nodes)?;
    (view.direction, view.dark) = (input.direction, input.dark);
    let name = baton_model::Slug::from_title(&input.plan.title);
    let text = match input.format {
        ExportFormat::Yaml => exports::file(app, &input.plan, Format::Yaml)?,
        ExportFormat::Json => exports::file(app, &input.plan, Format::Json)?,
        format => export::write(&input.plan, format, &view),
    };
    Ok(FileText {
        file_name: format!("{name}.{}", input.format.extension()),
        text,
    })
}

/// Draws a plan as a PNG picture, optionally with the states of a run.
pub(crate) fn picture(app: &App, input: PlanPicture) -> Result<FileBytes, ApiError> {
    let mut view = view(app, input.run, input.nodes)?;
    (view.direction, view.dark) = (input.direction, input.dark);
    let svg = export::write(&input.plan, ExportFormat::Svg, &view);
    let png = picture::png(&svg).map_err(|error| {
        ApiError::new(Code::Unavailable, error.to_string())
            .with_fix("export the plan as SVG instead")
    })?;
    let name = baton_model::Slug::from_title(&input.plan.title);
    Ok(FileBytes {
        file_name: format!("{name}.png"),
        base64: BASE64.encode(png),
    })
}

/// What to show: the states of `run`, and only `nodes`, if given.
fn view(app: &App, run: Option<RunId>, nodes: Option<Vec<NodeId>>) -> Result<View, ApiError> {
    let states = run.map(|run| states(app, RunRef { run })).transpose()?;
    Ok(View {
        states: states.unwrap_or_default(),
        only: nodes.map(|nodes| nodes.into_iter().collect()),
        ..View::default()
    })
}

/// Returns the picture of a plan's graph for a card in a list.
pub(crate) fn thumbnail(app: &App, input: PlanRef) -> Result<GraphThumbnail, ApiError> {
    let (_, plan) = app.store.plans().current(input.plan)?;
    Ok(graph_thumbnail::thumbnail(&plan))
}

fn states(app: &App, run: RunRef) -> Result<HashMap<NodeId, &'static str>, ApiError> {
    let view = runs::get(app, run)?;
    Ok(view
        .nodes
        .iter()
        .map(|node| (node.node, node.state.as_str()))
        .collect())
}

/// Parses a text as a plan. Missing positions are computed by the layout.
pub(crate) fn read(_: &App, input: PlanText) -> Result<ParsedPlan, ApiError> {
    let Parsed {
        mut plan, warnings, ..
    } = parse_text(&input.file_name, &input.text, plan_file::read_fragment)?;
    let places: HashMap<_, _> = layout::place_missing(&plan, baton_model::Direction::default())
        .into_iter()
        .collect();
    for node in &mut plan.nodes {
        node.position = places.get(&node.id).copied().or(node.position);
    }
    Ok(ParsedPlan { plan, warnings })
}

/// A text parsed as a plan.
pub(crate) struct Parsed {
    pub(crate) plan: Plan,
    /// Plans embedded in the text.
    pub(crate) plans: Vec<EmbeddedPlan>,
    /// Where its nodes reference the plans that they run.
    pub(crate) places: SubPlanLocations,
    /// Locations of its keys.
    pub(crate) keys: KeyLocations,
    /// Things the parser noticed but accepted.
    pub(crate) warnings: Vec<String>,
}

/// Parses `text`. A flowchart is recognized by its beginning, other formats by `file_name`.
pub(crate) fn parse(file_name: &str, text: &str) -> Result<Parsed, ApiError> {
    parse_text(file_name, text, plan_file::read)
}

/// Parses a plan file or a part of one.
type Reader = fn(&str, Format, &str, &mut dyn FnMut() -> Uuid) -> Result<PlanFile, PlanFileError>;

fn parse_text(file_name: &str, text: &str, read: Reader) -> Result<Parsed, ApiError> {
    let text = &strip_code_fence(text);
    if is_mermaid_flowchart(file_name, text) {
        let chart = mermaid::read(text, file_name, &mut Uuid::now_v7)
            .map_err(|mistakes| invalid(&mistakes))?;
        let warnings = chart
            .notices
            .iter()
            .map(|notice| format!("line {}: {}", notice.line, notice.kind));
        let (plans, places, keys) = Default::default();
        return Ok(Parsed {
            plan: chart.plan,
            plans,
            places,
            keys,
            warnings: warnings.collect(),
        });
    }
    let format = format_of(file_name, text);
    let read = read(text, format, file_name, &mut Uuid::now_v7).map_err(|error| invalid(&error))?;
    let warnings = read
        .warnings
        .iter()
        .map(|warning| format!("line {}: {}", warning.at, warning.kind))
        .collect();
    Ok(Parsed {
        plan: read.plan,
        plans: read.plans,
        places: read.places,
        keys: read.keys,
        warnings,
    })
}

/// Removes the Markdown code fence around a copied text. Line numbers stay the same.
/// A Markdown file may also hold a plan as YAML or JSON, with nothing around it.
fn format_of(file_name: &str, text: &str) -> Format {
    let detected = Format::detect(text);
    match Format::from_file_name(file_name) {
        Some(Format::Markdown) if !text.trim_start().starts_with(['#', '-']) => detected,
        named => named.unwrap_or(detected),
    }
}

fn strip_code_fence(text: &str) -> Cow<'_, str> {
    let lines: Vec<_> = text.lines().collect();
    let mut written = (0..lines.len()).filter(|at| !lines[*at].trim().is_empty());
    let is_fence = |at: usize| lines[at].trim_start().starts_with("```");
    match (written.next(), written.next_back()) {
        (Some(first), Some(last)) if is_fence(first) && is_fence(last) => Cow::Owned(format!(
            "{}{}",
            "\n".repeat(first + 1),
            lines[first + 1..last].join("\n")
        )),
        _ => Cow::Borrowed(text),
    }
}

fn is_mermaid_flowchart(file_name: &str, text: &str) -> bool {
    let ending = file_name
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("mmd" | "mermaid") => true,
        Some("yaml" | "yml" | "json") => false,
        _ => mermaid::is_mermaid(text),
    }
}

/// Turns each line of the error into a fault, so that a window can list them.
fn invalid(error: &dyn std::error::Error) -> ApiError {
    let faults = error.to_string().lines().map(str::to_owned).collect();
    ApiError::from_faults(Code::Invalid, "", faults)
}

#[cfg(test)]
mod tests;
