import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import type { NodeId, RunGoal, RunId } from "@/api/bindings";
import type { OperationInput, OperationName, OperationOutput } from "@/api/operation";
import { lacksApproval } from "@/components/approvalWords";
import { formatCount, formatNumber } from "@/components/formatCount";
import { restsAtGoal } from "@/components/runStanding";
import { showToast } from "@/components/toasts";
import type { Editor } from "./editor";
import { hasEnded, isWorkedOn, type NodeAct } from "./nodeActs";
import type { Page } from "./page";
import { createPinActs } from "./pinActs";
import type { StoppingAct } from "./StopNodeDialog";

/** Everything that is asked of a run. What comes of it is heard as news; what is refused becomes a toast. */
export function createRunActs(editor: Editor, page: Page, backend: Pick<Backend, "call">) {
  async function ask<O extends OperationName>(
    failure: string,
    name: O,
    input: OperationInput<O>,
  ): Promise<OperationOutput<O> | undefined> {
    try {
      return await backend.call(name, input);
    } catch (cause) {
      showToast({ kind: "error", title: failure, detail: ApiError.from(cause).message });
      return undefined;
    }
  }

  /** The run that is shown, when it still goes on. */
  function living(): RunId | undefined {
    const { run } = editor.getState();
    // One that did what was asked of it is continued by a start, unless the blueprint has changed since.
    const lives = run && !hasEnded(run) && !restsAtGoal(run.summary.state);
    return lives ? run.summary.id : undefined;
  }

  async function saved(what: string): Promise<boolean> {
    if (await editor.getState().flush()) return true;
    const { saveMessage } = editor.getState();
    showToast({
      kind: "error",
      title: what,
      detail: saveMessage ?? "The blueprint is not saved yet. Mend what the header names first.",
    });
    return false;
  }

  /** Several nodes that are selected are asked about at once. */
  function askToStop(act: StoppingAct, node: NodeId) {
    const asked = page.getState().stoppingNodes;
    const before = asked?.act === act ? asked.nodes : [];
    page.setState({ stoppingNodes: { act, nodes: [...before, node] } });
  }

  async function stopNode(act: StoppingAct, input: { run: RunId; node: NodeId }) {
    switch (act) {
      case "stop":
        await ask("The node was not stopped", "node_stop", input);
        return;
      case "skip":
        await ask("The node was not skipped", "node_skip", { ...input, stop: true });
        return;
      case "mark_done":
        await ask("The node was not marked done", "node_mark_done", {
          ...input,
          handoff: "",
          stop: true,
        });
        return;
    }
  }

  /** Approves the plan; one that cannot run as it is only when the person insists, so they are asked. */
  async function approve(anyway = false): Promise<boolean> {
    const failure = "The plan was not approved";
    page.setState({ refusedApproval: undefined, standing: undefined });
    if (!(await saved(failure))) return false;
    const { view, revision } = editor.getState();
    try {
      const input = { plan: view.plan.id, revision, anyway };
      editor.getState().hear(await backend.call("plan_approve", input));
      return true;
    } catch (cause) {
      const { code, message, faults } = ApiError.from(cause);
      if (code === "refused" && faults.length > 0) page.setState({ refusedApproval: faults });
      else showToast({ kind: "error", title: failure, detail: message });
      return false;
    }
  }

  /** Approves the plan; where agents may do things in all of it without asking, only after the person has seen what. */
  async function requestApproval(): Promise<void> {
    const plan = editor.getState().plan.id;
    const granted = await ask("The plan was not approved", "grants_list", { plan });
    if (!granted) return;
    const standing = granted.filter(({ of }) => of === null);
    if (standing.length === 0) await approve();
    else page.setState({ standing });
  }

  async function begin(goal: RunGoal, limit: number | null) {
    page.setState({ request: undefined });
    const plan = editor.getState().plan.id;
    const run = await ask("The run did not start", "run_start", { plan, goal, limit });
    if (!run) return;
    editor.getState().showRun(run.summary.id, run);
    if (run.takeover) {
      const { doneNodes, fromPid } = run.takeover;
      const detail = `Process ${fromPid ?? ""} had left it silent. ${formatNumber(doneNodes)} of ${formatCount(run.nodes.length, "node")} are done already and are not run again.`;
      showToast({ kind: "info", title: "The run that was active was taken over", detail });
    }
  }

  /** Asks a living run for more, or begins one; what stands in the way, and every first run, is shown before. */
  async function start(goal: RunGoal, limit: number | null = null) {
    const run = living();
    if (run) {
      await ask("The run did not take it up", "run_want", { run, goal });
      return;
    }
    if (!(await saved("The run did not start"))) return;
    const { view } = editor.getState();
    const preflight = await ask("The plan could not be looked at", "plan_preflight", {
      plan: view.plan.id,
    });
    if (!preflight) return;
    const clear = !lacksApproval(view, preflight) && preflight.mayRun && view.lastRun !== null;
    if (clear) await begin(goal, limit);
    else page.setState({ request: { goal, limit, preflight } });
  }

  return {
    ...createPinActs(editor, page, backend),
    approve,
    requestApproval,
    start,

    /** The person has seen the pre-flight: approves what is not approved yet, and begins. */
    async confirm() {
      const { request } = page.getState();
      if (!request) return;
      const { view } = editor.getState();
      if (lacksApproval(view, request.preflight) && !(await approve())) return;
      await begin(request.goal, request.limit);
    },

    /** Says whether sessions of agents may start the approved version without asking. */
    async letAgentsStart(allowed: boolean) {
      const plan = editor.getState().plan.id;
      const view = await ask("The setting was not changed", "plan_agents_may_start", {
        plan,
        allowed,
      });
      if (view) editor.getState().hear(view);
    },

    /** Shows what stands between the plan and its run; nothing begins before the person says so. */
    async check() {
      if (!(await saved("The plan was not looked at"))) return;
      const plan = editor.getState().view.plan.id;
      const preflight = await ask("The plan could not be looked at", "plan_preflight", { plan });
      if (preflight) page.setState({ request: { goal: { want: "all" }, limit: null, preflight } });
    },

    async lookAgain() {
      const { request } = page.getState();
      const plan = editor.getState().plan.id;
      const preflight = await ask("The plan could not be looked at", "plan_preflight", { plan });
      if (request && preflight) page.setState({ request: { ...request, preflight } });
    },

    async pause(stopRunning: boolean) {
      const run = living();
      if (run) await ask("The run was not paused", "run_pause", { run, stopRunning });
    },

    async resume() {
      const { runId } = editor.getState();
      if (runId) await ask("The run did not go on", "run_resume", { run: runId });
    },

    /** Does again what has changed below itself, and nothing else. */
    async rerunStale() {
      const { runId } = editor.getState();
      if (runId) await ask("The stale nodes were not run again", "run_rerun_stale", { run: runId });
    },

    async stop() {
      const run = living();
      page.setState({ stopping: false });
      if (run) await ask("The run was not stopped", "run_cancel", { run });
    },

    /** Stops the nodes that the person was asked about. */
    async stopNodes() {
      const { runId } = editor.getState();
      const asked = page.getState().stoppingNodes;
      page.setState({ stoppingNodes: undefined });
      if (!runId || !asked) return;
      await Promise.all(asked.nodes.map((node) => stopNode(asked.act, { run: runId, node })));
    },

    async node(act: NodeAct, node: NodeId) {
      if (act === "run") return start({ want: "node", node });
      const { runId, run } = editor.getState();
      if (!runId) return;
      const nodeRun = run?.nodes.find((candidate) => candidate.node === node);
      if (isStopping(act) && isWorkedOn(nodeRun)) return askToStop(act, node);
      const input = { run: runId, node };
      switch (act) {
        case "stop":
          return;
        case "retry":
          await ask("The node was not retried", "node_retry", { ...input, resume: null });
          return;
        case "resume":
          await ask("The session did not go on", "node_retry", { ...input, resume: true });
          return;
        case "rerun_alone":
          await ask("The node was not run again", "node_rerun_alone", input);
          return;
        case "rerun":
          await ask("The node was not run again", "node_rerun", input);
          return;
        case "skip":
          await ask("The node was not skipped", "node_skip", { ...input, stop: null });
          return;
        case "mark_done":
          await ask("The node was not marked done", "node_mark_done", {
            ...input,
            handoff: "",
            stop: null,
          });
          return;
      }
    },
  };
}

function isStopping(act: NodeAct): act is StoppingAct {
  return act === "stop" || act === "skip" || act === "mark_done";
}

export type RunActs = ReturnType<typeof createRunActs>;
