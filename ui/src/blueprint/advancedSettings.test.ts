// @vitest-environment node
import { expect, test } from "vitest";
import type { PlanSettings, Problem } from "@/api/bindings";
import { planOf } from "@/plan/planFixture";
import { planProblems } from "@/plan/problems";
import { changedSettings, isAboutAdvanced } from "./advancedSettings";

const plan = planOf(["a"], []);
const untouched = {
  agentsMayStart: false,
  retention: null,
  hasGrants: false,
  hasModel: false,
  hasNotes: false,
};

test("a new plan has only defaults, whatever its title and agent", () => {
  expect(changedSettings({ ...plan.settings, agent: "codex" }, untouched)).toEqual([]);
  expect(changedSettings({ ...plan.settings, autonomy: null, sandbox: "on" }, untouched)).toEqual(
    [],
  );
});

const changes: [string, Partial<PlanSettings>][] = [
  ["Autonomy level", { autonomy: 0 }],
  ["Tools", { toolScope: "enforce" }],
  ["Default tools", { toolsRequired: ["Read"] }],
  ["Guarded tools", { guardedTools: ["Bash"] }],
  ["Max parallel nodes", { concurrency: 1 }],
  ["Agent limits", { agentConcurrency: { codex: 2 } }],
  ["Run time limit", { timeoutMs: 1 }],
  ["Agent timeout", { agentTimeoutMs: 1 }],
  ["Command timeout", { commandTimeoutMs: 1 }],
  ["Run retries", { planRetries: 1 }],
  ["Token limit", { budget: { tokens: 0, costUsd: null } }],
  ["Cost limit", { budget: { tokens: null, costUsd: 1 } }],
  ["Takeover", { takeoverAllowed: false }],
  ["Takeover", { onTakeover: "review" }],
  ["Failed criteria", { onFailedCriterion: "continue" }],
  ["Unverified work", { onUnverified: "fail" }],
  ["Review", { review: { agent: null, model: null } }],
  ["Worktrees", { isolation: "worktree" }],
  ["Worktrees", { worktreeSetup: "npm ci" }],
  ["Sandbox", { sandbox: "off" }],
  ["Baton's tools", { sessionTools: "off" }],
  ["Tags", { tags: ["nightly"] }],
];

test.each(changes)("%s differs from its default", (label, part) => {
  expect(changedSettings({ ...plan.settings, ...part }, untouched)).toEqual([label]);
});

test("what is stored beside the plan counts too", () => {
  const retention = { keepLast: 5, keepDays: null, archiveAfterDays: null };
  const facts = {
    agentsMayStart: true,
    retention,
    hasGrants: true,
    hasModel: true,
    hasNotes: true,
  };
  expect(changedSettings(plan.settings, facts)).toEqual([
    "Default model",
    "Permissions",
    "Start by agents",
    "Run history",
    "Notes",
  ]);
});

test("problems of the plan's settings are advanced, those of nodes are not", () => {
  const range = { field: "concurrency", least: 1, most: 1_000, found: 0 };
  const isAdvanced = (problem: Problem) =>
    planProblems([{ problem, sentence: "", preventsSaving: true }], plan).every(isAboutAdvanced);
  expect(isAdvanced({ problem: "empty_budget" })).toBe(true);
  expect(isAdvanced({ problem: "out_of_range", of: "the plan", ...range })).toBe(true);
  expect(isAdvanced({ problem: "out_of_range", of: "a", ...range })).toBe(false);
  expect(isAdvanced({ problem: "cycle", path: ["a"], titles: ["A"] })).toBe(false);
});
