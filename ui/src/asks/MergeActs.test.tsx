import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { Conflict } from "@/api/bindings";
import { openPart } from "@/shell/fakePart";
import { MergeActs } from "./MergeActs";

const conflict = { ours: "Paint", theirs: "Varnish", files: [] } as unknown as Conflict;
const target = { run: "run", node: "both" };

test.each([
  ["Continue with my files", "by_hand"],
  ["Let an agent solve it", "agent"],
  ["Take Paint", "ours"],
  ["Take Varnish", "theirs"],
])("%s settles the conflict so", async (label, resolution) => {
  const done = vi.fn();
  const acts = <MergeActs target={target} title="Both" conflict={conflict} onDone={done} />;
  const { asked } = openPart(acts, { node_merge: () => ({}) as never });
  await userEvent.click(screen.getByRole("button", { name: label }));
  await waitFor(() => expect(asked("node_merge")).toEqual([{ ...target, resolution }]));
});

test("a refusal stays in sight, and the choices with it", async () => {
  const acts = <MergeActs target={target} title="Both" conflict={conflict} onDone={vi.fn()} />;
  openPart(acts, {
    node_merge: () => {
      throw new ApiError("refused", "There are markers left in a.txt.");
    },
  });
  await userEvent.click(screen.getByRole("button", { name: "Continue with my files" }));
  expect(
    await screen.findByText("There are markers left in a.txt.", { exact: false }),
  ).toBeVisible();
  expect(screen.getByRole("button", { name: "Take Paint" })).toBeEnabled();
});
