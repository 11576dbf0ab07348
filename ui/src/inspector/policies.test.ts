// @vitest-environment node
import { expect, test } from "vitest";
import { blankKind } from "@/plan/kinds";
import { planOf } from "@/plan/planFixture";
import {
  defaultTimeout,
  parseDollars,
  parseExitCodes,
  parseTokens,
  policyLabels,
} from "@/plan/policies";
import { attemptTimeouts } from "@/plan/runDefaults";
import { conditionPieces, insertPiece } from "./conditionPieces";
import { nodesReferencing, renameSlug } from "./references";

test("parses exit codes, tokens and dollars", () => {
  expect(parseExitCodes("1, 75 137")).toEqual([1, 75, 137]);
  expect(parseExitCodes("1 1")).toEqual([1]);
  expect(parseExitCodes("")).toEqual([]);
  expect(parseExitCodes("one")).toBeUndefined();
  expect(parseExitCodes("99999999999")).toBeUndefined();
  const tokens: [string, number | undefined][] = [
    ["200000", 200_000],
    ["200,000", 200_000],
    ["200.000", 200_000],
    ["200k", 200_000],
    ["1.5 M", 1_500_000],
    ["0", undefined],
    ["-5", undefined],
    ["lots", undefined],
  ];
  for (const [text, count] of tokens) expect(parseTokens(text), text).toBe(count);
  expect(parseDollars("$2.50")).toBe(2.5);
  expect(parseDollars("2,5")).toBe(2.5);
  expect(parseDollars("0")).toBeUndefined();
  expect(parseDollars("five")).toBeUndefined();
});

test("the attempt limit falls back to the blueprint, then the settings, then the default", () => {
  const plan = planOf(["a"], []);
  const [node] = plan.nodes;
  if (!node) throw new Error("the fixture has a node");
  const [command, agent] = [node, { ...node, kind: blankKind("agent") }];
  const open = {
    autonomy: 1 as const,
    concurrency: 4,
    timeoutMs: null,
    agentTimeoutMs: null,
    commandTimeoutMs: null,
  };
  const words = (settings: object, defaults: object) => {
    const timeouts = attemptTimeouts({ ...plan.settings, ...settings }, { ...open, ...defaults });
    return [defaultTimeout(command, timeouts), defaultTimeout(agent, timeouts)];
  };
  expect(words({}, {})).toEqual(["1m 00s", "30m 00s"]);
  expect(words({}, { agentTimeoutMs: 7_200_000 })).toEqual(["1m 00s", "2h 00m"]);
  expect(words({ commandTimeoutMs: 5_000 }, { commandTimeoutMs: 9_000 })).toEqual([
    "5 s",
    "30m 00s",
  ]);
});

test("names only rules with non-default values", () => {
  const [node] = planOf(["a"], []).nodes;
  if (!node) throw new Error("the fixture has a node");
  const titleOf = (id: string) => `Title of ${id}`;
  expect(policyLabels(node, titleOf)).toEqual([]);
  expect(
    policyLabels(
      {
        ...node,
        triggerRule: "all_done",
        maxRetries: 1,
        retryExitCodes: [75],
        afterCrash: "resume",
        timeoutMs: 60_000,
        silentAfterMs: 120_000,
        onSuccess: "b",
        onFailure: { node: "c" },
        budget: { tokens: 1_000, costUsd: 2 },
        priority: 9,
      },
      titleOf,
    ),
  ).toEqual([
    "starts when: all finished, in any state",
    "1 retry",
    "on exit code 75",
    "after a crash: resume its session",
    "at most 1m 00s",
    "warns after 2m 00s of silence",
    "then Title of b",
    "on failure Title of c",
    "1,000 tokens",
    "$2",
    "priority 9",
  ]);
});

test("a snippet is inserted at the caret with spacing and replaces a bare true", () => {
  expect(insertPiece("true", "result:a", 4, 4)).toEqual({ text: "result:a", caret: 8 });
  expect(insertPiece("", "iteration", 0, 0).text).toBe("iteration");
  expect(insertPiece("result:a and ", "result:b", 13, 13).text).toBe("result:a and result:b");
  expect(insertPiece("not", "result:b", 3, 3).text).toBe("not result:b");
  expect(insertPiece("a b", "x", 2, 3), "the selection is replaced").toEqual({
    text: "a x",
    caret: 3,
  });
});

test("offers known outputs, and iterations in a loop", () => {
  const known = [{ slug: "count", title: "Count", outputs: ["n"] }];
  const texts = (isLoop: boolean) =>
    conditionPieces(known, isLoop).flatMap(({ pieces }) => pieces.map(({ text }) => text));
  expect(texts(false)).toEqual([
    "result:count",
    'nodes.count.state == "done"',
    "nodes.count.outputs.n",
    "true",
    "false",
  ]);
  expect(texts(true)[0]).toBe("iteration");
});

test("renaming an id updates conditions and arguments", () => {
  const plan = planOf(["a", "b", "c"], ["a>b", "a>c"]);
  const [a, b, c] = plan.nodes;
  if (!a || !b || !c) throw new Error("the fixture has three nodes");
  const condition = "result:a and nodes.a.outputs.n > 3 and nodes.ab.outputs.x";
  const nodes = [
    a,
    { ...b, kind: { kind: "condition" as const, condition, trueStep: null, falseStep: null } },
    {
      ...c,
      kind: {
        kind: "tool_call" as const,
        toolName: "write",
        toolArgs: { path: "x", list: ["{{nodes.a.outputs.n}}"], count: 2 },
      },
    },
  ];
  expect(nodesReferencing({ nodes }, "a").map(({ id }) => id)).toEqual(["b", "c"]);
  const renamed = renameSlug({ ...plan, nodes }, "a", "first", true);
  expect(renamed.nodes[1]?.kind).toMatchObject({
    condition: "result:first and nodes.first.outputs.n > 3 and nodes.ab.outputs.x",
  });
  expect(renamed.nodes[2]?.kind).toMatchObject({
    toolArgs: { path: "x", list: ["{{nodes.first.outputs.n}}"], count: 2 },
  });
});
