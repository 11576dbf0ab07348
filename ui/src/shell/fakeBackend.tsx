import { QueryClientProvider } from "@tanstack/react-query";
import { act, configure, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { Backend, BackendEvent } from "@/api/Backend";
import { BackendContext } from "@/api/backendContext";
import type { Change } from "@/api/bindings";
import type { OperationInput, OperationName, OperationOutput } from "@/api/operation";
import { createQueryClient } from "@/api/queryClient";
import { TooltipProvider } from "@/components/Tooltip";

// A busy machine may take long to render a page. No test waits for this time to pass.
configure({ asyncUtilTimeout: 5_000 });

type Answers = {
  [O in OperationName]?: (
    input: OperationInput<O>,
  ) => OperationOutput<O> | Promise<OperationOutput<O>>;
};

/** A fake backend for tests: answers by function, records calls, and sends events on request. */
export function fakeBackend(answers: Answers) {
  const listeners = new Set<(signal: BackendEvent) => void>();
  const call = vi.fn(async (name: OperationName, input: unknown) => {
    const answer = answers[name] as ((input: unknown) => unknown) | undefined;
    if (!answer) throw new ApiError("not_found", `The test has no answer for ${name}.`);
    return answer(input) as never;
  });
  const backend: Backend = {
    call: call as Backend["call"],
    events: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    pickFile: async () => undefined,
    saveText: async () => undefined,
    saveBytes: async () => undefined,
    saveSessionOutput: async () => undefined,
    onFileDrag: () => () => {},
  };
  const tell = (event: Change) =>
    act(async () => {
      for (const listener of listeners) listener({ kind: "event", event });
    });
  /** The inputs that an operation was called with. */
  const inputsOf = (name: OperationName) =>
    call.mock.calls.filter(([called]) => called === name).map(([, input]) => input);
  return { backend, tell, inputsOf };
}

/** Renders `content` at an address, inside all the providers that a page needs. */
export function renderAtPath(backend: Backend, content: ReactNode, path = "*", address = "/") {
  const router = createMemoryRouter([{ path, element: content }], { initialEntries: [address] });
  return render(
    <BackendContext value={backend}>
      <QueryClientProvider client={createQueryClient()}>
        <TooltipProvider>
          <RouterProvider router={router} />
        </TooltipProvider>
      </QueryClientProvider>
    </BackendContext>,
  );
}

/** Gives elements a size, which jsdom doesn't: rows of 28 pixels in a window of 560. */
export function mockElementSizes(): void {
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(28);
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(560);
}
