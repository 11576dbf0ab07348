//! Parses a flowchart line by line.

use std::collections::HashSet;

use uuid::Uuid;

use super::diagram::{Arrow, Diagram, DiagramNode, Subgraph};
use super::fault::{Fault, FaultKind, MermaidError, Notice, NoticeKind};
use super::keyword::CONDITION;
use super::plan_builder;
use super::subgraph;
use super::tokenizer::{Token, tokenize};
use baton_model::Direction;
use baton_model::Plan;

/// The maximum number of nodes.
const MAX_NODES: usize = 10_000;

/// Statements about appearance or clicks, which are ignored: plans have no styles, and reading one
/// has no effects.
const STYLE_KEYWORDS: [&str; 8] = [
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
    /// Agent nodes, and conditions where the text has an expression. [`Plan::problems`] finds
    /// nothing in it.
    pub plan: Plan,
    /// The direction of the flowchart. Right-to-left and bottom-up count as their mirror images.
    pub direction: Direction,
    /// What was dropped, ordered by line.
    pub notices: Vec<Notice>,
}

/// Returns whether `text` begins like a flowchart.
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

/// Reads the flowchart in `text`. `file` is the name for messages, and without its extension the
/// title if the text has none. `ids` provides all identifiers.
pub fn read(
    text: &str,
    file: &str,
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<Flowchart, MermaidError> {
    let mut parser = Parser::default();
    let text = text.trim_start_matches('\u{feff}');
    let rest = parser.front_matter(text);
    for (number, line) in text.lines().enumerate().skip(rest) {
        parser.line(number + 1, line.trim());
    }
    parser.finish();
    let Diagram {
        title, direction, ..
    } = &parser.diagram;
    let (title, direction) = (
        title
            .clone()
            .unwrap_or_else(|| crate::plan_file::title_from_file_name(file)),
        direction.unwrap_or_default(),
    );
    let diagram = std::mem::take(&mut parser.diagram);
    let joined = if parser.faults.is_empty() {
        build_plan(diagram, &title, ids)
    } else {
        Err(Vec::new())
    };
    match joined {
        Ok((plan, mut notices)) => {
            notices.extend(parser.notices);
            notices.sort_by_key(|notice| notice.line);
            Ok(Flowchart {
                plan,
                direction,
                notices,
            })
        }
        Err(faults) => {
            let mut faults: Vec<_> = parser.faults.into_iter().chain(faults).collect();
            faults.sort_by_key(|fault| fault.line);
            Err(MermaidError {
                file: file.to_owned(),
                faults,
            })
        }
    }
}

fn build_plan(
    diagram: Diagram,
    title: &str,
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<(Plan, Vec<Notice>), Vec<Fault>> {
    let (diagram, unfolding) = subgraph::expand_subgraph_edges(diagram)?;
    let (plan, notices) = plan_builder::build_plan(&diagram, title, ids)?;
    Ok((plan, [notices, unfolding].concat()))
}

#[derive(Debug, Default)]
struct Parser {
    diagram: Diagram,
    faults: Vec<Fault>,
    notices: Vec<Notice>,
    /// The open subgraphs: their first lines and their ids.
    open: Vec<(usize, String)>,
    /// The ids of edges, to which style statements refer.
    named_edges: HashSet<String>,
    /// The end of a `%%{ … }%%` or of a description in braces, which may span several lines.
    skip_until: Option<&'static str>,
    has_header: bool,
}

impl Parser {
    /// Reads the title from the front matter between `---`. Returns the number of lines it takes.
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
        self.diagram.title = title.filter(|title| !title.is_empty());
        begin + end + 2
    }

    fn line(&mut self, number: usize, line: &str) {
        if let Some(end) = self.skip_until {
            self.skip_until = (!line.contains(end)).then_some(end);
        } else if let Some(comment) = line.strip_prefix("%%") {
            self.comment(comment);
        } else if line.starts_with("accDescr") && line.contains('{') {
            self.skip_until = (!line.contains('}')).then_some("}");
        } else {
            for statement in statements(without_comment(line)) {
                if let Err(kind) = self.statement(number, statement.trim()) {
                    self.faults.push(Fault { line: number, kind });
                }
            }
        }
    }

    /// Ignores comments except for the conditions' expressions that Baton writes.
    fn comment(&mut self, comment: &str) {
        if comment.starts_with('{') && !comment.contains("}%%") {
            self.skip_until = Some("}%%");
        }
        let Some(condition) = comment.trim_start().strip_prefix(CONDITION) else {
            return;
        };
        let Some((id, expression)) = condition.trim_start().split_once(':') else {
            return;
        };
        if let Some(&node) = self.diagram.number_of.get(id.trim()) {
            self.diagram.nodes[node].condition = Some(expression.trim().to_owned());
        }
    }

    fn statement(&mut self, number: usize, statement: &str) -> Result<(), FaultKind> {
        let (word, rest) = statement
            .split_once(char::is_whitespace)
            .unwrap_or((statement, ""));
        if !self.has_header && !statement.is_empty() {
            self.has_header = true;
            let none = || FaultKind::NoFlowchart {
                found: quoted_or_nothing(statement),
            };
            self.diagram.direction = Some(direction(statement).ok_or_else(none)?);
            return Ok(());
        }
        match word {
            "" => Ok(()),
            "subgraph" => {
                self.open_group(number, rest.trim());
                Ok(())
            }
            "end" if rest.is_empty() => self.open.pop().map(drop).ok_or(FaultKind::NothingToEnd),
            word if STYLE_KEYWORDS.contains(&word.trim_end_matches(':'))
                && !rest.trim_start().starts_with(['-', '=', '<', '&']) =>
            {
                Ok(())
            }
            _ if self.is_edge_style(statement) => Ok(()),
            _ => self.edges(number, statement),
        }
    }

    /// Returns whether this is `name@{ animate: true }` for an edge with an id.
    fn is_edge_style(&self, statement: &str) -> bool {
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
            self.diagram.groups.push(Subgraph {
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
        self.diagram.members.entry(id.to_owned()).or_default();
        self.open.push((line, id.to_owned()));
    }

    fn edges(&mut self, line: usize, statement: &str) -> Result<(), FaultKind> {
        let (mut before, mut these): (Vec<usize>, Vec<usize>) = Default::default();
        let mut arrow: Option<(bool, bool, Option<String>)> = None;
        for piece in tokenize(statement)?.into_iter().map(Some).chain([None]) {
            if !matches!(piece, Some(Token::Node { .. } | Token::And)) {
                self.join(line, &before, &these, arrow.take());
                before = std::mem::take(&mut these);
            }
            match piece {
                Some(Token::Node { id, label }) => these.push(self.node(line, id, label)?),
                Some(Token::Arrow {
                    id,
                    soft,
                    backward,
                    label,
                }) => {
                    self.named_edges.extend(id);
                    arrow = Some((soft, backward, label));
                }
                Some(Token::And) | None => {}
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
        self.diagram.arrows.extend(pairs.map(|(from, to)| Arrow {
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
        label: Option<super::tokenizer::Label>,
    ) -> Result<usize, FaultKind> {
        let number = match self.diagram.number_of.get(&id) {
            Some(&number) => number,
            None if self.diagram.nodes.len() == MAX_NODES => {
                return Err(FaultKind::TooMany { limit: MAX_NODES });
            }
            None => {
                let number = self.diagram.nodes.len();
                self.diagram.number_of.insert(id.clone(), number);
                self.diagram.nodes.push(DiagramNode {
                    id,
                    title: None,
                    is_decision: false,
                    condition: None,
                    line,
                });
                number
            }
        };
        if let Some(label) = label {
            let node = &mut self.diagram.nodes[number];
            (node.title, node.is_decision) = (Some(label.text), label.is_decision);
        }
        let is_free = self
            .diagram
            .groups
            .iter()
            .all(|group| !group.nodes.contains(&number));
        if let Some(group) = self
            .diagram
            .groups
            .last_mut()
            .filter(|_| !self.open.is_empty() && is_free)
        {
            group.nodes.push(number);
        }
        for (_, id) in &self.open {
            self.diagram
                .members
                .entry(id.clone())
                .or_default()
                .push(number);
        }
        Ok(number)
    }

    fn finish(&mut self) {
        let left = self.diagram.groups.last().map(|group| group.line);
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
        if !self.has_header {
            self.faults.push(Fault {
                line: 1,
                kind: FaultKind::NoFlowchart {
                    found: "empty".to_owned(),
                },
            });
        }
    }
}

/// Splits a line at `;` except in labels.
fn statements(line: &str) -> impl Iterator<Item = &str> {
    let mut is_label = labels();
    line.split(move |char| !is_label(char) && char == ';')
}

/// Strips a trailing comment. Mermaid wants comments on their own lines, but people write them
/// after edges.
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

/// Returns for each character of a line in turn whether it belongs to a label.
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

/// A string in the front matter, which is YAML: in double quotes it is like JSON.
fn yaml_text(text: &str) -> String {
    serde_json::from_str(text).unwrap_or_else(|_| text.trim_matches(['"', '\'']).to_owned())
}

fn unquoted(text: &str) -> String {
    super::tokenizer::plain(text.trim_matches(['"', '\'']))
}

fn quoted_or_nothing(text: &str) -> String {
    format!("\"{}\"", text.chars().take(40).collect::<String>())
}
