//! Dependencies on tasks and groups become edges between nodes.

use std::collections::{HashMap, HashSet};

use baton_model::{Edge, Plan};

use super::EndCriteria;
use crate::import::EDGE_LIMIT;
use crate::import::draft::{Dependency, DependencyKind, Draft, Place};
use crate::import::fault::{ImportError, ImportFault, ImportFaultKind};
use crate::import::warning::{ImportWarning, ImportWarningKind};

pub(super) struct ResolvedEdges {
    pub(super) edges: Vec<Edge>,
    /// The criteria of groups, for the last nodes in them.
    pub(super) end_criteria: EndCriteria,
}

/// The edges of `plan`, whose nodes are the tasks of `draft` in the same order.
pub(super) fn resolve(
    draft: &Draft,
    plan: &Plan,
    path: &str,
    warnings: &mut Vec<ImportWarning>,
) -> Result<ResolvedEdges, ImportError> {
    let mut resolver = Resolver::new(draft);
    resolver.link_tasks(warnings);
    let ends = resolver.ends();
    resolver.link_groups(&ends, warnings).map_err(|TooMany| {
        ImportError::from(ImportFault::new(path, None, ImportFaultKind::TooManyEdges))
    })?;
    let edges = acyclic(&resolver, plan, path, warnings)?;
    Ok(ResolvedEdges {
        edges,
        end_criteria: end_criteria(draft, &ends),
    })
}

struct TooMany;

/// The first and the last nodes of each group, by index.
struct Ends {
    first: Vec<Vec<usize>>,
    last: Vec<Vec<usize>>,
}

#[derive(Debug, Clone, Copy)]
enum Target {
    Task(usize),
    Group(usize),
}

struct Resolver<'d> {
    draft: &'d Draft,
    names: HashMap<&'d str, Target>,
    /// For each task, its groups.
    groups: Vec<Vec<usize>>,
    /// In the order in which they are found, each pair of nodes once.
    links: Vec<(usize, usize)>,
    kinds: HashMap<(usize, usize), DependencyKind>,
}

impl<'d> Resolver<'d> {
    fn new(draft: &'d Draft) -> Self {
        let groups = draft.groups.iter().enumerate();
        let groups = groups.map(|(at, group)| (group.id.as_str(), Target::Group(at)));
        let tasks = draft.tasks.iter().enumerate();
        let tasks = tasks.map(|(at, task)| (task.id.as_str(), Target::Task(at)));
        let chain = |task: &crate::import::draft::Task| draft.group_chain(task.group);
        Self {
            draft,
            names: groups.chain(tasks).collect(),
            groups: draft.tasks.iter().map(chain).collect(),
            links: Vec::new(),
            kinds: HashMap::new(),
        }
    }

    /// A stated dependency wins over an inferred one, and that over a soft one.
    fn link(&mut self, parent: usize, child: usize, kind: DependencyKind) {
        match self.kinds.get_mut(&(parent, child)) {
            None => {
                self.kinds.insert((parent, child), kind);
                self.links.push((parent, child));
            }
            Some(known) if kind == DependencyKind::Stated || *known == DependencyKind::Soft => {
                *known = kind;
            }
            Some(_) => {}
        }
    }

    fn link_tasks(&mut self, warnings: &mut Vec<ImportWarning>) {
        for (child, task) in self.draft.tasks.iter().enumerate() {
            for dependency in &task.dependencies {
                match self.names.get(dependency.on.as_str()) {
                    Some(&Target::Task(parent)) if parent != child => {
                        self.link(parent, child, dependency.kind);
                    }
                    Some(&Target::Group(group)) if !self.groups[child].contains(&group) => {}
                    Some(_) => warnings.push(own_dependency(task.label(), &task.place)),
                    None => warnings.push(self.missing(task.label(), dependency, &task.place)),
                }
            }
        }
    }

    fn missing(&self, task: String, dependency: &Dependency, place: &Place) -> ImportWarning {
        let on = dependency.on.clone();
        let kind = match self.draft.finished_elsewhere.contains(&on) {
            true => ImportWarningKind::FinishedDependency { task, on },
            false => ImportWarningKind::UnknownDependency { task, on },
        };
        ImportWarning::at(&place.path, place.line, kind)
    }

    /// The nodes of each group that no other node of it leads to, or that lead to no other.
    fn ends(&self) -> Ends {
        let mut has_parent: HashSet<(usize, usize)> = HashSet::new();
        let mut has_child: HashSet<(usize, usize)> = HashSet::new();
        for &(parent, child) in &self.links {
            if self.kinds[&(parent, child)] == DependencyKind::Soft {
                continue;
            }
            for &group in &self.groups[child] {
                if self.groups[parent].contains(&group) {
                    has_parent.insert((group, child));
                    has_child.insert((group, parent));
                }
            }
        }
        let count = self.draft.groups.len();
        let (mut first, mut last) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for (at, groups) in self.groups.iter().enumerate() {
            for &group in groups {
                if !has_parent.contains(&(group, at)) {
                    first[group].push(at);
                }
                if !has_child.contains(&(group, at)) {
                    last[group].push(at);
                }
            }
        }
        Ends { first, last }
    }

    fn link_groups(
        &mut self,
        ends: &Ends,
        warnings: &mut Vec<ImportWarning>,
    ) -> Result<(), TooMany> {
        let draft = self.draft;
        for (child, task) in draft.tasks.iter().enumerate() {
            for dependency in &task.dependencies {
                let Some(&Target::Group(group)) = self.names.get(dependency.on.as_str()) else {
                    continue;
                };
                if !self.groups[child].contains(&group) {
                    self.link_all(&ends.last[group], &[child], dependency.kind)?;
                }
            }
        }
        for (at, group) in draft.groups.iter().enumerate() {
            for dependency in &group.dependencies {
                let label = || format!("group {}", group.id);
                let parents = match self.names.get(dependency.on.as_str()) {
                    Some(&Target::Task(parent)) if !self.groups[parent].contains(&at) => {
                        vec![parent]
                    }
                    Some(&Target::Group(parent)) if !self.are_nested(at, parent) => {
                        ends.last[parent].clone()
                    }
                    Some(_) => {
                        warnings.push(own_dependency(label(), &group.place));
                        continue;
                    }
                    None => {
                        warnings.push(self.missing(label(), dependency, &group.place));
                        continue;
                    }
                };
                // What a task says itself wins over the order of groups.
                let is_free = |child: &usize| {
                    dependency.kind != DependencyKind::Inferred
                        || !draft.tasks[*child].states_dependencies()
                };
                let first = ends.first[at].iter().copied().filter(is_free);
                self.link_all(&parents, &first.collect::<Vec<_>>(), dependency.kind)?;
            }
        }
        Ok(())
    }

    fn are_nested(&self, one: usize, other: usize) -> bool {
        let chain = |group| self.draft.group_chain(Some(group));
        chain(one).contains(&other) || chain(other).contains(&one)
    }

    fn link_all(
        &mut self,
        parents: &[usize],
        children: &[usize],
        kind: DependencyKind,
    ) -> Result<(), TooMany> {
        if self.links.len() + parents.len().saturating_mul(children.len()) > EDGE_LIMIT {
            return Err(TooMany);
        }
        for &parent in parents {
            for &child in children {
                self.link(parent, child, kind);
            }
        }
        Ok(())
    }
}

fn own_dependency(task: String, place: &Place) -> ImportWarning {
    let kind = ImportWarningKind::OwnDependency { task };
    ImportWarning::at(&place.path, place.line, kind)
}

/// Stated dependencies that form a cycle are a fault. Inferred and soft ones that would close a
/// cycle are left out.
fn acyclic(
    resolver: &Resolver<'_>,
    plan: &Plan,
    path: &str,
    warnings: &mut Vec<ImportWarning>,
) -> Result<Vec<Edge>, ImportError> {
    let stated = |ends: &(usize, usize)| resolver.kinds[ends] == DependencyKind::Stated;
    let edge = |&(parent, child): &(usize, usize)| Edge {
        parent: plan.nodes[parent].id,
        child: plan.nodes[child].id,
        soft: resolver.kinds[&(parent, child)] == DependencyKind::Soft,
        inferred: resolver.kinds[&(parent, child)] == DependencyKind::Inferred,
    };
    let mut probe = plan.clone();
    probe.edges = resolver
        .links
        .iter()
        .filter(|ends| stated(ends))
        .map(edge)
        .collect();
    if let Err(cycle) = probe.graph() {
        let titles = cycle.titles;
        return Err(ImportFault::new(path, None, ImportFaultKind::Cycle { titles }).into());
    }
    probe.edges = resolver.links.iter().map(edge).collect();
    if probe.graph().is_ok() {
        return Ok(probe.edges);
    }
    let mut kept = Reachability::new(plan.nodes.len());
    resolver
        .links
        .iter()
        .filter(|ends| stated(ends))
        .for_each(|&ends| kept.add(ends));
    let mut left_out = HashSet::new();
    for &ends in resolver.links.iter().filter(|ends| !stated(ends)) {
        match kept.reaches(ends.1, ends.0) {
            true => _ = left_out.insert(ends),
            false => kept.add(ends),
        }
    }
    let kind = ImportWarningKind::ContradictingOrder {
        count: left_out.len(),
    };
    warnings.push(ImportWarning::of_plan(kind));
    let links = resolver.links.iter();
    Ok(links
        .filter(|ends| !left_out.contains(ends))
        .map(edge)
        .collect())
}

/// Which nodes can be reached from which.
struct Reachability(Vec<Vec<usize>>);

impl Reachability {
    fn new(nodes: usize) -> Self {
        Self(vec![Vec::new(); nodes])
    }

    fn add(&mut self, (parent, child): (usize, usize)) {
        self.0[parent].push(child);
    }

    fn reaches(&self, from: usize, to: usize) -> bool {
        let (mut seen, mut open) = (HashSet::from([from]), vec![from]);
        while let Some(at) = open.pop() {
            if at == to {
                return true;
            }
            open.extend(self.0[at].iter().copied().filter(|next| seen.insert(*next)));
        }
        false
    }
}

fn end_criteria(draft: &Draft, ends: &Ends) -> EndCriteria {
    let mut found = EndCriteria::new();
    for (group, last) in draft.groups.iter().zip(&ends.last) {
        if group.criteria.is_empty() {
            continue;
        }
        let criteria: Vec<_> = group
            .criteria
            .iter()
            .map(|criterion| criterion.with_text(plain(criterion.text())))
            .collect();
        found.extend(last.iter().map(|&at| (at, criteria.clone())));
    }
    found
}

fn plain(words: &str) -> String {
    super::without_expressions(words, &mut false)
}
