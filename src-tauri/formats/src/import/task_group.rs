//! Tasks that consist of others: phases, epics, tasks with subtasks.

use std::collections::HashMap;

use baton_model::node::Criterion;

use super::draft::{Dependency, Draft, Place, Task};

/// A task or heading that consists of others. It becomes a group, and its dependencies lead to and
/// from the ends of the group.
#[derive(Debug, Default)]
pub(super) struct TaskGroup {
    pub(super) id: String,
    pub(super) place: Place,
    pub(super) title: String,
    /// What each of its tasks should know.
    pub(super) context: String,
    /// What must hold once all of its tasks are done.
    pub(super) criteria: Vec<Criterion>,
    pub(super) dependencies: Vec<Dependency>,
    /// The index of the group that it is part of.
    pub(super) parent: Option<usize>,
}

impl TaskGroup {
    /// The group that a task with children becomes. Its own work becomes the context of theirs.
    pub(super) fn from_task(task: Task, parent: Option<usize>) -> Self {
        let mut context = format!("Part of {}: {}", task.id, task.title);
        for text in [&task.description, &task.prompt, &task.instructions] {
            if !text.trim().is_empty() && !context.contains(text.as_str()) {
                context.push_str("\n\n");
                context.push_str(text);
            }
        }
        Self {
            id: task.id,
            place: task.place,
            title: task.title,
            context,
            criteria: task.criteria,
            dependencies: task.dependencies,
            parent,
        }
    }
}

impl Draft {
    /// Makes groups of the tasks that others name as their parent. `parents` has for each task the
    /// id of its parent, if any; a parent that is missing, or that closes a circle, is ignored.
    pub(super) fn group_by_parent(&mut self, parents: &[Option<String>]) {
        let places: HashMap<&str, usize> = self
            .tasks
            .iter()
            .enumerate()
            .map(|(at, task)| (task.id.as_str(), at))
            .collect();
        let mut above: Vec<Option<usize>> = parents
            .iter()
            .map(|parent| places.get(parent.as_deref()?).copied())
            .collect();
        above.resize(self.tasks.len(), None);
        for start in 0..above.len() {
            if is_in_circle(start, &above) {
                above[start] = None;
            }
        }
        let mut is_parent = vec![false; self.tasks.len()];
        above.iter().flatten().for_each(|&at| is_parent[at] = true);
        let mut group_of = vec![None; self.tasks.len()];
        let parents = (0..self.tasks.len()).filter(|&at| is_parent[at]);
        for (number, at) in (self.groups.len()..).zip(parents) {
            group_of[at] = Some(number);
        }
        let tasks = std::mem::take(&mut self.tasks);
        for (at, mut task) in tasks.into_iter().enumerate() {
            let group = above[at].and_then(|parent| group_of[parent]);
            if is_parent[at] {
                self.groups.push(TaskGroup::from_task(task, group));
            } else {
                task.group = group.or(task.group);
                self.tasks.push(task);
            }
        }
    }

    /// The indices of a group and of the groups that contain it, the innermost first.
    pub(super) fn group_chain(&self, group: Option<usize>) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut next = group;
        while let Some(at) = next.filter(|at| *at < self.groups.len() && !chain.contains(at)) {
            chain.push(at);
            next = self.groups[at].parent;
        }
        chain
    }
}

fn is_in_circle(start: usize, above: &[Option<usize>]) -> bool {
    let mut next = above[start];
    for _ in 0..above.len() {
        match next {
            None => return false,
            Some(at) if at == start => return true,
            Some(at) => next = above[at],
        }
    }
    // Another circle lies above; it is opened where it begins.
    false
}
