import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactElement } from "react";
import { type InitialEntry, MemoryRouter } from "react-router";
import { vi } from "vitest";
import type { Backend } from "@/api/Backend";
import { BackendContext } from "@/api/backendContext";
import type { PlanView, RunView } from "@/api/bindings";
import { createQueryClient } from "@/api/queryClient";
import { TooltipProvider } from "@/components/Tooltip";
import { resetAppState } from "@/shell/appState";
import { type Blueprint, BlueprintContext } from "./blueprintContext";
import { createEditActions } from "./editActions";
import { createEditor, EditorContext } from "./editor";
import { createOpenSubPlan } from "./openSubPlan";
import { createPage } from "./page";
import { createRunActions } from "./runActions";

/**
 * For tests: renders a part of the page with an open blueprint and a backend with canned answers.
 */
export function openBlueprint(
  part: ReactElement,
  {
    view,
    run,
    answers = {},
    at = "/",
  }: {
    view: PlanView;
    run?: RunView;
    answers?: Record<string, unknown>;
    /** The address of the page. */
    at?: InitialEntry;
  },
) {
  resetAppState();
  const call = vi.fn(async (name: string, _input: unknown) => answers[name]);
  const silent = () => () => {};
  const backend = { call, events: silent, onFileDrag: silent, pickFile: async () => undefined };
  const editor = createEditor(backend as unknown as Backend, view);
  if (run) editor.getState().showRun(run.summary.id, run);
  const page = createPage();
  const went = vi.fn();
  const blueprint: Blueprint = {
    editor,
    page,
    edit: createEditActions(editor, page, backend as unknown as Backend),
    runs: createRunActions(editor, page, backend as unknown as Backend),
    open: createOpenSubPlan(editor, backend as unknown as Backend, went),
  };
  const { unmount } = render(
    <BackendContext value={backend as unknown as Backend}>
      <QueryClientProvider client={createQueryClient()}>
        <TooltipProvider>
          <EditorContext value={editor}>
            <BlueprintContext value={blueprint}>
              <MemoryRouter initialEntries={[at]}>{part}</MemoryRouter>
            </BlueprintContext>
          </EditorContext>
        </TooltipProvider>
      </QueryClientProvider>
    </BackendContext>,
  );
  return { ...blueprint, call, went, unmount };
}
