import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { Backend, BackendEvent } from "./Backend";
import type { Change } from "./bindings";
import { contentKeys, isOwnSave } from "./planSave";
import { operationKey } from "./queries";
import { runKey } from "./useRun";

/** The key above all keys. */
const everything: QueryKey = [];

const requestKeys: QueryKey[] = [operationKey("requests_list"), operationKey("request_get")];

/** A run can tell of a hundred changes a second: each key is read at most once in this time. */
const shortestRound = 150;
/** What is slow to read is read less often: reading takes at most one part in so many of the time. */
const shareOfReading = 3;

/**
 * The answers that a change makes old, as beginnings of cache keys. A new kind of change does not compile until it
 * stands here. The entries of a timeline are not among them: whoever shows one follows its session by itself.
 */
export function affectedQueries(change: Change): QueryKey[] {
  switch (change.change) {
    case "plan":
    case "plan_deleted": {
      const { plan } = change;
      return [
        operationKey("plans_list"),
        // What it holds is read again where somebody else changed it: see `invalidateOnChanges`.
        ...(change.change === "plan" ? [] : contentKeys(plan)),
        operationKey("plan_preflight", { plan }),
        operationKey("plan_versions", { plan }),
        operationKey("plan_pace", { plan, run: null }),
        operationKey("runs_list"),
        operationKey("inbox_list"),
        // A request ends with an edit of the plan that it is about.
        ...requestKeys,
        operationKey("runs_ended"),
        operationKey("statistics_get"),
      ];
    }
    case "run": {
      const { plan, run } = change;
      return [
        // Of a plan, how its last run goes; which of its nodes are done is told by the list.
        ...(change.whole ? [operationKey("plan_get", { plan }), operationKey("runs_ended")] : []),
        runKey(run),
        operationKey("runs_list"),
        operationKey("plans_list"),
        operationKey("inbox_list"),
        // A request ends with the run of its session.
        ...requestKeys,
        operationKey("statistics_get"),
        operationKey("plan_preflight", { plan }),
        operationKey("artifacts_list", { run }),
        operationKey("run_checkpoints", { run }),
        ["run_history", { run }],
        // The course of a run is read on, not again: see `StateHistoryFeed`.
        operationKey("plan_pace", { plan, run }),
        ["node_attempts", { run }],
        ["node_context", { run }],
        ["evidence_get", { run }],
        ["edge_context", { run }],
        ["run_home", { run }],
        ["node_fan_in", { run }],
        operationKey("run_overlaps", { run }),
        ["sessions_list"],
        // Whether a session may go on depends on what its node does.
        ["session_reach"],
      ];
    }
    case "session": {
      const { session, run } = change;
      return [
        operationKey("session_get", { session }),
        // What a node does at the moment is told by its session, not by its run.
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
        // Stars and tags choose which transcripts are listed.
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
        operationKey("tokens_list"),
      ];
    case "requests":
      return requestKeys;
    case "app_state":
      // Only `shell/appState` reads it, and follows by itself.
      return [];
    case "transcripts":
      return [
        operationKey("transcripts_list"),
        operationKey("transcripts_projects"),
        operationKey("transcripts_search"),
        operationKey("transcript_get"),
        operationKey("transcript_find"),
        // A session learns its transcript when the index has found it.
        operationKey("session_get"),
      ];
    case "all":
      return [everything];
  }
}

/** Keeps the cache current with the news of `backend` until the returned function is called. */
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
    renewal.ask();
  };
  const leave = backend.events((signal: BackendEvent) => {
    const keys = signal.kind === "gap" ? [everything] : affectedQueries(signal.event);
    keys.forEach(renew);
    if (signal.kind === "gap" || signal.event.change !== "plan") return;
    const { plan, revision } = signal.event;
    const readAgain = () => contentKeys(plan).forEach(renew);
    // A change without a revision is of something else about the plan than what a save writes.
    if (revision === undefined) readAgain();
    else void isOwnSave(client, plan, revision).then((isOwn) => isOwn || readAgain());
  });
  return () => {
    stopped = true;
    leave();
    for (const renewal of renewals.values()) renewal.stop();
  };
}

/**
 * Reads one key again: at once for the first news, then one reading after the other with a rest between, and never
 * ends on news that no reading has followed.
 */
class Renewal {
  #asked = false;
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

  ask(): void {
    this.#asked = true;
    if (!this.#busy) void this.#work();
  }

  stop(): void {
    this.#stopped = true;
  }

  async #work(): Promise<void> {
    this.#busy = true;
    while (this.#asked && !this.#stopped) {
      // A first reading under way is joined, not begun anew, and may have looked before the news.
      this.#asked = this.#isFirstReading();
      const begun = performance.now();
      await this.#client.invalidateQueries({ queryKey: this.#key });
      const reading = performance.now() - begun;
      await pause(Math.max(shortestRound, reading * shareOfReading) - reading);
    }
    this.#busy = false;
    this.#onIdle();
  }

  #isFirstReading(): boolean {
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
