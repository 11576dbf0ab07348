import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { EdgeView, NodeState } from "@/api/bindings";
import { planOf, runOf } from "@/plan/planFixture";
import type { FakeAnswers } from "@/shell/renderWithBackend";
import { renderWithBackend } from "@/shell/renderWithBackend";
import { EdgeInspector } from "./EdgeInspector";

vi.mock("@/components/CodeEditor");
vi.setConfig({ testTimeout: 20_000 });

const plan = planOf(["a", "b"], ["a>b"]);
const edge = { parent: "a", child: "b", soft: false };
const target = { run: "run", parent: "a", child: "b" };
const handoff: EdgeView = {
  text: "## A\n\n<b>Dug</b> a hole.",
  tokens: 1_234,
  body: "<b>Dug</b> a hole.",
  artifact: "artifact",
  pin: null,
};
const pinned: EdgeView = { ...handoff, pin: { pinnedAt: 0, stale: true } as EdgeView["pin"] };

function open(view: EdgeView, child: NodeState = { state: "pending" }, answers: FakeAnswers = {}) {
  const run = runOf(plan, { a: { state: "done", byHand: false }, b: child });
  return renderWithBackend(<EdgeInspector edge={edge} plan={plan} run={run} />, {
    edge_context: () => view,
    ...answers,
  });
}

test("shows exactly what the child receives, with its size", async () => {
  open(handoff);
  expect(await screen.findByText(/<b>Dug<\/b> a hole\./)).toBeVisible();
  expect(screen.getByText(/^about/)).toHaveTextContent("about 1.2k tokens");
  expect(screen.getByRole("button", { name: "Edit and pin" })).toBeEnabled();
});

test("a stale pin is marked and can be unpinned", async () => {
  const { asked } = open(pinned, undefined, { handoff_unpin: () => handoff as never });
  expect(
    await screen.findByText(/^Stale: the parent has written a new handoff since/),
  ).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Unpin" }));
  await waitFor(() => expect(asked("handoff_unpin")).toEqual([target]));
});

test("nothing can be changed once the child has started", async () => {
  open(handoff, { state: "running" });
  expect(await screen.findByText(/^The child has already started/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Edit and pin" })).toBeNull();
});

test("a pin error is shown and the text is kept", async () => {
  const refuse = () => {
    throw new ApiError("refused", "The pinned text is too long.");
  };
  const { asked } = open(handoff, undefined, { handoff_pin: refuse });
  await userEvent.click(await screen.findByRole("button", { name: "Edit and pin" }));
  await userEvent.click(screen.getByRole("button", { name: "Pin this text" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("The pinned text is too long.");
  expect(asked("handoff_pin")).toEqual([{ ...target, text: handoff.body, artifact: "artifact" }]);
});

test("without a run, an empty state is shown", () => {
  renderWithBackend(<EdgeInspector edge={edge} plan={plan} run={undefined} />, {});
  expect(screen.getByText(/^Run the blueprint to see what/)).toBeVisible();
});
