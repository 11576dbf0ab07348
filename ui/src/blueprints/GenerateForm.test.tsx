import { configure, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { AgentView } from "@/api/bindings";
import { renderApp } from "@/app/renderApp";
import { proposalOf } from "@/plan/proposalFixture";
import type { FakeAnswers } from "@/shell/renderWithBackend";

configure({ asyncUtilTimeout: 5_000 });
vi.setConfig({ testTimeout: 20_000 });

const claude = {
  id: "claude",
  title: "Claude Code",
  path: "/bin/claude",
  default: true,
} as AgentView;

function open(agents: AgentView[], answers: FakeAnswers = {}) {
  return renderApp("/blueprints/new?from=generate", {
    agents_list: () => agents,
    plans_list: () => [],
    plan_generate: () => proposalOf(null),
    proposal_get: () => proposalOf(null),
    ...answers,
  });
}

test("submitting a goal opens the proposal", async () => {
  const { asked, router } = open([claude]);
  await userEvent.type(await screen.findByLabelText("Goal"), "Add rate limiting");
  await userEvent.type(screen.getByLabelText("Directory"), "/work/api");
  await userEvent.type(
    screen.getByLabelText("Constraints"),
    "No new tables{Enter}{Enter}Keep it small",
  );
  await userEvent.click(screen.getByRole("button", { name: "Generate blueprint" }));
  expect(asked("plan_generate")).toEqual([
    {
      goal: "Add rate limiting",
      cwd: "/work/api",
      agent: null,
      model: null,
      constraints: ["No new tables", "Keep it small"],
    },
  ]);
  await waitFor(() => expect(router.state.location.pathname).toBe("/proposals/p"));
});

test("without an agent, other ways to start are offered", async () => {
  open([{ ...claude, path: null }]);
  expect(await screen.findByText("No agent installed")).toBeVisible();
  expect(screen.getByRole("link", { name: "Choose template" })).toBeVisible();
});

test("a planner error is shown and the input is kept", async () => {
  open([claude], {
    plan_generate: () => {
      throw new ApiError("invalid", "There is no directory /work/api.");
    },
  });
  await userEvent.type(await screen.findByLabelText("Goal"), "Add rate limiting");
  await userEvent.type(screen.getByLabelText("Directory"), "/work/api");
  await userEvent.click(screen.getByRole("button", { name: "Generate blueprint" }));
  expect(await screen.findByText("There is no directory /work/api.")).toBeVisible();
  expect(screen.getByLabelText("Goal")).toHaveValue("Add rate limiting");
});
