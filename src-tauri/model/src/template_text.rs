//! `{{nodes.<slug>.outputs.<key>}}` and `{{loop.index}}` in texts: where such expressions stand.
//!
//! All other braces mean something to somebody else (`docker inspect --format '{{.Id}}'`, `${#list[@]}`).

use crate::loop_round::LoopValue;

/// The older name of `{{loop.index}}` in the texts of a loop's tool step.
pub const ITERATION: &str = "iteration";

/// The filter that makes several words of an unquoted value in a shell line.
const SPLIT: &str = "split";

/// A part of a text with templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextPart<'t> {
    /// The author's own words.
    Text(&'t str),
    /// What stands between braces.
    Expression(TemplateExpression<'t>),
}

/// What stands between braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TemplateExpression<'t> {
    /// The expression without its filter.
    pub text: &'t str,
    /// Whether `| split` follows it.
    pub is_split: bool,
}

impl TemplateExpression<'_> {
    /// Whether its value is a number that Baton counts.
    #[must_use]
    pub fn is_number(&self) -> bool {
        self.text == ITERATION || self.text == "loop.index"
    }
}

/// Which expressions about loops a text may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopScope {
    /// None: such text is somebody else's.
    Outside,
    /// A node of the plan that a loop repeats.
    Body,
    /// The tool call that a loop repeats.
    Step,
}

impl LoopScope {
    /// Whether `expression` names something of the loop.
    #[must_use]
    pub fn names_loop(self, expression: &str) -> bool {
        let is_loops = expression.starts_with(LoopValue::PREFIX);
        self != Self::Outside && is_loops || self == Self::Step && expression == ITERATION
    }
}

/// `text` taken apart.
pub fn parts(text: &str, scope: LoopScope) -> impl Iterator<Item = TextPart<'_>> {
    let mut from = 0;
    let mut found = None;
    std::iter::from_fn(move || {
        if let Some(expression) = found.take() {
            return Some(TextPart::Expression(expression));
        }
        if from >= text.len() {
            return None;
        }
        let copied = from;
        let Some((start, end, expression)) = next(text, from, scope) else {
            from = text.len();
            return Some(TextPart::Text(&text[copied..]));
        };
        from = end;
        if start == copied {
            return Some(TextPart::Expression(expression));
        }
        found = Some(expression);
        Some(TextPart::Text(&text[copied..start]))
    })
}

/// The next expression, with its place, braces included.
fn next(
    text: &str,
    from: usize,
    scope: LoopScope,
) -> Option<(usize, usize, TemplateExpression<'_>)> {
    let mut from = from;
    loop {
        let start = from + text[from..].find("{{")?;
        let end = start + 2 + text[start + 2..].find("}}")? + 2;
        let expression = without_filter(text[start + 2..end - 2].trim());
        let names_node =
            expression.text.starts_with("nodes.") || expression.text.starts_with("nodes[");
        if names_node || scope.names_loop(expression.text) {
            return Some((start, end, expression));
        }
        from = start + 2;
    }
}

fn without_filter(text: &str) -> TemplateExpression<'_> {
    let split = text
        .rsplit_once('|')
        .filter(|(_, filter)| filter.trim() == SPLIT);
    TemplateExpression {
        text: split.map_or(text, |(inner, _)| inner.trim_end()),
        is_split: split.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, scope: LoopScope) -> Vec<(&str, bool)> {
        let expression = |part| match part {
            TextPart::Expression(expression) => Some((expression.text, expression.is_split)),
            TextPart::Text(_) => None,
        };
        parts(text, scope).filter_map(expression).collect()
    }

    #[test]
    fn expressions_are_told_from_other_braces() {
        let text = "{{.Id}} {{ nodes.a.outputs.x | split }}{{nodes['b'].outputs.y}} {{loop.index}} {{iteration}} {{";
        let nodes = [("nodes.a.outputs.x", true), ("nodes['b'].outputs.y", false)];
        assert_eq!(found(text, LoopScope::Outside), nodes);
        assert_eq!(found(text, LoopScope::Body)[2..], [("loop.index", false)]);
        assert_eq!(found(text, LoopScope::Step)[3..], [("iteration", false)]);
        let whole: usize = parts(text, LoopScope::Outside)
            .map(|part| match part {
                TextPart::Text(text) => text.len(),
                TextPart::Expression(_) => 0,
            })
            .sum();
        assert_eq!(
            whole,
            text.len() - "{{ nodes.a.outputs.x | split }}{{nodes['b'].outputs.y}}".len()
        );
    }
}
