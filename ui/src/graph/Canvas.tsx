import "./canvas.css";
import {
  type FinalConnectionState,
  type HandleType,
  type OnConnectStartParams,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
} from "@xyflow/react";
import { type ReactElement, useEffect, useMemo, useRef, useState } from "react";
import type { NodeId } from "@/api/bindings";
import { useBlueprint, usePage } from "@/blueprint/blueprintContext";
import { useEditor } from "@/blueprint/editor";
import { subPlanOf } from "@/blueprint/kindSummary";
import { usePlanTitles } from "@/blueprint/usePlanTitles";
import { CanvasMenu } from "./CanvasMenu";
import { CanvasTools } from "./CanvasTools";
import { ConnectionLine } from "./ConnectionLine";
import { EmptyCanvas } from "./EmptyCanvas";
import { grid } from "./geometry";
import { wayOfOutlet } from "./handles";
import { LinkBanner } from "./LinkBanner";
import { NodeCard } from "./NodeCard";
import { NodePicker } from "./NodePicker";
import { NoteCard } from "./NoteCard";
import { nodeAt } from "./nodeAt";
import { Overview } from "./Overview";
import { Palette } from "./Palette";
import { PlanEdgePath } from "./PlanEdgePath";
import { drawnRefusal, refusedEnds } from "./reachability";
import type { PlanEdge } from "./toEdges";
import type { CardNode, Flow } from "./toFlow";
import { toFlow } from "./toFlow";
import { type DetailLevel, leastZoom, useCanvasHandle } from "./useCanvasHandle";
import { useFallbackPlaces } from "./useFallbackPlaces";
import { useFlowChanges } from "./useFlowChanges";

const nodeTypes = { card: NodeCard, note: NoteCard };
const edgeTypes = { plan: PlanEdgePath };
const nobody: ReadonlySet<NodeId> = new Set();
/** Above so many nodes, those out of sight are not drawn. */
const mostDrawn = 200;
const noNodes: CardNode[] = [];
const noEdges: PlanEdge[] = [];
const panButtons = [1];
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
  const [detail, setDetail] = useState<DetailLevel>("block");
  const { moving, free, onNodesChange, onEdgesChange, settle, show } = useFlowChanges();
  const plan = useEditor((state) => state.plan);
  const fallback = useFallbackPlaces(plan);
  const flow = useFlow(moving, fallback.places, drawing);
  const view = useCanvasHandle({ frame, flow, showPlaces: show, onDetail: setDetail });
  // Many nodes from far away are one drawing; as elements they would cost a second to open.
  const far = detail === "block" && flow.nodes.length > mostDrawn;

  function onConnectEnd(event: MouseEvent | TouchEvent, state: FinalConnectionState) {
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
  }

  if (!fallback.ready) return <div className="flex-1 bg-canvas" />;
  return (
    <div
      ref={frame}
      data-keys="nodes"
      data-connecting={drawing?.handleType ?? undefined}
      className="group/canvas relative min-h-0 min-w-0 flex-1 bg-canvas"
    >
      {far && <Overview flow={flow} />}
      <CanvasMenu>
        <ReactFlow<CardNode, PlanEdge>
          nodes={far ? noNodes : flow.nodes}
          edges={far ? noEdges : flow.edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          onNodesChange={onNodesChange}
          onEdgesChange={onEdgesChange}
          onNodeDragStop={settle}
          onSelectionDragStop={settle}
          onNodeDoubleClick={(_, node) =>
            node.data.opens ? void open(node.id) : edit.startRename(node.id)
          }
          onDoubleClick={(event) => {
            const under = far && nodeAt(flow, view.toPlan({ x: event.clientX, y: event.clientY }));
            if (under) return page.getState().canvas?.show(under);
            if (!(event.target as Element).classList.contains("react-flow__pane")) return;
            const screen = { x: event.clientX, y: event.clientY };
            edit.pick({ screen, at: view.toPlan(screen) });
          }}
          onPaneClick={(event) => {
            if (!far) return;
            const id = nodeAt(flow, view.toPlan({ x: event.clientX, y: event.clientY }));
            if (id) editor.getState().select([id]);
          }}
          onConnectStart={(_, start) => setDrawing(start)}
          onConnect={({ source, sourceHandle, target }) =>
            edit.connect(source, target, wayOfOutlet(sourceHandle))
          }
          onConnectEnd={onConnectEnd}
          onReconnectStart={(_, edge, end: HandleType) => {
            page.setState({ redrawing: edge.id });
            // The end that stays is the one that the new edge begins at.
            setDrawing({
              nodeId: end === "source" ? edge.source : edge.target,
              handleType: end,
              handleId: edge.sourceHandle ?? null,
            });
          }}
          onReconnect={(edge, { source, target }) => edit.reconnect(edge.id, source, target)}
          onReconnectEnd={(_, edge, __, state) => {
            setDrawing(undefined);
            page.setState({ redrawing: undefined });
            if (!state.isValid && !state.toNode) edit.removeEdge(edge.id);
          }}
          isValidConnection={({ source, sourceHandle, target }) =>
            drawnRefusal(plan, page.getState().redrawing, { source, sourceHandle, target }) ===
            undefined
          }
          onMove={(_, { zoom }) => view.showZoom(zoom)}
          onInit={() => view.open()}
          connectionLineComponent={ConnectionLine}
          onlyRenderVisibleElements={flow.nodes.length > mostDrawn}
          selectionOnDrag
          selectionMode={SelectionMode.Partial}
          multiSelectionKeyCode={["Shift", "Meta", "Control"]}
          selectionKeyCode={null}
          panOnDrag={panButtons}
          panOnScroll
          zoomOnDoubleClick={false}
          deleteKeyCode={null}
          disableKeyboardA11y
          edgesFocusable={false}
          snapToGrid={!free}
          snapGrid={snapGrid}
          minZoom={leastZoom}
          maxZoom={2}
          reconnectRadius={12}
          nodeDragThreshold={3}
          proOptions={{ hideAttribution: true }}
          aria-label="Graph of the plan"
        />
      </CanvasMenu>
      {plan.nodes.length === 0 && <EmptyCanvas />}
      <Palette />
      <CanvasTools />
      <LinkBanner />
      <NodePicker onClose={() => page.setState({ picker: undefined })} />
    </div>
  );
}

/** What the canvas draws, made anew when anything in it changed, with everything else kept. */
function useFlow(
  moving: ReadonlyMap<NodeId, { x: number; y: number }>,
  fallback: ReadonlyMap<NodeId, { x: number; y: number }>,
  drawing: OnConnectStartParams | undefined,
): Flow {
  const before = useRef<Flow>(undefined);
  const plan = useEditor((state) => state.plan);
  const run = useEditor((state) => state.run);
  const selection = useEditor((state) => state.selection);
  const selectedEdges = useEditor((state) => state.selectedEdges);
  const problemList = useEditor((state) => state.problems);
  const renaming = usePage((state) => state.renaming);
  const planTitles = usePlanTitles(plan.nodes.some((node) => subPlanOf(node) !== undefined));

  const problems = useMemo(
    () => new Map(problemList.flatMap(({ nodes, sentence }) => nodes.map((id) => [id, sentence]))),
    [problemList],
  );
  const refused = useMemo(
    () =>
      drawing?.nodeId
        ? without(
            refusedEnds(
              plan,
              drawing.nodeId,
              drawing.handleType === "source" ? "parent" : "child",
              wayOfOutlet(drawing.handleId),
            ),
            drawing.nodeId,
          )
        : nobody,
    [plan, drawing],
  );
  const flow = useMemo(
    () =>
      toFlow(
        {
          plan,
          run,
          selection,
          selectedEdges,
          moving,
          fallback,
          problems,
          refused,
          renaming,
          planTitles,
        },
        before.current,
      ),
    [
      plan,
      run,
      selection,
      selectedEdges,
      moving,
      fallback,
      problems,
      refused,
      renaming,
      planTitles,
    ],
  );
  useEffect(() => {
    before.current = flow;
  }, [flow]);
  return flow;
}

// The node that the edge begins at is no end for it, but need not fade either.
function without(ids: Set<NodeId>, id: NodeId): Set<NodeId> {
  ids.delete(id);
  return ids;
}

function touchOf(event: TouchEvent): { clientX: number; clientY: number } {
  return event.changedTouches[0] ?? { clientX: 0, clientY: 0 };
}
