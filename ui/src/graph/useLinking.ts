import type {
  Connection,
  FinalConnectionState,
  HandleType,
  OnConnectStartParams,
} from "@xyflow/react";
import { useState } from "react";
import type { NodeId, Position, Direction as Reading } from "@/api/bindings";
import { useBlueprint } from "@/plan/blueprintContext";
import type { EdgeCondition } from "@/plan/conditionalEdges";
import { connectionsTo, draggedNodes, isConnectable, type LinkSide } from "@/plan/connections";
import { sourceAnchor, targetAnchor } from "@/plan/edgeAnchors";
import { cardSize, defaultDirection } from "@/plan/geometry";
import { conditionOfHandle } from "@/plan/handles";
import { nodesById } from "@/plan/nodesById";
import { drawnRefusal } from "@/plan/reachability";
import type { PlanEdge } from "./toEdges";

/**
 * The position of a new node for an edge dropped on the empty canvas, so that the edge meets the
 * node at the pointer.
 */
function placeAt({ x, y }: Position, as: "parent" | "child", reading: Reading): Position {
  const { at } =
    as === "parent" ? targetAnchor(cardSize, reading) : sourceAnchor(cardSize, reading, undefined);
  return { x: x - at.x, y: y - at.y };
}

/**
 * Handlers for edges drawn with the pointer: from card to card, from a card to the empty canvas,
 * and moving one end. A canceled gesture has no effect.
 */
export function useLinking(
  toPlan: (screen: Position) => Position,
  nodeUnder: (place: Position) => NodeId | undefined,
  wasCanceled: () => boolean,
) {
  const { editor, edit, page } = useBlueprint();
  const [drawing, setDrawing] = useState<OnConnectStartParams | undefined>();
  /** The card of a collapsed group is no node of the plan. */
  const isNode = (id: NodeId) => nodesById(editor.getState().plan).has(id);
  /** The nodes that a new node is connected to. Notes have no edges. */
  const linkable = (from: NodeId, condition?: EdgeCondition) => {
    const { plan, selection } = editor.getState();
    const byId = nodesById(plan);
    return draggedNodes(from, selection, condition).filter((id) => isConnectable(byId.get(id)));
  };

  /** Draws an edge, or one for each selected node if it begins at one of several. */
  function connect(from: NodeId, as: LinkSide, to: NodeId, condition?: EdgeCondition) {
    const nodes = draggedNodes(from, editor.getState().selection, condition);
    if (nodes.length > 1) edit.connectAll(nodes, as, to);
    else if (as === "parent") edit.connect(from, to, condition);
    else edit.connect(to, from, condition);
  }

  const acts = {
    onConnectStart: (_: unknown, start: OnConnectStartParams) => setDrawing(start),
    onConnect: ({ source, sourceHandle, target }: Connection) => {
      if (wasCanceled()) return;
      const condition = conditionOfHandle(sourceHandle);
      if (drawing?.handleType === "target") connect(target, "child", source, condition);
      else connect(source, "parent", target, condition);
    },
    onConnectEnd: (event: MouseEvent | TouchEvent, state: FinalConnectionState) => {
      setDrawing(undefined);
      // The press on the handle gave its card the focus, but other keys act on the selection.
      page.getState().canvas?.focus();
      if (wasCanceled()) return;
      if (state.isValid || state.toNode || !state.fromNode || page.getState().reconnectingEdge)
        return;
      const screen = placeOfPointer(event);
      const as = state.fromHandle?.type === "source" ? "parent" : "child";
      const condition = conditionOfHandle(state.fromHandle?.id);
      // A card can be under the pointer although none of its handles is: when it is only painted,
      // or when something covers it.
      const under = nodeUnder(toPlan(screen));
      if (under !== undefined) {
        if (under === state.fromNode.id || !isNode(under)) return;
        connect(state.fromNode.id, as, under, as === "parent" ? condition : undefined);
        return;
      }
      const { direction = defaultDirection } = editor.getState().plan;
      edit.pick({
        screen,
        at: placeAt(toPlan(screen), as, direction),
        link: { nodes: linkable(state.fromNode.id, condition), as, condition },
      });
    },
    onReconnectStart: (_: unknown, edge: PlanEdge, end: HandleType) => {
      page.setState({ reconnectingEdge: edge.id });
      // React Flow reports the end that stays; the edge is drawn from there.
      setDrawing({
        nodeId: end === "source" ? edge.source : edge.target,
        handleType: end,
        handleId: edge.sourceHandle ?? null,
      });
    },
    onReconnect: (edge: PlanEdge, { source, target }: Connection) => {
      if (!wasCanceled()) edit.reconnect(edge.id, source, target);
    },
    onReconnectEnd: (
      event: MouseEvent | TouchEvent,
      edge: PlanEdge,
      _: unknown,
      state: FinalConnectionState,
    ) => {
      setDrawing(undefined);
      page.setState({ reconnectingEdge: undefined });
      if (wasCanceled() || state.isValid || state.toNode) return;
      const under = nodeUnder(toPlan(placeOfPointer(event)));
      if (under === undefined) edit.removeEdge(edge.id);
      else if (isNode(under)) edit.reconnect(edge.id, edge.source, under);
    },
    isValidConnection: ({ source, sourceHandle, target }: Connection | PlanEdge) => {
      const { plan, selection } = editor.getState();
      const { reconnectingEdge } = page.getState();
      const as = drawing?.handleType === "target" ? "child" : "parent";
      const [from, to] = as === "parent" ? [source, target] : [target, source];
      const nodes = draggedNodes(from, selection, conditionOfHandle(sourceHandle));
      if (reconnectingEdge === undefined && nodes.length > 1)
        return connectionsTo(plan, nodes, as, to).connections.length > 0;
      return drawnRefusal(plan, reconnectingEdge, { source, sourceHandle, target }) === undefined;
    },
  };
  return { drawing, acts };
}

function placeOfPointer(event: MouseEvent | TouchEvent): Position {
  const { clientX: x, clientY: y } = "changedTouches" in event ? touchOf(event) : event;
  return { x, y };
}

function touchOf(event: TouchEvent): { clientX: number; clientY: number } {
  return event.changedTouches[0] ?? { clientX: 0, clientY: 0 };
}
