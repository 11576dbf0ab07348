import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { approvalChanges } from "@/plan/sinceApprovalFixture";
import { renderWithBackend } from "@/shell/renderWithBackend";
import { RunDialog } from "./RunDialog";

test("changes that were read before the question are shown at once", () => {
  const { summary: lastRun } = runOf(planOf(["a"], []), {});
  const never = new Promise<never>(() => undefined);
  renderWithBackend(
    <RunDialog
      view={viewOf(planOf(["a"], []), { review: "approved", approvedVersion: 1, lastRun })}
      preflight={{ checks: [], mayRun: true } as never}
      changes={approvalChanges({ branch: { from: "main", to: "feature" } })}
      onClose={() => undefined}
      onConfirm={() => never}
      onCheckAgain={() => never}
      onShow={() => undefined}
    />,
    { approval_changes: () => never as never },
  );
  expect(screen.getByText("Branch switched from main to feature")).toBeVisible();
});
