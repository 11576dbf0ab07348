import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { ExecutorsView, ExecutorView, Settings } from "@/api/bindings";
import { renderApp } from "@/app/renderApp";
import { describeHealth } from "./executorText";

function executorOf(pid: number, facts: Partial<ExecutorView> = {}): ExecutorView {
  return {
    id: `executor ${pid}`,
    kind: "worker",
    pid,
    host: "host",
    here: false,
    health: "healthy",
    silenceMs: 2_000,
    startedAt: 0,
    lastBeat: 0,
    silentSince: null,
    runs: [],
    ...facts,
  };
}

function open(view: ExecutorsView) {
  let settings: Settings = {
    theme: "dark",
    defaultAgent: "claude",
    takeoverAllowed: true,
    guardedTools: [],
    proposalDays: { automatic: 7, asked: 30 },
  };
  return renderApp("/settings", {
    settings_get: () => settings,
    settings_save: (next) => {
      settings = next;
      return next;
    },
    teams_list: () => [],
    agents_list: () => [],
    executors_list: () => view,
  });
}

test("executors are listed with health and runs, and takeover can be turned off", async () => {
  const runs = [{ run: "run", plan: "plan", title: "Release" }];
  const silent = executorOf(812, { health: "unhealthy", silenceMs: 75_000, runs });
  const numbers = { takeovers: 2, displacements: 1, inheritedWhole: 2, meanRecoveryMs: 121_000 };
  const silence = { executor: "e", pid: 99, kind: "worker", host: "host", since: 0 } as const;
  const silences = [
    { ...silence, backAt: 180_000 },
    { ...silence, since: 5, backAt: null },
  ];
  const executors = [executorOf(7, { kind: "app", here: true }), silent];
  const { asked } = open({ executors, numbers, takeovers: [], silences });
  expect(await screen.findByText("Unhealthy, silent for 1 min")).toBeVisible();
  expect(screen.getByText("This process")).toBeVisible();
  expect(screen.getByText("After 3 min")).toBeVisible();
  expect(screen.getByText("Not yet")).toBeVisible();
  expect(screen.getByText("Release")).toBeVisible();
  expect(screen.getByText(/^2 takeovers so far, after 2 min on average/)).toBeVisible();
  await userEvent.click(
    screen.getByRole("switch", { name: "Take over runs of unresponsive executors" }),
  );
  await waitFor(() =>
    expect(asked("settings_save")).toEqual([
      {
        theme: "dark",
        defaultAgent: "claude",
        guardedTools: [],
        proposalDays: { automatic: 7, asked: 30 },
        takeoverAllowed: false,
      },
    ]),
  );
});

test.each([
  ["healthy", "Healthy"],
  ["stale", "Stale, silent for 2 min"],
  ["gone", "Ended"],
] as const)("health %s is described as %j", (health, words) => {
  expect(describeHealth({ health, silenceMs: 130_000 })).toBe(words);
});
