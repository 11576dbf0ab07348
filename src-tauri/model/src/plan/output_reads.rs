//! Which named outputs of its nodes a plan reads, in texts and conditions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::artifact::is_output_name;
use crate::expression::Expression;
use crate::template_text::{LoopScope, TextPart, template_parts};
use crate::{Node, NodeId, Plan};

/// A named output that other nodes of the plan read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OutputRead {
    /// The node that has the output.
    pub node: NodeId,
    /// As in `{{nodes.<slug>.outputs.<name>}}`.
    pub name: String,
    /// The nodes that read it, in plan order.
    pub by: Vec<NodeId>,
}

impl Plan {
    /// The named outputs that the plan's enabled nodes read, in plan order and sorted by name. What
    /// nodes read only from within a value counts as the whole output.
    #[must_use]
    pub fn output_reads(&self) -> Vec<OutputRead> {
        let mut readers: BTreeMap<(String, String), Vec<NodeId>> = BTreeMap::new();
        for reader in self.nodes.iter().filter(|node| !node.disabled) {
            for read in reads_of(reader) {
                let readers = readers.entry(read).or_default();
                if readers.last() != Some(&reader.id) {
                    readers.push(reader.id);
                }
            }
        }
        let of_node = |node: &Node| {
            let of_slug = readers
                .iter()
                .filter(|((slug, _), _)| slug == node.slug.as_str());
            of_slug
                .map(|((_, name), by)| OutputRead {
                    node: node.id,
                    name: name.clone(),
                    by: by.clone(),
                })
                .collect::<Vec<_>>()
        };
        self.nodes.iter().flat_map(of_node).collect()
    }
}

/// The slugs and names of the outputs that a node reads.
fn reads_of(node: &Node) -> Vec<(String, String)> {
    let mut reads = Vec::new();
    for (_, text) in node.template_texts() {
        for part in template_parts(text, LoopScope::Outside) {
            if let TextPart::Expression(expression) = part {
                reads.extend(reads_of_template(expression.text));
            }
        }
    }
    reads.extend(
        node.kind
            .condition()
            .into_iter()
            .flat_map(reads_of_condition),
    );
    reads.retain(|(_, name)| is_output_name(name));
    reads
}

/// In its plain form an expression names one output, dots included. Other forms are expressions.
fn reads_of_template(expression: &str) -> Vec<(String, String)> {
    let plain = expression
        .strip_prefix("nodes.")
        .and_then(|rest| rest.split_once(".outputs."));
    match plain {
        Some((slug, name)) if is_output_name(slug) && is_output_name(name) => {
            vec![(slug.to_owned(), name.to_owned())]
        }
        _ => reads_of_condition(expression),
    }
}

/// A condition with errors reads nothing: the plan's problems say what is wrong with it.
fn reads_of_condition(text: &str) -> Vec<(String, String)> {
    Expression::parse(text).map_or_else(|_| Vec::new(), |condition| condition.outputs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::{CommandLine, CommandTask, ConditionTask, NodeKind};
    use crate::plan_fixture::{node_id, plan_of};

    fn command(line: &str, env: &str) -> NodeKind {
        NodeKind::Command(CommandTask {
            command: CommandLine::Shell(line.to_owned()),
            env: [("FROM".to_owned(), env.to_owned())].into(),
            cwd: None,
        })
    }

    fn names(plan: &Plan) -> Vec<(NodeId, String)> {
        let reads = plan.output_reads().into_iter();
        reads.map(|read| (read.node, read.name)).collect()
    }

    #[test]
    fn texts_and_conditions_read_outputs() {
        for (text, expected) in [
            ("{{nodes.n0.outputs.made}}", &["made"][..]),
            ("{{ nodes.n0.outputs.a.b-c | split }}", &["a.b-c"]),
            (
                "{{nodes['n0'].outputs['x'] ~ nodes.n0.outputs.y}}",
                &["x", "y"],
            ),
            ("{{nodes.n0.error.message}} {{nodes.n0.outputs}}", &[]),
            ("nodes.n0.outputs.made {{nodes.gone.outputs.x}}", &[]),
        ] {
            let mut plan = plan_of(&["First", "Second"], &[(0, 1)]);
            plan.nodes[1].kind = command("true", text);
            let expected: Vec<_> = expected
                .iter()
                .map(|&name| (node_id(0), name.to_owned()))
                .collect();
            assert_eq!(names(&plan), expected, "{text}");
        }
        for (condition, expected) in [
            ("nodes.n0.outputs.count > 3", &["count"][..]),
            ("nodes.n0.outputs.files[0].name == 'a'", &["files"]),
            ("nodes.n0.result == 'yes' and result:n0", &["result"]),
            ("nodes.n0.outputs. >", &[]),
            ("true", &[]),
        ] {
            let mut plan = plan_of(&["First", "Fork"], &[(0, 1)]);
            plan.nodes[1].kind = NodeKind::Condition(ConditionTask {
                condition: condition.to_owned(),
                true_step: None,
                false_step: None,
            });
            let expected: Vec<_> = expected
                .iter()
                .map(|&name| (node_id(0), name.to_owned()))
                .collect();
            assert_eq!(names(&plan), expected, "{condition}");
        }
    }

    #[test]
    fn reads_are_in_plan_order_and_list_each_reader_once() {
        let mut plan = plan_of(&["First", "Second", "Third", "Off"], &[(0, 1), (1, 2)]);
        plan.nodes[2].kind = command(
            "{{nodes.n1.outputs.z}} {{nodes.n0.outputs.b}}",
            "{{nodes.n0.outputs.a}} {{nodes.n0.outputs.b}}",
        );
        plan.nodes[1].kind = command("{{nodes.n0.outputs.b}}", "");
        plan.nodes[3].kind = command("{{nodes.n0.outputs.unused}}", "");
        plan.nodes[3].disabled = true;
        let read = |node, name: &str, by: &[usize]| OutputRead {
            node: node_id(node),
            name: name.to_owned(),
            by: by.iter().map(|&position| node_id(position)).collect(),
        };
        assert_eq!(
            plan.output_reads(),
            [
                read(0, "a", &[2]),
                read(0, "b", &[1, 2]),
                read(1, "z", &[2])
            ]
        );
    }
}
