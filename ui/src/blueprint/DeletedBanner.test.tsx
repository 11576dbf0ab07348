import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, viewOf } from "@/plan/planFixture";
import { DeletedBanner } from "./DeletedBanner";

const view = viewOf(planOf(["a"], []));
const copy = viewOf({ ...view.plan, id: "copy" });

function open(answers: Record<string, unknown> = {}) {
  return openBlueprint(<DeletedBanner />, { view, answers });
}

test("is shown only after a deletion, and not while this window deletes", () => {
  const { editor, page } = open();
  expect(screen.queryByRole("status")).toBeNull();
  act(() => editor.getState().receiveDeletion("restorable"));
  expect(screen.getByRole("status")).toHaveTextContent("Deleted in another window.");
  act(() => page.setState({ deleting: true }));
  expect(screen.queryByRole("status")).toBeNull();
});

test("Restore restores the blueprint", async () => {
  const { editor, call } = open({ plan_restore: view });
  act(() => editor.getState().receiveDeletion("restorable"));
  await userEvent.click(screen.getByRole("button", { name: "Restore" }));
  expect(call).toHaveBeenCalledWith("plan_restore", { plan: "plan" });
});

test("Save as copy includes unsaved changes, also after a permanent deletion", async () => {
  const { editor, call } = open({ plan_save_copy: copy });
  act(() => {
    editor.getState().receiveDeletion("gone");
    editor.getState().edit("Rename", (plan) => ({ ...plan, title: "Mine" }));
  });
  expect(screen.getByRole("status")).toHaveTextContent("Your unsaved changes are kept.");
  expect(screen.queryByRole("button", { name: "Restore" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Save as copy" }));
  await waitFor(() => expect(call).toHaveBeenCalledTimes(1));
  expect(call).toHaveBeenCalledWith("plan_save_copy", { plan: { ...view.plan, title: "Mine" } });
});
