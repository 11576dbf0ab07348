// @vitest-environment node
import { expect, test } from "vitest";
import type { NodeState } from "@/api/bindings";
import { noWorkTime } from "@/components/workTime";
import { planOf, runOf } from "@/plan/planFixture";
import { allElements } from "./renderedElements";
import { createScene, moveInScene } from "./scene";
import { type FlowInput, toFlow } from "./toFlow";

const plan = planOf(["collect", "count", "report"], ["collect>count", "count>report"]);

const scene = createScene(plan, new Map());

function input(change: Partial<FlowInput> = {}): FlowInput {
  return {
    scene,
    elements: allElements(change.scene ?? scene),
    run: undefined,
    selection: new Set(),
    selectedEdges: new Set(),
    problems: new Map(),
    refused: new Set(),
    found: new Set(),
    renaming: undefined,
    planTitles: new Map(),
    ...change,
  };
}

const stateOf = (flow: ReturnType<typeof toFlow>, id: string) =>
  flow.nodes.find((node) => node.id === id)?.data.appearance?.state;

test("unchanged items keep their identity, also in a new plan and a new run", () => {
  const run = runOf(plan, { collect: { state: "done", byHand: false } });
  const first = toFlow(input({ run }));
  const second = toFlow(
    input({
      scene: createScene({ ...plan, nodes: [...plan.nodes] }, new Map()),
      run: runOf(plan, {
        collect: { state: "done", byHand: false },
        count: { state: "running" },
      }),
    }),
    first,
  );
  expect(second.nodes.map((node, at) => node === first.nodes[at])).toEqual([true, false, true]);
  expect(second.edges.map((edge, at) => edge === first.edges[at])).toEqual([false, true]);
});

test("a moved node keeps its data, so its card does not rerender", () => {
  const first = toFlow(input());
  const second = toFlow(
    input({ scene: moveInScene(scene, new Map([["count", { x: 5, y: 6 }]])) }),
    first,
  );
  expect(second.nodes[1]?.position).toEqual({ x: 5, y: 6 });
  expect(second.nodes[1]?.data).toBe(first.nodes[1]?.data);
  expect(second.nodes[0]).toBe(first.nodes[0]);
  expect(second.edges, "the edge list too, because no edge changed").toBe(first.edges);
});

test("every state reaches the card with its reason", () => {
  const states: [NodeState, string | undefined][] = [
    [{ state: "pending" }, undefined],
    [{ state: "blocked", by: "collect" }, "“Title of collect” did not succeed"],
    [{ state: "failed", failure: { reason: "exit_code", code: 2 } }, "Exit code 2"],
    [
      {
        state: "waiting",
        for: { kind: "person", question: "Delete it?", request: "r", call: null },
      },
      "Delete it?",
    ],
    [{ state: "skipped", reason: { kind: "by_hand" } }, "Skipped manually"],
  ];
  for (const [state, reason] of states) {
    const flow = toFlow(input({ run: runOf(plan, { count: state }) }));
    expect(stateOf(flow, "count")).toBe(state.state);
    expect(flow.nodes[1]?.data.reason).toBe(reason);
  }
});

test("a node that is not in the run looks untouched", () => {
  const run = runOf(planOf(["collect"], []), {});
  expect(stateOf(toFlow(input({ run })), "report")).toBeUndefined();
});

test("a screen reader gets title, kind and state", () => {
  const run = runOf(plan, { collect: { state: "done", byHand: false } });
  expect(toFlow(input({ run })).nodes[0]?.ariaLabel).toBe("Title of collect, command, Done");
});

test("the edge to a running node is on the path", () => {
  const flow = toFlow(input({ run: runOf(plan, { report: { state: "running" } }) }));
  expect(flow.edges.map((edge) => edge.data?.onPath)).toEqual([false, true]);
});

test("at an earlier moment, a card shows the elapsed time until then, without a timer", () => {
  const run = runOf(plan, { collect: { state: "running" } });
  const [collect] = run.nodes;
  if (collect) collect.times = { ...noWorkTime, workingSince: 1_000 };
  const live = toFlow(input({ run, usual: new Map([["collect", 9_000]]) })).nodes[0]?.data;
  expect([live?.runningSince, live?.worked, live?.usual]).toEqual([1_000, undefined, 9_000]);
  const past = { ...run, past: { index: 3, seq: 4, at: 3_500 } };
  const then = toFlow(input({ run: past, usual: new Map([["collect", 9_000]]) })).nodes[0]?.data;
  expect([then?.runningSince, then?.worked, then?.usual]).toEqual([undefined, 2_500, undefined]);
});

test("an ended card shows the worked time that the backend measured", () => {
  const times = { workedMs: 46, waitedMs: 0, elapsedMs: 62, workingSince: null };
  const run = runOf(plan, { collect: { state: "done", byHand: false } });
  const [collect] = run.nodes;
  if (collect) Object.assign(collect, { startedAt: 1_000, endedAt: 1_062, times });
  const card = toFlow(input({ run })).nodes[0]?.data;
  expect([card?.worked, card?.times]).toEqual([46, "Worked 46 ms · elapsed 62 ms"]);
  if (collect) collect.times = { ...times, workedMs: null };
  expect(toFlow(input({ run })).nodes[0]?.data.worked).toBeNull();
});

test("a card of a node that was marked done without an attempt shows no time", () => {
  const run = runOf(plan, { collect: { state: "done", byHand: true } });
  const [collect] = run.nodes;
  if (collect) Object.assign(collect, { startedAt: 1_000, endedAt: 42_000 });
  expect(toFlow(input({ run })).nodes[0]?.data.worked).toBeUndefined();
});

test.each([
  [{ usd: 0.42 }, "$0.42"],
  [{ usd: null }, "1.5k tokens"],
  [{ usd: null, inputTokens: null, outputTokens: null }, undefined],
])("a card shows the usage of its attempts: %j", (used, words) => {
  const run = runOf(plan, { collect: { state: "done", byHand: false } });
  const [collect] = run.nodes;
  const known = {
    inputTokens: 1_000,
    outputTokens: 500,
    cacheReadTokens: null,
    cacheWriteTokens: null,
  };
  if (collect) collect.used = { ...known, ...used };
  expect(toFlow(input({ run })).nodes[0]?.data.used).toBe(words);
});

test("the critical path is marked on its nodes and edges", () => {
  const critical = { nodes: new Set(["collect", "count"]), edges: new Set(["collect>count"]) };
  const flow = toFlow(input({ critical }));
  expect(flow.nodes.map(({ data }) => data.critical)).toEqual([true, true, false]);
  expect(flow.edges.map(({ data }) => data?.critical)).toEqual([true, false]);
});
