import { expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import { planOf } from "./planFixture";
import { claimsPlan, readPlanText } from "./planText";

test.each([
  "flowchart LR\n a --> b",
  "  graph TD;\n a --> b",
  "---\ntitle: x\n---\nflowchart TB\n a",
  "%% a comment\nflowchart\n a --> b",
  "baton: 1\ntitle: x\nnodes:\n  - id: a\n",
  "title: x\nnodes: []\nbaton: 1",
  '{"baton": 1, "nodes": []}',
])("%j claims to be a plan", (text) => expect(claimsPlan(text)).toBe(true));

test.each([
  "",
  "Buy milk",
  "graph of the sales",
  "some nodes: and edges",
  '{"a": 1}',
  "https://example.org/flowchart",
])("%j is somebody's text", (text) => expect(claimsPlan(text)).toBe(false));

test("a plan becomes nodes to paste, with its edges and groups", async () => {
  const plan = planOf(["a", "b"], ["a>b"]);
  const call = vi.fn().mockResolvedValue({ plan, warnings: [] });
  const fragment = await readPlanText({ call }, "flowchart LR\n a --> b");
  expect(fragment).toEqual({ nodes: plan.nodes, edges: plan.edges, groups: [], incoming: [] });
});

test("nothing comes of a text with a fault, or of one without nodes", async () => {
  const call = vi.fn().mockRejectedValue(new ApiError("invalid", "no", ["clipboard:2:1: wrong"]));
  expect(await readPlanText({ call }, "flowchart LR\n a -> b")).toBeUndefined();
  const empty = vi.fn().mockResolvedValue({ plan: planOf([], []), warnings: [] });
  expect(await readPlanText({ call: empty }, "flowchart LR")).toBeUndefined();
});
