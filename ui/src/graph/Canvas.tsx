import "./canvas.css";
import {
  type Connection,
  type FinalConnectionState,
  type HandleType,
  type OnConnectStartParams,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  type Viewport,
} from "@xyflow/react";
import {
  type ReactElement,
  type MouseEvent as ReactMouseEvent,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { NodeId, Position, RunView } from "@/api/bindings";
import { useBlueprint, usePage } from "@/blueprint/blueprintContext";
import { useEditor } from "@/blueprint/editor";
import { showsMap } from "@/blueprint/page";
import { CanvasMenu } from "./CanvasMenu";
import { CanvasTools } from "./CanvasTools";
import { ConnectionLine } from "./ConnectionLine";
import { EmptyCanvas } from "./EmptyCanvas";
import { foldPlan, unfoldedIds, unfoldedPlaces } from "./fold";
import { framesOf } from "./frames";
import { GroupCard } from "./GroupCard";
import { GroupLayer } from "./GroupLayer";
import { grid } from "./geometry";
import { HelperLines } from "./HelperLines";
import { wayOfOutlet } from "./handles";
import { LinkBanner } from "./LinkBanner";
import { type Looks, looksOf } from "./looks";
import { Minimap } from "./Minimap";
import { NodeCard } from "./NodeCard";
import { NodePicker } from "./NodePicker";
import { NoteCard } from "./NoteCard";
import { Overview } from "./Overview";
import { Palette } from "./Palette";
import { PlanEdgePath } from "./PlanEdgePath";
import { drawnRefusal } from "./reachability";
import { nodeAt, placeOf as placeIn, type Scene, sceneOf } from "./scene";
import type { PlanEdge } from "./toEdges";
import { type CardNode, runsByNode } from "./toFlow";
import { useBox } from "./useBox";
import { leastZoom, useCanvasHandle } from "./useCanvasHandle";
import { useDragTargets } from "./useDragTargets";
import { useFallbackPlaces } from "./useFallbackPlaces";
import { useFlow } from "./useFlow";
import { useFlowChanges } from "./useFlowChanges";
import { useHovered } from "./useHovered";
import { useSight } from "./useSight";
import { type Stage, useMovedScene, useStage } from "./useStage";
import { useSteady } from "./useSteady";

const nodeTypes = { card: NodeCard, note: NoteCard, fold: GroupCard };
const edgeTypes = { plan: PlanEdgePath };
const panButtons = [1];
const severalKeys = ["Shift", "Meta", "Control"];
const proOptions = { hideAttribution: true };
const snapGrid: [number, number] = [grid, grid];

/** The plan as a graph that is edited by pointer and keyboard, with the run on it. */
export function Canvas(): ReactElement {
  return (
    <ReactFlowProvider>
      <CanvasOfPlan />
    </ReactFlowProvider>
  );
}

function CanvasOfPlan(): ReactElement {
  const { editor, edit, page, open } = useBlueprint();
  const frame = useRef<HTMLDivElement>(null);
  const [drawing, setDrawing] = useState<OnConnectStartParams | undefined>();
  const [opened, setOpened] = useState(false);
  const [revealed, setRevealed] = useState<NodeId>();
  const plan = useEditor((state) => state.plan);
  const renaming = usePage((state) => state.renaming);
  const hasMap = usePage((state) => showsMap(state, plan.nodes.length));
  const past = useEditor((state) => state.run?.past !== undefined);
  const fallback = useFallbackPlaces(plan);
  const { nodes, edges, groups } = plan;
  const collapsed = usePage((state) => state.collapsed);
  const folded = useMemo(
    () => foldPlan({ nodes, edges, groups }, collapsed, fallback.places),
    [nodes, edges, groups, collapsed, fallback.places],
  );
  const resting = useMemo(() => sceneOf(folded, fallback.places), [folded, fallback.places]);
  const unfolding = useMemo(
    () => ({
      members: (ids: Iterable<NodeId>) => unfoldedIds(folded, ids),
      placesOf: (places: ReadonlyMap<NodeId, Position>) =>
        unfoldedPlaces({ nodes, groups }, folded, places, fallback.places),
    }),
    [nodes, groups, folded, fallback.places],
  );
  const { moving, free, targets, onNodesChange, onEdgesChange, begin, settle, show } =
    useFlowChanges(resting, unfolding);
  const scene = useMovedScene(resting, moving);
  const shownGroups = useMemo(
    () => groups.filter(({ id }) => !collapsed.has(id)),
    [groups, collapsed],
  );
  const restingFrames = useMemo(
    () => framesOf(shownGroups, resting, resting, new Map()),
    [shownGroups, resting],
  );
  const frames = useMemo(
    () => (moving.size === 0 ? restingFrames : framesOf(shownGroups, resting, scene, moving)),
    [restingFrames, shownGroups, resting, scene, moving],
  );
  const dragTargets = useDragTargets(resting, restingFrames);
  useEffect(() => {
    targets.current = dragTargets;
  });
  const placeAtRest = useCallback((id: NodeId) => placeIn(resting, id), [resting]);
  const sight = useSight(scene, opened);
  const far = sight?.far === true;
  const view = useCanvasHandle({ frame, scene, showPlaces: show, keep: setRevealed });
  const { hovered, onPointerMove } = useHovered(scene, far, view.toPlan);
  const kept = [hovered, drawing?.nodeId, renaming, revealed];
  const { cast, drawn } = useStage(resting, moving, scene, sight, kept);
  const flow = useFlow(scene, cast, drawing);
  useBox(scene);

  const { closePicker, ...flowActs } = useSteady({
    onNodesChange,
    onEdgesChange,
    onNodeDragStart: begin,
    onNodeDragStop: settle,
    onSelectionDragStop: settle,
    onNodeDoubleClick: (_: unknown, node: CardNode) =>
      node.type === "fold"
        ? edit.setCollapsed([node.id], false)
        : node.type === "note"
          ? edit.startWriting(node.id)
          : node.data.opens
            ? void open(node.id)
            : edit.startRename(node.id),
    onDoubleClick: (event: ReactMouseEvent) => {
      const screen = { x: event.clientX, y: event.clientY };
      const under = far && nodeAt(scene, view.toPlan(screen));
      if (under) return page.getState().canvas?.show(under);
      if (!(event.target as Element).classList.contains("react-flow__pane")) return;
      edit.pick({ screen, at: view.toPlan(screen) });
    },
    onPaneClick: (event: ReactMouseEvent) => {
      // What is drawn under the pointer, or nothing: there may be more selected than React Flow knows.
      const screen = { x: event.clientX, y: event.clientY };
      const under = far ? nodeAt(scene, view.toPlan(screen)) : undefined;
      editor.getState().select(under ? [under] : []);
    },
    onConnectStart: (_: unknown, start: OnConnectStartParams) => setDrawing(start),
    onConnect: ({ source, sourceHandle, target }: Connection) =>
      edit.connect(source, target, wayOfOutlet(sourceHandle)),
    onConnectEnd: (event: MouseEvent | TouchEvent, state: FinalConnectionState) => {
      setDrawing(undefined);
      if (state.isValid || state.toNode || !state.fromNode || page.getState().redrawing) return;
      const { clientX: x, clientY: y } = "changedTouches" in event ? touchOf(event) : event;
      const screen = { x, y };
      const as = state.fromHandle?.type === "source" ? "parent" : "child";
      const at = view.toPlan(screen);
      edit.pick({
        screen,
        at: { x: as === "parent" ? at.x : at.x - 220, y: at.y - 32 },
        link: { node: state.fromNode.id, as, way: wayOfOutlet(state.fromHandle?.id) },
      });
    },
    onReconnectStart: (_: unknown, edge: PlanEdge, end: HandleType) => {
      page.setState({ redrawing: edge.id });
      // The end that stays is the one that the new edge begins at.
      setDrawing({
        nodeId: end === "source" ? edge.source : edge.target,
        handleType: end,
        handleId: edge.sourceHandle ?? null,
      });
    },
    onReconnect: (edge: PlanEdge, { source, target }: Connection) =>
      edit.reconnect(edge.id, source, target),
    onReconnectEnd: (_: unknown, edge: PlanEdge, __: unknown, state: FinalConnectionState) => {
      setDrawing(undefined);
      page.setState({ redrawing: undefined });
      if (!state.isValid && !state.toNode) edit.removeEdge(edge.id);
    },
    isValidConnection: ({ source, sourceHandle, target }: Connection | PlanEdge) =>
      drawnRefusal(plan, page.getState().redrawing, { source, sourceHandle, target }) === undefined,
    onMove: (_: unknown, { zoom }: Viewport) => view.showZoom(zoom),
    onInit: () => void view.open().then(() => setOpened(true)),
    closePicker: () => page.setState({ picker: undefined }),
  });
  // What stands around the graph is not drawn anew while a node is dragged.
  const furniture = useMemo(
    () => (
      <>
        {!past && <Palette />}
        <CanvasTools />
        {hasMap && <Minimap scene={resting} />}
        <LinkBanner />
        <NodePicker onClose={closePicker} />
      </>
    ),
    [past, hasMap, resting, closePicker],
  );

  if (!fallback.ready) return <div className="flex-1 bg-canvas" />;
  return (
    <div
      ref={frame}
      data-keys="nodes"
      data-connecting={drawing?.handleType ?? undefined}
      onPointerMoveCapture={onPointerMove}
      className="group/canvas relative min-h-0 min-w-0 flex-1 bg-canvas"
    >
      {far && <Drawing {...drawn} />}
      <CanvasMenu>
        <ReactFlow<CardNode, PlanEdge>
          nodes={flow.nodes}
          edges={flow.edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          {...flowActs}
          connectionLineComponent={ConnectionLine}
          selectionOnDrag
          selectionMode={SelectionMode.Partial}
          multiSelectionKeyCode={severalKeys}
          selectionKeyCode={null}
          panOnDrag={panButtons}
          panOnScroll
          zoomOnDoubleClick={false}
          deleteKeyCode={null}
          disableKeyboardA11y
          nodesDraggable={!past}
          nodesConnectable={!past}
          edgesFocusable={false}
          snapToGrid={!free}
          snapGrid={snapGrid}
          minZoom={leastZoom}
          maxZoom={2}
          reconnectRadius={12}
          nodeDragThreshold={3}
          proOptions={proOptions}
          aria-label="Graph of the plan"
        >
          <GroupLayer frames={frames} placeOf={placeAtRest} onDrag={show} onDrop={settle} />
          <HelperLines lines={dragTargets.lines} />
        </ReactFlow>
      </CanvasMenu>
      {plan.nodes.length === 0 && <EmptyCanvas />}
      {furniture}
    </div>
  );
}

/** The drawing in the colours of the run; whoever looks from nearby does not pay for them. */
function Drawing({ scene, selected, lifted }: Stage["drawn"]): ReactElement {
  const run = useEditor((state) => state.run);
  const looks = useLooks(scene, run);
  return <Overview scene={scene} looks={looks} selected={selected} lifted={lifted} />;
}

function useLooks(scene: Scene, run: RunView | undefined): Looks {
  const { nodes, lines } = scene;
  return useMemo(() => looksOf({ nodes, lines }, runsByNode(run)), [nodes, lines, run]);
}

function touchOf(event: TouchEvent): { clientX: number; clientY: number } {
  return event.changedTouches[0] ?? { clientX: 0, clientY: 0 };
}
