import type { NodeId, Position } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import { showToast } from "@/components/toasts";
import { toSentence } from "@/components/toSentence";
import {
  conditionalEdgeKey,
  type EdgeCondition,
  parseConditionalEdgeKey,
} from "./conditionalEdges";
import {
  applyConnections,
  connectionsTo,
  freeBranch,
  isConnectable,
  joinPlace,
  type LinkSide,
  linkStarts,
} from "./connections";
import { edgeKey } from "./edgeKey";
import { edgeKindLabels } from "./edgeKindLabels";
import type { Editor } from "./editor";
import * as edits from "./edits";
import { cardSize, positionAfter } from "./geometry";
import { makeInsertionRoom } from "./insertionRoom";
import type { Page } from "./page";
import { createPlanAccess, singleOf } from "./planAccess";
import { connectionRefusal, movedRefusal, refusalText } from "./reachability";

/** Actions on edges, branches and jumps; each is one undo step. */
export function createEdgeActions(editor: Editor, page: Page) {
  const { plan, selection, titleOf, placeOf, placed, makeRoom, onScreen, say } = createPlanAccess(
    editor,
    page,
  );

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

  /**
   * Draws the edges between several nodes and one other in one step, without those that are not
   * allowed. Returns whether there was any.
   */
  function connectAll(nodes: readonly NodeId[], as: LinkSide, other: NodeId): boolean {
    const { connections, skipped } = connectionsTo(plan(), nodes, as, other);
    const count = formatCount(connections.length, "node");
    if (connections.length === 0) {
      say(`Couldn't connect: ${skipped || refusalText({ why: "itself" }, plan())}`);
      return false;
    }
    editor.getState().edit(`Connect ${count}`, (before) => applyConnections(before, connections));
    const verb = connections.length === 1 ? "depends" : "depend";
    const done =
      as === "parent"
        ? `${titleOf(other)} now depends on ${count}`
        : `${count} now ${verb} on ${titleOf(other)}`;
    if (skipped) showToast({ kind: "info", title: done, detail: toSentence(skipped) });
    else say(done);
    return true;
  }

  /** The selected nodes that can have edges, in the order of the plan. */
  const connectable = () =>
    plan().nodes.filter((node) => selection().has(node.id) && isConnectable(node));

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

  /** The keys of the edges that nobody has confirmed, in the order of the plan. */
  const inferredEdges = () =>
    plan()
      .edges.filter((edge) => edge.inferred)
      .map(edgeKey);

  return {
    connect,
    connectAll,

    /** Confirms inferred edges: those with the given keys, or all of them. */
    confirmEdges(keys?: ReadonlySet<string>) {
      const count = inferredEdges().filter((key) => !keys || keys.has(key)).length;
      if (count === 0) return;
      editor.getState().edit("Confirm edges", (before) => edits.confirmEdges(before, keys));
      say(`${formatCount(count, "edge")} confirmed`);
    },

    /** Selects the inferred edge after the selected one and shows it. */
    reviewEdges() {
      const keys = inferredEdges();
      const selected = singleOf(editor.getState().selectedEdges);
      const next = keys[(keys.indexOf(selected ?? "") + 1) % keys.length];
      const ends = next && edits.endsOf(plan(), next);
      if (!ends) return;
      editor.getState().select([], [next]);
      page.setState({ sideOpen: true });
      page.getState().canvas?.reveal(ends.child);
      say(`${titleOf(ends.child)} depends on ${titleOf(ends.parent)}, inferred`);
    },

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

    /** Opens the picker for a node that depends on the selected ones. */
    pickNext() {
      const parents = connectable();
      const [only, ...others] = parents;
      const nodes = parents.map(({ id }) => id);
      const place = joinPlace(
        nodes.flatMap((id) => placeOf(id) ?? []),
        plan().direction,
      );
      if (!only || !place) return;
      const condition = others.length === 0 ? freeBranch(only) : undefined;
      const corner = { x: place.x + cardSize.width, y: place.y };
      page.setState({
        picker: {
          screen: onScreen(corner),
          at: positionAfter(place, plan().direction),
          link: { nodes, as: "parent", condition },
          isUnseen: true,
        },
      });
    },

    /** Starts edges at the selected nodes; `link` then connects them to the node selected next. */
    startLink() {
      const [only, ...others] = connectable();
      if (!only) return;
      const condition = others.length === 0 ? freeBranch(only) : undefined;
      page.setState({
        linking: [only, ...others].map(({ id }) => id),
        linkingCondition: condition,
        linkingEdge: undefined,
      });
      const from = others.length === 0 ? titleOf(only.id) : formatCount(others.length + 1, "node");
      say(
        `Connecting ${condition ? `the ${condition} branch of` : "from"} ${from}. Go to the node that should depend on ${others.length === 0 ? "it" : "them"} and press Enter.`,
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
        linking: [parent],
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
      if (!linking) return;
      const [parent] = linkStarts(plan(), linking, linkingEdge);
      if (parent === undefined) {
        page.setState({ linking: undefined });
        say(linkStartGoneText);
        return;
      }
      const child = singleOf(selection());
      if (!child) return;
      const isDone = linkingEdge
        ? relink(linkingEdge, parent, child)
        : linking.length > 1
          ? connectAll(linking, "parent", child)
          : connect(parent, child, linkingWay);
      if (isDone) page.setState({ linking: undefined });
    },
  };
}

/** Announced when what a link began at was deleted, here or in another window. */
const linkStartGoneText = "Connecting ended, as its start was deleted";

function edgeKeyOfKind(ends: { parent: NodeId; child: NodeId }, kind: edits.EdgeKind): string {
  return kind === "hard" || kind === "soft"
    ? edgeKey(ends)
    : conditionalEdgeKey({ parent: ends.parent, kind });
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
