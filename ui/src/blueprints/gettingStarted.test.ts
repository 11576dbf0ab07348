import { expect, test } from "vitest";
import type { AgentView } from "@/api/bindings";
import { runSummaryOf, summaryOf } from "@/plan/planSummaryFixture";
import { describeFoundAgents, firstExample } from "./gettingStarted";

const early = summaryOf("early", { tags: ["example"], createdAt: 1 });
const late = summaryOf("late", { tags: ["example"], createdAt: 2 });

test.each([
  ["no blueprints", [], undefined],
  ["only examples", [late, early], "early"],
  [
    "an example has run",
    [early, summaryOf("x", { tags: ["example"], lastRun: runSummaryOf("x") })],
  ],
  ["a blueprint that is not an example", [early, summaryOf("own", { tags: [] })], undefined],
])("%s", (_, plans, first = undefined) => {
  expect(firstExample(plans as Parameters<typeof firstExample>[0])?.id).toBe(first);
});

test.each([
  [[], undefined],
  [["Codex"], "Codex is"],
  [["Claude Code", "Codex"], "Claude Code and Codex are"],
  [["Claude Code", "Codex", "pi"], "Claude Code, Codex and pi are"],
])("describes found agents %j", (found, words) => {
  const agents = [...found.map((title) => ({ title, path: "/bin/x" })), { title: "a", path: null }];
  expect(describeFoundAgents(agents as AgentView[])).toBe(words);
});
