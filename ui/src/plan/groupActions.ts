import type { Color, GroupId, NodeId } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import type { Editor } from "./editor";
import {
  colorGroup,
  colorLabel,
  dissolveGroups,
  groupOf,
  groupsOf,
  makeGroup,
  moveToGroup,
  renameGroup,
} from "./groups";
import { formatChosen } from "./nodeCounts";
import { colorNote } from "./notes";
import type { Page } from "./page";

/** Actions on groups; each is one undo step, except collapsing, which is only view state. */
export function createGroupActions(editor: Editor, page: Page) {
  const plan = () => editor.getState().plan;
  const say = (announcement: string) => page.setState({ announcement });
  const selected = () => groupsOf(plan(), editor.getState().selection);

  function setCollapsed(ids: readonly GroupId[], collapsed: boolean) {
    const now = new Set(page.getState().collapsed);
    for (const id of ids) {
      if (collapsed) now.add(id);
      else now.delete(id);
    }
    page.setState({ collapsed: now });
    const what = formatCount(ids.length, "group");
    say(collapsed ? `${what} collapsed` : `${what} expanded`);
  }

  return {
    group() {
      const { selection } = editor.getState();
      if (selection.size === 0) return;
      const id = crypto.randomUUID();
      const what = formatChosen(editor.getState().plan.nodes, selection);
      editor.getState().edit(`Group ${what}`, (before) => makeGroup(before, id, selection));
      page.setState({ renamingGroup: id });
      say(`${what} grouped`);
    },

    ungroup(ids: readonly GroupId[] = selected().map((group) => group.id)) {
      if (ids.length === 0) return;
      const what = formatCount(ids.length, "group");
      editor.getState().edit(`Ungroup ${what}`, (before) => dissolveGroups(before, new Set(ids)));
      say(`${what} removed; the nodes are kept`);
    },

    /** Moves nodes into a group, or out of their groups when `to` is undefined. */
    join(nodes: ReadonlySet<NodeId>, to: GroupId | undefined) {
      const what = formatChosen(editor.getState().plan.nodes, nodes);
      const label = to === undefined ? `Remove ${what} from the group` : `Move ${what} to a group`;
      editor.getState().edit(label, (before) => moveToGroup(before, nodes, to));
    },

    startRenameGroup(id = selected()[0]?.id) {
      if (id) page.setState({ renamingGroup: id });
    },

    /** Ends renaming. Without a title, or with the same one, nothing changes. */
    renameGroup(id: GroupId, title: string | undefined) {
      page.setState({ renamingGroup: undefined });
      if (title !== undefined)
        editor.getState().edit("Rename group", (before) => renameGroup(before, id, title));
    },

    colorGroup(id: GroupId, color: Color) {
      editor.getState().edit("Color group", (before) => colorGroup(before, id, color));
    },

    /** Colors the selected notes if there are any, otherwise the groups of the selected nodes. */
    color(color: Color) {
      say(`Color changed to ${colorLabel(color).toLowerCase()}`);
      const { selection } = editor.getState();
      const notes = plan().nodes.filter(
        (node) => selection.has(node.id) && node.kind.kind === "note",
      );
      if (notes.length > 0) {
        editor
          .getState()
          .edit("Color note", (before) =>
            notes.reduce((after, { id }) => colorNote(after, id, color), before),
          );
        return;
      }
      const groups = selected();
      editor
        .getState()
        .edit("Color group", (before) =>
          groups.reduce((after, { id }) => colorGroup(after, id, color), before),
        );
    },

    /** Selects all nodes of a group; with `more`, in addition to the current selection. */
    selectGroup(id: GroupId, more = false) {
      const group = plan().groups.find((candidate) => candidate.id === id);
      const before = more ? editor.getState().selection : [];
      if (group) editor.getState().select([...before, ...group.nodes]);
    },

    /** Collapses or expands the groups of the selection, or all groups if there are none. */
    collapse(collapsed: boolean) {
      const groups = selected();
      const ids = (groups.length > 0 ? groups : plan().groups).map((group) => group.id);
      setCollapsed(ids, collapsed);
    },

    setCollapsed,

    /** Expands the collapsed group that hides a node. */
    uncover(node: NodeId) {
      const group = groupOf(plan(), node);
      if (group && page.getState().collapsed.has(group.id)) setCollapsed([group.id], false);
    },
  };
}
