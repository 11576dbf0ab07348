import type { CommandId } from "@/commands/catalog";
import { arrangeCommands } from "@/commands/catalog/arrange";
import type { MenuEntry } from "@/components/Menu";
import { pastMomentRefusal } from "@/run/runAtMoment";
import type { Blueprint } from "./blueprintContext";
import { commandEntry } from "./commandEntry";
import { groupsOf } from "./groups";

const separator: MenuEntry = { kind: "line" };

/** The menu of several selected nodes. Its commands act on all of them that allow it. */
export function selectionEntries({ editor }: Blueprint): MenuEntry[] {
  const { plan, run, selection } = editor.getState();
  const edits = (id: CommandId) => ({
    ...commandEntry(id),
    ...(run?.past && { reason: pastMomentRefusal }),
  });
  const inGroup = groupsOf(plan, selection).length > 0;
  const arrange = Object.keys(arrangeCommands) as (keyof typeof arrangeCommands)[];
  return [
    commandEntry("run_selected"),
    commandEntry("retry"),
    commandEntry("resume_session"),
    commandEntry("stop_node"),
    commandEntry("skip"),
    commandEntry("rerun"),
    separator,
    { ...commandEntry("copy"), label: "Copy" },
    edits("duplicate"),
    edits("disable"),
    edits("connect"),
    separator,
    inGroup
      ? more("Group", (["group", "ungroup", "collapse", "colour"] as const).map(edits))
      : edits("group"),
    more("Arrange", arrange.map(edits)),
    more("More", [
      edits("add_next"),
      commandEntry("mark_done"),
      commandEntry("rerun_alone"),
      commandEntry("pin"),
      separator,
      commandEntry("select_upstream"),
      commandEntry("select_downstream"),
      separator,
      edits("keep_place"),
      edits("delete_heal"),
    ]),
    separator,
    { ...edits("delete"), danger: true },
  ];
}

function more(label: string, entries: MenuEntry[]): MenuEntry {
  return { kind: "more", label, entries };
}
