//! Gets locks and shared limits from the store while a dispatcher fills slots, and releases
//! afterwards what was not used.
//!
//! A node gets all permits that it needs or none, right before its reservation; the append that
//! ends its work releases them. A node that has to wait stays pending, takes no slot, and stores
//! which holder it waits for, so that a replay does not ask again.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use baton_model::node::LockScope;
use baton_model::run::{LockHolder, Obstacle, PermitRequest, Permits, WaitingFor};
use baton_model::{NodeId, NodeState, Plan, Run, RunId, Timestamp};
use baton_store::{ParentNode, Permit, PermitAnswer, PermitClaim, PermitContender, StoreError};

use super::{Dispatcher, Runtime};
use crate::identity::host;
use crate::work_tree::work_tree_above;

/// State that a dispatcher keeps between its turns.
#[derive(Default)]
pub(super) struct PermitLedger {
    /// Refused requests. The store is not asked again before a permit is released.
    refused: RefCell<BTreeMap<NodeId, Refused>>,
    /// Nodes in the store's waiting line.
    in_line: RefCell<BTreeSet<NodeId>>,
    /// Nodes that were granted their permits in this turn.
    taken: RefCell<BTreeSet<NodeId>>,
    /// The scope of the plan's locks, once one was requested.
    place: RefCell<Option<String>>,
}

/// A refused request, and the agents it was for: a request for another agent may be made.
struct Refused {
    agents: Vec<String>,
    obstacle: Obstacle,
}

impl PermitLedger {
    /// Makes all nodes ask again.
    pub(super) fn ask_again(&self) {
        self.refused.borrow_mut().clear();
    }
}

/// Grants permits during one step.
pub(super) struct PermitBroker<'a, S> {
    runtime: &'a S,
    ledger: &'a PermitLedger,
    limits: BTreeMap<String, u32>,
    /// Earlier answers. Within a step an answer does not change, since permits were taken because
    /// of it.
    rooms: RefCell<BTreeMap<(NodeId, String), bool>>,
    run: RunId,
    parent: Option<(RunId, NodeId)>,
    plan: Arc<Plan>,
    now: Timestamp,
}

impl<S: Runtime> Permits for PermitBroker<'_, S> {
    fn limits_agents(&self) -> bool {
        !self.limits.is_empty()
    }

    fn are_needed(&self, demand: &PermitRequest<'_>) -> bool {
        !demand.locks.is_empty()
            || demand
                .agents
                .iter()
                .any(|agent| self.limits.contains_key(agent))
    }

    fn has_room(&self, node: NodeId, agent: &str, since: Option<Timestamp>) -> bool {
        if !self.limits.contains_key(agent) {
            return true;
        }
        let key = (node, agent.to_owned());
        let known = self.rooms.borrow().get(&key).copied();
        known.unwrap_or_else(|| {
            let demand = PermitRequest {
                node,
                locks: &[],
                agents: vec![agent.to_owned()],
                since,
            };
            let has_room = self.is_available(&demand).unwrap_or_else(|error| {
                tracing::warn!(run = %self.run, %node, %error, "couldn't request limits");
                true
            });
            self.rooms.borrow_mut().insert(key, has_room);
            has_room
        })
    }

    fn take(&self, demand: &PermitRequest<'_>) -> Result<(), Obstacle> {
        if let Some(refused) = self.ledger.refused.borrow().get(&demand.node)
            && refused.agents == demand.agents
        {
            return Err(refused.obstacle.clone());
        }
        if !self.are_needed(demand) {
            return Ok(());
        }
        // This comes before asking the store, so that a release right afterwards is noticed.
        self.runtime.set_waiting(true);
        let obstacle = match self.ask(demand) {
            Ok(None) => {
                self.ledger.in_line.borrow_mut().remove(&demand.node);
                self.ledger.taken.borrow_mut().insert(demand.node);
                self.ledger.refused.borrow_mut().remove(&demand.node);
                self.rooms
                    .borrow_mut()
                    .retain(|(node, _), _| *node == demand.node);
                return Ok(());
            }
            Ok(Some(obstacle)) => obstacle,
            Err(error) => {
                tracing::warn!(run = %self.run, node = %demand.node, %error, "couldn't request locks and limits");
                self.obstacle(demand, None, None)
            }
        };
        self.ledger.in_line.borrow_mut().insert(demand.node);
        let refused = Refused {
            agents: demand.agents.clone(),
            obstacle: obstacle.clone(),
        };
        self.ledger
            .refused
            .borrow_mut()
            .insert(demand.node, refused);
        Err(obstacle)
    }
}

impl<S: Runtime> PermitBroker<'_, S> {
    /// Returns whether everything in `demand` is available.
    fn is_available(&self, demand: &PermitRequest<'_>) -> Result<bool, StoreError> {
        let permits = self.permits(demand);
        let left = self.left(demand.node, &permits)?;
        let ancestors = self.ancestors();
        self.runtime
            .store()
            .permits()
            .has_room(&self.request(demand, &permits, &ancestors), &left)
    }

    /// Holders, and waiting nodes, of these permits whose executor is gone.
    fn left(&self, node: NodeId, permits: &[Permit]) -> Result<Vec<PermitContender>, StoreError> {
        let keys: Vec<&str> = permits.iter().map(|permit| permit.key.as_str()).collect();
        let contenders = self
            .runtime
            .store()
            .permits()
            .contenders(&keys, (self.run, node))?;
        Ok(contenders
            .into_iter()
            .filter(|rival| self.runtime.has_left(rival))
            .collect())
    }

    fn request<'r>(
        &'r self,
        demand: &PermitRequest<'_>,
        permits: &'r [Permit],
        ancestors: &'r [(RunId, NodeId)],
    ) -> PermitClaim<'r> {
        PermitClaim {
            run: self.run,
            node: demand.node,
            title: self
                .plan
                .node(demand.node)
                .map_or("", |node| node.title.as_str()),
            executor: self.runtime.executor(),
            ancestors,
            permits,
            priority: self.plan.settings.priority,
            since: demand.since.unwrap_or(self.now),
        }
    }

    fn ask(&self, demand: &PermitRequest<'_>) -> Result<Option<Obstacle>, StoreError> {
        let permits = self.permits(demand);
        let left = self.left(demand.node, &permits)?;
        let ancestors = self.ancestors();
        let request = self.request(demand, &permits, &ancestors);
        Ok(
            match self.runtime.store().permits().acquire(&request, &left)? {
                PermitAnswer::Granted => None,
                PermitAnswer::Refused { key, holder } => {
                    let elsewhere = |run: RunId| Some(run).filter(|&run| run != self.run);
                    let holder = holder.map(|rival| LockHolder {
                        run: elsewhere(rival.run),
                        node: rival.node,
                        title: rival.title,
                    });
                    Some(self.obstacle(demand, Some(&key), holder))
                }
            },
        )
    }

    /// Locks first, sorted by key, so that the reported obstacle does not depend on their order in
    /// the node.
    fn permits(&self, demand: &PermitRequest<'_>) -> Vec<Permit> {
        let keys: BTreeSet<String> = demand
            .locks
            .iter()
            .map(|name| self.lock_key(name))
            .collect();
        let locks = keys.into_iter().map(|key| Permit { key, capacity: 1 });
        let limited = |agent: &String| Some(Permit::of_agent(agent, *self.limits.get(agent)?));
        locks
            .chain(demand.agents.iter().filter_map(limited))
            .collect()
    }

    fn lock_key(&self, name: &str) -> String {
        match LockScope::from_lock_name(name) {
            LockScope::Machine => format!("lock:{name}@{}", host()),
            LockScope::Directory => {
                let mut place = self.ledger.place.borrow_mut();
                let place = place.get_or_insert_with(|| place_of(self.plan.cwd.as_deref()));
                format!("lock:{name}@{place}")
            }
        }
    }

    /// The permit that blocks, with the name that a person knows.
    fn obstacle(
        &self,
        demand: &PermitRequest<'_>,
        key: Option<&str>,
        holder: Option<LockHolder>,
    ) -> Obstacle {
        let lock = demand
            .locks
            .iter()
            .find(|name| key.is_none_or(|key| self.lock_key(name) == key));
        if let Some(name) = lock {
            return Obstacle::Lock {
                name: name.clone(),
                holder,
            };
        }
        let is_asked = |agent: &&String| {
            key.is_none_or(|key| Permit::of_agent(agent, 1).key == key)
                && self.limits.contains_key(*agent)
        };
        let agent = demand
            .agents
            .iter()
            .find(is_asked)
            .cloned()
            .unwrap_or_default();
        let limit = self.limits.get(&agent).copied().unwrap_or(1);
        Obstacle::Agent { agent, limit }
    }

    /// The nodes that this run executes. This run may use what they hold.
    fn ancestors(&self) -> Vec<(RunId, NodeId)> {
        let runs = self.runtime.store().runs();
        let above = |run: RunId| {
            runs.get(run)
                .ok()?
                .parent
                .map(|parent| (parent.run, parent.node))
        };
        std::iter::successors(self.parent.or_else(|| above(self.run)), |(run, _)| {
            above(*run)
        })
        .collect()
    }
}

/// The repository that contains a directory, or the directory itself: the same name there is the
/// same lock.
fn place_of(directory: Option<&str>) -> String {
    let directory = PathBuf::from(directory.unwrap_or_default());
    let directory = directory.canonicalize().unwrap_or(directory);
    let top = work_tree_above(&directory).map_or_else(|| directory.clone(), main_work_tree);
    top.display().to_string()
}

/// The work tree whose repository a linked one shares.
fn main_work_tree(top: &Path) -> PathBuf {
    let linked = std::fs::read_to_string(top.join(".git")).unwrap_or_default();
    let main = linked
        .trim()
        .strip_prefix("gitdir: ")
        .and_then(|path| path.split_once("/.git/worktrees/"));
    main.map_or_else(|| top.to_path_buf(), |(main, _)| PathBuf::from(main))
}

impl<'a, S: Runtime> PermitBroker<'a, S> {
    /// The broker for one step of `run`, which executes `parent` if that is not stored yet.
    pub(super) fn open(
        runtime: &'a S,
        ledger: &'a PermitLedger,
        limits: BTreeMap<String, u32>,
        (run, parent): (&Run, Option<ParentNode>),
        now: Timestamp,
    ) -> Self {
        let parent = parent.map(|parent| (parent.run, parent.node));
        let (rooms, plan) = (RefCell::default(), Arc::clone(run.plan()));
        Self {
            runtime,
            ledger,
            limits,
            rooms,
            run: run.id(),
            parent,
            plan,
            now,
        }
    }
}

impl<S: Runtime> Dispatcher<S> {
    /// Called once the decisions are stored: releases permits that were not used, and leaves the
    /// waiting line for nodes that could not start now anyway.
    pub(super) fn settle_permits(&self) {
        let taken = std::mem::take(&mut *self.permits.taken.borrow_mut());
        let unused: Vec<NodeId> = taken
            .into_iter()
            .filter(|&node| !self.run.holds_permits(node))
            .collect();
        self.release(&unused);
        let mut refused = self.permits.refused.borrow_mut();
        let waiting: Vec<NodeId> = self
            .run
            .waiting_for_permits()
            .filter(|node| refused.contains_key(node))
            .collect();
        refused.retain(|node, _| waiting.contains(node));
        let now = waiting.iter().copied().collect();
        let before = self.permits.in_line.replace(now);
        // Also for nodes that were not considered this time: their place in line would block
        // others.
        if before.iter().any(|node| !waiting.contains(node))
            && let Err(error) = self
                .runtime
                .store()
                .permits()
                .cancel_waits(self.run.id(), &waiting)
        {
            tracing::warn!(run = %self.run.id(), %error, "couldn't remove nodes from the waiting line");
        }
        self.runtime.set_waiting(!waiting.is_empty());
    }

    /// Called when nothing of this turn was stored.
    pub(super) fn release_permits(&self) {
        let taken: Vec<NodeId> = std::mem::take(&mut *self.permits.taken.borrow_mut())
            .into_iter()
            .collect();
        self.release(&taken);
    }

    fn release(&self, nodes: &[NodeId]) {
        if nodes.is_empty() {
            return;
        }
        let (run, executor) = (self.run.id(), self.runtime.executor());
        if let Err(error) = self.runtime.store().permits().release(run, nodes, executor) {
            tracing::warn!(%run, %error, "couldn't release unused locks");
        }
    }

    /// Returns whether a node that is about to start was reserved by an executor that is gone, and
    /// its locks were given to another node meanwhile.
    pub(super) fn has_lost_permits(&self, node: NodeId) -> bool {
        let definition = self
            .run
            .position(node)
            .and_then(|position| self.run.plan().nodes.get(position));
        // A session that is known to run is followed to its end, even if its locks were given away.
        let is_reserved = self.run.node(node).is_some_and(|run| {
            run.state
                == NodeState::Waiting {
                    what: WaitingFor::Slot,
                }
        });
        if !is_reserved || definition.is_none_or(|definition| definition.locks.is_empty()) {
            return false;
        }
        let held = self
            .runtime
            .store()
            .permits()
            .has_permits(self.run.id(), node);
        // On a read error, assume that nothing was lost.
        !held.unwrap_or(true)
    }
}
