import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { PinnedOutputsView, PinnedOutputView } from "@/api/bindings";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { PinnedOutputsSubscription } from "./PinnedOutputsSubscription";
import { PinOutputDialog } from "./PinOutputDialog";
import { RunPinnedDialog } from "./RunPinnedDialog";

// The editor measures text, which jsdom can't.
vi.mock("@/components/CodeEditor", () => ({
  CodeEditor: (props: { label: string; value: string; onChange: (value: string) => void }) => (
    <textarea
      aria-label={props.label}
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
    />
  ),
}));

const plan = planOf(["a", "b", "c"], ["a>b", "b>c"]);
const done = { state: "done", byHand: false } as const;

function pinOf(node: string, facts: Partial<PinnedOutputView> = {}): PinnedOutputView {
  return { node, text: `Output of ${node}`, by: "person", at: 0, run: 3, used: true, ...facts };
}

function pinsOf(facts: Partial<PinnedOutputsView> = {}): PinnedOutputsView {
  return { outputs: [pinOf("b")], runs: ["c"], leftOut: ["a"], ...facts };
}

function open(pins: PinnedOutputsView, answers: Record<string, unknown> = {}) {
  const run = runOf(plan, { a: done, b: done, c: done }, { number: 4 });
  const nodes = run.nodes.map((node) => ({
    ...node,
    artifact: node.node === "b" ? "artifact" : null,
  }));
  return openBlueprint(
    <>
      <PinnedOutputsSubscription />
      <PinOutputDialog />
      <RunPinnedDialog />
    </>,
    {
      view: viewOf(plan, { review: "approved" }),
      run: { ...run, nodes },
      answers: {
        pinned_outputs: pins,
        node_output_pin: pins,
        artifact_get: { content: { text: "Handoff of b" } },
        run_start_pinned: { ...run, summary: { ...run.summary, id: "next" } },
        ...answers,
      },
    },
  );
}

const list = async (name: string) =>
  within(await screen.findByRole("list", { name }))
    .getAllByRole("listitem")
    .map((item) => item.textContent);

test("the page knows which nodes have a pinned output", async () => {
  const { page } = open(pinsOf());
  await waitFor(() => expect([...page.getState().pinnedOutputs]).toEqual(["b"]));
});

test("before the start, the dialog lists what is pinned, runs and is left out", async () => {
  const { page, call, editor } = open(pinsOf());
  page.setState({ runPinnedOpen: true });
  expect(await list("Use their pinned output")).toEqual(["Title of bfrom run #3"]);
  expect(await list("Run")).toEqual(["Title of c"]);
  expect(await list("Left out: only pinned nodes need them")).toEqual(["Title of a"]);
  expect(call).not.toHaveBeenCalledWith("run_start_pinned", expect.anything());
  await userEvent.click(screen.getByRole("button", { name: "Run 1 node" }));
  expect(call).toHaveBeenCalledWith("run_start_pinned", { plan: "plan", limit: null });
  await waitFor(() => expect(editor.getState().runId).toBe("next"));
  expect(page.getState().runPinnedOpen).toBe(false);
});

test("without a usable pin nothing can be started", async () => {
  const { page } = open(pinsOf({ outputs: [pinOf("b", { used: false })] }));
  page.setState({ runPinnedOpen: true });
  expect(await screen.findByText(/^No node has a pinned output/)).toBeVisible();
  expect(screen.getByRole("button", { name: /^Run/ })).toBeDisabled();
});

test.each([
  ["as it is", "", { run: "run", text: null }],
  ["edited", " now", { run: "run", text: "Handoff of b now" }],
])("the handoff of the shown run is pinned %s", async (_, typed, expected) => {
  const { page, call } = open(pinsOf({ outputs: [] }));
  page.setState({ pinningOutput: "b" });
  const field = await screen.findByRole("textbox", { name: "Output" });
  expect(field).toHaveValue("Handoff of b");
  if (typed) await userEvent.type(field, typed);
  await userEvent.click(screen.getByRole("button", { name: "Pin output" }));
  expect(call).toHaveBeenCalledWith("node_output_pin", { plan: "plan", node: "b", ...expected });
  await waitFor(() => expect(page.getState().pinningOutput).toBeUndefined());
});

test("an earlier pin is edited, or replaced by the handoff of the shown run", async () => {
  const { page, call } = open(pinsOf());
  page.setState({ pinningOutput: "b" });
  expect(await screen.findByRole("textbox", { name: "Output" })).toHaveValue("Output of b");
  await userEvent.click(screen.getByRole("button", { name: "Use the handoff of run #4" }));
  await userEvent.click(screen.getByRole("button", { name: "Pin output" }));
  const expected = { plan: "plan", node: "b", run: "run", text: null };
  expect(call).toHaveBeenCalledWith("node_output_pin", expected);
});

test("a node without a handoff takes a typed text", async () => {
  const { page, call } = open(pinsOf({ outputs: [] }));
  page.setState({ pinningOutput: "c" });
  const field = await screen.findByRole("textbox", { name: "Output" });
  expect(screen.getByRole("button", { name: "Pin output" })).toBeDisabled();
  await userEvent.type(field, "Typed");
  await userEvent.click(screen.getByRole("button", { name: "Pin output" }));
  const expected = { plan: "plan", node: "c", run: null, text: "Typed" };
  expect(call).toHaveBeenCalledWith("node_output_pin", expected);
});
