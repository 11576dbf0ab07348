import { QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { planOf, runOf } from "@/plan/planFixture";
import type { Backend, BackendEvent } from "./Backend";
import { BackendContext } from "./backendContext";
import { invalidateOnChanges } from "./invalidation";
import { createQueryClient } from "./queryClient";
import { useRun } from "./useRun";

const plan = planOf(["a", "b"], ["a>b"]);

/**
 * Renders `useRun` over a fake backend. Returns the calls made and a function that sends events.
 */
function renderRun(progress: (after: number) => unknown) {
  const asked: string[] = [];
  let emit: (signal: BackendEvent) => void = () => {};
  const backend = {
    call: vi.fn(async (name: string, { after }: { after: number }) => {
      asked.push(name);
      return name === "run_progress" ? progress(after) : { ...plan };
    }),
    events: (listener: typeof emit) => {
      emit = listener;
      return () => {};
    },
  } as unknown as Backend;
  const client = createQueryClient();
  invalidateOnChanges(client, backend);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <BackendContext value={backend}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </BackendContext>
  );
  const { result } = renderHook(() => useRun("run"), { wrapper });
  return { asked, result, emit: (signal: BackendEvent) => act(() => emit(signal)) };
}

function progressOf(seq: number, version = 1) {
  const { plan: _, ...run } = runOf(plan, { a: { state: "running" } }, { version });
  return { ...run, seq };
}

function changeOf(nodes: string[]): BackendEvent {
  return {
    kind: "event",
    event: { change: "run", run: "run", plan: plan.id, nodes, whole: nodes.length === 0 },
  };
}

test("fetches run content once and keeps its identity while nodes change", async () => {
  let seq = 1;
  const { asked, result, emit } = renderRun(() => progressOf(seq));
  await waitFor(() => expect(result.current.data?.plan.nodes).toHaveLength(2));
  const first = result.current.data?.plan;
  seq = 2;
  emit(changeOf(["a"]));
  await waitFor(() => expect(result.current.data?.seq).toBe(2));
  expect(result.current.data?.plan).toBe(first);
  expect(asked).toEqual(["run_progress", "plan_version_get", "run_progress"]);
});

test("fetches a new version and a version with a new layout", async () => {
  let progress = progressOf(1);
  const { asked, result, emit } = renderRun(() => progress);
  await waitFor(() => expect(result.current.data?.seq).toBe(1));
  progress = progressOf(2, 2);
  emit(changeOf([]));
  await waitFor(() => expect(result.current.data?.seq).toBe(2));
  expect(asked.filter((name) => name === "plan_version_get")).toHaveLength(2);

  emit({ kind: "event", event: { change: "plan", plan: plan.id } });
  progress = progressOf(3, 2);
  emit(changeOf(["b"]));
  await waitFor(() => expect(result.current.data?.seq).toBe(3));
  expect(asked.filter((name) => name === "plan_version_get")).toHaveLength(3);
});

test("updates only the nodes that changed and keeps the others' identity", async () => {
  const whole = progressOf(7);
  const done = { ...whole.nodes[0], state: { state: "done", byHand: false } };
  const { result, emit } = renderRun((after) =>
    after === 7 ? { ...progressOf(9), nodes: [done] } : whole,
  );
  await waitFor(() => expect(result.current.data?.seq).toBe(7));
  const before = result.current.data;
  emit(changeOf(["a"]));
  await waitFor(() => expect(result.current.data?.seq).toBe(9));
  expect(result.current.data?.nodes.map(({ state }) => state.state)).toEqual(["done", "pending"]);
  expect(result.current.data?.nodes[1]).toBe(before?.nodes[1]);
  expect(result.current.data?.children).toBe(before?.children);
});

test("an unchanged run keeps its identity", async () => {
  const { asked, result, emit } = renderRun(() => progressOf(7));
  await waitFor(() => expect(result.current.data?.seq).toBe(7));
  const before = result.current.data;
  emit(changeOf(["a"]));
  await waitFor(() => expect(asked.at(-1)).toBe("run_progress"));
  await waitFor(() => expect(result.current.isFetching).toBe(false));
  expect(result.current.data).toBe(before);
});
