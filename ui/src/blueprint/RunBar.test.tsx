import { act, fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { RunState } from "@/api/bindings";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { approvalChanges } from "@/plan/sinceApprovalFixture";
import { ApproveAnywayDialog } from "./ApproveAnywayDialog";
import { PreflightDialog } from "./PreflightDialog";
import { RunBar } from "./RunBar";
import { StandingPermissionsDialog } from "./StandingPermissionsDialog";
import { StopDialog } from "./StopDialog";

const plan = planOf(["a"], []);
const part = (
  <>
    <RunBar />
    <PreflightDialog />
    <StopDialog />
    <ApproveAnywayDialog />
    <StandingPermissionsDialog />
  </>
);
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));

function inRun(state: RunState) {
  return openBlueprint(part, {
    view: viewOf(plan, { review: "approved" }),
    run: runOf(plan, { a: { state: "running" } }, { state }),
  });
}

test("the first run of a draft shows the checks, then approves and starts", async () => {
  const view = viewOf(plan);
  const run = runOf(plan, {}, { state: { state: "running", ending: null } });
  const { call, editor } = openBlueprint(part, {
    view,
    answers: {
      plan_preflight: {
        mayRun: true,
        checks: [{ verdict: "passed", sentence: "Everything is ready.", mend: null, node: null }],
      },
      plan_approve: { ...view, review: "approved" },
      run_start: run,
    },
  });
  await press("Run all");
  expect(await screen.findByText("Everything is ready.")).toBeVisible();
  const acts = () => call.mock.calls.filter(([name]) => name !== "settings_get");
  expect(acts().map(([name]) => name)).toEqual(["plan_preflight"]);
  await press("Approve and run");
  expect(acts().slice(1)).toEqual([
    ["plan_approve", { plan: "plan", revision: 1, anyway: false }],
    ["run_start", { plan: "plan", goal: { want: "all" }, limit: null }],
  ]);
  expect(editor.getState().run).toBe(run);
});

test("a run needs a new approval if approved files have changed", async () => {
  const summary = runOf(plan, {}).summary;
  const view = viewOf(plan, { review: "approved", approvedVersion: 1, lastRun: summary });
  const sentence = "The approval does not cover check.sh now";
  const { call } = openBlueprint(part, {
    view,
    answers: {
      plan_preflight: {
        mayRun: true,
        needsApproval: true,
        changedSinceApproval: [{ path: "check.sh", kind: "changed" }],
        checks: [{ verdict: "warning", sentence, mend: null, node: null }],
      },
      approval_changes: approvalChanges({ branch: { from: "main", to: "feature" } }),
      plan_approve: { ...view, revision: 2 },
      run_start: runOf(plan, {}, { state: { state: "running", ending: null } }),
    },
  });
  await press("Run all");
  expect(await screen.findByText(`${sentence}.`)).toBeVisible();
  expect(await screen.findByText("Branch switched from main to feature")).toBeVisible();
  expect(call).not.toHaveBeenCalledWith("run_start", expect.anything());
  await press("Approve and run");
  const names = call.mock.calls.map(([name]) => name);
  expect(names.slice(-2)).toEqual(["plan_approve", "run_start"]);
});

function openRanBefore(answers: Record<string, unknown>) {
  const { summary } = runOf(plan, {});
  const view = viewOf(plan, { review: "approved", approvedVersion: 1, lastRun: summary });
  const run_start = runOf(plan, {}, { state: { state: "running", ending: null } });
  const plan_preflight = { mayRun: true, needsApproval: false, checks: [] };
  return openBlueprint(part, { view, answers: { plan_preflight, run_start, ...answers } });
}

test("a blueprint that ran before shows what changed since the approval before it runs", async () => {
  const { call } = openRanBefore({
    approval_changes: approvalChanges({ branch: { from: "main", to: "feature" } }),
  });
  await press("Run all");
  const dialog = await screen.findByRole("dialog", { name: "Ready to run" });
  expect(dialog).toHaveTextContent("Branch switched from main to feature");
  expect(call).not.toHaveBeenCalledWith("run_start", expect.anything());
  await press("Run");
  expect(call).toHaveBeenCalledWith("run_start", expect.anything());
});

test("a blueprint that ran before starts at once if nothing has changed", async () => {
  const { call, page } = openRanBefore({ approval_changes: approvalChanges() });
  await press("Run all");
  await vi.waitFor(() => expect(call).toHaveBeenCalledWith("run_start", expect.anything()));
  expect(page.getState().runRequest).toBeUndefined();
});

test("a blueprint doesn't start if changes since the approval can't be read", async () => {
  const { call } = openRanBefore({});
  const answer = call.getMockImplementation();
  call.mockImplementation(async (name, input) => {
    if (name === "approval_changes") throw new ApiError("internal", "git failed");
    return answer?.(name, input);
  });
  await press("Run all");
  const dialog = await screen.findByRole("dialog", { name: "Ready to run" });
  expect(await within(dialog).findByText(/Couldn't compare with the approval/)).toBeVisible();
  expect(call).not.toHaveBeenCalledWith("run_start", expect.anything());
});

test("a key that is held down on Run all starts nothing", () => {
  openRanBefore({ approval_changes: approvalChanges() });
  const run = screen.getByRole("button", { name: "Run all" });
  // The browser presses the button unless the default is prevented.
  expect(fireEvent.keyDown(run, { key: "Enter", repeat: true })).toBe(false);
  expect(fireEvent.keyDown(run, { key: "Enter" })).toBe(true);
});

/** Lets the answers of an operation wait until they are released. */
function holdBack(call: ReturnType<typeof openBlueprint>["call"], held: string) {
  const answer = call.getMockImplementation();
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  call.mockImplementation(async (name, input) => {
    if (name === held) await gate;
    return answer?.(name, input);
  });
  return () => act(async () => open());
}

const started = (call: ReturnType<typeof openBlueprint>["call"]) =>
  call.mock.calls.filter(([name]) => name === "run_start");

test("Run all shows that it is starting, and further starts are ignored", async () => {
  const { call, page, runs } = openRanBefore({ approval_changes: approvalChanges() });
  const release = holdBack(call, "plan_preflight");
  await press("Run all");
  expect(screen.getByRole("button", { name: "Run all" })).toHaveAttribute("aria-busy", "true");
  await press("Run all");
  await act(() => runs.start({ want: "next" }));
  await act(() => runs.askToStart([{ want: "all" }]));
  await release();
  await vi.waitFor(() => expect(started(call)).toHaveLength(1));
  expect(call.mock.calls.filter(([name]) => name === "plan_preflight")).toHaveLength(1);
  expect(page.getState()).toMatchObject({ starting: false, runRequest: undefined });
});

test("a start that fails can be repeated", async () => {
  const { call, page } = openRanBefore({});
  call.mockRejectedValue(new ApiError("internal", "git failed"));
  await press("Run all");
  await vi.waitFor(() => expect(page.getState().starting).toBe(false));
  expect(screen.getByRole("button", { name: "Run all" })).not.toHaveAttribute("aria-busy");
});

test("checks that arrive after the question was cancelled don't open it again", async () => {
  const failedCheck = { verdict: "failed", sentence: "No command.", mend: null, node: "a" };
  const { call, page } = openBlueprint(part, {
    view: viewOf(plan, { review: "approved" }),
    answers: { plan_preflight: { mayRun: false, checks: [failedCheck] } },
  });
  await press("Run all");
  await screen.findByRole("dialog", { name: "Not ready to run" });
  const release = holdBack(call, "plan_preflight");
  await userEvent.click(screen.getAllByRole("button", { name: "Check again" }).at(-1) as Element);
  await press("Cancel");
  await release();
  expect(page.getState().runRequest).toBeUndefined();
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a failed check is shown with its fix, and nothing starts", async () => {
  const { call } = openBlueprint(part, {
    view: viewOf(plan, { review: "approved" }),
    answers: {
      plan_preflight: {
        mayRun: false,
        checks: [
          { verdict: "failed", sentence: "'A' has no command.", mend: "Add a command.", node: "a" },
        ],
      },
    },
  });
  await press("Run all");
  expect(await screen.findByText("Add a command.")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Run" })).toBeNull();
  expect(call).not.toHaveBeenCalledWith("run_start", expect.anything());
});

test("a failed check of the blueprint leads to its settings", async () => {
  const { editor, page } = openBlueprint(part, {
    view: viewOf(plan, { review: "approved" }),
    answers: {
      plan_preflight: {
        mayRun: false,
        checks: [
          { verdict: "failed", sentence: "no directory", mend: "choose one", node: null },
          { verdict: "passed", sentence: "1 node", mend: null, node: null },
        ],
      },
    },
  });
  editor.getState().select(["a"]);
  page.setState({ sideOpen: false });
  await press("Run all");
  await userEvent.click(await screen.findByRole("button", { name: "Open settings" }));
  expect(screen.queryByText("No directory.")).toBeNull();
  expect(page.getState().sideOpen).toBe(true);
  expect(editor.getState().selection.size, "the panel shows the blueprint").toBe(0);
});

test("a plan that cannot run is approved only with Approve anyway", async () => {
  const view = viewOf(plan);
  const { call, editor } = openBlueprint(part, { view });
  const why = "the directory `/gone` does not exist; create it";
  call.mockImplementation(async (name, input) => {
    if (name === "grants_list") return [];
    if ((input as { anyway: boolean }).anyway) return { ...view, review: "approved" };
    throw new ApiError("refused", `'A plan' cannot run: ${why}`, { faults: [why] });
  });
  await press("Approve blueprint");
  const reason = (await screen.findByRole("alertdialog")).querySelector("li");
  expect(reason).toHaveTextContent("The directory /gone does not exist; create it.");
  expect(screen.getByText("/gone").tagName).toBe("CODE");
  expect(editor.getState().view.review).not.toBe("approved");
  await press("Approve anyway");
  expect(call).toHaveBeenLastCalledWith("plan_approve", {
    ...{ plan: "plan", revision: 1, anyway: true },
  });
  await vi.waitFor(() => expect(editor.getState().view.review).toBe("approved"));
  expect(screen.queryByRole("alertdialog")).toBeNull();
  await vi.waitFor(() => expect(screen.getByRole("button", { name: "Run all" })).toHaveFocus());
});

test("standing permissions are shown before an approval", async () => {
  const view = viewOf(plan);
  const grant = { tool: "Bash", command: "git push", begins: true };
  const { call } = openBlueprint(part, {
    view,
    answers: {
      grants_list: [
        { grant, of: null, givenIn: "a", at: 1 },
        {
          grant: { tool: "Write", command: null },
          of: { run: "r", node: "a" },
          givenIn: null,
          at: 2,
        },
      ],
      plan_approve: { ...view, review: "approved" },
    },
  });
  await press("Approve blueprint");
  const dialog = await screen.findByRole("alertdialog", {
    name: "Approve with these permissions?",
  });
  expect(dialog).toHaveTextContent("Bash: commands that begin with git push");
  expect(dialog).toHaveTextContent("allowed in “");
  expect(dialog).not.toHaveTextContent("Write");
  expect(call).not.toHaveBeenCalledWith("plan_approve", expect.anything());
  await press("Approve");
  expect(call).toHaveBeenCalledWith("plan_approve", { plan: "plan", revision: 1, anyway: false });
  await vi.waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
});

test("stopping asks for confirmation and shows the number of sessions", async () => {
  const { call } = inRun({ state: "running", ending: null });
  await press("Stop");
  expect(screen.getByText(/1 session and all its processes will be stopped/)).toBeVisible();
  expect(call).not.toHaveBeenCalled();
  await press("Stop run");
  expect(call).toHaveBeenCalledWith("run_cancel", { run: "run" });
});

test("pausing lets running nodes finish by default", async () => {
  const { call } = inRun({ state: "running", ending: null });
  await press("Pause");
  expect(call).toHaveBeenCalledWith("run_pause", { run: "run", stopRunning: false });
  await press("Pause options");
  await userEvent.click(screen.getByRole("menuitem", { name: /Stop running nodes too/ }));
  expect(call).toHaveBeenLastCalledWith("run_pause", { run: "run", stopRunning: true });
});

test("a paused run can be resumed", async () => {
  const { call } = inRun({ state: "paused", reason: "asked" });
  await press("Resume");
  expect(call).toHaveBeenCalledWith("run_resume", { run: "run" });
});

test("a run that is stopping cannot be stopped again", async () => {
  const { page } = inRun({ state: "running", ending: { kind: "cancelling" } });
  await press("Stopping…");
  expect(page.getState().stopping).toBe(false);
});
