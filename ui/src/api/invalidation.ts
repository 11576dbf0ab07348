import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { Backend, BackendEvent } from "./Backend";
import type { Change } from "./bindings";
import { contentKeys, isOwnSave } from "./planSave";
import { operationKey } from "./queries";
import { runKey } from "./useRun";

/** Matches every query. */
const everything: QueryKey = [];

const requestKeys: QueryKey[] = [operationKey("requests_list"), operationKey("request_get")];

/**
 * In milliseconds. A run can send a hundred changes a second: each key is refetched at most once in
 * this time.
 */
const minRefetchIntervalMs = 150;
/** Slow queries are refetched less often: fetching takes at most 1/3 of the time. */
const refetchIntervalFactor = 3;

/**
 * Returns the cache keys, or their prefixes, that a change invalidates. A new kind of change does
 * not compile until it is added here. Timeline entries are not included: the component that shows
 * them follows its session.
 */
export function affectedQueries(change: Change): QueryKey[] {
  switch (change.change) {
    case "plan":
    case "plan_deleted": {
      const { plan } = change;
      return [
        operationKey("plans_list"),
        operationKey("plans_deleted"),
        // The content is refetched if it was changed elsewhere: see `invalidateOnChanges`.
        ...(change.change === "plan" ? [] : contentKeys(plan)),
        operationKey("plan_thumbnail", { plan }),
        operationKey("plan_preflight", { plan }),
        operationKey("plan_simulate", { plan }),
        operationKey("approval_changes", { plan }),
        operationKey("plan_versions", { plan }),
        operationKey("pinned_outputs", { plan }),
        operationKey("plan_pace", { plan, run: null }),
        operationKey("runs_list"),
        operationKey("runs_page"),
        operationKey("inbox_list"),
        // Editing a plan ends the requests about it.
        ...requestKeys,
        operationKey("runs_ended"),
        operationKey("statistics_get"),
      ];
    }
    case "run_deleted":
      return [
        ...change.runs.map((run) => runKey(run)),
        operationKey("plan_get", { plan: change.plan }),
        operationKey("plan_versions", { plan: change.plan }),
        operationKey("runs_page"),
        operationKey("runs_list"),
        operationKey("runs_ended"),
        operationKey("plans_list"),
        operationKey("inbox_list"),
        operationKey("statistics_get"),
      ];
    case "run": {
      const { plan, run } = change;
      return [
        // For the state of the plan's last run. The list shows which nodes are done.
        ...(change.whole
          ? [
              operationKey("plan_get", { plan }),
              // Each version lists its runs.
              operationKey("plan_versions", { plan }),
              operationKey("runs_ended"),
            ]
          : []),
        runKey(run),
        operationKey("runs_list"),
        operationKey("runs_page"),
        operationKey("plans_list"),
        operationKey("inbox_list"),
        // A request ends with its session's run.
        ...requestKeys,
        operationKey("statistics_get"),
        operationKey("plan_preflight", { plan }),
        // Its end changes what is known about the next one.
        operationKey("plan_simulate", { plan }),
        operationKey("artifacts_list", { run }),
        ["handoffs_compare"],
        operationKey("run_checkpoints", { run }),
        ["run_history", { run }],
        // The state history is appended to, not refetched: see `StateHistoryFeed`.
        operationKey("plan_pace", { plan, run }),
        ["node_attempts", { run }],
        ["run_rerun_preview", { run }],
        ["node_diff", { run }],
        ["node_summary", { run }],
        operationKey("run_summaries", { run }),
        ["node_context", { run }],
        ["evidence_get", { run }],
        ["edge_context", { run }],
        ["run_home", { run }],
        ["node_fan_in", { run }],
        operationKey("run_overlaps", { run }),
        ["sessions_list"],
        // Whether a session can be continued depends on its node.
        ["session_reach"],
      ];
    }
    case "session": {
      const { session, run } = change;
      return [
        operationKey("session_get", { session }),
        // A node's current activity comes from its session.
        runKey(run),
        ["session_timeline", { session }],
        ["session_search", { session }],
        ["session_reach", { session }],
        ["node_attempts", { run }],
        ["sessions_list"],
      ];
    }
    case "proposal": {
      const { proposal } = change;
      return [
        operationKey("proposals_list"),
        operationKey("proposal_get", { proposal }),
        operationKey("inbox_list"),
      ];
    }
    case "settings":
      return [
        // Stars and tags are filters of the list.
        ["transcripts_list"],
        ["transcripts_search"],
        operationKey("settings_get"),
        operationKey("enrichments_get"),
        operationKey("agents_list"),
        operationKey("session_reach"),
        operationKey("teams_list"),
        operationKey("tools_of_servers"),
        operationKey("tool_servers_list"),
        operationKey("plan_preflight"),
        operationKey("plan_simulate"),
        // Another default agent or team changes which agents the blueprint uses.
        operationKey("approval_changes"),
        operationKey("tokens_list"),
        operationKey("terminals_list"),
      ];
    case "requests":
      return requestKeys;
    case "app_state":
      // Only `shell/appState` reads it, and it has its own subscription.
      return [];
    case "terminal":
      // Its screen reads the output, and has its own subscription.
      return [];
    case "terminals":
      return [operationKey("terminals_list")];
    case "transcripts":
      return [
        operationKey("transcripts_list"),
        operationKey("transcripts_projects"),
        operationKey("transcripts_search"),
        operationKey("transcript_get"),
        operationKey("transcript_find"),
        // A session gets its transcript when the index has found it.
        operationKey("session_get"),
      ];
    case "all":
      return [everything];
  }
}

/** Keeps the cache current with the events of `backend`. Returns a function that stops this. */
export function invalidateOnChanges(
  client: QueryClient,
  backend: Pick<Backend, "events">,
): () => void {
  const renewals = new Map<string, Renewal>();
  let stopped = false;

  const renew = (key: QueryKey) => {
    if (stopped) return;
    const name = JSON.stringify(key);
    const renewal = renewals.get(name) ?? new Renewal(client, key, () => renewals.delete(name));
    renewals.set(name, renewal);
    renewal.request();
  };
  const unsubscribe = backend.events((signal: BackendEvent) => {
    const keys = signal.kind === "gap" ? [everything] : affectedQueries(signal.event);
    keys.forEach(renew);
    if (signal.kind === "gap" || signal.event.change !== "plan") return;
    const { plan, revision } = signal.event;
    const refetchContent = () => contentKeys(plan).forEach(renew);
    // A change without a revision concerns parts of the plan that a save doesn't write.
    if (revision === undefined) refetchContent();
    else void isOwnSave(client, plan, revision).then((isOwn) => isOwn || refetchContent());
  });
  return () => {
    stopped = true;
    unsubscribe();
    for (const renewal of renewals.values()) renewal.stop();
  };
}

/**
 * Refetches one key: immediately for the first event, then one fetch after another with a pause
 * between. Never stops before the last event was followed by a fetch.
 */
class Renewal {
  #pending = false;
  #busy = false;
  #stopped = false;
  readonly #client: QueryClient;
  readonly #key: QueryKey;
  readonly #onIdle: () => void;

  constructor(client: QueryClient, key: QueryKey, onIdle: () => void) {
    this.#client = client;
    this.#key = key;
    this.#onIdle = onIdle;
  }

  request(): void {
    this.#pending = true;
    if (!this.#busy) void this.#work();
  }

  stop(): void {
    this.#stopped = true;
  }

  async #work(): Promise<void> {
    this.#busy = true;
    while (this.#pending && !this.#stopped) {
      // Invalidating joins an initial fetch in progress, which may have read before the event.
      this.#pending = this.#isInitialFetch();
      const begun = performance.now();
      await this.#client.invalidateQueries({ queryKey: this.#key });
      const fetchMs = performance.now() - begun;
      await pause(Math.max(minRefetchIntervalMs, fetchMs * refetchIntervalFactor) - fetchMs);
    }
    this.#busy = false;
    this.#onIdle();
  }

  #isInitialFetch(): boolean {
    const first = this.#client.getQueryCache().findAll({
      queryKey: this.#key,
      predicate: ({ state }) => state.data === undefined && state.fetchStatus === "fetching",
    });
    return first.length > 0;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
