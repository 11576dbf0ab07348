import type { Backend } from "@/api/Backend";
import type { NodeId, Plan, Position } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import { createArrangeActions } from "./arrangeActions";
import { createClipboardActions } from "./clipboardActions";
import { applyConnections, type Connection, connectionsTo } from "./connections";
import { createEdgeActions } from "./edgeActions";
import type { Editor } from "./editor";
import * as edits from "./edits";
import { findFreePosition, snapToGrid } from "./geometry";
import { createGroupActions } from "./groupActions";
import { makeInsertionRoom } from "./insertionRoom";
import { type KindName, kindLabels } from "./kinds";
import { createLayoutActions } from "./layoutActions";
import { formatChosen } from "./nodeCounts";
import { nodesById } from "./nodesById";
import { createNoteActions } from "./noteActions";
import { type NodePickerRequest, opensInspectorBeside, type Page } from "./page";
import { createPlanAccess, singleOf } from "./planAccess";
import { removeAndReconnect } from "./removeAndReconnect";
import { replaceNode } from "./replaceNode";
import { createSelectionActions } from "./selectionActions";

/** All actions that edit the plan, by key, menu or drag; each is one undo step. */
export function createEditActions(editor: Editor, page: Page, backend: Pick<Backend, "call">) {
  return {
    ...createNodeActions(editor, page),
    ...createEdgeActions(editor, page),
    ...createClipboardActions(editor, page, backend),
    ...createSelectionActions(editor, page),
    ...createLayoutActions(editor, page, backend),
    ...createGroupActions(editor, page),
    ...createArrangeActions(editor, page),
    ...createNoteActions(editor, page),
  };
}

export type EditActions = ReturnType<typeof createEditActions>;

/** Actions on whole nodes. */
function createNodeActions(editor: Editor, page: Page) {
  const { plan, selection, titleOf, placeOf, placed, nearby, makeRoom, onScreen, say } =
    createPlanAccess(editor, page);

  function add(kind: KindName, request: Partial<NodePickerRequest> = {}) {
    const { at, link, edge, isUnseen = at === undefined } = request;
    const wish = at ?? nearby();
    const ends = edge !== undefined && kind !== "note" ? edits.endsOf(plan(), edge) : undefined;
    const room = ends && makeInsertionRoom(placed(), ends, wish);
    const place = room?.at ?? findFreePosition(wish, plan().nodes, plan().direction);
    const node = edits.blankNode(plan(), kind, place);
    editor.getState().edit(`Add ${node.title.toLowerCase()}`, (before) => {
      if (edge !== undefined && room) return edits.insertInEdge(makeRoom(before, room), edge, node);
      const after = edits.addNode(before, node);
      return link && kind !== "note"
        ? applyConnections(after, linksTo(after, node.id, link))
        : after;
    });
    editor.getState().select([node.id]);
    const open = { ...(opensInspectorBeside() && { sideOpen: true }) };
    page.setState({ renaming: node.id, picker: undefined, ...open });
    // There was no room at the pointer, so that the node may be outside the view.
    const isMoved = at !== undefined && !isSamePlace(place, snapToGrid(at));
    if (isUnseen || isMoved) page.getState().canvas?.bringIntoView(node.id);
    say(`${node.title} added`);
  }

  const nameOf = (nodes: ReadonlySet<NodeId>) => formatChosen(editor.getState().plan.nodes, nodes);

  function remove() {
    const { selection: nodes, selectedEdges: edges } = editor.getState();
    if (nodes.size === 0 && edges.size === 0) return;
    const what = nodes.size > 0 ? nameOf(nodes) : formatCount(edges.size, "edge");
    editor
      .getState()
      .edit(`Delete ${what}`, (before) =>
        edits.removeEdges(edits.removeNodes(before, nodes), edges),
      );
    editor.getState().select([]);
    say(`${what} deleted`);
  }

  return {
    add,
    remove,

    pick: (picker: NodePickerRequest | undefined) => page.setState({ picker }),

    /** Deletes the selected nodes and connects their parents to their children. */
    heal() {
      const nodes = selection();
      if (nodes.size === 0) return;
      const what = nameOf(nodes);
      editor
        .getState()
        .edit(`Delete and reconnect ${what}`, (before) => removeAndReconnect(before, nodes));
      editor.getState().select([]);
      say(`${what} deleted and neighbors reconnected`);
    },

    /** Disables or enables the selected nodes. A run skips disabled nodes and continues. */
    disable(disabled: boolean) {
      const nodes = selection();
      const what = nameOf(nodes);
      const label = `${disabled ? "Disable" : "Enable"} ${what}`;
      editor.getState().edit(label, (before) => edits.setDisabled(before, nodes, disabled));
      say(
        disabled
          ? `${what} disabled; runs will skip ${nodes.size === 1 ? "it" : "them"}`
          : `${what} enabled`,
      );
    },

    /** Opens the picker for the kind to replace the selected node with. */
    startReplace(id = singleOf(selection())) {
      const place = id && placeOf(id);
      if (id && place) page.setState({ picker: { screen: onScreen(place), replace: id } });
    },

    replace(id: NodeId, kind: KindName) {
      page.setState({ picker: undefined });
      editor
        .getState()
        .edit(`Replace with ${kindLabels[kind]}`, (before) => replaceNode(before, id, kind));
      say(`${titleOf(id)} changed to ${kindLabels[kind]}`);
    },

    startRename(id = singleOf(selection())) {
      if (id) page.setState({ renaming: id });
    },

    /** Ends renaming. Without a title, or with the same one, nothing changes. */
    rename(id: NodeId, title: string | undefined) {
      page.setState({ renaming: undefined });
      if (title !== undefined)
        editor.getState().edit("Rename node", (before) => edits.renameNode(before, id, title));
    },
  };
}

const isSamePlace = (one: Position, other: Position) => one.x === other.x && one.y === other.y;

/** The edges between a new node and those that the picker was opened for. */
function linksTo(
  plan: Plan,
  added: NodeId,
  { nodes, as, condition }: NonNullable<NodePickerRequest["link"]>,
): Connection[] {
  // The same edges as to a node that was there before.
  if (nodes.length > 1) return connectionsTo(plan, nodes, as, added).connections;
  const byId = nodesById(plan);
  return nodes
    .filter((node) => byId.has(node))
    .map((node) =>
      as === "parent" ? { parent: node, child: added, condition } : { parent: added, child: node },
    );
}
