import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import type { DeletedPlan } from "@/api/bindings";
import { useToasts } from "@/components/toasts";
import { planOf, viewOf } from "@/plan/planFixture";
import { renderWithBackend } from "@/shell/renderWithBackend";
import { RecentlyDeleted } from "./RecentlyDeleted";

beforeEach(() => useToasts.setState({ toasts: [] }));

function deletedPlan(id: string): DeletedPlan {
  const deletedAt = Date.UTC(2026, 0, 2, 12);
  const deletedUntil = Date.UTC(2026, 1, 1, 12);
  return { id, title: `Title of ${id}`, deletedAt, deletedUntil, nodeCount: 3, runCount: 1 };
}

function open(ids: string[]) {
  let plans = ids.map(deletedPlan);
  const drop = (plan: string) => {
    plans = plans.filter(({ id }) => id !== plan);
  };
  return renderWithBackend(<RecentlyDeleted />, {
    plans_deleted: () => plans,
    plan_restore: ({ plan }) => {
      drop(plan);
      return viewOf({ ...planOf([], []), id: plan });
    },
    plan_purge: ({ plan }) => {
      drop(plan);
      return {};
    },
  });
}

test("is hidden while nothing is deleted", async () => {
  const { asked } = open([]);
  await waitFor(() => expect(asked("plans_deleted")).toHaveLength(1));
  expect(screen.queryByRole("button")).toBeNull();
});

test("restores one, and keeps the focus in the list", async () => {
  const { asked } = open(["a", "b"]);
  await userEvent.click(await screen.findByRole("button", { name: "Recently deleted 2" }));
  const dialog = await screen.findByRole("dialog", { name: "Recently deleted" });
  expect(dialog).toHaveTextContent("Title of a3 nodes, 1 run · Deleted Jan 2");
  expect(dialog).toHaveTextContent("Kept until Feb 1");
  await userEvent.click(within(dialog).getByRole("button", { name: "Restore Title of a" }));
  await waitFor(() => expect(within(dialog).queryByText("Title of a")).toBeNull());
  expect(asked("plan_restore")).toEqual([{ plan: "a" }]);
  expect(useToasts.getState().toasts.at(-1)).toMatchObject({
    title: "Blueprint restored",
    action: { label: "Open" },
  });
  expect(dialog).toContainElement(document.activeElement as HTMLElement);
});

test("deletes permanently only after a confirmation, down to an empty list", async () => {
  const { asked } = open(["a"]);
  await userEvent.click(await screen.findByRole("button", { name: "Recently deleted 1" }));
  await userEvent.click(await screen.findByRole("button", { name: "Delete now: Title of a" }));
  const question = await screen.findByRole("alertdialog");
  expect(question).toHaveTextContent("Delete “Title of a” permanently?");
  expect(asked("plan_purge")).toEqual([]);
  await userEvent.click(within(question).getByRole("button", { name: "Delete permanently" }));
  expect(await screen.findByText("No deleted blueprints")).toBeVisible();
  expect(asked("plan_purge")).toEqual([{ plan: "a" }]);
});
