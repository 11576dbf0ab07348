import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ContextParent, ContextView } from "@/api/bindings";
import { fakeBackend, renderAtPath } from "@/shell/fakeBackend";
import { ReceivedContext } from "./ReceivedContext";

function parent(title: string, more: Partial<ContextParent>): ContextParent {
  return { node: title, title, artifact: "artifact", outputs: {}, ...more };
}

function open(parents: ContextParent[], text = "") {
  const context: ContextView = { text, tokens: 0, given: true, parents, prompt: null };
  const { backend } = fakeBackend({ node_context: () => context });
  renderAtPath(backend, <ReceivedContext run="run" node="node" />);
}

test("lists what each parent passed on", async () => {
  open([
    parent("Draft", { artifact: null }),
    parent("Review", {}),
    parent("Count", { outputs: { commits: "12" } }),
  ]);
  const items = await screen.findAllByRole("listitem");
  expect(items.map((item) => within(item).getByText(/handoff/).textContent)).toEqual([
    "no handoff",
    "handoff without outputs",
    "handoff and outputs",
  ]);
  expect(screen.getByRole("cell", { name: "12" })).toBeVisible();
});

test("a node without parents receives nothing", async () => {
  open([]);
  expect(await screen.findByText(/so it receives nothing/)).toBeVisible();
  expect(screen.queryByRole("list")).toBeNull();
});

test("a root node of a sub-plan shows what the calling node received", async () => {
  open([], "Prompt of the calling node");
  expect(await screen.findByText("Prompt of the calling node")).toBeVisible();
  expect(screen.queryByText(/receives nothing/)).toBeNull();
  expect(screen.queryByText(/from 0/)).toBeNull();
});
