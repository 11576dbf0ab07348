import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { useBlueprint } from "@/plan/blueprintContext";

/** Goes where the address leads: `run` is the run to look at, `node` is selected and brought into sight. */
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
    // The canvas is drawn after this page, and fits everything into sight first.
    const show = () => page.getState().canvas?.show(node);
    if (page.getState().canvas) return show();
    const leave = page.subscribe(({ canvas }) => {
      if (!canvas) return;
      leave();
      requestAnimationFrame(show);
    });
    return leave;
  }, [editor, page, node]);
}
