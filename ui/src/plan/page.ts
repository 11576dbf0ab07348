import { createStore, type StoreApi } from "zustand";
import type { GrantView, GroupId, NodeId, Position, Preflight, RunGoal } from "@/api/bindings";
import { measureTextScale } from "@/design/textScale";
import { getAppStateValue, setAppStateValue } from "@/shell/appState";
import { restoreCollapsedGroups, storeCollapsedGroups } from "./collapsedGroups";
import type { EdgeCondition } from "./conditionalEdges";
import type { PlannerRequest } from "./plannerRequest";
import type { NodesToStop } from "./StopNodeDialog";

/** How the plan is shown. */
export type PlanViewName = "graph" | "list" | "times";

/** What the drawer below shows: the timeline of the selected node, or the history of the run. */
export type DrawerTab = "timeline" | "history";

/** Where a node that is being picked goes to. */
export interface NodePickerRequest {
  /** Where the picker opens, in pixels of the window. */
  screen: Position;
  /** Where the node will stand; near the selection when left out. */
  at?: Position;
  /** The edge that is drawn to or from the new node. */
  link?: { node: NodeId; as: "parent" | "child"; condition?: EdgeCondition | undefined };
  /** The edge that the new node is put into. */
  edge?: string;
  /** The node that becomes one of another kind; nothing is added then. */
  replace?: NodeId;
}

/** What the canvas can be asked for while it is on screen. */
export interface CanvasHandle {
  fit: (nodes?: readonly NodeId[]) => void;
  zoomTo: (zoom: number) => void;
  zoomBy: (factor: number) => void;
  /** Brings a node into sight and gives it the focus. */
  reveal: (node: NodeId) => void;
  /** The node that `reveal` is on its way to: its card may have to be made first. */
  revealTarget: () => NodeId | undefined;
  /** Gives the focus to the selected node, else to the graph itself. */
  focus: () => void;
  /** Brings a node into sight and leaves the focus where it is. */
  show: (node: NodeId) => void;
  toPlan: (screen: Position) => Position;
  toScreen: (place: Position) => Position;
  /** The middle of what is in sight, on the plan. */
  middle: () => Position;
  contains: (screen: Position) => boolean;
  /**
   * Settles at once, and lets nodes glide to their new places, unless they are many or motion is unwanted. `arrived` when
   * they are drawn there; not when another way began before.
   */
  animateTo: (
    places: ReadonlyMap<NodeId, Position>,
    settle: () => void,
    arrived?: () => void,
  ) => void;
  placeOf: (node: NodeId) => Position | undefined;
  /** The edge that passes under a place of the plan. */
  edgeAt: (place: Position) => string | undefined;
}

/** What a run waits for a person to confirm. */
export interface RunRequest {
  goal: RunGoal;
  limit: number | null;
  preflight: Preflight;
}

/** What the page shows, beside the plan and its run. Nothing here is saved with the plan. */
export interface PageState {
  view: PlanViewName;
  renaming: NodeId | undefined;
  renamingGroup: GroupId | undefined;
  /** The note whose text is being written. */
  writing: NodeId | undefined;
  /** The groups that are drawn as one card. */
  collapsed: ReadonlySet<GroupId>;
  /** A drag on the graph draws a lasso, wherever it begins. */
  lasso: boolean;
  /** What is looked for in the plan. */
  search: string;
  picker: NodePickerRequest | undefined;
  /** The parent of the edge that is being drawn by keyboard. */
  linking: NodeId | undefined;
  /** The branch of that parent which is drawn; none for a plain edge. */
  linkingCondition: EdgeCondition | undefined;
  /** The edge whose end is being put elsewhere by keyboard; none while a new one is drawn. */
  linkingEdge: string | undefined;
  /** The edge whose end is being put elsewhere by pointer. */
  reconnectingEdge: string | undefined;
  /** The edge that what is dragged would go into. */
  dropEdge: string | undefined;
  /** The group that what is dragged would go into. */
  dropGroup: GroupId | undefined;
  paletteOpen: boolean;
  sideOpen: boolean;
  drawerOpen: boolean;
  drawerTab: DrawerTab;
  /** The blueprint's title is being written. */
  renamingTitle: boolean;
  /** Deleting the blueprint waits for a yes. */
  deleting: boolean;
  checkpointsOpen: boolean;
  /** Whether the map of the plan is shown; as long as nobody said so, a large plan has one. See `showsMinimap`. */
  mapOpen: boolean | undefined;
  stopping: boolean;
  /** Running nodes that are stopped once the person says yes. */
  stoppingNodes: NodesToStop | undefined;
  /** Why an approval was refused, while the person is asked whether they insist. */
  refusedApproval: readonly string[] | undefined;
  /** What agents may do in the whole plan without asking, while the person is asked whether they approve it so. */
  standingGrants: readonly GrantView[] | undefined;
  /** Earlier moments of the shown run are looked at. */
  playbackOpen: boolean;
  /** The nodes that take longest one after the other are marked. */
  critical: boolean;
  /** The node whose question is open beside its card. */
  answering: NodeId | undefined;
  /** The node whose timeline the drawer keeps showing; none: that of the selected one. */
  pinnedLog: NodeId | undefined;
  /** The work of the shown run is being looked at. */
  mergeBackOpen: boolean;
  runRequest: RunRequest | undefined;
  /** What a planner is about to be asked. */
  plannerRequest: PlannerRequest | undefined;
  /** Told to screen readers. */
  announcement: string;
  canvas: CanvasHandle | undefined;
}

export type Page = StoreApi<PageState>;

/** Whether a window of so many units has room for the inspector beside the graph; else it lies over it. */
export function fitsInspectorBeside(width: number): boolean {
  return width >= 640;
}

/** What opens beside the graph by itself would hide it in a small window, or with large text. */
export function opensInspectorBeside(): boolean {
  return fitsInspectorBeside(window.innerWidth / measureTextScale());
}

const persistedKeys = [
  "view",
  "paletteOpen",
  "sideOpen",
  "drawerOpen",
  "drawerTab",
  "mapOpen",
  "critical",
] as const;
const name = "blueprint";

/** The page as the person left the last one. */
export function createPage(): Page {
  const store = createStore<PageState>(() => ({
    view: "graph",
    renaming: undefined,
    renamingGroup: undefined,
    writing: undefined,
    collapsed: restoreCollapsedGroups(),
    lasso: false,
    search: "",
    picker: undefined,
    linking: undefined,
    linkingCondition: undefined,
    linkingEdge: undefined,
    reconnectingEdge: undefined,
    dropEdge: undefined,
    dropGroup: undefined,
    paletteOpen: false,
    sideOpen: true,
    drawerOpen: false,
    drawerTab: "timeline",
    renamingTitle: false,
    deleting: false,
    checkpointsOpen: false,
    mapOpen: undefined,
    stopping: false,
    stoppingNodes: undefined,
    refusedApproval: undefined,
    standingGrants: undefined,
    playbackOpen: false,
    critical: false,
    answering: undefined,
    pinnedLog: undefined,
    mergeBackOpen: false,
    runRequest: undefined,
    plannerRequest: undefined,
    announcement: "",
    canvas: undefined,
    ...restoredState(getAppStateValue(name)),
    ...(!opensInspectorBeside() && { sideOpen: false }),
  }));
  store.subscribe((now, before) => {
    if (now.collapsed !== before.collapsed) storeCollapsedGroups(now.collapsed);
    if (persistedKeys.every((part) => now[part] === before[part])) return;
    // What is closed only for want of room is open again where there is room.
    const parts = persistedKeys.filter((part) => part !== "sideOpen" || opensInspectorBeside());
    const stored = getAppStateValue(name);
    setAppStateValue(name, {
      ...(typeof stored === "object" && stored),
      ...Object.fromEntries(parts.map((part) => [part, now[part]])),
    });
  });
  return store;
}

function restoredState(value: unknown): Partial<PageState> {
  if (typeof value !== "object" || value === null) return {};
  const stored = value as Partial<Record<(typeof persistedKeys)[number], unknown>>;
  const { view, paletteOpen, sideOpen, drawerOpen, drawerTab, mapOpen, critical } = stored;
  return {
    ...((view === "list" || view === "graph" || view === "times") && { view }),
    ...(typeof paletteOpen === "boolean" && { paletteOpen }),
    ...(typeof sideOpen === "boolean" && { sideOpen }),
    ...(typeof critical === "boolean" && { critical }),
    ...(typeof drawerOpen === "boolean" && { drawerOpen }),
    ...(typeof mapOpen === "boolean" && { mapOpen }),
    ...((drawerTab === "timeline" || drawerTab === "history") && { drawerTab }),
  };
}

/** A plan of more nodes is easily lost sight of. */
const maxNodesWithoutMinimap = 80;

/** Whether the map of the plan is shown. */
export function showsMinimap({ mapOpen }: Pick<PageState, "mapOpen">, nodes: number): boolean {
  return mapOpen ?? nodes > maxNodesWithoutMinimap;
}
