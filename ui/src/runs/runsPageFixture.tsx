import { screen } from "@testing-library/react";
import { vi } from "vitest";
import type { RunsPageQuery, RunsPageRow } from "@/api/bindings";
import type { OperationName } from "@/api/operation";
import { useToasts } from "@/components/toasts";
import { resetAppState } from "@/shell/appState";
import { fakeBackend, mockElementSizes, renderAtPath } from "@/shell/fakeBackend";
import { RunsPage } from "./RunsPage";
import { useHiddenRuns } from "./runDeletion";

/** The page of runs with rows of a fake backend, for tests. */

export const allDone = { total: 3, done: 3, failed: 0, skipped: 0, waiting: 0, running: 0 };

export function rowOf(number: number, more: Partial<RunsPageRow> = {}): RunsPageRow {
  return {
    id: `r${number}`,
    number,
    plan: "p",
    title: "Release",
    version: 1,
    state: { state: "completed" },
    actor: "person:window",
    parent: null,
    startedAt: 0,
    endedAt: 90_000,
    elapsedMs: 90_000,
    nodes: { ...allDone, skippedFailures: 0 },
    costUsd: 0.42,
    tokens: 1_200,
    agentsWorked: true,
    unverified: 0,
    damage: null,
    keptBecause: null,
    ...more,
  };
}

/** Forgets what an earlier test left, and gives elements a size. */
export function resetRunsPage(): void {
  resetAppState();
  useToasts.setState({ toasts: [] });
  useHiddenRuns.setState({ ids: new Set(), deleted: new Set() });
  vi.restoreAllMocks();
  mockElementSizes();
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(560);
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(1_000);
}

export function openRunsPage(
  rows: RunsPageRow[],
  more: Record<string, unknown> = {},
  address = "/runs",
) {
  const answers = {
    plans_list: () => [],
    inbox_list: () => [],
    requests_list: () => [],
    runs_page: ({ after, limit }: RunsPageQuery) => {
      const from = Number(after ?? 0);
      const next = from + limit < rows.length ? String(from + limit) : null;
      return { rows: rows.slice(from, from + limit), next, total: rows.length };
    },
    ...more,
  };
  const made = fakeBackend(answers as Parameters<typeof fakeBackend>[0]);
  renderAtPath(made.backend, <RunsPage />, "/runs", address);
  return { asked: (name: string) => made.inputsOf(name as OperationName) };
}

export function rowWith(number: string): HTMLElement {
  const row = screen.getByRole("link", { name: number }).closest('[role="row"]');
  if (!(row instanceof HTMLElement)) throw new Error(`no row ${number}`);
  return row;
}
