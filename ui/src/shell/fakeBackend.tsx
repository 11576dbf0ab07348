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

// A busy machine may take long over a page; nothing here waits for time to pass.
configure({ asyncUtilTimeout: 5_000 });

type Answers = {
  [O in OperationName]?: (
    input: OperationInput<O>,
  ) => OperationOutput<O> | Promise<OperationOutput<O>>;
};

/** A backend for tests: answers by function, remembers calls, and tells what the test wants told. */
export function fakeBackend(answers: Answers) {
  const listeners = new Set<(signal: BackendEvent) => void>();
  const call = vi.fn(async (name: OperationName, input: unknown) => {
    const answer = answers[name] as ((input: unknown) => unknown) | undefined;
    if (!answer) throw new ApiError("not_found", `The test answers nothing to ${name}.`);
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

/** Draws `content` at an address, with everything that stands above a page. */
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

/** Gives elements a size, which jsdom does not: rows of 28 pixels in a window of 560. */
export function mockElementSizes(): void {
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(28);
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(560);
}
