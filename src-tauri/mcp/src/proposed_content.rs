//! What an agent proposes: a whole plan in one of several forms, or changes to a plan.

use std::path::Path;

use baton_api::wire::{SubmittedContent, SubmittedEdit};
use baton_api::{ApiError, Code};
use baton_formats::plan_file::{self, Format, PlanFile};
use baton_model::PlanId;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::caller_error::bad_input;
use crate::plan_source::{NodeList, PlanFault, PlanSource};

/// The longest title that is derived from the description of a step, in characters.
const STEP_TITLE_CHARS: usize = 80;

/// A step of a list in which each waits for the one before.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(description = "")]
pub(crate) struct ProposedStep {
    description: String,
    tool: Option<String>,
    operation: Option<String>,
    target: Option<String>,
}

/// What is proposed: exactly one of `yaml`, `nodes`, `steps` and `changes`.
#[derive(Debug, Default)]
pub(crate) struct ProposedContent {
    /// The plan that it changes, and the version that was read.
    pub(crate) target: Option<(PlanId, u32)>,
    pub(crate) yaml: Option<String>,
    pub(crate) nodes: Option<NodeList>,
    pub(crate) steps: Option<Vec<ProposedStep>>,
    pub(crate) changes: Option<Vec<Map<String, Value>>>,
    pub(crate) title: Option<String>,
    pub(crate) goal: Option<String>,
    pub(crate) cwd: Option<String>,
    /// Notes that every node can read. Only for a new plan that is no `yaml`.
    pub(crate) context: Option<String>,
}

impl ProposedContent {
    /// The content as operations take it. A new plan without a directory works in `project`.
    ///
    /// # Errors
    ///
    /// The forms contradict each other, or the plan has faults.
    pub(crate) fn into_submission(
        self,
        project: Option<&Path>,
    ) -> Result<SubmittedContent, ApiError> {
        let forms = [
            self.yaml.is_some(),
            self.nodes.is_some(),
            self.steps.is_some(),
            self.changes.is_some(),
        ];
        if forms.into_iter().filter(|is_given| *is_given).count() != 1 {
            return Err(bad_input(
                "pass exactly one of yaml, nodes, steps and changes",
                "see guide with topic plan_format",
            ));
        }
        match self.changes {
            Some(_) => self.into_changes(),
            None => self.into_plan(project),
        }
    }

    fn into_changes(self) -> Result<SubmittedContent, ApiError> {
        self.refuse_context("use a change with op set instead")?;
        let changes = self.changes.unwrap_or_default().into_iter().enumerate();
        let changes: Result<_, _> = changes
            .map(|(at, change)| parse_change(at, change))
            .collect();
        Ok(SubmittedContent {
            changes: Some(changes?),
            text: None,
            nodes: None,
            plan: self.target.map(|(plan, _)| plan),
            base_version: self.target.map(|(_, version)| version),
            title: self.title,
            goal: self.goal,
            cwd: self.cwd,
        })
    }

    fn into_plan(mut self, project: Option<&Path>) -> Result<SubmittedContent, ApiError> {
        let source = PlanSource {
            nodes: match self.steps.take() {
                Some(steps) => Some(step_nodes(&steps)),
                None => self.nodes.take(),
            },
            yaml: self.yaml.take(),
            title: self.title.clone(),
        };
        let file = source.read()?.map_err(|faults| invalid(&faults))?;
        let needs_directory = self.target.is_none() && file.plan.cwd.is_none();
        let project = project.filter(|_| needs_directory);
        let cwd = self.cwd.take();
        let content = SubmittedContent {
            plan: self.target.map(|(plan, _)| plan),
            base_version: self.target.map(|(_, version)| version),
            text: None,
            nodes: None,
            changes: None,
            cwd: cwd.or_else(|| project.map(|directory| directory.display().to_string())),
            title: self.title.clone(),
            goal: self.goal.clone(),
        };
        match (source.yaml, source.nodes) {
            (Some(yaml), _) => {
                self.refuse_context("write it into the plan file, under context")?;
                Ok(SubmittedContent {
                    text: Some(whole_file(yaml, &file)?),
                    ..content
                })
            }
            (None, nodes) => self.nodes_into(content, nodes.unwrap_or_default()),
        }
    }

    /// Nodes as they are, or in a plan file of their own with the context.
    fn nodes_into(
        self,
        content: SubmittedContent,
        nodes: NodeList,
    ) -> Result<SubmittedContent, ApiError> {
        let Some(context) = &self.context else {
            return Ok(SubmittedContent {
                nodes: Some(nodes),
                ..content
            });
        };
        if self.target.is_some() {
            self.refuse_context("use changes with op set to change it")?;
        }
        let file = json!({
            "baton": 1,
            "title": self.title,
            "context": {"notes": context},
            "nodes": nodes,
        });
        Ok(SubmittedContent {
            text: Some(file.to_string()),
            ..content
        })
    }

    fn refuse_context(&self, fix: &str) -> Result<(), ApiError> {
        match self.context {
            Some(_) => Err(bad_input(
                "context is for new plans from nodes or steps",
                fix,
            )),
            None => Ok(()),
        }
    }
}

fn parse_change(at: usize, change: Map<String, Value>) -> Result<SubmittedEdit, ApiError> {
    serde_json::from_value(Value::Object(change)).map_err(|error| {
        bad_input(
            format!("changes[{at}]: {error}"),
            "op is add {node}, edit {node, changes}, remove {node, heal}, connect {from, to}, \
             disconnect {from, to} or set {changes}; each may say why",
        )
    })
}

/// The keys of nodes, one after another.
fn step_nodes(steps: &[ProposedStep]) -> NodeList {
    let nodes = (1..).zip(steps).map(|(number, step)| {
        let title: String = step.description.chars().take(STEP_TITLE_CHARS).collect();
        let node = json!({
            "type": "agent",
            "orderNum": number,
            "name": title.lines().next().unwrap_or_default(),
            "prompt": step.prompt(),
            "toolsRequired": step.tool.iter().collect::<Vec<_>>(),
            "maxRetries": 0,
        });
        match node {
            Value::Object(node) => node,
            _ => Map::new(),
        }
    });
    nodes.collect()
}

impl ProposedStep {
    /// What the agent of the step gets.
    fn prompt(&self) -> String {
        let operation = [self.operation.as_deref(), self.target.as_deref()];
        let operation: Vec<_> = operation.into_iter().flatten().collect();
        let how = match (&self.tool, operation.join(" ")) {
            (Some(tool), operation) if operation.is_empty() => tool.clone(),
            (Some(tool), operation) => format!("{tool}: {operation}"),
            (None, operation) => operation,
        };
        match how.is_empty() {
            true => self.description.clone(),
            false => format!("{} ({how})", self.description),
        }
    }
}

/// The text of a plan file. A part of one, such as nodes alone, is completed.
fn whole_file(text: String, file: &PlanFile) -> Result<String, ApiError> {
    if !file.plans.is_empty() {
        return Err(bad_input(
            "a proposal can't contain other plans",
            "propose each as a plan of its own",
        ));
    }
    let format = Format::detect(&text);
    match plan_file::read(&text, format, "plan", &mut Uuid::now_v7) {
        Ok(_) => Ok(text),
        Err(_) => Ok(plan_file::write(&file.plan, Format::Json)),
    }
}

/// The error for a plan with faults, each with its place.
fn invalid(faults: &[PlanFault]) -> ApiError {
    let faults = faults.iter().map(PlanFault::sentence).collect();
    ApiError::from_faults(Code::Invalid, "the plan is not valid", faults)
        .with_fix("correct it; plan_check shows all faults and stores nothing")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(value: Value) -> ProposedContent {
        ProposedContent {
            steps: Some(serde_json::from_value(value).expect("steps")),
            title: Some("A plan".to_owned()),
            ..ProposedContent::default()
        }
    }

    #[test]
    fn steps_become_nodes_in_a_row() {
        let content = steps(json!([
            {"description": "Find it", "tool": "Grep", "operation": "search", "target": "src"},
            {"description": "Fix it"},
        ]));
        let nodes = content.into_submission(None).expect("valid").nodes;
        let text = json!({"baton": 1, "title": "A plan", "nodes": nodes}).to_string();
        let read = plan_file::read(&text, Format::Json, "plan", &mut Uuid::now_v7);
        let plan = read.expect("a plan").plan;
        assert_eq!(plan.edges.len(), 1);
        assert_eq!(plan.nodes[0].tools_required, ["Grep"]);
        let baton_model::node::NodeKind::Agent(task) = &plan.nodes[0].kind else {
            panic!("an agent")
        };
        assert_eq!(task.prompt, "Find it (Grep: search src)");
        assert_eq!(plan.nodes[0].max_retries, 0);
    }

    #[test]
    fn one_form_is_required() {
        let error = ProposedContent::default().into_submission(None);
        assert_eq!(error.expect_err("nothing").code, Code::BadInput);
        let both = ProposedContent {
            yaml: Some("nodes: []".to_owned()),
            ..steps(json!([]))
        };
        let error = both.into_submission(None).expect_err("both");
        assert_eq!(error.code, Code::BadInput);
    }

    #[test]
    fn part_of_a_plan_file_is_completed() {
        let content = ProposedContent {
            yaml: Some("- {id: a, kind: command, command: 'true'}".to_owned()),
            ..ProposedContent::default()
        };
        let submitted = content
            .into_submission(Some(Path::new("/work")))
            .expect("valid");
        let text = submitted.text.expect("a text");
        let file = plan_file::read(&text, Format::Json, "plan", &mut Uuid::now_v7);
        assert_eq!(file.expect("whole").plan.nodes.len(), 1);
        assert_eq!(submitted.cwd.as_deref(), Some("/work"));
    }

    #[test]
    fn directory_of_a_plan_file_is_kept() {
        let content = ProposedContent {
            yaml: Some("baton: 1\ntitle: A\ncwd: /here\nnodes: []".to_owned()),
            ..ProposedContent::default()
        };
        let submitted = content
            .into_submission(Some(Path::new("/work")))
            .expect("valid");
        assert_eq!(submitted.cwd, None);
    }

    #[test]
    fn context_is_for_new_plans_from_nodes() {
        let with = |content: ProposedContent| ProposedContent {
            context: Some("The API has no tests.".to_owned()),
            ..content
        };
        let submitted = with(steps(json!([{"description": "Test it"}])))
            .into_submission(None)
            .expect("valid");
        assert!(submitted.text.expect("a file").contains("no tests"));
        let yaml = ProposedContent {
            yaml: Some("nodes: [{id: a, kind: command, command: 'true'}]".to_owned()),
            ..ProposedContent::default()
        };
        assert!(with(yaml).into_submission(None).is_err());
    }

    #[test]
    fn faults_name_their_place() {
        let content = ProposedContent {
            yaml: Some("baton: 1\nnodes:\n  - {id: a, kind: script}\n".to_owned()),
            ..ProposedContent::default()
        };
        let error = content.into_submission(None).expect_err("a wrong kind");
        assert_eq!(error.code, Code::Invalid);
        assert!(error.faults[0].starts_with("line 3: "), "{error:?}");
        let content = ProposedContent {
            changes: Some(vec![Map::new()]),
            ..ProposedContent::default()
        };
        let error = content.into_submission(None).expect_err("no op");
        assert!(error.message.starts_with("changes[0]"), "{error:?}");
    }
}
