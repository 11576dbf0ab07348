import type { Backend } from "@/api/Backend";
import type { NodeId } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import { createArrangeActs } from "./arrangeActs";
import { createClipActs } from "./clipActs";
import { createEdgeActs } from "./edgeActs";
import type { Editor } from "./editor";
import * as edits from "./edits";
import { freePlace } from "./geometry";
import { createGroupActs } from "./groupActs";
import { healNodes } from "./heal";
import { type KindName, kindWords } from "./kinds";
import { createLayoutActs } from "./layoutActs";
import { createNoteActs } from "./noteActs";
import { opensBeside, type Page, type PickPlace } from "./page";
import { only, planOnPage } from "./planOnPage";
import { replaceNode } from "./replace";
import { createSelectionActs } from "./selectionActs";

/** Everything that a key, a menu or a drag does to the plan; each is one step of undo. */
export function createEditActs(editor: Editor, page: Page, backend: Pick<Backend, "call">) {
  return {
    ...createNodeActs(editor, page),
    ...createEdgeActs(editor, page),
    ...createClipActs(editor, page, backend),
    ...createSelectionActs(editor, page),
    ...createLayoutActs(editor, page, backend),
    ...createGroupActs(editor, page),
    ...createArrangeActs(editor, page),
    ...createNoteActs(editor, page),
  };
}

export type EditActs = ReturnType<typeof createEditActs>;

/** What is done to nodes as wholes. */
function createNodeActs(editor: Editor, page: Page) {
  const { plan, selection, titleOf, placeOf, nearby, onScreen, say } = planOnPage(editor, page);

  function add(kind: KindName, { at, link, edge }: Partial<PickPlace> = {}) {
    const node = edits.blankNode(
      plan(),
      kind,
      freePlace(at ?? nearby(), plan().nodes, plan().direction),
    );
    editor.getState().edit(`Add ${node.title.toLowerCase()}`, (before) => {
      if (edge && kind !== "note") return edits.insertInEdge(before, edge, node);
      const after = edits.addNode(before, node);
      if (!link || kind === "note") return after;
      if (link.way && link.as === "parent")
        return edits.setWay(after, link.node, link.way, node.id);
      return link.as === "parent"
        ? edits.connect(after, link.node, node.id)
        : edits.connect(after, node.id, link.node);
    });
    editor.getState().select([node.id]);
    const open = { ...(opensBeside() && { sideOpen: true }) };
    page.setState({ renaming: node.id, picker: undefined, ...open });
    say(`${node.title} added`);
  }

  function remove() {
    const { selection: nodes, selectedEdges: edges } = editor.getState();
    if (nodes.size === 0 && edges.size === 0) return;
    const what = nodes.size > 0 ? formatCount(nodes.size, "node") : formatCount(edges.size, "edge");
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

    pick: (picker: PickPlace | undefined) => page.setState({ picker }),

    /** Deletes the selected nodes and lets what came after them wait for what came before. */
    heal() {
      const nodes = selection();
      if (nodes.size === 0) return;
      const what = formatCount(nodes.size, "node");
      editor.getState().edit(`Delete and reconnect ${what}`, (before) => healNodes(before, nodes));
      editor.getState().select([]);
      say(`${what} deleted, their neighbors connected`);
    },

    /** Disables or enables what is selected: a run skips what is disabled, and goes on. */
    disable(disabled: boolean) {
      const nodes = selection();
      const what = formatCount(nodes.size, "node");
      const label = `${disabled ? "Disable" : "Enable"} ${what}`;
      editor.getState().edit(label, (before) => edits.setDisabled(before, nodes, disabled));
      say(disabled ? `${what} disabled; a run skips them and goes on` : `${what} enabled`);
    },

    /** Asks what the selected node shall become. */
    startReplace(id = only(selection())) {
      const place = id && placeOf(id);
      if (id && place) page.setState({ picker: { screen: onScreen(place), replace: id } });
    },

    replace(id: NodeId, kind: KindName) {
      page.setState({ picker: undefined });
      editor
        .getState()
        .edit(`Replace with ${kindWords[kind]}`, (before) => replaceNode(before, id, kind));
      say(`${titleOf(id)} is now of kind ${kindWords[kind]}`);
    },

    startRename(id = only(selection())) {
      if (id) page.setState({ renaming: id });
    },

    /** Ends renaming; no title, or the same one, changes nothing. */
    rename(id: NodeId, title: string | undefined) {
      page.setState({ renaming: undefined });
      if (title !== undefined)
        editor.getState().edit("Rename node", (before) => edits.renameNode(before, id, title));
    },
  };
}
