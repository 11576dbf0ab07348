import { QueryClientProvider } from "@tanstack/react-query";
import { act, render } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { ApiError } from "@/api/ApiError";
import type { Backend, BackendEvent, FileDrag } from "@/api/Backend";
import { BackendContext } from "@/api/backendContext";
import type { Change } from "@/api/bindings";
import { invalidateOnChanges } from "@/api/invalidation";
import type { OperationName } from "@/api/operation";
import { createQueryClient } from "@/api/queryClient";
import { TooltipProvider } from "@/components/Tooltip";
import type { FakeAnswers } from "@/shell/renderWithBackend";
import { routes } from "./routes";

/**
 * Renders the whole window for a test, at an address. `answers` fakes the operations, `more` the
 * other backend functions.
 */
export function renderApp(address: string, answers: FakeAnswers, more: Partial<Backend> = {}) {
  const calls: { name: OperationName; input: unknown }[] = [];
  const listeners = new Set<(signal: BackendEvent) => void>();
  const dragged = new Set<(drag: FileDrag) => void>();
  const backend: Backend = {
    async call(name, input) {
      calls.push({ name, input });
      const answer = answers[name];
      if (!answer) throw new ApiError("not_found", `no answer for ${name}`);
      return answer(input);
    },
    events(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    pickFile: async () => undefined,
    saveText: async ({ name }) => name,
    saveBytes: async ({ name }) => name,
    saveSessionOutput: async (_session, _stream, { name }) => name,
    onFileDrag(listener) {
      dragged.add(listener);
      return () => dragged.delete(listener);
    },
    ...more,
  };
  const client = createQueryClient();
  invalidateOnChanges(client, backend);
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  render(
    <BackendContext value={backend}>
      <QueryClientProvider client={client}>
        <TooltipProvider>
          <RouterProvider router={router} />
        </TooltipProvider>
      </QueryClientProvider>
    </BackendContext>,
  );
  return {
    backend,
    router,
    /** The inputs with which an operation was called. */
    asked: (name: OperationName) =>
      calls.filter((call) => call.name === name).map(({ input }) => input),
    tell: (event: Change) => {
      for (const listener of listeners) listener({ kind: "event", event });
    },
    drag: (drag: FileDrag) =>
      act(async () => {
        for (const listener of dragged) listener(drag);
      }),
  };
}
