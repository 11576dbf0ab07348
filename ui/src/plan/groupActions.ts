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
import { colorNote } from "./notes";
import type { Page } from "./page";

/** What is done to groups; each but collapsing is one step of undo. How they are collapsed is only looked at. */
export function createGroupActions(editor: Editor, page: Page) {
  const plan = () => editor.getState().plan;
  const say = (announcement: string) => page.setState({ announcement });
  /** The groups that the selection is in. */
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
      const what = formatCount(selection.size, "node");
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

    /** Puts nodes into a group, or into none. */
    join(nodes: ReadonlySet<NodeId>, to: GroupId | undefined) {
      const what = formatCount(nodes.size, "node");
      const label = to === undefined ? `Remove ${what} from the group` : `Move ${what} to a group`;
      editor.getState().edit(label, (before) => moveToGroup(before, nodes, to));
    },

    startRenameGroup(id = selected()[0]?.id) {
      if (id) page.setState({ renamingGroup: id });
    },

    /** Ends renaming; no title, or the same one, changes nothing. */
    renameGroup(id: GroupId, title: string | undefined) {
      page.setState({ renamingGroup: undefined });
      if (title !== undefined)
        editor.getState().edit("Rename group", (before) => renameGroup(before, id, title));
    },

    colorGroup(id: GroupId, colour: Color) {
      editor.getState().edit("Color group", (before) => colorGroup(before, id, colour));
    },

    /** The color of what is selected: of notes where there are any, otherwise of their groups. */
    colour(colour: Color) {
      say(`Color changed to ${colorLabel(colour).toLowerCase()}`);
      const { selection } = editor.getState();
      const notes = plan().nodes.filter(
        (node) => selection.has(node.id) && node.kind.kind === "note",
      );
      if (notes.length > 0) {
        editor
          .getState()
          .edit("Color note", (before) =>
            notes.reduce((after, { id }) => colorNote(after, id, colour), before),
          );
        return;
      }
      const groups = selected();
      editor
        .getState()
        .edit("Color group", (before) =>
          groups.reduce((after, { id }) => colorGroup(after, id, colour), before),
        );
    },

    /** Selects everything in a group. */
    selectGroup(id: GroupId, more = false) {
      const group = plan().groups.find((candidate) => candidate.id === id);
      const before = more ? editor.getState().selection : [];
      if (group) editor.getState().select([...before, ...group.nodes]);
    },

    /** Collapses or expands the groups of the selection, or all when none of it is in one. */
    collapse(collapsed: boolean) {
      const groups = selected();
      const ids = (groups.length > 0 ? groups : plan().groups).map((group) => group.id);
      setCollapsed(ids, collapsed);
    },

    setCollapsed,

    /** Shows a node that a collapsed group hides. */
    uncover(node: NodeId) {
      const group = groupOf(plan(), node);
      if (group && page.getState().collapsed.has(group.id)) setCollapsed([group.id], false);
    },
  };
}
