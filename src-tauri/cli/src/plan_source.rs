//! A plan file as a plan of the store.
//!
//! A file that comes again is the same plan: it is known by its absolute path, which the import keeps as the
//! plan's source. Unchanged content gives the plan as it is, with its approval; changed content is saved as
//! its next version, where nodes keep their identity by their slug and their place on the canvas. Whatever
//! was edited elsewhere meanwhile stays in the plan's earlier versions.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use baton_api::wire::*;
use baton_model::{Node, NodeId, Plan};

use crate::client::Client;
use crate::failure::Failure;

/// The largest plan file that is read, in bytes: 10,000 nodes need about 5 MB.
const LIMIT: u64 = 64 * 1024 * 1024;

/// Takes in the plan file at `path` as a new plan.
pub(crate) fn import(client: &Client<'_>, path: &Path, cwd: Option<&Path>) -> Result<PlanImported, Failure> {
    let absolute = absolute(path)?;
    let input = PlanImport { text: read(path)?, file_name: absolute, cwd: cwd.map(self::absolute).transpose()? };
    client.ask(&format!("take in {}", path.display()), "plan_import", &input)
}

/// Takes in the plan file at `path`, or finds the plan that came from there before.
pub(crate) fn bring(client: &Client<'_>, path: &Path, cwd: Option<&Path>) -> Result<PlanImported, Failure> {
    let failed = |error| Failure::Operation { doing: format!("take in {}", path.display()), error };
    // Of two commands that bring a new file at once, the second finds the first one's plan.
    let _turn = client.app.turn().map_err(failed)?;
    let earlier = earlier(client, &absolute(path)?)?;
    let imported = import(client, path, cwd)?;
    let Some(earlier) = earlier else { return Ok(imported) };
    let copy = PlanRef { plan: imported.plan.plan.id };
    let merged = merged(&earlier.plan, imported.plan.plan);
    let plan = if merged.differs_only_in_layout(&earlier.plan) {
        earlier
    } else {
        let save = PlanSave { plan: merged, base_revision: earlier.revision };
        client.ask("save the changed plan", "plan_save", &save)?
    };
    // The import has checked the file by the same rules as every other; its copy is of no more use.
    let _: Done = client.ask("tidy up after the import", "plan_delete", &copy)?;
    Ok(PlanImported { plan, warnings: imported.warnings })
}

fn earlier(client: &Client<'_>, source: &str) -> Result<Option<PlanView>, Failure> {
    let plans: Vec<PlanSummary> = client.ask("list the plans", "plans_list", &Nothing {})?;
    for summary in plans {
        let view: PlanView = client.ask("look at a plan", "plan_get", &PlanRef { plan: summary.id })?;
        if view.plan.origin.source_id.as_deref() == Some(source) {
            return Ok(Some(view));
        }
    }
    Ok(None)
}

/// The content of `new` under the identity of `old`.
fn merged(old: &Plan, mut new: Plan) -> Plan {
    let known: HashMap<&str, &Node> = old.nodes.iter().map(|node| (node.slug.as_str(), node)).collect();
    let mut names: HashMap<NodeId, NodeId> = HashMap::new();
    for node in &mut new.nodes {
        if let Some(known) = known.get(node.slug.as_str()) {
            names.insert(node.id, known.id);
            node.id = known.id;
            node.position = known.position;
        }
    }
    for edge in &mut new.edges {
        edge.parent = names.get(&edge.parent).copied().unwrap_or(edge.parent);
        edge.child = names.get(&edge.child).copied().unwrap_or(edge.child);
    }
    Plan { id: old.id, ..new }
}

fn read(path: &Path) -> Result<String, Failure> {
    let failed = |reason: String| Failure::Read { path: path.to_owned(), reason };
    let file = fs::File::open(path).map_err(|error| failed(in_words(&error)))?;
    let mut bytes = Vec::new();
    file.take(LIMIT + 1).read_to_end(&mut bytes).map_err(|error| failed(in_words(&error)))?;
    if bytes.len() as u64 > LIMIT {
        return Err(failed(format!("it is larger than {} MB, which no plan is", LIMIT / (1024 * 1024))));
    }
    String::from_utf8(bytes).map_err(|error| {
        let line =
            error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
        failed(format!("it is not UTF-8 text (line {line}); save it as UTF-8"))
    })
}

fn in_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "you may not read it".to_owned(),
        io::ErrorKind::IsADirectory => "it is a directory; name the plan file in it".to_owned(),
        _ => error.to_string(),
    }
}

fn absolute(path: &Path) -> Result<String, Failure> {
    let failed = |reason: String| Failure::Read { path: path.to_owned(), reason };
    // A file is one plan, by whichever link it is reached.
    let path = path.canonicalize().or_else(|_| std::path::absolute(path)).map_err(|error| failed(in_words(&error)))?;
    path.to_str().map(str::to_owned).ok_or_else(|| failed("its path is not UTF-8 text".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::follow::fixture::plan_of;
    use baton_model::PlanId;
    use baton_model::node::Position;
    use uuid::Uuid;

    #[test]
    fn nodes_keep_their_identity_by_their_slug() {
        let mut old = plan_of(&["build", "test"], &[(0, 1)]);
        old.nodes[0].position = Some(Position { x: 7.0, y: 7.0 });
        let mut new = plan_of(&["lint", "build", "test"], &[(1, 2), (0, 2)]);
        new.id = PlanId(Uuid::from_u128(77));
        for (number, node) in new.nodes.iter_mut().enumerate() {
            node.id = NodeId(Uuid::from_u128(900 + number as u128));
        }
        for (edge, parent) in new.edges.iter_mut().zip([901, 900]) {
            edge.parent = NodeId(Uuid::from_u128(parent));
            edge.child = NodeId(Uuid::from_u128(902));
        }
        let merged = merged(&old, new);
        assert_eq!(merged.id, old.id);
        assert_eq!(merged.nodes[1].id, old.nodes[0].id);
        assert_eq!(merged.nodes[1].position, old.nodes[0].position, "where a person put it");
        assert_eq!((merged.edges[0].parent, merged.edges[0].child), (old.nodes[0].id, old.nodes[1].id));
        assert_eq!(merged.edges[1].parent, NodeId(Uuid::from_u128(900)), "a new node keeps its new id");
    }

    #[test]
    fn a_file_that_comes_again_unchanged_is_the_same_plan() {
        let old = plan_of(&["build", "test"], &[(0, 1)]);
        assert!(merged(&old, old.clone()).differs_only_in_layout(&old));
    }
}
