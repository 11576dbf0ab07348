import type { Color, GroupId, Node, NodeId, Plan } from "@/api/bindings";
import type { CommandId } from "@/commands/catalog";
import { keysFor } from "@/commands/keyBindings";
import { applicableEntries } from "@/components/applicableEntries";
import { ColorSwatch } from "@/components/ColorSwatch";
import type { MenuEntry } from "@/components/Menu";
import { pastMomentRefusal } from "@/run/runAtMoment";
import { runsByNode } from "@/run/runsByNode";
import type { Blueprint } from "./blueprintContext";
import { clipboardWrite } from "./clipboardText";
import { commandEntry } from "./commandEntry";
import { edgeKey } from "./edgeKey";
import { edgeKindLabels } from "./edgeKindLabels";
import { edgeKindOf, edgeKindsFor } from "./edits";
import { colorLabel, colors, groupOf } from "./groups";
import { subPlanIdOf } from "./kindSummary";
import { type NodeAction, nodeActionRefusal } from "./nodeActions";
import { displayTitle, nodeStateAppearance } from "./nodeText";
import { isRerun } from "./rerunRequest";
import { selectionEntries } from "./selectionMenu";

/** The item that the context menu was opened on. */
export type MenuTarget =
  | { kind: "node"; id: NodeId }
  | { kind: "group"; id: GroupId }
  | { kind: "edge"; key: string; screen: { x: number; y: number } }
  | { kind: "canvas"; screen: { x: number; y: number } };

/** The menu entries for a target in the current state. What can't apply is left out. */
export function canvasMenuEntries(target: MenuTarget, blueprint: Blueprint): MenuEntry[] {
  const all = allEntries(target, blueprint);
  const applying = applicableEntries(all);
  // A menu that says why nothing is possible is better than none.
  return applying.length > 0 ? applying : all;
}

function allEntries(target: MenuTarget, blueprint: Blueprint): MenuEntry[] {
  switch (target.kind) {
    case "node":
      return allNodeEntries(target.id, blueprint);
    case "group":
      return groupFrameEntries(target.id, blueprint);
    case "edge":
      return edgeEntries(target.key, target.screen, blueprint);
    case "canvas":
      return canvasEntries(target.screen, blueprint);
  }
}

const menuActions: [NodeAction, string][] = [
  ["run", "Run this node"],
  ["stop", "Stop node"],
  ["retry", "Retry"],
  ["skip", "Skip"],
  ["mark_done", "Mark done"],
  ["rerun", "Rerun from here"],
  ["rerun_alone", "Rerun this node only"],
];

const commandOfAction: Record<NodeAction, CommandId> = {
  run: "run_selected",
  stop: "stop_node",
  retry: "retry",
  resume: "resume_session",
  skip: "skip",
  mark_done: "mark_done",
  rerun: "rerun",
  rerun_alone: "rerun_alone",
};

/** The menu of a node or of the selection around it, the same on the canvas and in the list. */
export function nodeEntries(id: NodeId, blueprint: Blueprint): MenuEntry[] {
  return applicableEntries(allNodeEntries(id, blueprint));
}

function allNodeEntries(id: NodeId, blueprint: Blueprint): MenuEntry[] {
  const { editor, edit, runs, page, open } = blueprint;
  const { plan, view, run, selection } = editor.getState();
  if (selection.size > 1 && selection.has(id)) return selectionEntries(blueprint);
  const node = plan.nodes.find((candidate) => candidate.id === id);
  if (!node) return [];
  const nodeRun = runsByNode(run).get(id);
  const facts = { node, review: view.review, run, nodeRun };
  const isNote = node.kind.kind === "note";
  const offered: typeof menuActions =
    nodeRun?.state.state === "interrupted"
      ? [["resume", "Resume session"], ...menuActions]
      : menuActions;
  const runEntries: MenuEntry[] = offered.map(([act, label]) => ({
    kind: "act",
    label,
    keys: keysFor(commandOfAction[act]),
    reason: nodeActionRefusal(act, facts),
    onSelect: () => {
      if (isRerun(act)) runs.askToRerun(act, [id]);
      else if (act === "run") void runs.askToStart([{ want: "node", node: id }]);
      else void runs.node(act, id);
    },
  }));
  const asks = nodeStateAppearance(nodeRun).waitingFor === "person" && !run?.past;
  const editing = run?.past ? { reason: pastMomentRefusal } : {};
  const drawing = (["add_next", "connect"] as const).map((command) => ({
    ...commandEntry(command),
    ...editing,
  }));
  return [
    ...(asks ? [commandEntry("answer")] : []),
    ...(isNote ? [] : runEntries),
    ...(isNote ? [] : [separator]),
    ...(subPlanIdOf(node) === undefined
      ? []
      : [
          {
            kind: "act" as const,
            label: "Open blueprint inside",
            keys: keysFor("open_inside"),
            onSelect: () => void open(id),
          },
        ]),
    ...(isNote ? [] : [openEntry(nodeRun?.session != null, page)]),
    ...(isNote ? [] : [commandEntry("pin")]),
    separator,
    ...(isNote || nodeRun ? [] : drawing),
    {
      kind: "act",
      label: "Rename",
      keys: keysFor("rename"),
      ...editing,
      onSelect: () => edit.startRename(id),
    },
    {
      kind: "act",
      label: "Copy",
      keys: keysFor("copy"),
      onSelect: () => void clipboardWrite(edit.copy()),
    },
    {
      kind: "act",
      label: "Duplicate",
      keys: keysFor("duplicate"),
      ...editing,
      onSelect: edit.duplicate,
    },
    ...(isNote ? [commandEntry("write_note"), commandEntry("colour")] : [commandEntry("disable")]),
    separator,
    ...groupEntries(id, plan),
    moreEntry(node, { plan, page, drawing: nodeRun ? drawing : [] }),
    separator,
    {
      kind: "act",
      label: "Delete",
      keys: keysFor("delete"),
      danger: true,
      ...editing,
      onSelect: edit.remove,
    },
  ];
}

/** Where the work of a node is seen and continued by hand. */
function openEntry(hasSession: boolean, page: Blueprint["page"]): MenuEntry {
  const timeline: MenuEntry = {
    kind: "act",
    label: "Open timeline",
    reason: hasSession ? undefined : "No session yet",
    onSelect: () => page.setState({ drawerOpen: true, drawerTab: "timeline" }),
  };
  const others = (["open_changes", "open_terminal", "open_folder", "open_in_editor"] as const).map(
    commandEntry,
  );
  return { kind: "more", label: "Open", entries: [timeline, ...others] };
}

/** What is needed less often. */
function moreEntry(
  { id, title, kind }: Node,
  { plan, page, drawing }: Pick<Blueprint, "page"> & { plan: Plan; drawing: MenuEntry[] },
): MenuEntry {
  const isNote = kind.kind === "note";
  const ask = (label: string, ask: "split" | "explain"): MenuEntry => ({
    kind: "act",
    label,
    onSelect: () =>
      page.setState({
        plannerRequest: { ask, plan: plan.id, node: id, title: displayTitle(title) },
      }),
  });
  return {
    kind: "more",
    label: "More",
    entries: [
      ...(isNote ? [] : [ask("Split with an agent…", "split"), ask("Explain…", "explain")]),
      ...(isNote ? [] : [...drawing, commandEntry("replace"), separator]),
      ...(isNote
        ? []
        : [
            { ...commandEntry("pin_output"), label: "Pin output…" },
            commandEntry("unpin_output"),
            separator,
          ]),
      commandEntry("select_upstream"),
      commandEntry("select_downstream"),
      separator,
      commandEntry("keep_place"),
      ...(isNote ? [] : [commandEntry("delete_heal")]),
    ],
  };
}

const separator: MenuEntry = { kind: "line" };

function groupEntries(id: NodeId, plan: Plan): MenuEntry[] {
  if (!groupOf(plan, id)) return [commandEntry("group")];
  const entries = [
    commandEntry("group"),
    commandEntry("ungroup"),
    commandEntry("collapse"),
    commandEntry("colour"),
  ];
  return [{ kind: "more", label: "Group", entries }];
}

/**
 * The menu of a group frame. Opening it has already selected the members, which the commands act
 * on.
 */
function groupFrameEntries(id: GroupId, { editor, edit, page }: Blueprint): MenuEntry[] {
  const group = editor.getState().plan.groups.find((candidate) => candidate.id === id);
  if (!group) return [];
  const isCollapsed = page.getState().collapsed.has(id);
  const past = isPast(editor);
  return [
    commandEntry("rename_group"),
    commandEntry(isCollapsed ? "expand" : "collapse"),
    ...(past ? [] : colorEntries(group.color, (color) => edit.colorGroup(id, color))),
    separator,
    commandEntry("copy"),
    commandEntry("duplicate"),
    commandEntry("ungroup"),
    {
      kind: "act",
      label: "Delete with its nodes",
      keys: keysFor("delete"),
      danger: true,
      ...(past && { reason: pastMomentRefusal }),
      onSelect: edit.remove,
    },
  ];
}

function colorEntries(now: Color, choose: (color: Color) => void): MenuEntry[] {
  return [
    separator,
    { kind: "heading", label: "Color" },
    ...colors.map(
      (color): MenuEntry => ({
        kind: "choice",
        label: colorLabel(color),
        icon: <ColorSwatch color={color} />,
        chosen: now === color,
        onSelect: () => choose(color),
      }),
    ),
  ];
}

function isPast(editor: Blueprint["editor"]): boolean {
  return editor.getState().run?.past !== undefined;
}

function edgeEntries(
  key: string,
  screen: { x: number; y: number },
  { editor, edit }: Blueprint,
): MenuEntry[] {
  const { plan } = editor.getState();
  const now = edgeKindOf(plan, key);
  if (!now) return [];
  if (isPast(editor))
    return [
      {
        kind: "act",
        label: "Edge type",
        reason: pastMomentRefusal,
        onSelect: () => undefined,
      },
    ];
  const offered = edgeKindsFor(plan, key);
  const kinds = offered.includes(now) ? offered : [now, ...offered];
  return [
    ...kinds.map(
      (kind): MenuEntry => ({
        kind: "choice",
        label: edgeKindLabels[kind],
        chosen: kind === now,
        onSelect: () => edit.changeEdgeKind(key, kind),
      }),
    ),
    separator,
    ...(plan.edges.some((edge) => edge.inferred && edgeKey(edge) === key)
      ? [
          {
            kind: "act" as const,
            label: "Confirm edge",
            onSelect: () => edit.confirmEdges(new Set([key])),
          },
        ]
      : []),
    {
      kind: "act",
      label: "Insert node",
      keys: keysFor("insert_in_edge"),
      onSelect: () => edit.insertInEdge(key, screen),
    },
    commandEntry("reconnect"),
    commandEntry("pin"),
    {
      kind: "act",
      label: "Delete edge",
      keys: keysFor("delete"),
      danger: true,
      onSelect: () => edit.removeEdge(key),
    },
  ];
}

function canvasEntries(
  screen: { x: number; y: number },
  { editor, edit, page }: Blueprint,
): MenuEntry[] {
  const { canvas } = page.getState();
  const editing = isPast(editor) ? { reason: pastMomentRefusal } : {};
  return [
    {
      kind: "act",
      label: "Add node",
      keys: keysFor("add"),
      ...editing,
      onSelect: () => edit.pick({ screen, ...(canvas && { at: canvas.toPlan(screen) }) }),
    },
    commandEntry("note"),
    commandEntry("paste"),
    separator,
    { kind: "act", label: "Select all", keys: keysFor("select_all"), onSelect: edit.selectAll },
    {
      kind: "act",
      label: "Tidy layout",
      keys: keysFor("tidy"),
      ...editing,
      onSelect: () => void edit.tidy(),
    },
    commandEntry("turn_layout"),
    {
      kind: "act",
      label: "Zoom to fit",
      keys: keysFor("fit"),
      onSelect: () => canvas?.fit(),
    },
  ];
}
