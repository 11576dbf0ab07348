import "./canvas.css";
import {
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useKeyPress,
  type Viewport,
} from "@xyflow/react";
import {
  type PointerEvent,
  type ReactElement,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { NodeId, Position } from "@/api/bindings";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { setCanvasPointer } from "@/plan/canvasPointer";
import { useEditor } from "@/plan/editor";
import { grid } from "@/plan/geometry";
import { showsMinimap } from "@/plan/page";
import { BackToBlueprint } from "./BackToBlueprint";
import { CanvasMenu } from "./CanvasMenu";
import { CanvasTools } from "./CanvasTools";
import { ConnectionLine } from "./ConnectionLine";
import { EmptyCanvas } from "./EmptyCanvas";
import type { Frame } from "./frames";
import { GridDots } from "./GridDots";
import { GroupCard } from "./GroupCard";
import { GroupLayer } from "./GroupLayer";
import { HelperLines } from "./HelperLines";
import { minZoomFor } from "./initialViewport";
import { LassoLine } from "./LassoLine";
import { LinkBanner } from "./LinkBanner";
import { LooseEdge } from "./LooseEdge";
import { Minimap } from "./Minimap";
import { NodeCard } from "./NodeCard";
import { NodePicker } from "./NodePicker";
import { NoteCard } from "./NoteCard";
import { Palette } from "./Palette";
import { PlanEdgePath } from "./PlanEdgePath";
import { RunStateCanvas } from "./RunStateCanvas";
import { maxNodesWithoutCulling } from "./renderWindow";
import { SelectionToolbar } from "./SelectionToolbar";
import { nodeAt, placeOf, type Scene } from "./scene";
import type { PlanEdge } from "./toEdges";
import type { CardNode } from "./toFlow";
import { useBoxSelection } from "./useBoxSelection";
import { useCanvasClicks } from "./useCanvasClicks";
import { useCanvasHandle } from "./useCanvasHandle";
import { useCardFocus } from "./useCardFocus";
import { useDragTargets } from "./useDragTargets";
import { useFlow } from "./useFlow";
import { useFlowChanges } from "./useFlowChanges";
import { useFrames, useRestingFrames } from "./useFrames";
import { useHovered } from "./useHovered";
import { useLasso } from "./useLasso";
import { useLinking } from "./useLinking";
import { type PlanScene, usePlanScene } from "./usePlanScene";
import { useMovedScene, useRenderSplit } from "./useRenderSplit";
import { useRenderWindow } from "./useRenderWindow";
import { useStableCallbacks } from "./useStableCallbacks";

const nodeTypes = { card: NodeCard, note: NoteCard, fold: GroupCard };
const edgeTypes = { plan: PlanEdgePath };
const multiSelectKeys = ["Shift", "Meta", "Control"];
const snapGrid: [number, number] = [grid, grid];
/**
 * How the canvas uses React Flow. Its keyboard handling is off, because commands handle all keys.
 */
const reactFlowOptions = {
  selectionOnDrag: true,
  selectionMode: SelectionMode.Partial,
  multiSelectionKeyCode: multiSelectKeys,
  selectionKeyCode: null,
  panOnDrag: [1],
  panOnScroll: true,
  zoomOnDoubleClick: false,
  deleteKeyCode: null,
  disableKeyboardA11y: true,
  edgesFocusable: false,
  snapGrid,
  maxZoom: 2,
  reconnectRadius: 12,
  nodeDragThreshold: 3,
  proOptions: { hideAttribution: true },
};

/** The graph editor for the plan, with the state of the run. */
export function Canvas(): ReactElement {
  const plan = usePlanScene(useEditor((state) => state.plan));
  if (!plan.ready) return <LayingOut />;
  return (
    <ReactFlowProvider>
      <CanvasOfPlan {...plan} />
    </ReactFlowProvider>
  );
}

/** Appears only if layout takes longer than 400 ms. */
const late = { animation: "appear 120ms ease-out 400ms both" };

/**
 * Shown while a plan without positions is laid out, which takes a moment with thousands of nodes.
 */
function LayingOut(): ReactElement {
  return (
    <div role="status" className="flex flex-1 items-center justify-center bg-canvas text-muted">
      <span style={late}>Laying out the graph…</span>
    </div>
  );
}

function CanvasOfPlan({ resting, expansion, groups }: PlanScene): ReactElement {
  const frame = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState(false);
  const [revealed, setRevealed] = useState<NodeId>();
  const renaming = usePage((state) => state.renaming);
  const lasso = usePage((state) => state.lasso);
  const past = useEditor((state) => state.run?.past !== undefined);
  const { moving, free, targets, press, onNodesChange, onEdgesChange, begin, settle, show } =
    useFlowChanges(frame, resting, expansion);
  // While Space is held, dragging pans the view even over nodes.
  const pans = useKeyPress("Space");
  const scene = useMovedScene(resting, moving);
  const restingFrames = useRestingFrames(groups, resting);
  const dragTargets = useDragTargets(resting, restingFrames);
  useEffect(() => {
    targets.current = dragTargets;
  });
  const placeAtRest = useCallback((id: NodeId) => placeOf(resting, id), [resting]);
  const renderWindow = useRenderWindow(scene, opened);
  const overview = renderWindow?.overview === true;
  const group = useFrames(restingFrames, resting, scene, moving, renderWindow);
  const view = useCanvasHandle({ frame, scene, showPlaces: show, keep: setRevealed });
  const nodeUnder = (place: Position) => nodeAt(scene, place);
  const { drawing, acts: linking } = useLinking(view.toPlan, nodeUnder, press.wasCanceled);
  const presses = useCanvasClicks(scene, overview, view.toPlan);
  const hovered = useHovered();
  const kept = [hovered.node, drawing?.nodeId, renaming, revealed];
  const { elements, canvas } = useRenderSplit(
    resting,
    moving,
    scene,
    renderWindow,
    kept,
    hovered.edge,
  );
  const isDrawn = overview || elements.canvasLines.length > 0;
  const outline = useLasso(frame, scene, expansion.members, view.toPlan);
  const flow = useFlow(scene, elements, drawing);
  useBoxSelection(scene, press.held);
  const minZoom = useMemo(() => minZoomFor(resting), [resting]);
  useCardFocus(frame, scene);
  const only = useEditor((state) => state.selection.size === 1);

  const acts = useStableCallbacks({
    ...linking,
    ...presses,
    onNodesChange,
    onEdgesChange,
    onNodeDragStart: begin,
    onNodeDragStop: settle,
    onSelectionDragStop: settle,
    onMove: (_: unknown, { zoom }: Viewport) => view.showZoom(zoom),
    onInit: () => void view.open().then(() => setOpened(true)),
  });

  return (
    <div
      ref={frame}
      data-keys="nodes"
      data-lasso={lasso || undefined}
      data-connecting={drawing?.handleType ?? undefined}
      data-overview={overview || undefined}
      onPointerMoveCapture={(event) => {
        rememberPointer(event);
        if (isDrawn) hovered.follow(event, scene, view.toPlan);
        else hovered.leave();
      }}
      onPointerLeave={() => setCanvasPointer(undefined)}
      className="group/canvas @container/canvas relative min-h-0 min-w-0 flex-1 bg-canvas"
    >
      {resting.nodes.length <= maxNodesWithoutCulling && <GridDots />}
      {isDrawn && <RunStateCanvas {...canvas} frames={group.canvasFrames} />}
      <CanvasMenu>
        <ReactFlow<CardNode, PlanEdge>
          nodes={flow.nodes}
          edges={flow.edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          {...reactFlowOptions}
          minZoom={minZoom}
          {...acts}
          connectionLineComponent={ConnectionLine}
          nodesDraggable={!past && !pans}
          nodesConnectable={!past && !pans}
          snapToGrid={!free}
          aria-label="Blueprint graph"
          // A single tab stop: the selected card, or else the graph. Arrow keys move from there.
          tabIndex={only ? -1 : 0}
        >
          <GroupLayer {...group} placeOf={placeAtRest} onDrag={show} onDrop={settle} />
          <HelperLines lines={dragTargets.lines} />
          <LassoLine outline={outline} />
          <LooseEdge scene={scene} />
        </ReactFlow>
      </CanvasMenu>
      <SelectionToolbar scene={scene} />
      <CanvasOverlays scene={resting} frames={restingFrames} past={past} />
    </div>
  );
}

/**
 * Not while the pointer is over a menu, whose events come here too, nor over what covers the graph,
 * such as the palette.
 */
function rememberPointer({ currentTarget, target, clientX, clientY }: PointerEvent): void {
  const element = target as Element;
  if (!currentTarget.contains(element)) return;
  const isOverGraph = element.closest(".react-flow") !== null;
  setCanvasPointer(isOverGraph ? { x: clientX, y: clientY } : undefined);
}

interface CanvasOverlaysProps {
  scene: Scene;
  frames: readonly Frame[];
  past: boolean;
}

/** Everything around the graph. Memoized so that dragging a node doesn't rerender it. */
function CanvasOverlays({ scene, frames, past }: CanvasOverlaysProps): ReactElement {
  const { page } = useBlueprint();
  const size = useEditor((state) => state.plan.nodes.length);
  const hasMap = usePage((state) => showsMinimap(state, size));
  return useMemo(
    () => (
      <>
        {size === 0 && <EmptyCanvas />}
        {!past && <Palette />}
        <BackToBlueprint scene={scene} />
        <CanvasTools />
        {hasMap && <Minimap scene={scene} frames={frames} />}
        <LinkBanner />
        <NodePicker onClose={() => page.setState({ picker: undefined })} />
      </>
    ),
    [page, size, past, hasMap, scene, frames],
  );
}
