import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { useBlueprint } from "@/plan/blueprintContext";

/** Applies the query parameters: shows `run`, and selects and shows `node`. */
export function useDeepLink(): void {
  const { editor, page } = useBlueprint();
  const [search] = useSearchParams();
  const run = search.get("run");
  const node = search.get("node");

  useEffect(() => {
    if (run !== null && editor.getState().runId !== run) editor.getState().showRun(run);
  }, [editor, run]);

  useEffect(() => {
    if (node === null || !editor.getState().plan.nodes.some(({ id }) => id === node)) return;
    editor.getState().select([node]);
    page.setState({ sideOpen: true });
    // The canvas is rendered after this page, and first zooms to fit.
    const show = () => page.getState().canvas?.show(node);
    if (page.getState().canvas) return show();
    const unsubscribe = page.subscribe(({ canvas }) => {
      if (!canvas) return;
      unsubscribe();
      requestAnimationFrame(show);
    });
    return unsubscribe;
  }, [editor, page, node]);
}
