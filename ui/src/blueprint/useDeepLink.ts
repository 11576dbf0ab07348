import { useEffect } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { nodeStateKey } from "@/components/progress";
import { useBlueprint } from "@/plan/blueprintContext";
import type { Editor } from "@/plan/editor";
import { nodeStateAppearance } from "@/plan/nodeText";
import type { CanvasHandle, Page } from "@/plan/page";
import type { ShownRun } from "@/run/runAtMoment";
import { opensTerminal } from "@/shell/terminalNavigation";

/**
 * Applies the query parameters: shows `run`, and selects and shows `node`, or the first node that
 * is in `state`. Of the waiting nodes, this is the first one that waits for the user, and its
 * question opens. `panel=settings` shows the settings of the blueprint. Opens a terminal for the node
 * if the navigation asks for one.
 */
export function useDeepLink(): void {
  const { editor, page } = useBlueprint();
  const [search] = useSearchParams();
  const run = search.get("run");
  const node = search.get("node");
  const state = search.get("state");
  const panel = search.get("panel");
  const address = useLocation();
  const navigate = useNavigate();

  useEffect(() => {
    if (run !== null && editor.getState().runId !== run) editor.getState().showRun(run);
  }, [editor, run]);

  useEffect(() => {
    if (panel !== "settings") return;
    // Without a selection, the panel shows the settings.
    editor.getState().select([]);
    page.setState({ sideOpen: true });
  }, [editor, page, panel]);

  useEffect(() => {
    if (node === null || !editor.getState().plan.nodes.some(({ id }) => id === node)) return;
    editor.getState().select([node]);
    page.setState({ sideOpen: true });
    return whenCanvasIsShown(page, (canvas) => canvas.show(node));
  }, [editor, page, node]);

  useEffect(() => {
    if (!opensTerminal(address.state) || run === null || node === null) return;
    const terminalRequest = { kind: "node", run, node } as const;
    page.setState({ drawerOpen: true, drawerTab: "terminal", terminalRequest });
    // Reloading the page must not open it again.
    void navigate({ search: address.search }, { replace: true, state: null });
  }, [address, navigate, page, run, node]);

  useEffect(() => {
    if (state === null) return;
    return whenRunIsLoaded(editor, run, (shown) => {
      const inState = shown.nodes.filter((nodeRun) => nodeStateKey(nodeRun.state) === state);
      const asking = inState.find(
        (nodeRun) => nodeStateAppearance(nodeRun).waitingFor === "person",
      );
      const first = (asking ?? inState[0])?.node;
      if (first === undefined) return;
      editor.getState().select([first]);
      page.setState({ sideOpen: true, ...(asking && { answering: first }) });
      whenCanvasIsShown(page, (canvas) => canvas.show(first));
    });
  }, [editor, page, run, state]);
}

/** Calls `act` once the run is loaded. Returns a function that gives up. */
function whenRunIsLoaded(
  editor: Editor,
  run: string | null,
  act: (shown: ShownRun) => void,
): (() => void) | undefined {
  const isWanted = (shown: ShownRun | undefined): shown is ShownRun =>
    shown !== undefined && (run === null || shown.summary.id === run);
  const loaded = editor.getState().run;
  if (isWanted(loaded)) {
    act(loaded);
    return undefined;
  }
  const unsubscribe = editor.subscribe(({ run: shown }) => {
    if (!isWanted(shown)) return;
    unsubscribe();
    act(shown);
  });
  return unsubscribe;
}

/** Calls `act` once the canvas is there. It is rendered after the page, and first zooms to fit. */
function whenCanvasIsShown(
  page: Page,
  act: (canvas: CanvasHandle) => void,
): (() => void) | undefined {
  const { canvas } = page.getState();
  if (canvas) {
    act(canvas);
    return undefined;
  }
  const unsubscribe = page.subscribe(({ canvas: shown }) => {
    if (!shown) return;
    unsubscribe();
    requestAnimationFrame(() => page.getState().canvas && act(shown));
  });
  return unsubscribe;
}
