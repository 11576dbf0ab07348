import type { Node, NodeId, Position } from "@/api/bindings";
import {
  conditionalEdgeKey,
  type EdgeCondition,
  parseConditionalEdgeKey,
  targetOf,
} from "./conditionalEdges";
import { edgeKey } from "./edgeKey";
import { edgeKindLabels } from "./edgeKindLabels";
import type { Editor } from "./editor";
import * as edits from "./edits";
import { cardSize } from "./geometry";
import { makeInsertionRoom } from "./insertionRoom";
import type { Page } from "./page";
import { createPlanAccess, singleOf } from "./planAccess";
import { connectionRefusal, movedRefusal, refusalText } from "./reachability";

/** Actions on edges, branches and jumps; each is one undo step. */
export function createEdgeActions(editor: Editor, page: Page) {
  const { plan, selection, nodeOf, titleOf, placeOf, placed, nearby, makeRoom, onScreen, say } =
    createPlanAccess(editor, page);

  /**
   * Draws an edge; with a `condition`, makes that branch or jump of the parent lead to the child.
   */
  function connect(parent: NodeId, child: NodeId, condition?: EdgeCondition): boolean {
    const refusal = connectionRefusal(plan(), parent, child, condition);
    if (refusal) {
      say(`Couldn't connect: ${refusalText(refusal, plan())}`);
      return false;
    }
    if (condition) {
      editor
        .getState()
        .edit(conditionActionLabels[condition], (before) =>
          edits.setWay(before, parent, condition, child),
        );
      say(`${titleOf(parent)} now goes to ${titleOf(child)} ${conditionPhrases[condition]}`);
      return true;
    }
    editor.getState().edit("Connect nodes", (before) => edits.connect(before, parent, child));
    say(`${titleOf(child)} now depends on ${titleOf(parent)}`);
    return true;
  }

  /** Moves one end of an edge. A refused move does nothing. */
  function reconnect(key: string, parent: NodeId, child: NodeId) {
    if (key === edgeKey({ parent, child })) return;
    if (movedRefusal(plan(), key, parent, child)) return;
    editor.getState().edit("Move edge", (before) => edits.reconnect(before, key, parent, child));
  }

  /** Like `reconnect`, but announces the result. The previous target is allowed too. */
  function relink(key: string, parent: NodeId, child: NodeId): boolean {
    const refusal = movedRefusal(plan(), key, parent, child);
    if (refusal) {
      say(`Couldn't move the edge: ${refusalText(refusal, plan())}`);
      return false;
    }
    reconnect(key, parent, child);
    say(`The edge from ${titleOf(parent)} now leads to ${titleOf(child)}`);
    return true;
  }

  /**
   * Opens the picker for a node to insert into an edge; at the middle of the edge unless `screen`
   * is given.
   */
  function insertInEdge(key: string, screen?: Position) {
    const ends = edits.endsOf(plan(), key);
    const [from, to] = [ends && placeOf(ends.parent), ends && placeOf(ends.child)];
    if (!from || !to) return;
    const at = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    page.setState({ picker: { screen: screen ?? onScreen(at), at, edge: key } });
  }

  function setSoft(keys: ReadonlySet<string>, soft: boolean) {
    const label = soft ? "Make edge soft" : "Make edge hard";
    editor.getState().edit(label, (before) => edits.setSoft(before, keys, soft));
    say(soft ? "Edge is now soft" : "Edge is now hard");
  }

  return {
    connect,

    insertInEdge,

    insertInSelectedEdge() {
      const key = singleOf(editor.getState().selectedEdges);
      if (key) insertInEdge(key);
    },

    /**
     * Inserts an unconnected node into an edge, where it was dropped. What follows makes room.
     */
    splice(key: string, id: NodeId, dropped: Position) {
      const ends = edits.endsOf(plan(), key);
      if (!ends) return;
      const { at, moved } = makeInsertionRoom(placed(), ends, dropped, id);
      const to = new Map([[id, at]]);
      editor
        .getState()
        .edit("Insert node into edge", (before) =>
          edits.spliceInEdge(edits.place(makeRoom(before, { moved }), to), key, id),
        );
      say(`${titleOf(id)} inserted into the edge`);
    },

    /** Changes what an edge, branch or jump means. */
    changeEdgeKind(key: string, kind: edits.EdgeKind) {
      const ends = edits.endsOf(plan(), key);
      editor
        .getState()
        .edit("Change edge type", (before) => edits.changeEdgeKind(before, key, kind));
      say(edgeKindLabels[kind]);
      // The key contains the kind, so reselect the edge under its new key.
      if (ends) editor.getState().select([], [edgeKeyOfKind(ends, kind)]);
    },

    setSoftSelected(soft: boolean) {
      setSoft(editor.getState().selectedEdges, soft);
    },

    setSoft,

    removeEdge: (key: string) =>
      editor.getState().edit("Delete edge", (before) => edits.removeEdges(before, new Set([key]))),

    reconnect,

    /** Opens the picker for a node that depends on the selected one. */
    pickNext() {
      const parent = singleOf(selection());
      const node = parent && nodeOf(parent);
      const place = parent && placeOf(parent);
      if (!node || !place || node.kind.kind === "note") return;
      const link = { node: parent, as: "parent", condition: freeBranch(node) } as const;
      const corner = { x: place.x + cardSize.width, y: place.y };
      page.setState({ picker: { screen: onScreen(corner), at: nearby(), link, isUnseen: true } });
    },

    /** Starts an edge at the selected node; `link` then connects it to the selected node. */
    startLink() {
      const parent = singleOf(selection());
      const node = parent && nodeOf(parent);
      if (!node || node.kind.kind === "note") return;
      const condition = freeBranch(node);
      page.setState({ linking: parent, linkingCondition: condition, linkingEdge: undefined });
      say(
        `Connecting ${condition ? `the ${condition} branch of` : "from"} ${titleOf(parent)}. Go to the node that should depend on it and press Enter.`,
      );
    },

    /**
     * Starts moving the child's end of the selected edge; `link` then attaches it to the selected
     * node.
     */
    startRelink() {
      const key = singleOf(editor.getState().selectedEdges);
      const ends = key && edits.endsOf(plan(), key);
      if (!ends) return;
      const { parent, child } = ends;
      page.setState({
        linking: parent,
        linkingCondition: parseConditionalEdgeKey(key)?.kind,
        linkingEdge: key,
      });
      editor.getState().select([child]);
      page.getState().canvas?.reveal(child);
      say(
        `Moving the edge from ${titleOf(parent)} to ${titleOf(child)}. Go to its new target node and press Enter.`,
      );
    },

    link() {
      const { linking, linkingCondition: linkingWay, linkingEdge } = page.getState();
      const child = singleOf(selection());
      if (!linking || !child) return;
      if (linkingEdge ? relink(linkingEdge, linking, child) : connect(linking, child, linkingWay))
        page.setState({ linking: undefined });
    },
  };
}

function edgeKeyOfKind(ends: { parent: NodeId; child: NodeId }, kind: edits.EdgeKind): string {
  return kind === "hard" || kind === "soft"
    ? edgeKey(ends)
    : conditionalEdgeKey({ parent: ends.parent, kind });
}

/** The first branch of a condition without a target, the true branch first. */
function freeBranch(node: Node): EdgeCondition | undefined {
  if (node.kind.kind !== "condition") return undefined;
  return (["true", "false"] as const).find((condition) => targetOf(node, condition) === null);
}

const conditionActionLabels: Record<EdgeCondition, string> = {
  true: "Draw true branch",
  false: "Draw false branch",
  success: "Change success target",
  failure: "Change failure target",
};

const conditionPhrases: Record<EdgeCondition, string> = {
  true: "when its condition is true",
  false: "when its condition is false",
  success: "when it succeeds",
  failure: "when it fails",
};
