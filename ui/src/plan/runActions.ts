import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import type { NodeId, Retention, RunGoal, RunId } from "@/api/bindings";
import type { OperationInput, OperationName, OperationOutput } from "@/api/operation";
import { lacksApproval } from "@/components/approvalText";
import { formatCount, formatNumber } from "@/components/formatCount";
import { isPausedAtGoal } from "@/components/runStatus";
import { showToast } from "@/components/toasts";
import { isClearToRun, ranApproved, readChecksBeforeRun } from "./checksBeforeRun";
import type { Editor } from "./editor";
import { hasEnded, isActive, type NodeAction } from "./nodeActions";
import type { Page } from "./page";
import { createPinActions } from "./pinActions";
import { adjacencyOf, reachable } from "./reachability";
import { isRerun, type RerunAct } from "./rerunRequest";
import type { NodesToStop } from "./StopNodeDialog";
import { startsAfterSkip } from "./startsAfterSkip";

/** Actions on runs. Results arrive as events; refusals are shown as toasts. */
export function createRunActions(editor: Editor, page: Page, backend: Pick<Backend, "call">) {
  async function ask<O extends OperationName>(
    failure: string,
    name: O,
    input: OperationInput<O>,
  ): Promise<OperationOutput<O> | undefined> {
    try {
      return await backend.call(name, input);
    } catch (cause) {
      showFailure(failure, cause);
      return undefined;
    }
  }

  /** The shown run, if it is still active. */
  function living(): RunId | undefined {
    const { run } = editor.getState();
    // A run paused at its goal is continued by a new start, unless the blueprint has changed since.
    const lives = run && !hasEnded(run) && !isPausedAtGoal(run.summary.state);
    return lives ? run.summary.id : undefined;
  }

  async function saved(what: string): Promise<boolean> {
    if (await editor.getState().flush()) return true;
    const { saveMessage } = editor.getState();
    showToast({
      kind: "error",
      title: what,
      detail:
        saveMessage ?? "The blueprint isn't saved. Fix the problem shown in the header first.",
    });
    return false;
  }

  /** Adds a node to the confirmation, so that one dialog covers all selected nodes. */
  function askToStop(act: NodesToStop["act"], node: NodeId) {
    const asked = page.getState().stoppingNodes;
    const before = asked?.act === act ? asked.nodes : [];
    page.setState({ stoppingNodes: { act, nodes: [...before, node] } });
  }

  async function stopNode(act: NodesToStop["act"], input: { run: RunId; node: NodeId }) {
    switch (act) {
      case "stop":
        await ask("Couldn't stop the node", "node_stop", input);
        return;
      case "mark_done":
        await ask("Couldn't mark the node done", "node_mark_done", {
          ...input,
          handoff: "",
          stop: true,
        });
        return;
    }
  }

  /**
   * Approves the plan. If it isn't runnable as it is, asks first whether to approve it `anyway`.
   */
  async function approve(anyway = false): Promise<boolean> {
    const failure = "Couldn't approve the blueprint";
    page.setState({ refusedApproval: undefined, standingGrants: undefined });
    if (!(await saved(failure))) return false;
    const { view, revision } = editor.getState();
    try {
      const input = { plan: view.plan.id, revision, anyway };
      editor.getState().receiveView(await backend.call("plan_approve", input));
      return true;
    } catch (cause) {
      const { code, message, faults } = ApiError.from(cause);
      if (code === "refused" && faults.length > 0) page.setState({ refusedApproval: faults });
      else showToast({ kind: "error", title: failure, detail: message });
      return false;
    }
  }

  /**
   * Approves the plan. If agents have permissions for the whole blueprint, shows those for
   * confirmation first.
   */
  async function requestApproval(): Promise<void> {
    const plan = editor.getState().plan.id;
    const granted = await ask("Couldn't approve the blueprint", "grants_list", { plan });
    if (!granted) return;
    const standingGrants = granted.filter(({ of }) => of === null);
    if (standingGrants.length === 0) await approve();
    else page.setState({ standingGrants });
  }

  async function begin(
    goal: RunGoal,
    limit: number | null,
    further: readonly RunGoal[] = [],
  ): Promise<void> {
    page.setState({ runRequest: undefined });
    const plan = editor.getState().plan.id;
    const run = await ask("Couldn't start the run", "run_start", { plan, goal, limit });
    if (!run) return;
    editor.getState().showRun(run.summary.id, run);
    if (run.takeover) {
      const { doneNodes, fromPid } = run.takeover;
      const detail = `${fromPid === null ? "The previous process" : `Process ${fromPid}`} had stopped responding. ${formatNumber(doneNodes)} of ${formatCount(run.nodes.length, "node")} ${doneNodes === 1 ? "is" : "are"} already done and won't run again.`;
      showToast({ kind: "info", title: "Took over the active run", detail });
    }
    await want(run.summary.id, further);
  }

  async function want(run: RunId, goals: readonly RunGoal[]): Promise<void> {
    for (const goal of goals) await ask("Couldn't update the run", "run_want", { run, goal });
  }

  /** Asks for confirmation before nodes run again. */
  function askToRerun(act: RerunAct, nodes: readonly NodeId[] = []): void {
    const { runId } = editor.getState();
    if (runId) page.setState({ rerunRequest: { act, run: runId, nodes } });
  }

  /** Skips nodes. Only the sessions of those in `running` are stopped: those were asked about. */
  async function skipNodes(
    run: RunId,
    nodes: readonly NodeId[],
    running: readonly NodeId[] = [],
  ): Promise<void> {
    const skip = (node: NodeId) =>
      ask("Couldn't skip the node", "node_skip", {
        run,
        node,
        stop: running.includes(node) ? true : null,
      });
    await Promise.all(nodes.map(skip));
  }

  /**
   * Skips nodes. Confirmed first if their sessions would be stopped, or if other nodes may start: a
   * shortcut is easily hit by accident.
   */
  async function askToSkip(nodes: readonly NodeId[]): Promise<void> {
    const { runId, run } = editor.getState();
    if (!runId || !run) return;
    const active = new Set(run.nodes.filter(isActive).map(({ node }) => node));
    const running = nodes.filter((node) => active.has(node));
    const starts = startsAfterSkip(run, nodes);
    if (running.length === 0 && starts.length === 0) await skipNodes(runId, nodes);
    else page.setState({ rerunRequest: { act: "skip", run: runId, nodes, running, starts } });
  }

  /** Runs a node again. */
  async function rerunNode(act: RerunAct, input: { run: RunId; node: NodeId }): Promise<void> {
    switch (act) {
      case "retry":
        await ask("Couldn't retry the node", "node_retry", { ...input, resume: null });
        return;
      case "resume":
        await ask("Couldn't resume the session", "node_retry", { ...input, resume: true });
        return;
      case "rerun_alone":
        await ask("Couldn't rerun the node", "node_rerun_alone", input);
        return;
      case "rerun":
        await ask("Couldn't rerun the node", "node_rerun", input);
        return;
      case "failed":
      case "stale":
        return;
    }
  }

  /** Leaves out nodes that a rerun from another one of `nodes` covers. */
  function uppermost(nodes: readonly NodeId[]): readonly NodeId[] {
    const { childrenOf } = adjacencyOf(editor.getState().plan);
    const covered = new Set<NodeId>();
    for (const node of nodes)
      for (const below of reachable(childrenOf, node)) if (below !== node) covered.add(below);
    return nodes.filter((node) => !covered.has(node));
  }

  /**
   * Extends the active run, or starts one. The pre-flight is shown before a first run, when
   * something is in the way, and when something has changed since the approval.
   */
  async function start(goal: RunGoal, limit: number | null = null) {
    const run = living();
    if (run) await want(run, [goal]);
    else await checkAndBegin([goal], limit, false);
  }

  /**
   * Like `start`, but always asks for confirmation first: for shortcuts and menus, which are easily
   * hit by accident.
   */
  async function askToStart(goals: readonly RunGoal[]) {
    const run = living();
    if (run) page.setState({ rerunRequest: { act: "want", run, goals } });
    else await checkAndBegin(goals, null, true);
  }

  async function checkAndBegin(
    [goal, ...further]: readonly RunGoal[],
    limit: number | null,
    confirms: boolean,
  ) {
    // A second start would be refused, or ask about a run that has just begun.
    if (!goal || page.getState().starting) return;
    page.setState({ starting: true });
    try {
      if (!(await saved("Couldn't start the run"))) return;
      const { view } = editor.getState();
      const mayStart = !confirms && ranApproved(view);
      const checks = await readChecksBeforeRun(backend, view.plan.id, mayStart);
      if (!confirms && isClearToRun(view, checks)) await begin(goal, limit, further);
      else page.setState({ runRequest: { goal, further, limit, ...checks } });
    } catch (cause) {
      showFailure("Couldn't check the blueprint", cause);
    } finally {
      page.setState({ starting: false });
    }
  }

  return {
    ...createPinActions(editor, page, backend),
    approve,
    requestApproval,
    start,
    askToStart,
    askToRerun,

    /**
     * Called after the user has seen the pre-flight: approves the plan if necessary and starts the
     * run.
     */
    async confirm() {
      const { runRequest } = page.getState();
      if (!runRequest) return;
      const { view } = editor.getState();
      if (lacksApproval(view, runRequest.preflight) && !(await approve())) return;
      await begin(runRequest.goal, runRequest.limit, runRequest.further);
    },

    /** Sets whether agent sessions may start the approved version without asking. */
    async letAgentsStart(allowed: boolean) {
      const plan = editor.getState().plan.id;
      const view = await ask("Couldn't change the setting", "plan_agents_may_start", {
        plan,
        allowed,
      });
      if (view) editor.getState().receiveView(view);
    },

    /** Sets which runs of the plan are kept; `null` for the rule of the settings. */
    async saveRetention(retention: Retention | null) {
      const plan = editor.getState().plan.id;
      const view = await ask("Couldn't change the setting", "plan_retention_save", {
        plan,
        retention,
      });
      if (view) editor.getState().receiveView(view);
    },

    /** Shows the pre-flight without starting anything. */
    async check() {
      if (!(await saved("Couldn't check the blueprint"))) return;
      const plan = editor.getState().view.plan.id;
      const preflight = await ask("Couldn't check the blueprint", "plan_preflight", { plan });
      if (preflight)
        page.setState({ runRequest: { goal: { want: "all" }, limit: null, preflight } });
    },

    async checkAgain() {
      const { runRequest } = page.getState();
      const plan = editor.getState().plan.id;
      const preflight = await ask("Couldn't check the blueprint", "plan_preflight", { plan });
      // The question may have been answered or cancelled meanwhile.
      if (runRequest && preflight && page.getState().runRequest === runRequest)
        page.setState({ runRequest: { ...runRequest, preflight } });
    },

    async pause(stopRunning: boolean) {
      const run = living();
      if (run) await ask("Couldn't pause the run", "run_pause", { run, stopRunning });
    },

    async resume() {
      const { runId } = editor.getState();
      if (runId) await ask("Couldn't resume the run", "run_resume", { run: runId });
    },

    /** Runs again what was asked for, after confirmation. */
    async confirmRerun() {
      const { rerunRequest } = page.getState();
      page.setState({ rerunRequest: undefined });
      if (!rerunRequest) return;
      const { act, run } = rerunRequest;
      if (act === "want") await want(run, rerunRequest.goals);
      else if (act === "skip") await skipNodes(run, rerunRequest.nodes, rerunRequest.running);
      else if (act === "failed")
        await ask("Couldn't rerun the failed nodes", "run_rerun_failed", { run });
      else if (act === "stale")
        await ask("Couldn't rerun the stale nodes", "run_rerun_stale", { run });
      else {
        const nodes = act === "rerun" ? uppermost(rerunRequest.nodes) : rerunRequest.nodes;
        await Promise.all(nodes.map((node) => rerunNode(act, { run, node })));
      }
    },

    skip: askToSkip,

    async stop() {
      const run = living();
      page.setState({ stopping: false });
      if (run) await ask("Couldn't stop the run", "run_cancel", { run });
    },

    /** Stops the nodes after confirmation. */
    async stopNodes() {
      const { runId } = editor.getState();
      const asked = page.getState().stoppingNodes;
      page.setState({ stoppingNodes: undefined });
      if (!runId || !asked) return;
      await Promise.all(asked.nodes.map((node) => stopNode(asked.act, { run: runId, node })));
    },

    async node(act: NodeAction, node: NodeId) {
      if (act === "run") return start({ want: "node", node });
      if (act === "skip") return askToSkip([node]);
      const { runId, run } = editor.getState();
      if (!runId) return;
      const nodeRun = run?.nodes.find((candidate) => candidate.node === node);
      if (isStopping(act) && isActive(nodeRun)) return askToStop(act, node);
      const input = { run: runId, node };
      // Everything below the node runs again too, so this says first what that is.
      if (act === "rerun") return askToRerun(act, [node]);
      if (isRerun(act)) return rerunNode(act, input);
      switch (act) {
        case "stop":
          return;
        case "mark_done":
          await ask("Couldn't mark the node done", "node_mark_done", {
            ...input,
            handoff: "",
            stop: null,
          });
          return;
      }
    },
  };
}

function showFailure(title: string, cause: unknown): void {
  showToast({ kind: "error", title, detail: ApiError.from(cause).message });
}

function isStopping(act: NodeAction): act is NodesToStop["act"] {
  return act === "stop" || act === "mark_done";
}

export type RunActions = ReturnType<typeof createRunActions>;
