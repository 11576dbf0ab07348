import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactElement } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import { BackendContext } from "@/api/backendContext";
import type { OperationInput, OperationName, OperationOutput } from "@/api/operation";
import { createQueryClient } from "@/api/queryClient";
import { TooltipProvider } from "@/components/Tooltip";

/** The answers of the fake backend by operation. Other operations fail with `not_found`. */
export type FakeAnswers = {
  [O in OperationName]?: (input: OperationInput<O>) => OperationOutput<O>;
};

/** Renders a part of the window for tests, with the given answers. */
export function renderWithBackend(part: ReactElement, answers: FakeAnswers) {
  const calls: { name: OperationName; input: unknown }[] = [];
  const backend: Backend = {
    async call(name, input) {
      calls.push({ name, input });
      const answer = answers[name];
      if (!answer) throw new ApiError("not_found", `The test has no answer for ${name}.`);
      return answer(input);
    },
    events: () => () => undefined,
    pickFile: async () => undefined,
    saveText: async ({ name }) => name,
    saveBytes: async ({ name }) => name,
    saveSessionOutput: async (_session, _stream, { name }) => name,
    onFileDrag: () => () => undefined,
  };
  const router = createMemoryRouter([{ path: "*", element: part }]);
  render(
    <BackendContext value={backend}>
      <QueryClientProvider client={createQueryClient()}>
        <TooltipProvider>
          <RouterProvider router={router} />
        </TooltipProvider>
      </QueryClientProvider>
    </BackendContext>,
  );
  return {
    /** The inputs that an operation was called with. */
    asked: (name: OperationName) =>
      calls.filter((call) => call.name === name).map(({ input }) => input),
  };
}
