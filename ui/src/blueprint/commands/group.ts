import { createElement } from "react";
import type { groupCommands } from "@/commands/catalog/group";
import type { Choice, HandlersFor } from "@/commands/command";
import { ColorSwatch } from "@/components/ColorSwatch";
import type { Blueprint } from "@/plan/blueprintContext";
import { colorLabel, colors, groupsOf } from "@/plan/groups";
import { noneSelected, singleSelectedNode } from "./refusals";

/** Handlers for groups and notes. */
export function groupHandlers(blueprint: Blueprint): HandlersFor<typeof groupCommands> {
  const { editor, page, edit } = blueprint;
  const selected = () => groupsOf(editor.getState().plan, editor.getState().selection);
  const noGroup = () => (selected().length === 0 ? "Select a node in a group first" : undefined);
  const noGroups = () =>
    editor.getState().plan.groups.length === 0 ? "The blueprint has no groups yet" : undefined;
  /** Returns the groups to collapse or expand: the selected ones, otherwise all. */
  const meant = () => {
    const groups = selected();
    return groups.length > 0 ? groups : editor.getState().plan.groups;
  };
  const isCollapsed = ({ id }: { id: string }) => page.getState().collapsed.has(id);
  return {
    group: { refusal: () => noneSelected(blueprint), run: () => edit.group() },
    ungroup: { refusal: noGroup, run: () => edit.ungroup() },
    collapse: {
      refusal: () => noGroups() ?? (meant().every(isCollapsed) ? "Already collapsed" : undefined),
      run: () => edit.collapse(true),
    },
    expand: {
      refusal: () => noGroups() ?? (meant().some(isCollapsed) ? undefined : "Nothing is collapsed"),
      run: () => edit.collapse(false),
    },
    rename_group: { refusal: noGroup, run: () => edit.startRenameGroup() },
    colour: {
      refusal: () => (hasNote(blueprint) ? undefined : noGroup()),
      choices: () => colors.map((color) => colorChoice(color, blueprint)),
    },
    write_note: {
      refusal: () => onlyNote(blueprint).refusal,
      run: () => {
        const { id } = onlyNote(blueprint);
        if (id) edit.startWriting(id);
      },
    },
    note_larger: { refusal: () => onlyNote(blueprint).refusal, run: () => edit.scaleNotes(1.25) },
    note_smaller: { refusal: () => onlyNote(blueprint).refusal, run: () => edit.scaleNotes(0.8) },
    note: { run: () => edit.add("note") },
  };
}

function onlyNote(blueprint: Blueprint): { id?: string; refusal?: string } {
  const { node } = singleSelectedNode(blueprint);
  return node?.kind.kind === "note" ? { id: node.id } : { refusal: "Select one note" };
}

function hasNote({ editor }: Blueprint): boolean {
  const { plan, selection } = editor.getState();
  return plan.nodes.some((node) => selection.has(node.id) && node.kind.kind === "note");
}

function colorChoice(color: (typeof colors)[number], { edit }: Blueprint): Choice {
  return {
    id: color,
    label: colorLabel(color),
    icon: createElement(ColorSwatch, { color }),
    run: () => edit.color(color),
  };
}
