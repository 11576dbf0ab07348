import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { Conflict } from "@/api/bindings";
import { renderWithBackend } from "@/shell/renderWithBackend";
import { MergeActions } from "./MergeActions";

const conflict = { ours: "Paint", theirs: "Varnish", files: [] } as unknown as Conflict;
const target = { run: "run", node: "both" };

test.each([
  ["Continue with my files", "by_hand"],
  ["Let an agent resolve it", "agent"],
  ["Use Paint", "ours"],
  ["Use Varnish", "theirs"],
])("%s resolves the conflict", async (label, resolution) => {
  const done = vi.fn();
  const acts = <MergeActions target={target} title="Both" conflict={conflict} onDone={done} />;
  const { asked } = renderWithBackend(acts, { node_merge: () => ({}) as never });
  await userEvent.click(screen.getByRole("button", { name: label }));
  await waitFor(() => expect(asked("node_merge")).toEqual([{ ...target, resolution }]));
});

test("an error stays visible next to the choices", async () => {
  const acts = <MergeActions target={target} title="Both" conflict={conflict} onDone={vi.fn()} />;
  renderWithBackend(acts, {
    node_merge: () => {
      throw new ApiError("refused", "There are markers left in a.txt.");
    },
  });
  await userEvent.click(screen.getByRole("button", { name: "Continue with my files" }));
  expect(
    await screen.findByText("There are markers left in a.txt.", { exact: false }),
  ).toBeVisible();
  expect(screen.getByRole("button", { name: "Use Paint" })).toBeEnabled();
});
