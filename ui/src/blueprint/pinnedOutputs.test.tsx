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
  const text = `Output of ${node}`;
  return { node, text, outputs: {}, by: "person", at: 0, run: 3, used: true, ...facts };
}

function pinsOf(facts: Partial<PinnedOutputsView> = {}): PinnedOutputsView {
  return { outputs: [pinOf("b")], runs: ["c"], leftOut: ["a"], reads: [], ...facts };
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
        artifact_get: { content: { text: "Handoff of b", outputs: { made: "yes" } } },
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

const named = (row: number, part: "name" | "value") =>
  screen.getByRole("textbox", { name: `Named output ${row}, ${part}` });
const pinButton = () => screen.getByRole("button", { name: "Pin output" });

test("the outputs that later nodes read are offered, and only filled ones are pinned", async () => {
  const reads = [
    { node: "b", name: "count", by: ["c"] },
    { node: "b", name: "made", by: ["c"] },
    { node: "a", name: "other", by: ["b"] },
  ];
  const { page, call } = open(pinsOf({ outputs: [], reads }));
  page.setState({ pinningOutput: "b" });
  expect(await screen.findByText("Not pinned, but read by Title of c")).toBeVisible();
  expect(named(1, "name")).toHaveValue("made");
  expect(named(1, "value")).toHaveAccessibleDescription("Read by Title of c");
  expect(named(2, "name")).toHaveValue("count");
  expect(named(2, "value")).toHaveValue("");
  await userEvent.click(pinButton());
  const asItIs = { plan: "plan", node: "b", run: "run", text: null };
  expect(call).toHaveBeenCalledWith("node_output_pin", asItIs);

  page.setState({ pinningOutput: "b" });
  await userEvent.type(await screen.findByRole("textbox", { name: "Named output 2, value" }), "3");
  await userEvent.click(screen.getByRole("button", { name: "Remove named output made" }));
  await userEvent.click(pinButton());
  expect(call).toHaveBeenCalledWith("node_output_pin", {
    ...asItIs,
    outputs: [{ name: "count", value: "3" }],
  });
});

test("a typed text takes named outputs, whose names are checked", async () => {
  const { page, call } = open(pinsOf({ outputs: [] }));
  page.setState({ pinningOutput: "c" });
  await userEvent.type(await screen.findByRole("textbox", { name: "Output" }), "Typed");
  const add = screen.getByRole("button", { name: "Add named output" });
  await userEvent.click(add);
  await userEvent.click(add);
  await userEvent.type(named(1, "name"), "made");
  await userEvent.type(named(2, "name"), "made");
  expect(screen.getByRole("alert")).toHaveTextContent("made is already defined above.");
  expect(named(2, "name")).toHaveAccessibleDescription("made is already defined above.");
  expect(pinButton()).toBeDisabled();
  await userEvent.type(named(2, "name"), " 2");
  expect(screen.getByRole("alert")).toHaveTextContent(/^Use only letters, digits/);
  await userEvent.clear(named(2, "name"));
  expect(screen.queryByRole("alert")).toBeNull();
  await userEvent.type(named(1, "value"), "yes");
  await userEvent.click(pinButton());
  expect(call).toHaveBeenCalledWith("node_output_pin", {
    plan: "plan",
    node: "c",
    run: null,
    text: "Typed",
    outputs: [{ name: "made", value: "yes" }],
  });
});

test("an earlier pin shows its named outputs", async () => {
  const outputs = [pinOf("b", { outputs: { kept: "1" } })];
  const { page, call } = open(pinsOf({ outputs }));
  page.setState({ pinningOutput: "b" });
  await screen.findByRole("textbox", { name: "Output" });
  expect(named(1, "name")).toHaveValue("kept");
  expect(named(1, "value")).toHaveValue("1");
  await userEvent.click(pinButton());
  expect(call).toHaveBeenCalledWith("node_output_pin", {
    plan: "plan",
    node: "b",
    run: "run",
    text: "Output of b",
    outputs: [{ name: "kept", value: "1" }],
  });
});

test("before the start, the dialog lists named outputs and those that are missing", async () => {
  const outputs = [pinOf("b", { outputs: { made: "yes", n: "1" } })];
  const reads = ["made", "count"].map((name) => ({ node: "b", name, by: ["a", "c"] }));
  const { page } = open(pinsOf({ outputs, reads }));
  page.setState({ runPinnedOpen: true });
  expect(await list("Use their pinned output")).toEqual(["Title of bfrom run #3: made, n"]);
  const dialog = screen.getByRole("dialog");
  expect(dialog).toHaveTextContent(
    "Title of c reads the named output count of Title of b, which isn't pinned.",
  );
  expect(dialog).not.toHaveTextContent("the named output made");
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
