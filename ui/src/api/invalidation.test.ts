import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { BackendEvent } from "./Backend";
import type { Change } from "./bindings";
import { affectedQueries, invalidateOnChanges } from "./invalidation";
import { runKey } from "./useRun";

let client: QueryClient;
let emit: (signal: BackendEvent) => void;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } },
  });
  stop = invalidateOnChanges(client, {
    events: (listener) => {
      emit = listener;
      return () => {};
    },
  });
});

afterEach(() => {
  stop();
  client.clear();
  vi.useRealTimers();
});

/** Observes a query like a page does and counts its fetches. */
function observe(queryKey: readonly unknown[], read: () => unknown = () => "answer") {
  const queryFn = vi.fn(async () => read());
  const unsubscribe = new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {});
  return { queryFn, unsubscribe };
}

function change(event: Change): BackendEvent {
  return { kind: "event", event };
}

const runChange = change({ change: "run", run: "r", plan: "p", nodes: ["n"], whole: false });

test("coalesces a hundred changes per second, including the last one", async () => {
  let current = 0;
  const { queryFn } = observe(runKey("r"), () => current);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(queryFn).toHaveBeenCalledTimes(1);

  for (current = 1; current <= 100; current += 1) {
    emit(runChange);
    await vi.advanceTimersByTimeAsync(10);
  }
  current = 100;
  emit(runChange);
  await vi.advanceTimersByTimeAsync(1_000);

  expect(client.getQueryData(runKey("r"))).toBe(100);
  // At most one fetch every 150 ms: 1,000 / 150, and one at each end.
  expect(queryFn.mock.calls.length).toBeLessThanOrEqual(1 + 9);
});

test("an event during a slow fetch does not restart it but causes another fetch", async () => {
  let current = "old";
  const queryFn = vi.fn(async () => {
    const seen = current;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return seen;
  });
  new QueryObserver(client, { queryKey: runKey("r"), queryFn }).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(500);
  current = "new";
  emit(runChange);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(client.getQueryData(runKey("r"))).toBe("new");
  expect(queryFn).toHaveBeenCalledTimes(2);
});

test("an event of one run does not refetch another run, and inactive queries refetch when used", async () => {
  const other = observe(runKey("other"));
  const attempts = observe(["node_attempts", { run: "r", node: "n" }]);
  const left = observe(runKey("r"));
  await vi.advanceTimersByTimeAsync(0);
  left.unsubscribe();

  emit(runChange);
  await vi.advanceTimersByTimeAsync(500);
  expect(other.queryFn).toHaveBeenCalledTimes(1);
  expect(attempts.queryFn).toHaveBeenCalledTimes(2);
  expect(left.queryFn).toHaveBeenCalledTimes(1);
  expect(client.getQueryState(runKey("r"))?.isInvalidated).toBe(true);
});

test("a plan is refetched for events of its run but not for every node", async () => {
  const plan = observe(["plan_get", { plan: "p" }]);
  const run = observe(runKey("r"));
  await vi.advanceTimersByTimeAsync(0);
  emit(runChange);
  await vi.advanceTimersByTimeAsync(500);
  expect(run.queryFn).toHaveBeenCalledTimes(2);
  expect(plan.queryFn).toHaveBeenCalledTimes(1);

  emit(change({ change: "run", run: "r", plan: "p", nodes: ["n"], whole: true }));
  await vi.advanceTimersByTimeAsync(500);
  expect(plan.queryFn).toHaveBeenCalledTimes(2);
});

test("a gap invalidates everything", async () => {
  const lists = [observe(["plans_list", {}]), observe(["settings_get", {}])];
  await vi.advanceTimersByTimeAsync(0);
  emit({ kind: "gap" });
  await vi.advanceTimersByTimeAsync(500);
  for (const { queryFn } of lists) expect(queryFn).toHaveBeenCalledTimes(2);
});

test("a change of a run or its plan invalidates agent requests", () => {
  const names = (event: Change) => affectedQueries(event).map(([name]) => name);
  const ofRun = names({ change: "run", run: "r", plan: "p", nodes: [], whole: true });
  expect(ofRun).toContain("requests_list");
  expect(names({ change: "plan_deleted", plan: "p" })).toContain("requests_list");
});

test.each<[Change, string[]]>([
  [
    { change: "plan", plan: "p" },
    [
      "plans_list",
      "plans_deleted",
      "plan_thumbnail",
      "plan_preflight",
      "plan_simulate",
      "approval_changes",
      "plan_versions",
      "pinned_outputs",
      "plan_pace",
      "runs_list",
      "runs_page",
      "inbox_list",
      "requests_list",
      "request_get",
      "runs_ended",
      "statistics_get",
    ],
  ],
  [
    { change: "settings" },
    [
      "transcripts_list",
      "transcripts_search",
      "settings_get",
      "enrichments_get",
      "agents_list",
      "session_reach",
      "teams_list",
      "tools_of_servers",
      "tool_servers_list",
      "plan_preflight",
      "plan_simulate",
      "approval_changes",
      "tokens_list",
      "terminals_list",
    ],
  ],
  [{ change: "requests" }, ["requests_list", "request_get"]],
  [{ change: "all" }, []],
])("%o invalidates its operations", (event, operations) => {
  expect(affectedQueries(event).flatMap(([name]) => (name === undefined ? [] : [name]))).toEqual(
    operations,
  );
});
