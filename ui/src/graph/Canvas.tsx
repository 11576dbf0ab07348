import "./canvas.css";
import { ReactFlow, ReactFlowProvider, SelectionMode, type Viewport } from "@xyflow/react";
import { type ReactElement, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { NodeId } from "@/api/bindings";
import { useBlueprint, usePage } from "@/blueprint/blueprintContext";
import { useEditor } from "@/blueprint/editor";
import { showsMap } from "@/blueprint/page";
import { CanvasMenu } from "./CanvasMenu";
import { CanvasTools } from "./CanvasTools";
import { ConnectionLine } from "./ConnectionLine";
import { Drawing } from "./Drawing";
import { EmptyCanvas } from "./EmptyCanvas";
import { GroupCard } from "./GroupCard";
import { GroupLayer } from "./GroupLayer";
import { grid } from "./geometry";
import { HelperLines } from "./HelperLines";
import { LinkBanner } from "./LinkBanner";
import { Minimap } from "./Minimap";
import { NodeCard } from "./NodeCard";
import { NodePicker } from "./NodePicker";
import { NoteCard } from "./NoteCard";
import { Palette } from "./Palette";
import { PlanEdgePath } from "./PlanEdgePath";
import { placeOf, type Scene } from "./scene";
import type { PlanEdge } from "./toEdges";
import type { CardNode } from "./toFlow";
import { useBox } from "./useBox";
import { leastZoom, useCanvasHandle } from "./useCanvasHandle";
import { useDragTargets } from "./useDragTargets";
import { useFlow } from "./useFlow";
import { useFlowChanges } from "./useFlowChanges";
import { useFrames, useRestingFrames } from "./useFrames";
import { useHovered } from "./useHovered";
import { useLinking } from "./useLinking";
import { type PlanScene, usePlanScene } from "./usePlanScene";
import { usePresses } from "./usePresses";
import { useSight } from "./useSight";
import { useMovedScene, useStage } from "./useStage";
import { useSteady } from "./useSteady";

const nodeTypes = { card: NodeCard, note: NoteCard, fold: GroupCard };
const edgeTypes = { plan: PlanEdgePath };
const severalKeys = ["Shift", "Meta", "Control"];
const snapGrid: [number, number] = [grid, grid];
/** How React Flow takes pointer and keys here; whatever changes the plan by keys is a command of Baton. */
const habits = {
  selectionOnDrag: true,
  selectionMode: SelectionMode.Partial,
  multiSelectionKeyCode: severalKeys,
  selectionKeyCode: null,
  panOnDrag: [1],
  panOnScroll: true,
  zoomOnDoubleClick: false,
  deleteKeyCode: null,
  disableKeyboardA11y: true,
  edgesFocusable: false,
  snapGrid,
  minZoom: leastZoom,
  maxZoom: 2,
  reconnectRadius: 12,
  nodeDragThreshold: 3,
  proOptions: { hideAttribution: true },
};

/** The plan as a graph that is edited by pointer and keyboard, with the run on it. */
export function Canvas(): ReactElement {
  const plan = usePlanScene(useEditor((state) => state.plan));
  if (!plan.ready) return <div className="flex-1 bg-canvas" />;
  return (
    <ReactFlowProvider>
      <CanvasOfPlan {...plan} />
    </ReactFlowProvider>
  );
}

function CanvasOfPlan({ resting, unfolding, groups }: PlanScene): ReactElement {
  const frame = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState(false);
  const [revealed, setRevealed] = useState<NodeId>();
  const renaming = usePage((state) => state.renaming);
  const past = useEditor((state) => state.run?.past !== undefined);
  const { moving, free, targets, onNodesChange, onEdgesChange, begin, settle, show } =
    useFlowChanges(resting, unfolding);
  const scene = useMovedScene(resting, moving);
  const frames = useFrames(groups, resting, scene, moving);
  const dragTargets = useDragTargets(resting, useRestingFrames(groups, resting));
  useEffect(() => {
    targets.current = dragTargets;
  });
  const placeAtRest = useCallback((id: NodeId) => placeOf(resting, id), [resting]);
  const sight = useSight(scene, opened);
  const far = sight?.far === true;
  const view = useCanvasHandle({ frame, scene, showPlaces: show, keep: setRevealed });
  const { drawing, acts: linking } = useLinking(view.toPlan);
  const presses = usePresses(scene, far, view.toPlan);
  const { hovered, onPointerMove } = useHovered(scene, far, view.toPlan);
  const kept = [hovered, drawing?.nodeId, renaming, revealed];
  const { cast, drawn } = useStage(resting, moving, scene, sight, kept);
  const flow = useFlow(scene, cast, drawing);
  useBox(scene);

  const acts = useSteady({
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
          {...habits}
          {...acts}
          connectionLineComponent={ConnectionLine}
          nodesDraggable={!past}
          nodesConnectable={!past}
          snapToGrid={!free}
          aria-label="Graph of the plan"
        >
          <GroupLayer frames={frames} placeOf={placeAtRest} onDrag={show} onDrop={settle} />
          <HelperLines lines={dragTargets.lines} />
        </ReactFlow>
      </CanvasMenu>
      <Furniture scene={resting} past={past} />
    </div>
  );
}

/** What stands around the graph, and is not drawn anew while a node is dragged. */
function Furniture({ scene, past }: { scene: Scene; past: boolean }): ReactElement {
  const { page } = useBlueprint();
  const size = useEditor((state) => state.plan.nodes.length);
  const hasMap = usePage((state) => showsMap(state, size));
  return useMemo(
    () => (
      <>
        {size === 0 && <EmptyCanvas />}
        {!past && <Palette />}
        <CanvasTools />
        {hasMap && <Minimap scene={scene} />}
        <LinkBanner />
        <NodePicker onClose={() => page.setState({ picker: undefined })} />
      </>
    ),
    [page, size, past, hasMap, scene],
  );
}
