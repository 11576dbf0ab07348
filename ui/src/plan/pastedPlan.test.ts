import { expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import { looksLikePlan, parsePlanText } from "./pastedPlan";
import { planOf } from "./planFixture";

test.each([
  "flowchart LR\n a --> b",
  "  graph TD;\n a --> b",
  "---\ntitle: x\n---\nflowchart TB\n a",
  "%% a comment\nflowchart\n a --> b",
  "baton: 1\ntitle: x\nnodes:\n  - id: a\n",
  "title: x\nnodes: []\nbaton: 1",
  '{"baton": 1, "nodes": []}',
  "```mermaid\ngraph TD\n a --> b\n```",
  "```yaml\nbaton: 1\nnodes: []\n```",
  "---\r\ntitle: x\r\n---\r\nflowchart TB\r\n a",
  "%%{init: {\n  'theme': 'dark'\n}}%%\nflowchart LR\n a",
  "\ufeffflowchart LR; a --> b",
  "nodes:\n  - id: a\n",
  "- id: a\n  kind: command\n",
  "- {id: a, prompt: Go.}",
  '[{"id": "a"}]',
])("%j is recognized as a plan", (text) => expect(looksLikePlan(text)).toBe(true));

test.each([
  "",
  "Buy milk",
  "graph of the sales",
  "some nodes: and edges",
  "- ideas: none",
  "- a list",
  '{"a": 1}',
  "https://example.org/flowchart",
])("%j is ordinary text", (text) => expect(looksLikePlan(text)).toBe(false));

test.each([
  ["comments with spaces behind them", "%% why   \n".repeat(100_000)],
  ["empty lines", "\n ".repeat(2_500_000)],
  ["one long line", "x".repeat(5_000_000)],
  ["a title that never ends", `---\n${"- a\n".repeat(1_000_000)}`],
])("a long text is checked quickly: %s", (_, text) => {
  // With a backtracking pattern, these would take years and exceed the timeout of the test.
  expect(looksLikePlan(text)).toBe(false);
});

test("a plan becomes nodes to paste, with its edges and groups", async () => {
  const plan = planOf(["a", "b"], ["a>b"]);
  const call = vi.fn().mockResolvedValue({ plan, warnings: [] });
  const fragment = await parsePlanText({ call }, "flowchart LR\n a --> b");
  expect(fragment).toEqual({ nodes: plan.nodes, edges: plan.edges, groups: [], incoming: [] });
});

test("a text with faults or without nodes gives nothing", async () => {
  const call = vi
    .fn()
    .mockRejectedValue(new ApiError("invalid", "no", { faults: ["clipboard:2:1: wrong"] }));
  expect(await parsePlanText({ call }, "flowchart LR\n a -> b")).toBeUndefined();
  const empty = vi.fn().mockResolvedValue({ plan: planOf([], []), warnings: [] });
  expect(await parsePlanText({ call: empty }, "flowchart LR")).toBeUndefined();
});
