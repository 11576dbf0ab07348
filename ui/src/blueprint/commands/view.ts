import type { viewCommands } from "@/commands/catalogue/view";
import type { ActsFor } from "@/commands/command";
import { isOnNothing } from "@/components/onNothing";
import { leavePast } from "@/course/useLeavePast";
import type { Blueprint } from "@/plan/blueprintContext";
import { subPlanOf } from "@/plan/kindSummary";
import { type PlanViewName, showsMap } from "@/plan/page";
import { enterSide, returnToNode } from "@/plan/sidePlace";
import { noCanvas, noneSelected, onlyNode } from "./refusals";

const zoomStep = 1.25;
const pinWords = "Keep this node in the drawer";

/** What changes how the blueprint is shown. */
export function viewActs(blueprint: Blueprint): ActsFor<typeof viewCommands> {
  const { editor, page, edit } = blueprint;
  const canvas = () => page.getState().canvas;
  const mapShown = () => showsMap(page.getState(), editor.getState().plan.nodes.length);
  const show = (view: PlanViewName) => {
    page.setState({ view });
    // The card or row that had the focus is gone with its view, and the next view is not there yet.
    requestAnimationFrame(() => {
      if (isOnNothing(document.activeElement)) returnToNode(canvas());
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
      words: () => (page.getState().lookingBack ? "Back to now" : "Look back over the run"),
      refusal: () => (editor.getState().live ? undefined : "Show a run first"),
      run: () => {
        if (page.getState().lookingBack) leavePast(blueprint);
        else page.setState({ lookingBack: true });
      },
    },
    mark_critical: {
      words: () =>
        page.getState().critical ? "Do not mark the critical path" : "Mark the critical path",
      run: () => page.setState(({ critical }) => ({ critical: !critical })),
    },
    pin_log: {
      words: () => (page.getState().pinnedLog ? "Let the drawer follow the selection" : pinWords),
      refusal: () => (page.getState().pinnedLog ? undefined : onlyNode(blueprint).refusal),
      run: () => {
        const { node } = onlyNode(blueprint);
        const pinned = page.getState().pinnedLog;
        page.setState(
          pinned ? { pinnedLog: undefined } : { pinnedLog: node?.id, drawerOpen: true },
        );
      },
    },
    inspect: {
      run: () => {
        if (page.getState().linking !== undefined) return edit.link();
        page.setState({ sideOpen: true });
        // Drawn only now, where it was shut.
        requestAnimationFrame(enterSide);
      },
    },
    toggle_inspector: {
      words: () => (page.getState().sideOpen ? "Hide the inspector" : "Show the inspector"),
      run: () => page.setState(({ sideOpen }) => ({ sideOpen: !sideOpen })),
    },
    toggle_drawer: {
      words: () => (page.getState().drawerOpen ? "Hide the drawer" : "Show the drawer"),
      run: () => page.setState(({ drawerOpen }) => ({ drawerOpen: !drawerOpen })),
    },
    toggle_map: {
      words: () => (mapShown() ? "Hide the map of the plan" : "Show the map of the plan"),
      refusal: () => noCanvas(blueprint),
      run: () => page.setState({ mapOpen: !mapShown() }),
    },
    open_inside: {
      refusal: () => {
        const { node, refusal } = onlyNode(blueprint);
        if (!node) return refusal;
        return subPlanOf(node) === undefined ? "It holds no blueprint" : undefined;
      },
      run: () => {
        const { node } = onlyNode(blueprint);
        if (node) void blueprint.open(node.id);
      },
    },
  };
}
