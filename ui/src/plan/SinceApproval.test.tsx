import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { ApprovalChangesView, ProjectFileChange } from "@/api/bindings";
import { openBlueprint } from "./openBlueprint";
import { planOf, viewOf } from "./planFixture";
import { SinceApproval } from "./SinceApproval";
import { approvalChanges } from "./sinceApprovalFixture";

function open(found: ApprovalChangesView | undefined, approvedVersion: number | null = 1) {
  const view = viewOf(planOf(["a"], []), { review: "approved", approvedVersion });
  const answers = { approval_changes: found };
  return openBlueprint(<SinceApproval view={view} />, { view, answers });
}

const file = (path: string, more: Partial<ProjectFileChange> = {}): ProjectFileChange => ({
  path,
  committed: true,
  uncommitted: false,
  named: false,
  ...more,
});

const commit = (number: number) => ({
  commit: `${number}`.repeat(40),
  author: "Ann <b>",
  subject: `Change <i>${number}</i>`,
  at: Date.now() - 90_000,
});

test("lists commits, files and agents that changed", async () => {
  open(
    approvalChanges(
      {
        approved: "in_history",
        commitCount: 1_200,
        commits: [commit(1), commit(2)],
        files: [file("src/a.rs", { named: true }), file("b.txt", { uncommitted: true })],
        fileCount: 2,
        committedCount: 2,
        uncommittedCount: 1,
        branch: { from: "main", to: null },
      },
      {
        agents: [
          { agent: "claude", change: { kind: "version", from: "2.1.4", to: "2.2.0" } },
          { agent: "pi", change: { kind: "added" } },
        ],
        unknownAgents: ["codex"],
      },
      { criteriaFiles: [{ path: "check.sh", kind: "gone" }] },
    ),
  );
  const section = await screen.findByRole("region", { name: "Since the approval" });
  expect(within(section).getByRole("heading")).toHaveTextContent(
    "Since you approved version 1 (2 days ago, in a shell)",
  );
  const commits = within(section).getByRole("list", { name: "New commits" });
  expect(within(commits).getAllByRole("listitem")[0]).toHaveTextContent(
    /^1111111Change <i>1<\/i>Ann <b> · 1 min ago$/,
  );
  expect(section).toHaveTextContent("and 1,198 more");
  const files = within(section).getByRole("list", { name: "Changed files" });
  expect(
    within(files)
      .getAllByRole("listitem")
      .map((row) => row.textContent),
  ).toEqual(["src/a.rsnamed in the blueprint", "b.txtuncommitted"]);
  expect(files).toBeVisible();
  for (const text of [
    "Branch switched from main to a detached commit",
    "2 files changed (2 in commits, 1 uncommitted)",
    "claude 2.1.4 → 2.2.0",
    "pi is used now, and wasn't when approved",
    "The version of codex isn't known.",
    "run by criteria, deleted",
  ])
    expect(within(section).getByText(text)).toBeVisible();
});

test("says in one line that nothing changed", async () => {
  open(approvalChanges());
  const section = await screen.findByRole("region", { name: "Since the approval" });
  expect(section).toHaveTextContent(
    /^Nothing changed since you approved version 1 \(2 days ago, in a shell\)\.$/,
  );
});

test("folds many files and says how many more there are", async () => {
  const files = Array.from({ length: 50 }, (_, at) => file(`many/${at}.txt`));
  open(approvalChanges({ files, fileCount: 1_000, committedCount: 1_000 }));
  const summary = await screen.findByText("1,000 files changed (1,000 in commits)");
  expect(screen.getByText("many/49.txt")).not.toBeVisible();
  await userEvent.click(summary);
  expect(screen.getByText("many/49.txt")).toBeVisible();
  expect(screen.getByText("and 950 more")).toBeVisible();
});

test.each([
  ["not_in_history", null, "is no longer in the history: the branch was rebased"],
  ["not_in_history", { from: "main", to: "x" }, "isn't in the history of this branch"],
  ["gone", null, "no longer exists in the repository"],
  ["unknown", null, "Commits since 0123456 aren't known"],
] as const)("explains an approved commit that is %s", async (approved, branch, text) => {
  open(approvalChanges({ approved, branch }));
  expect(await screen.findByText(text, { exact: false })).toBeVisible();
});

test.each([
  [{ kind: "unknown" }, "Changes to files aren't known"],
  [{ kind: "no_repository" }, "Files aren't compared"],
  [{ kind: "created" }, "is in a git repository now"],
  [{ kind: "removed" }, "no longer in a git repository"],
] as const)("says what isn't compared: %o", async (repository, text) => {
  open(approvalChanges({}, { repository }));
  expect(await screen.findByText(text, { exact: false })).toBeVisible();
});

test("says what isn't known of early approvals, and nothing without an approval", async () => {
  const { unmount } = open(approvalChanges({}, {}, { project: null }));
  expect(await screen.findByText(/an earlier version of Baton stored the approval/)).toBeVisible();
  unmount();
  const early = open(approvalChanges({}, {}, { approval: null, project: null }));
  expect(await screen.findByText(/before Baton recorded approvals/)).toBeVisible();
  early.unmount();
  const { call } = open(undefined, null);
  expect(screen.queryByRole("status")).toBeNull();
  expect(call).not.toHaveBeenCalled();
});

test("an error can be retried", async () => {
  const view = viewOf(planOf(["a"], []), { review: "approved", approvedVersion: 1 });
  let found: ApprovalChangesView | undefined;
  const answers = {
    get approval_changes() {
      if (!found) throw new ApiError("internal", "the store is gone");
      return found;
    },
  };
  openBlueprint(<SinceApproval view={view} />, { view, answers });
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "Couldn't compare with the approval. The store is gone.",
  );
  found = approvalChanges();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText(/^Nothing changed since/)).toBeVisible();
});
