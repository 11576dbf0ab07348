import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { HandlerView } from "@/api/bindings";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { ErrorHandlerBanner } from "./ErrorHandlerBanner";
import { ParentLink } from "./ParentLink";

const plan = planOf(["a"], []);
const cleanUp = planOf(["wipe"], []);

function open(handler: HandlerView | undefined) {
  const completed = runOf(cleanUp, {}, { id: "h", plan: "p2", state: { state: "completed" } });
  const state = { state: "failed" as const, message: "'a' failed" };
  return openBlueprint(<ErrorHandlerBanner />, {
    view: viewOf(plan),
    run: { ...runOf(plan, {}, { state }), ...(handler && { handler }) },
    answers: { run_progress: completed, plan_version_get: cleanUp },
  });
}

test("shows the current state of the error handler, with a link", async () => {
  const run = { run: "h", plan: "p2", number: 3, title: "Clean up" };
  open({ kind: "started", handler: { ...run, state: { state: "running", ending: null } } });
  expect(await screen.findByText("Error handler: #3 of Clean up, completed")).toBeVisible();
  expect(screen.getByRole("link", { name: "Open error handler" })).toHaveAttribute(
    "href",
    "/blueprints/p2?run=h",
  );
});

test("says why the error handler did not start, and what to do", () => {
  const message = "the error handler 'Clean up' did not start: no version of it is approved";
  open({ kind: "not_started", message, fix: "review and approve it" });
  expect(screen.getByRole("status")).toHaveTextContent(
    "The error handler 'Clean up' did not start: no version of it is approved. Review and approve it.",
  );
});

const refused = {
  kind: "not_started" as const,
  message: "the error handler 'Clean up' did not start: no version of it is approved",
  fix: "review and approve it",
};

test("a refused error handler is opened, and started once the cause is fixed", async () => {
  const { call } = open({ ...refused, plan: "p2" });
  const link = screen.getByRole("link", { name: "Open error handler" });
  expect(link).toHaveAttribute("href", "/blueprints/p2");
  await userEvent.click(screen.getByRole("button", { name: "Start error handler" }));
  expect(call).toHaveBeenCalledWith("run_start_handler", { run: "run" });
});

test("says why a refused error handler still can't start", async () => {
  const { call } = open({ ...refused, plan: "p2" });
  const message = "The error handler 'Clean up' did not start: files have changed.";
  call.mockRejectedValueOnce(new ApiError("refused", message, { fix: "Approve it again." }));
  await userEvent.click(screen.getByRole("button", { name: "Start error handler" }));
  await waitFor(() =>
    expect(screen.getByRole("status")).toHaveTextContent(
      "Still not started. The error handler 'Clean up' did not start: files have changed. Approve it again.",
    ),
  );
});

test("without a blueprint to open, the setting that names it is shown", async () => {
  const { page, editor } = open(refused);
  editor.getState().select(["a"]);
  page.setState({ sideOpen: false });
  expect(screen.queryByRole("link")).toBeNull();
  expect(screen.queryByRole("button", { name: "Start error handler" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Choose error handler" }));
  expect(page.getState()).toMatchObject({ sideOpen: true, choosingErrorHandler: true });
  expect([...editor.getState().selection]).toEqual([]);
});

test.each<[HandlerView, string]>([
  [{ kind: "due", name: "Clean up" }, "Error handler: Clean up, starting"],
  [{ kind: "started", handler: null }, "Error handler: its run was deleted."],
])("%o", (handler, text) => {
  open(handler);
  expect(screen.getByRole("status")).toHaveTextContent(text);
  expect(screen.queryByRole("link")).toBeNull();
});

test("a run without an error handler shows nothing", () => {
  open(undefined);
  expect(screen.queryByRole("status")).toBeNull();
});

test("the run of an error handler links to the run that failed, unless it was deleted", () => {
  const handles = { run: "r41", plan: "p0", number: 41, title: "Nightly" };
  const { unmount } = openBlueprint(<ParentLink />, {
    view: viewOf(plan),
    run: { ...runOf(plan, {}), handles },
  });
  const link = screen.getByRole("link", { name: "Back to #41 of Nightly" });
  expect(link).toHaveAttribute("href", "/blueprints/p0?run=r41");
  expect(
    screen.getByTitle("This run was started after the failure of #41 of Nightly"),
  ).toBeVisible();
  unmount();
  openBlueprint(<ParentLink />, {
    view: viewOf(plan),
    run: { ...runOf(plan, {}), handles: { ...handles, isDeleted: true } },
  });
  expect(screen.queryByRole("link")).toBeNull();
});
