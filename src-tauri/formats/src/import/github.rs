//! GitHub issues, as `gh api --paginate` prints them, and as Baton exports them.
//!
//! The issues are a JSON list, or one on each line. What is below an issue and what blocks it stands in the issue
//! (`sub_issues`, `blocked_by`), or in files named like the API's addresses:
//! `issues/12/sub_issues.json`, `issues/12/dependencies/blocked_by.json`. Older issues list what is
//! below them as `- [ ] #12`.

use std::collections::{HashMap, HashSet};

use baton_model::node::Criterion;

use super::SourceFile;
use super::draft::{Dependency, Draft, Task};
use super::fault::ImportError;
use super::json::{self, Item, SourceFaults};
use super::markdown;
use super::status::SourceStatus;
use super::warning::{ImportWarning, ImportWarningKind};
use crate::plan_file::tree::Located;

pub(super) fn read(files: &[SourceFile]) -> Result<Vec<Draft>, ImportError> {
    let mut faults = SourceFaults::default();
    let mut issues = Issues::default();
    let is_json =
        |file: &&SourceFile| file.path.ends_with(".json") || file.path.ends_with(".jsonl");
    let json = files.iter().filter(is_json);
    let (related, listed): (Vec<_>, Vec<_>) = json.partition(|file| relation(&file.path).is_some());
    // First, because the lists say which repository the numbers in the other files belong to.
    for file in listed {
        let root = pages(file)?;
        for item in flat(Item::new(&file.path, &root)) {
            issues.add(item, &mut faults);
        }
    }
    for file in related {
        let root = pages(file)?;
        for item in flat(Item::new(&file.path, &root)) {
            issues.add_related(&file.path, item, &mut faults);
        }
    }
    faults.into_result(())?;
    Ok(vec![issues.into_draft()])
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    SubIssues,
    BlockedBy,
}

/// The issue that a file like `issues/12/sub_issues.json` is about.
fn relation(path: &str) -> Option<(String, Relation)> {
    let (folders, name) = path.rsplit_once('/')?;
    let (issue, relation) = match name {
        "sub_issues.json" => (folders, Relation::SubIssues),
        "blocked_by.json" => (
            folders.strip_suffix("/dependencies").unwrap_or(folders),
            Relation::BlockedBy,
        ),
        _ => return None,
    };
    let number = issue.rsplit('/').next().unwrap_or(issue);
    number
        .chars()
        .all(|c| c.is_ascii_digit())
        .then(|| (number.to_owned(), relation))
}

/// The value of a file. Several pages may follow each other as separate values.
fn pages(file: &SourceFile) -> Result<Located, ImportError> {
    let error = match json::parse(file) {
        Ok(root) => return Ok(root),
        Err(error) => error,
    };
    let values = serde_json::Deserializer::from_str(&file.text).into_iter::<serde_json::Value>();
    match values.collect::<Result<Vec<_>, _>>() {
        Ok(pages) if pages.len() > 1 => json::parse(&SourceFile {
            path: file.path.clone(),
            text: serde_json::Value::from(pages).to_string(),
        }),
        _ => Err(error),
    }
}

/// The issues of a list, of a list of pages, or a single issue.
fn flat(root: Item<'_>) -> Vec<Item<'_>> {
    match root.items() {
        None => vec![root],
        Some(items) => items
            .flat_map(|item| match item.items() {
                Some(page) => page.collect(),
                None => vec![item],
            })
            .collect(),
    }
}

#[derive(Default)]
struct Issues {
    tasks: Vec<Task>,
    known: HashSet<String>,
    parents: HashMap<String, String>,
    pull_requests: usize,
    repository: String,
    blocked: Vec<(String, String)>,
    /// Closed issues that aren't in the lists, but block others.
    finished: Vec<String>,
}

impl Issues {
    fn add(&mut self, item: Item<'_>, faults: &mut SourceFaults) {
        if !item.is_map() {
            item.wrong_type(
                "an issue",
                "a mapping with \"number\" and \"title\"",
                faults,
            );
            return;
        }
        if item.has("pull_request") {
            self.pull_requests += 1;
            return;
        }
        let Some(number) = item.required("an issue", "number", faults) else {
            return;
        };
        if self.repository.is_empty() {
            self.repository = repository(item, faults);
        }
        let id = self.id(item, &number, faults);
        if !self.known.insert(id.clone()) {
            return;
        }
        let title = item.required(&format!("issue {id}"), "title", faults);
        let body = item.text("body", faults);
        let (criteria, children) = boxes(&body);
        for child in children {
            self.parents.entry(child).or_insert_with(|| id.clone());
        }
        let mut task = Task {
            place: item.place(),
            title: title.unwrap_or_default(),
            prompt: body,
            criteria,
            status: SourceStatus::from_word(&status(item, faults)),
            id: id.clone(),
            ..Task::default()
        };
        let url = item.text("html_url", faults);
        if !url.is_empty() {
            task.remember("url", url);
        }
        let labels = item.list("labels", faults).into_iter();
        let labels: Vec<String> = labels
            .filter_map(|label| label.get("name").unwrap_or(label).scalar())
            .map(str::to_owned)
            .collect();
        if !labels.is_empty() {
            task.remember("labels", labels);
        }
        self.tasks.push(task);
        let below = item.list("sub_issues", faults);
        for child in below {
            if child.is_map() && child.has("title") {
                self.add(child, faults);
            }
            self.relate(&id, child, Relation::SubIssues, faults);
        }
        let dependencies = item.get("dependencies").filter(|found| found.is_map());
        let blocked_by = item.list("blocked_by", faults).into_iter();
        let blocked_by: Vec<_> = blocked_by
            .chain(dependencies.map_or_else(Vec::new, |found| found.list("blocked_by", faults)))
            .collect();
        for parent in blocked_by {
            self.relate(&id, parent, Relation::BlockedBy, faults);
        }
    }

    /// Adds an issue from a file about the relations of another one. A blocker that is open has to
    /// be done as well; one that is closed is only remembered.
    fn add_related(&mut self, path: &str, item: Item<'_>, faults: &mut SourceFaults) {
        let Some((issue, relation)) = relation(path) else {
            return;
        };
        let is_whole = item.is_map() && item.has("number") && item.has("title");
        let is_done = || SourceStatus::from_word(&status(item, &mut SourceFaults::default()));
        match relation {
            Relation::SubIssues => self.add(item, faults),
            Relation::BlockedBy if is_whole && is_done().is_finished() => {
                let number = item.text("number", faults);
                self.finished.push(self.id(item, &number, faults));
            }
            Relation::BlockedBy if is_whole => self.add(item, faults),
            Relation::BlockedBy => {}
        }
        self.relate(&issue, item, relation, faults);
    }

    fn relate(
        &mut self,
        issue: &str,
        other: Item<'_>,
        relation: Relation,
        faults: &mut SourceFaults,
    ) {
        let number = other.get("number").unwrap_or(other).scalar();
        let Some(number) = number else {
            other.wrong_type("a related issue", "an issue or its number", faults);
            return;
        };
        let number = number.trim_start_matches('#');
        let other = self.id(other, number, faults);
        match relation {
            Relation::SubIssues => _ = self.parents.insert(other, issue.to_owned()),
            Relation::BlockedBy => self.blocked.push((issue.to_owned(), other)),
        }
    }

    /// The number, with the repository in front if it is another one.
    fn id(&self, item: Item<'_>, number: &str, faults: &mut SourceFaults) -> String {
        let repository = repository(item, faults);
        match repository.is_empty() || repository == self.repository {
            true => number.to_owned(),
            false => format!("{repository}#{number}"),
        }
    }

    fn into_draft(mut self) -> Draft {
        for (issue, on) in self.blocked {
            if let Some(task) = self.tasks.iter_mut().find(|task| task.id == issue) {
                task.dependencies.push(Dependency::stated(on));
            }
        }
        let parents: Vec<Option<String>> = self
            .tasks
            .iter()
            .map(|task| self.parents.get(&task.id).cloned())
            .collect();
        let mut draft = Draft {
            title: match self.repository.as_str() {
                "" => "GitHub issues".to_owned(),
                repository => format!("Issues of {repository}"),
            },
            tasks: self.tasks,
            finished_elsewhere: self.finished,
            ..Draft::default()
        };
        if self.pull_requests > 0 {
            let what = match self.pull_requests {
                1 => "1 pull request is left out".to_owned(),
                count => format!("{count} pull requests are left out"),
            };
            let kind = ImportWarningKind::LeftOut { what };
            draft.warnings.push(ImportWarning::of_plan(kind));
        }
        draft.group_by_parent(&parents);
        draft
    }
}

/// `owner/name`, from one of the addresses of an issue.
fn repository(item: Item<'_>, faults: &mut SourceFaults) -> String {
    if !item.is_map() {
        return String::new();
    }
    let address = ["repository_url", "html_url", "url"]
        .into_iter()
        .map(|key| item.text(key, faults))
        .find(|address| !address.is_empty())
        .unwrap_or_default();
    let rest = address.split_once("/repos/").map_or_else(
        || address.split_once("github.com/").map(|(_, rest)| rest),
        |(_, rest)| Some(rest),
    );
    let mut parts = rest.unwrap_or_default().split('/');
    match (parts.next(), parts.next()) {
        (Some(owner), Some(name)) if !owner.is_empty() => format!("{owner}/{name}"),
        _ => String::new(),
    }
}

fn status(item: Item<'_>, faults: &mut SourceFaults) -> String {
    let reason = item.text("state_reason", faults).to_lowercase();
    let state = item.text("state", faults).to_lowercase();
    match (state.as_str(), reason.as_str()) {
        ("closed", "not_planned" | "duplicate") => reason,
        _ => state,
    }
}

/// The criteria of a body, and the numbers of issues that are below it.
fn boxes(body: &str) -> (Vec<Criterion>, Vec<String>) {
    let (mut criteria, mut children) = (Vec::new(), Vec::new());
    let lines = markdown::lines(body, 1);
    let plain = lines.iter().filter(|line| !line.is_verbatim);
    for found in plain.filter_map(|line| markdown::checkbox(line.text)) {
        let number = found.text.strip_prefix('#').map(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_digit());
            &rest[..end.unwrap_or(rest.len())]
        });
        match number.filter(|number| !number.is_empty()) {
            Some(number) => children.push(number.to_owned()),
            None => criteria.push(Criterion::Sentence(found.text.to_owned())),
        }
    }
    (criteria, children)
}
