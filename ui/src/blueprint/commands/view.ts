import type { viewCommands } from "@/commands/catalog/view";
import type { HandlersFor } from "@/commands/command";
import { isPageRoot } from "@/components/isPageRoot";
import type { Blueprint } from "@/plan/blueprintContext";
import { focusInspector, focusSelectedNode } from "@/plan/inspectorFocus";
import { subPlanIdOf } from "@/plan/kindSummary";
import { defaultTextOf } from "@/plan/kinds";
import { type PlanViewName, showsMinimap } from "@/plan/page";
import { exitPlayback } from "@/playback/useExitPlayback";
import { noCanvas, noneSelected, singleSelectedNode } from "./refusals";

const zoomStep = 1.25;
const pinLabel = "Pin this node in the drawer";

/** Handlers that change how the blueprint is shown. */
export function viewHandlers(blueprint: Blueprint): HandlersFor<typeof viewCommands> {
  const { editor, page, edit } = blueprint;
  const canvas = () => page.getState().canvas;
  const mapShown = () => showsMinimap(page.getState(), editor.getState().plan.nodes.length);
  const show = (view: PlanViewName) => {
    page.setState({ view });
    // The focused card or row disappears with its view, and the next view is not rendered yet.
    requestAnimationFrame(() => {
      if (isPageRoot(document.activeElement)) focusSelectedNode(canvas());
    });
  };
  const drawn = { refusal: () => noCanvas(blueprint) };
  return {
    fit: { ...drawn, run: () => canvas()?.fit() },
    zoom_selection: {
      refusal: () => noCanvas(blueprint) ?? noneSelected(blueprint),
      run: () => canvas()?.fit([...editor.getState().selection]),
    },
    zoom_actual: { ...drawn, run: () => canvas()?.zoomTo(1) },
    zoom_in: { ...drawn, run: () => canvas()?.zoomBy(zoomStep) },
    zoom_out: { ...drawn, run: () => canvas()?.zoomBy(1 / zoomStep) },
    view_graph: { run: () => show("graph") },
    view_list: { run: () => show("list") },
    view_times: { run: () => show("times") },
    look_back: {
      label: () => (page.getState().playbackOpen ? "Back to now" : "Replay the run"),
      refusal: () => (editor.getState().liveRun ? undefined : "Show a run first"),
      run: () => {
        if (page.getState().playbackOpen) exitPlayback(blueprint);
        else page.setState({ playbackOpen: true });
      },
    },
    mark_critical: {
      label: () =>
        page.getState().critical ? "Unmark the critical path" : "Mark the critical path",
      run: () => page.setState(({ critical }) => ({ critical: !critical })),
    },
    pin_log: {
      label: () => (page.getState().pinnedLog ? "Let the drawer follow the selection" : pinLabel),
      refusal: () =>
        page.getState().pinnedLog ? undefined : singleSelectedNode(blueprint).refusal,
      run: () => {
        const { node } = singleSelectedNode(blueprint);
        const pinned = page.getState().pinnedLog;
        page.setState(
          pinned ? { pinnedLog: undefined } : { pinnedLog: node?.id, drawerOpen: true },
        );
      },
    },
    inspect: {
      run: () => {
        if (page.getState().linking !== undefined) return edit.link();
        edit.selectFocused();
        page.setState({ sideOpen: true });
        // A closed inspector is rendered first.
        requestAnimationFrame(() => {
          const { node } = singleSelectedNode(blueprint);
          focusInspector(node && defaultTextOf(node.kind.kind));
        });
      },
    },
    toggle_inspector: {
      label: () => (page.getState().sideOpen ? "Hide the inspector" : "Show the inspector"),
      run: () => page.setState(({ sideOpen }) => ({ sideOpen: !sideOpen })),
    },
    toggle_drawer: {
      label: () => (page.getState().drawerOpen ? "Hide the drawer" : "Show the drawer"),
      run: () => page.setState(({ drawerOpen }) => ({ drawerOpen: !drawerOpen })),
    },
    toggle_map: {
      label: () => (mapShown() ? "Hide the minimap" : "Show the minimap"),
      refusal: () => noCanvas(blueprint),
      run: () => page.setState({ mapOpen: !mapShown() }),
    },
    open_inside: {
      refusal: () => {
        const { node, refusal } = singleSelectedNode(blueprint);
        if (!node) return refusal;
        return subPlanIdOf(node) === undefined ? "No blueprint inside" : undefined;
      },
      run: () => {
        const { node } = singleSelectedNode(blueprint);
        if (node) void blueprint.open(node.id);
      },
    },
  };
}
