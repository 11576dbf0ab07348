import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { PlanDiff, PlanVersionRow } from "@/api/bindings";
import { renderApp } from "@/app/renderApp";
import { useToasts } from "@/components/toasts";
import { planOf, savedOf, viewOf } from "@/plan/planFixture";
import { resetAppState } from "@/shell/appState";
import type { FakeAnswers } from "@/shell/renderWithBackend";
import { versionOf } from "./versionFixture";

// React Flow renders slowly in jsdom on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

beforeEach(() => {
  resetAppState();
  useToasts.setState({ toasts: [] });
});

const plan = planOf(["a"], []);
const diff: PlanDiff = {
  nodesAdded: [],
  nodesRemoved: [],
  nodesChanged: [],
  edgesAdded: [],
  edgesRemoved: [],
  groupsChanged: false,
  planChanged: true,
};

function open(rows: PlanVersionRow[], more: FakeAnswers = {}, search = "") {
  return renderApp(`/blueprints/plan/versions${search}`, {
    plan_get: () => viewOf(plan, { version: rows[0]?.version ?? 1, revision: 7 }),
    plan_versions: () => rows,
    plan_version_get: ({ version }) => ({ ...plan, title: `Title of version ${version}` }),
    plan_compare: () => diff,
    plan_restore_version: ({ baseRevision }) => savedOf({ version: 9, revision: baseRevision + 1 }),
    ...more,
  });
}

const list = () => screen.findByRole("region", { name: "Versions" });

test("a version shows its changes, name, approval and runs", async () => {
  const approval = { actor: "person:window", at: 0, version: 2, files: [] };
  open([
    versionOf(3),
    versionOf(2, {
      name: "Before <b>cleanup</b>",
      approval: approval as unknown as PlanVersionRow["approval"],
      runs: [{ run: "r4", number: 4 }],
      runCount: 12,
    }),
    versionOf(1),
  ]);
  const lines = await within(await list()).findAllByRole("listitem");
  expect(lines.map((line) => line.textContent)).toEqual([
    expect.stringMatching(/^v3Changed Node 3You, in the window, .*Latest$/),
    expect.stringContaining("Changed Node 2Before <b>cleanup</b>ApprovedRuns#411 more"),
    expect.stringContaining("Created the blueprint"),
  ]);
  expect(screen.getByRole("link", { name: "Run 4" })).toHaveAttribute(
    "href",
    "/blueprints/plan?run=r4",
  );
  expect(screen.queryByRole("link", { name: "Restore version 3" })).toBeNull();
});

test("versions of one sitting are one line that opens", async () => {
  open([versionOf(3, { at: 2 }), versionOf(2, { at: 1 }), versionOf(1, { at: 0 })]);
  const button = within(await list()).getByRole("button", { expanded: false });
  expect(button).toHaveTextContent("v1–3Changed Node 3, changed Node 2, changed Node 13 versions");
  expect(screen.queryByRole("link", { name: "Restore version 2" })).toBeNull();
  await userEvent.click(button);
  expect(screen.getByRole("link", { name: "Restore version 2" })).toBeVisible();
});

test("restoring shows a preview first, and can be undone", async () => {
  const { asked, router } = open([versionOf(3), versionOf(2), versionOf(1)]);
  await userEvent.click(await screen.findByRole("link", { name: "Restore version 2" }));
  expect(router.state.location.search).toBe("?restore=2");
  await screen.findByRole("region", { name: "Changes" }, { timeout: 20_000 });
  expect(asked("plan_compare")).toEqual([{ plan: "plan", from: 3, to: 2 }]);
  expect(asked("plan_restore_version")).toEqual([]);

  await userEvent.click(screen.getByRole("button", { name: "Restore version 2" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/blueprints/plan"));
  expect(asked("plan_restore_version")).toEqual([{ plan: "plan", version: 2, baseRevision: 7 }]);
  const toast = useToasts.getState().toasts.at(-1);
  expect(toast?.title).toBe("Version 2 restored");
  toast?.action?.onAct();
  await waitFor(() =>
    expect(asked("plan_restore_version").at(-1)).toEqual({
      plan: "plan",
      version: 3,
      baseRevision: 8,
    }),
  );
});

test("a refused restore leaves the preview open and says why", async () => {
  const refuse = () => {
    throw new ApiError("conflict", "The plan was changed.");
  };
  const rows = [versionOf(2), versionOf(1)];
  const { router } = open(rows, { plan_restore_version: refuse }, "?restore=1");
  await userEvent.click(await screen.findByRole("button", { name: "Restore version 1" }));
  await waitFor(() =>
    expect(useToasts.getState().toasts.at(-1)).toMatchObject({
      kind: "error",
      title: "Couldn't restore version 1",
      detail: "The plan was changed.",
    }),
  );
  expect(router.state.location.search).toBe("?restore=1");
});

test.each([
  ["?restore=99", "Version 99 of this blueprint doesn't exist."],
  ["?restore=2", "Version 2 is the latest"],
])("%s", async (search, text) => {
  open([versionOf(2), versionOf(1)], {}, search);
  expect(await screen.findByText(text)).toBeVisible();
});

test("a version gets a name, and an empty name removes it", async () => {
  const rows = [versionOf(2, { name: "Old" }), versionOf(1)];
  const { asked } = open(rows, {
    plan_version_name: ({ name }) => [versionOf(2, { name }), versionOf(1)],
  });
  const rename = async () => {
    await userEvent.click(await screen.findByRole("button", { name: "Actions for version 2" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Rename…" }));
    return screen.findByRole("textbox", { name: "Name" });
  };
  await userEvent.clear(await rename());
  await userEvent.keyboard("  Release 1 {Enter}");
  expect(await screen.findByText("Release 1")).toBeVisible();
  await userEvent.clear(await rename());
  await userEvent.click(screen.getByRole("button", { name: "Remove name" }));
  await waitFor(() => expect(screen.queryByText("Release 1")).toBeNull());
  expect(asked("plan_version_name")).toEqual([
    { plan: "plan", version: 2, name: "Release 1" },
    { plan: "plan", version: 2, name: null },
  ]);
});
