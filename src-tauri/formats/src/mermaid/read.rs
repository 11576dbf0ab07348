//! A flowchart, line by line.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use super::CONDITION;
use super::fault::{Fault, FaultKind, Mistakes, Notice, NoticeKind};
use super::join;
use super::line::{Piece, pieces};
use super::subgraph;
use baton_model::Direction;
use baton_model::Plan;

/// The most nodes that are taken in.
const MOST_NODES: usize = 10_000;

/// Statements that only say how something looks, or what a click does: a plan has its own look, and does nothing by being read.
const LOOKS: [&str; 8] = [
    "classDef",
    "class",
    "style",
    "linkStyle",
    "click",
    "direction",
    "accTitle",
    "accDescr",
];

/// A flowchart as a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Flowchart {
    /// Agent nodes, and conditions where the text names an expression. [`Plan::problems`] finds nothing in it.
    pub plan: Plan,
    /// Which way it is drawn; right to left and bottom up count as their mirror images.
    pub direction: Direction,
    /// What was left out, in the order of the lines.
    pub notices: Vec<Notice>,
}

/// Whether `text` begins as a flowchart does.
#[must_use]
pub fn is_mermaid(text: &str) -> bool {
    let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let mut first = lines.find(|line| !line.is_empty() && !line.starts_with("%%"));
    if first == Some("---") {
        first = lines
            .skip_while(|line| *line != "---")
            .skip(1)
            .find(|line| !line.is_empty() && !line.starts_with("%%"));
    }
    first
        .and_then(|line| direction(line.split(';').next()?))
        .is_some()
}

/// Reads the flowchart in `text`. `file` is the name for messages, and without its extension the title where the text has
/// none; `ids` is asked for every identifier.
pub fn read(text: &str, file: &str, ids: &mut dyn FnMut() -> Uuid) -> Result<Flowchart, Mistakes> {
    let mut reading = Reading::default();
    let text = text.trim_start_matches('\u{feff}');
    let rest = reading.front_matter(text);
    for (number, line) in text.lines().enumerate().skip(rest) {
        reading.line(number + 1, line.trim());
    }
    reading.end();
    let Drawing {
        title, direction, ..
    } = &reading.drawing;
    let (title, direction) = (
        title
            .clone()
            .unwrap_or_else(|| crate::plan_file::title_of(file)),
        direction.unwrap_or_default(),
    );
    let drawing = std::mem::take(&mut reading.drawing);
    let joined = if reading.faults.is_empty() {
        plan_of(drawing, &title, ids)
    } else {
        Err(Vec::new())
    };
    match joined {
        Ok((plan, mut notices)) => {
            notices.extend(reading.notices);
            notices.sort_by_key(|notice| notice.line);
            Ok(Flowchart {
                plan,
                direction,
                notices,
            })
        }
        Err(faults) => {
            let mut faults: Vec<_> = reading.faults.into_iter().chain(faults).collect();
            faults.sort_by_key(|fault| fault.line);
            Err(Mistakes {
                file: file.to_owned(),
                faults,
            })
        }
    }
}

fn plan_of(
    drawing: Drawing,
    title: &str,
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<(Plan, Vec<Notice>), Vec<Fault>> {
    let (drawing, unfolding) = subgraph::unfolded(drawing)?;
    let (plan, notices) = join::plan(&drawing, title, ids)?;
    Ok((plan, [notices, unfolding].concat()))
}

/// What a flowchart draws, before it is a plan.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    pub(super) title: Option<String>,
    pub(super) direction: Option<Direction>,
    pub(super) nodes: Vec<Drawn>,
    pub(super) number_of: HashMap<String, usize>,
    pub(super) arrows: Vec<Arrow>,
    pub(super) groups: Vec<Subgraph>,
    /// What stands in each subgraph by its id, also in those in others.
    pub(super) members: HashMap<String, Vec<usize>>,
}

/// One node.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) id: String,
    pub(super) title: Option<String>,
    pub(super) asks: bool,
    pub(super) condition: Option<String>,
    pub(super) line: usize,
}

/// One edge, between nodes by number.
#[derive(Debug, Clone)]
pub(super) struct Arrow {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) soft: bool,
    pub(super) label: Option<String>,
    pub(super) line: usize,
}

/// One outer subgraph.
#[derive(Debug)]
pub(super) struct Subgraph {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) nodes: Vec<usize>,
    line: usize,
}

#[derive(Debug, Default)]
struct Reading {
    drawing: Drawing,
    faults: Vec<Fault>,
    notices: Vec<Notice>,
    /// The subgraphs that are not closed: where they began, and their ids.
    open: Vec<(usize, String)>,
    /// The names of edges, of which other lines say how they look.
    named_edges: HashSet<String>,
    /// Inside of `%%{ … }%%` or a description in braces, which may go over lines.
    skips_to: Option<&'static str>,
    begun: bool,
}

impl Reading {
    /// Takes the title from the lines between `---`. Answers how many lines that were.
    fn front_matter(&mut self, text: &str) -> usize {
        let lines: Vec<_> = text.lines().map(str::trim).collect();
        let Some(begin) = lines
            .iter()
            .position(|line| !line.is_empty())
            .filter(|at| lines[*at] == "---")
        else {
            return 0;
        };
        let Some(end) = lines[begin + 1..].iter().position(|line| *line == "---") else {
            return 0;
        };
        let of = &lines[begin + 1..begin + 1 + end];
        let title = of
            .iter()
            .find_map(|line| line.strip_prefix("title:"))
            .map(|title| yaml_text(title.trim()));
        self.drawing.title = title.filter(|title| !title.is_empty());
        begin + end + 2
    }

    fn line(&mut self, number: usize, line: &str) {
        if let Some(end) = self.skips_to {
            self.skips_to = (!line.contains(end)).then_some(end);
        } else if let Some(comment) = line.strip_prefix("%%") {
            self.comment(comment);
        } else if line.starts_with("accDescr") && line.contains('{') {
            self.skips_to = (!line.contains('}')).then_some("}");
        } else {
            for statement in statements(without_comment(line)) {
                if let Err(kind) = self.statement(number, statement.trim()) {
                    self.faults.push(Fault { line: number, kind });
                }
            }
        }
    }

    /// A comment says nothing, except for the expression of a condition, where Baton wrote one.
    fn comment(&mut self, comment: &str) {
        if comment.starts_with('{') && !comment.contains("}%%") {
            self.skips_to = Some("}%%");
        }
        let Some(condition) = comment.trim_start().strip_prefix(CONDITION) else {
            return;
        };
        let Some((id, expression)) = condition.trim_start().split_once(':') else {
            return;
        };
        if let Some(&node) = self.drawing.number_of.get(id.trim()) {
            self.drawing.nodes[node].condition = Some(expression.trim().to_owned());
        }
    }

    fn statement(&mut self, number: usize, statement: &str) -> Result<(), FaultKind> {
        let (word, rest) = statement
            .split_once(char::is_whitespace)
            .unwrap_or((statement, ""));
        if !self.begun && !statement.is_empty() {
            self.begun = true;
            let none = || FaultKind::NoFlowchart {
                found: quoted_or_nothing(statement),
            };
            self.drawing.direction = Some(direction(statement).ok_or_else(none)?);
            return Ok(());
        }
        match word {
            "" => Ok(()),
            "subgraph" => {
                self.open_group(number, rest.trim());
                Ok(())
            }
            "end" if rest.is_empty() => self.open.pop().map(drop).ok_or(FaultKind::NothingToEnd),
            word if LOOKS.contains(&word.trim_end_matches(':'))
                && !rest.trim_start().starts_with(['-', '=', '<', '&']) =>
            {
                Ok(())
            }
            _ if self.is_look_of_edge(statement) => Ok(()),
            _ => self.edges(number, statement),
        }
    }

    /// `name@{ animate: true }`, about an edge that has a name.
    fn is_look_of_edge(&self, statement: &str) -> bool {
        statement
            .split_once("@{")
            .is_some_and(|(name, _)| self.named_edges.contains(name.trim()))
    }

    fn open_group(&mut self, line: usize, text: &str) {
        let (id, title) = match text.split_once('[') {
            Some((id, title)) => (
                id.trim(),
                unquoted(title.trim_end().trim_end_matches(']').trim()),
            ),
            None => (text, unquoted(text)),
        };
        if self.open.is_empty() {
            self.drawing.groups.push(Subgraph {
                id: id.to_owned(),
                title,
                nodes: Vec::new(),
                line,
            });
        } else {
            self.notices.push(Notice {
                line,
                kind: NoticeKind::GroupInGroup { title },
            });
        }
        self.drawing.members.entry(id.to_owned()).or_default();
        self.open.push((line, id.to_owned()));
    }

    fn edges(&mut self, line: usize, statement: &str) -> Result<(), FaultKind> {
        let (mut before, mut these): (Vec<usize>, Vec<usize>) = Default::default();
        let mut arrow: Option<(bool, bool, Option<String>)> = None;
        for piece in pieces(statement)?.into_iter().map(Some).chain([None]) {
            if !matches!(piece, Some(Piece::Node { .. } | Piece::And)) {
                self.join(line, &before, &these, arrow.take());
                before = std::mem::take(&mut these);
            }
            match piece {
                Some(Piece::Node { id, label }) => these.push(self.node(line, id, label)?),
                Some(Piece::Arrow {
                    id,
                    soft,
                    backward,
                    label,
                }) => {
                    self.named_edges.extend(id);
                    arrow = Some((soft, backward, label));
                }
                Some(Piece::And) | None => {}
            }
        }
        Ok(())
    }

    fn join(
        &mut self,
        line: usize,
        from: &[usize],
        to: &[usize],
        arrow: Option<(bool, bool, Option<String>)>,
    ) {
        let Some((soft, backward, label)) = arrow else {
            return;
        };
        let pairs = from.iter().flat_map(|&from| {
            to.iter()
                .map(move |&to| if backward { (to, from) } else { (from, to) })
        });
        let label = label.filter(|label| !label.is_empty());
        self.drawing.arrows.extend(pairs.map(|(from, to)| Arrow {
            from,
            to,
            soft,
            label: label.clone(),
            line,
        }));
    }

    fn node(
        &mut self,
        line: usize,
        id: String,
        label: Option<super::line::Label>,
    ) -> Result<usize, FaultKind> {
        let number = match self.drawing.number_of.get(&id) {
            Some(&number) => number,
            None if self.drawing.nodes.len() == MOST_NODES => {
                return Err(FaultKind::TooMany { limit: MOST_NODES });
            }
            None => {
                let number = self.drawing.nodes.len();
                self.drawing.number_of.insert(id.clone(), number);
                self.drawing.nodes.push(Drawn {
                    id,
                    title: None,
                    asks: false,
                    condition: None,
                    line,
                });
                number
            }
        };
        if let Some(label) = label {
            let node = &mut self.drawing.nodes[number];
            (node.title, node.asks) = (Some(label.text), label.asks);
        }
        let is_free = self
            .drawing
            .groups
            .iter()
            .all(|group| !group.nodes.contains(&number));
        if let Some(group) = self
            .drawing
            .groups
            .last_mut()
            .filter(|_| !self.open.is_empty() && is_free)
        {
            group.nodes.push(number);
        }
        for (_, id) in &self.open {
            self.drawing
                .members
                .entry(id.clone())
                .or_default()
                .push(number);
        }
        Ok(number)
    }

    fn end(&mut self) {
        let left = self.drawing.groups.last().map(|group| group.line);
        if let Some(line) = self
            .open
            .first()
            .map(|(line, _)| *line)
            .or(left.filter(|_| !self.open.is_empty()))
        {
            self.faults.push(Fault {
                line,
                kind: FaultKind::NeverEnds,
            });
        }
        if !self.begun {
            self.faults.push(Fault {
                line: 1,
                kind: FaultKind::NoFlowchart {
                    found: "empty".to_owned(),
                },
            });
        }
    }
}

/// The statements of a line: `;` parts them, but not in a label.
fn statements(line: &str) -> impl Iterator<Item = &str> {
    let mut is_label = labels();
    line.split(move |char| !is_label(char) && char == ';')
}

/// A line up to its comment, which Mermaid wants on a line of its own and people write behind an edge.
fn without_comment(line: &str) -> &str {
    let mut is_label = labels();
    let mut before = ' ';
    let comment = line.char_indices().find(|(_, char)| {
        let begins = !is_label(*char) && before == '%' && *char == '%';
        before = *char;
        begins
    });
    comment.map_or(line, |(at, _)| &line[..at - 1])
}

/// Tells of one sign of a line after the other whether it belongs to a label.
fn labels() -> impl FnMut(char) -> bool {
    let mut quoted = false;
    let mut depth = 0_i32;
    move |char| {
        quoted ^= char == '"' || (char == '|' && !quoted && depth == 0);
        depth += i32::from(!quoted && matches!(char, '[' | '(' | '{'))
            - i32::from(!quoted && matches!(char, ']' | ')' | '}'));
        quoted || depth > 0
    }
}

fn direction(header: &str) -> Option<Direction> {
    let mut words = header.trim_end_matches(';').split_whitespace();
    if !matches!(words.next()?, "flowchart" | "graph" | "flowchart-elk") {
        return None;
    }
    match (words.next(), words.next()) {
        (None | Some("TB" | "TD" | "BT"), None) => Some(Direction::TopDown),
        (Some("LR" | "RL"), None) => Some(Direction::LeftRight),
        _ => None,
    }
}

/// A text of the front matter, which is YAML: what stands in double quotes is as in JSON.
fn yaml_text(text: &str) -> String {
    serde_json::from_str(text).unwrap_or_else(|_| text.trim_matches(['"', '\'']).to_owned())
}

fn unquoted(text: &str) -> String {
    super::line::plain(text.trim_matches(['"', '\'']))
}

fn quoted_or_nothing(text: &str) -> String {
    format!("\"{}\"", text.chars().take(40).collect::<String>())
}
