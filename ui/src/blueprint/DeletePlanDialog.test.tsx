import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { useToasts } from "@/components/toasts";
import { blankKind } from "@/plan/kinds";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, savedOf, viewOf } from "@/plan/planFixture";
import { DeletePlanDialog } from "./DeletePlanDialog";

test("unsaved edits are saved before the deletion, which can be undone", async () => {
  const view = viewOf(planOf(["a"], []));
  const answers = { runs_list: [], plan_save: savedOf(), plan_delete: {}, plan_restore: view };
  const { editor, page, call } = openBlueprint(<DeletePlanDialog />, { view, answers });
  act(() => {
    editor.getState().edit("Rename", (plan) => ({ ...plan, title: "Renamed" }));
    page.setState({ deleting: true });
  });
  await userEvent.click(screen.getByRole("button", { name: "Delete blueprint" }));
  await waitFor(() => expect(useToasts.getState().toasts).not.toHaveLength(0));
  const changes = () =>
    call.mock.calls.map(([name]) => name).filter((name) => name !== "runs_list");
  expect(changes()).toEqual(["plan_save", "plan_delete"]);

  const toast = useToasts.getState().toasts.at(-1);
  expect(toast).toMatchObject({ title: "Blueprint deleted", detail: "Renamed" });
  toast?.action?.onAct();
  await waitFor(() => expect(changes().at(-1)).toBe("plan_restore"));
});

test("notes are not counted among the nodes that are deleted", async () => {
  const plan = planOf(["a", "b"], []);
  const nodes = plan.nodes.map((node) =>
    node.id === "b" ? { ...node, kind: blankKind("note") } : node,
  );
  const { page } = openBlueprint(<DeletePlanDialog />, {
    view: viewOf({ ...plan, nodes }),
    answers: { runs_list: [] },
  });
  act(() => page.setState({ deleting: true }));
  expect(await screen.findByText(/The blueprint with its 1 node will be deleted/)).toBeVisible();
});
