import { createStore, type StoreApi } from "zustand";
import type {
  ApprovalChangesView,
  GrantView,
  GroupId,
  NodeId,
  Position,
  Preflight,
  RunGoal,
  WorkPlace,
} from "@/api/bindings";
import { measureTextScale } from "@/design/textScale";
import { getAppStateValue, setAppStateValue } from "@/shell/appState";
import { restoreCollapsedGroups, storeCollapsedGroups } from "./collapsedGroups";
import type { EdgeCondition } from "./conditionalEdges";
import type { LinkSide } from "./connections";
import type { PlannerRequest } from "./plannerRequest";
import type { RerunRequest } from "./rerunRequest";
import type { NodesToStop } from "./StopNodeDialog";

/** The view that shows the plan. */
export type PlanViewName = "graph" | "list" | "times";

const drawerTabs = ["timeline", "history", "summaries", "terminal"] as const;

/**
 * The content of the drawer: the timeline of the selected node, the history of the run, what its
 * nodes summarized, or terminals.
 */
export type DrawerTab = (typeof drawerTabs)[number];

/** Where the node chosen in the picker goes. */
export interface NodePickerRequest {
  /** Where the picker opens, in window pixels. */
  screen: Position;
  /** Where the node is placed on the plan; near the selection by default. */
  at?: Position;
  /** Whether the node was placed without the pointer, so that it may be outside the view. */
  isUnseen?: boolean;
  /** The edges to draw to or from the new node, one for each of `nodes`. */
  link?: { nodes: readonly NodeId[]; as: LinkSide; condition?: EdgeCondition | undefined };
  /** The edge to insert the new node into. */
  edge?: string;
  /** The node whose kind is replaced; no node is added then. */
  replace?: NodeId;
}

/** What the canvas offers to the page while it is mounted. */
export interface CanvasHandle {
  fit: (nodes?: readonly NodeId[]) => void;
  zoomTo: (zoom: number) => void;
  zoomBy: (factor: number) => void;
  /** Moves the view just as far as a node needs to be in it, once it is drawn. */
  bringIntoView: (node: NodeId) => void;
  /**
   * Does so for the first of the nodes, unless one of them is in sight. Waits for the next frame, in
   * which the canvas has drawn an edit made just before.
   */
  bringAnyIntoView: (nodes: readonly NodeId[]) => void;
  /** Scrolls a node into view and focuses it. */
  reveal: (node: NodeId) => void;
  /** The node that `reveal` will focus, while its card may not be rendered yet. */
  revealTarget: () => NodeId | undefined;
  /** Focuses the selected node, or else the graph. */
  focus: () => void;
  /** Scrolls a node into view without focusing it. */
  show: (node: NodeId) => void;
  toPlan: (screen: Position) => Position;
  toScreen: (place: Position) => Position;
  /** The center of the visible area, in plan coordinates. */
  middle: () => Position;
  contains: (screen: Position) => boolean;
  /**
   * Calls `settle` immediately, then animates nodes to their new places, unless there are too many
   * or the user prefers reduced motion. Calls `arrived` when they are drawn there, but not if
   * another animation starts first.
   */
  animateTo: (
    places: ReadonlyMap<NodeId, Position>,
    settle: () => void,
    arrived?: () => void,
  ) => void;
  placeOf: (node: NodeId) => Position | undefined;
  /** The edge at a point of the plan. */
  edgeAt: (place: Position) => string | undefined;
}

/** A run that waits for the user's confirmation. */
export interface RunRequest {
  goal: RunGoal;
  /** Further nodes to run, when several are selected. */
  further?: readonly RunGoal[];
  limit: number | null;
  preflight: Preflight;
  /** What has changed since the approval, if that was read before the question. */
  changes?: ApprovalChangesView | undefined;
}

/** The view state of the page. Nothing here is saved with the plan. */
export interface PageState {
  view: PlanViewName;
  renaming: NodeId | undefined;
  renamingGroup: GroupId | undefined;
  /** The note whose text is being edited. */
  writing: NodeId | undefined;
  /** The groups that are drawn as one card. */
  collapsed: ReadonlySet<GroupId>;
  /** Whether a drag on the graph draws a lasso, even if it begins on a node. */
  lasso: boolean;
  /** The search text in the plan. */
  search: string;
  picker: NodePickerRequest | undefined;
  /** The parents of the edges that are being drawn by keyboard. */
  linking: readonly NodeId[] | undefined;
  /** The branch of that parent being drawn; undefined for a plain edge. */
  linkingCondition: EdgeCondition | undefined;
  /** The edge whose end is being moved by keyboard; undefined while a new edge is drawn. */
  linkingEdge: string | undefined;
  /** The edge whose end is being moved by pointer. */
  reconnectingEdge: string | undefined;
  /** The edge that the dragged node would be inserted into. */
  dropEdge: string | undefined;
  /** The group that the dragged nodes would join. */
  dropGroup: GroupId | undefined;
  paletteOpen: boolean;
  sideOpen: boolean;
  drawerOpen: boolean;
  drawerTab: DrawerTab;
  /** Where to open a terminal in the drawer; undefined once that has begun. */
  terminalRequest: WorkPlace | undefined;
  /** Whether the blueprint's title is being edited. */
  renamingTitle: boolean;
  /** Whether the deletion of the blueprint waits for confirmation. */
  deleting: boolean;
  checkpointsOpen: boolean;
  /** The checkpoint whose rollback the dialog of checkpoints asks about when it opens. */
  rollbackTo: number | undefined;
  /** Whether the minimap is shown; undefined until the user decides, see `showsMinimap`. */
  mapOpen: boolean | undefined;
  stopping: boolean;
  /** Running nodes that will be stopped after confirmation. */
  stoppingNodes: NodesToStop | undefined;
  /** Why an approval was refused, while the user is asked whether to approve anyway. */
  refusedApproval: readonly string[] | undefined;
  /**
   * Permissions of agents for the whole blueprint, shown for confirmation before it is approved.
   */
  standingGrants: readonly GrantView[] | undefined;
  /** Whether earlier moments of the shown run can be played back. */
  playbackOpen: boolean;
  /** Whether the critical path is highlighted. */
  critical: boolean;
  /** The node whose question is open next to its card. */
  answering: NodeId | undefined;
  /** The node whose timeline the drawer is pinned to; undefined to follow the selection. */
  pinnedLog: NodeId | undefined;
  /** Whether the dialog for merging the shown run's work is open. */
  mergeBackOpen: boolean;
  /** The nodes with a pinned output, as last loaded. */
  pinnedOutputs: ReadonlySet<NodeId>;
  /** The node whose output is being pinned in a dialog. */
  pinningOutput: NodeId | undefined;
  /** Whether the setting that names the error handler is about to be focused. */
  choosingErrorHandler: boolean;
  /** Whether the dialog that starts a run with pinned outputs is open. */
  runPinnedOpen: boolean;
  /** Whether the simulation of a run is open. */
  simulating: boolean;
  /** Whether the rejection of the blueprint waits for a reason. */
  rejecting: boolean;
  /** Whether the dialog that opens a pull request from the shown run's work is open. */
  pullRequestOpen: boolean;
  /** Whether a start of a run is being prepared: checks are read, or the run is created. */
  starting: boolean;
  runRequest: RunRequest | undefined;
  /** Nodes that will run again after confirmation. */
  rerunRequest: RerunRequest | undefined;
  /** The request being prepared for a planner. */
  plannerRequest: PlannerRequest | undefined;
  /** Read out by screen readers. */
  announcement: string;
  canvas: CanvasHandle | undefined;
}

export type Page = StoreApi<PageState>;

/**
 * Reports whether a window of this width has room for the inspector beside the graph; otherwise it
 * overlays the graph.
 */
export function fitsInspectorBeside(width: number): boolean {
  return width >= 640;
}

/**
 * Reports whether the inspector may open by itself. In a small window or with large text it would
 * hide the graph.
 */
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

/** Creates the page state with the view settings that were last used. */
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
    terminalRequest: undefined,
    renamingTitle: false,
    deleting: false,
    checkpointsOpen: false,
    rollbackTo: undefined,
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
    pinnedOutputs: new Set(),
    pinningOutput: undefined,
    choosingErrorHandler: false,
    runPinnedOpen: false,
    simulating: false,
    rejecting: false,
    pullRequestOpen: false,
    starting: false,
    runRequest: undefined,
    rerunRequest: undefined,
    plannerRequest: undefined,
    announcement: "",
    canvas: undefined,
    ...restoredState(getAppStateValue(name)),
    ...(!opensInspectorBeside() && { sideOpen: false }),
  }));
  store.subscribe((now, before) => {
    if (now.collapsed !== before.collapsed) storeCollapsedGroups(now.collapsed);
    if (persistedKeys.every((part) => now[part] === before[part])) return;
    // If the inspector was closed only for lack of space, keep it open in the stored settings.
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
    ...(isDrawerTab(drawerTab) && { drawerTab }),
  };
}

function isDrawerTab(value: unknown): value is DrawerTab {
  return drawerTabs.some((tab) => tab === value);
}

/** Above this many nodes, the minimap is shown by default. */
const maxNodesWithoutMinimap = 80;

/** Reports whether the minimap is shown. */
export function showsMinimap({ mapOpen }: Pick<PageState, "mapOpen">, nodes: number): boolean {
  return mapOpen ?? nodes > maxNodesWithoutMinimap;
}
