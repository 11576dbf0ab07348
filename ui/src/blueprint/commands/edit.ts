import type { Direction } from "@/api/bindings";
import type { editCommands } from "@/commands/catalog/edit";
import type { Choice, CommandHandler, HandlersFor } from "@/commands/command";
import { formatCount } from "@/components/formatCount";
import { showToast } from "@/components/toasts";
import type { Blueprint } from "@/plan/blueprintContext";
import { changedNodes } from "@/plan/changedNodes";
import { clipboardRead, clipboardWrite } from "@/plan/clipboardText";
import { edgeKey } from "@/plan/edgeKey";
import { edgeKindLabels } from "@/plan/edgeKindLabels";
import { edgeKindOf, edgeKindsFor } from "@/plan/edits";
import { focusSelection } from "@/plan/focusSelection";
import { directionLabels } from "@/plan/layoutActions";
import { formatChosen } from "@/plan/nodeCounts";
import { pasteFormatsText } from "@/plan/pastedPlan";
import { singleOf } from "@/plan/planAccess";
import { noCanvas, noneSelected, singleSelectedNode } from "./refusals";

/** How far one nudge moves nodes, in canvas units. A few nudges move a card by its width. */
const stride = 40;

/** Handlers that edit the plan. */
export function editHandlers(blueprint: Blueprint): HandlersFor<typeof editCommands> {
  const { editor, page, edit } = blueprint;
  const nudge = (x: number, y: number): CommandHandler => ({
    refusal: () => noCanvas(blueprint) ?? noneSelected(blueprint),
    run: () => edit.nudge({ x: x * stride, y: y * stride }),
  });
  return {
    add: {
      run: () => {
        page.setState({ view: "graph", paletteOpen: true });
        // A palette that opens focuses itself; this is for one that is already open.
        document.querySelector<HTMLElement>("[data-palette] input")?.focus();
      },
    },
    add_next: {
      refusal: () => noCanvas(blueprint) ?? noneConnectable(blueprint),
      run: () => edit.pickNext(),
    },
    connect: {
      refusal: () => noneConnectable(blueprint),
      run: () => edit.startLink(),
    },
    rename: {
      refusal: () => singleSelectedNode(blueprint).refusal,
      run: () => edit.startRename(),
    },
    duplicate: { refusal: () => noneSelected(blueprint), run: () => edit.duplicate() },
    delete: {
      label: () => {
        const { plan, selection, selectedEdges } = editor.getState();
        if (selection.size > 0) return `Delete ${formatChosen(plan.nodes, selection)}`;
        return selectedEdges.size > 0
          ? `Delete ${formatCount(selectedEdges.size, "edge")}`
          : "Delete selection";
      },
      refusal: () =>
        editor.getState().selectedEdges.size > 0 ? undefined : noneSelected(blueprint),
      run: () => edit.remove(),
    },
    delete_heal: {
      refusal: () => noneSelected(blueprint),
      run: () => edit.heal(),
    },
    disable: {
      label: () => (isDisabled(blueprint) ? "Enable selection" : "Disable selection"),
      refusal: () => noneSelected(blueprint),
      run: () => edit.disable(!isDisabled(blueprint)),
    },
    replace: {
      refusal: () => {
        const { node, refusal } = singleSelectedNode(blueprint);
        return node?.kind.kind === "note" ? "Notes don't run" : refusal;
      },
      run: () => edit.startReplace(),
    },
    make_soft: { refusal: () => noEdges(blueprint), run: () => edit.setSoftSelected(true) },
    make_hard: { refusal: () => noEdges(blueprint), run: () => edit.setSoftSelected(false) },
    confirm_edges: {
      label: () =>
        selectedInferred(blueprint) ? "Confirm the selected edges" : "Confirm all inferred edges",
      refusal: () => noInferredEdges(blueprint),
      run: () => edit.confirmEdges(selectedInferred(blueprint)),
    },
    review_edges: {
      refusal: () => noInferredEdges(blueprint),
      run: () => edit.reviewEdges(),
    },
    reconnect: {
      refusal: () => (editor.getState().selectedEdges.size === 1 ? undefined : "Select one edge"),
      run: () => edit.startRelink(),
    },
    edge_kind: {
      refusal: () => (editor.getState().selectedEdges.size === 1 ? undefined : "Select one edge"),
      choices: () => edgeKindChoices(blueprint),
    },
    insert_in_edge: {
      refusal: () => (editor.getState().selectedEdges.size === 1 ? undefined : "Select one edge"),
      run: () => edit.insertInSelectedEdge(),
    },
    copy: {
      refusal: () => noneSelected(blueprint),
      run: () => void clipboardWrite(edit.copy()),
    },
    cut: {
      refusal: () => noneSelected(blueprint),
      run: async () => {
        if (await clipboardWrite(edit.copy())) edit.remove();
      },
    },
    paste: { run: () => pasteFrom(blueprint, false) },
    paste_keeping: { run: () => pasteFrom(blueprint, true) },
    undo: {
      label: () => undoStepLabel("Undo", editor.getState().undoLabel),
      refusal: () => (editor.getState().canUndo ? undefined : "Nothing to undo"),
      run: () => {
        page.setState({ announcement: `Undone: ${editor.getState().undoLabel}` });
        step(blueprint, () => editor.getState().undo());
      },
    },
    undo_steps: {
      refusal: () => (editor.getState().canUndo ? undefined : "Nothing to undo"),
      choices: () =>
        editor
          .getState()
          .undoable()
          .map((label, at) => ({
            id: String(at),
            label: at === 0 ? label : `${label} and ${formatCount(at, "later step")}`,
            run: () => step(blueprint, () => editor.getState().undo(at + 1)),
          })),
    },
    redo: {
      label: () => undoStepLabel("Redo", editor.getState().redoLabel),
      refusal: () => (editor.getState().canRedo ? undefined : "Nothing to redo"),
      run: () => {
        page.setState({ announcement: `Redone: ${editor.getState().redoLabel}` });
        step(blueprint, () => editor.getState().redo());
      },
    },
    tidy: {
      refusal: () =>
        editor.getState().plan.nodes.length === 0 ? "The blueprint has no nodes yet" : undefined,
      run: () => void edit.tidy(),
    },
    turn_layout: {
      label: () => `Lay out ${directionLabels[otherDirection(blueprint)]}`,
      refusal: () =>
        editor.getState().plan.nodes.length === 0 ? "The blueprint has no nodes yet" : undefined,
      run: () => void edit.tidy({ direction: otherDirection(blueprint) }),
    },
    tidy_selection: {
      refusal: () =>
        editor.getState().selection.size < 2 ? "Select at least two nodes first" : undefined,
      run: () => void edit.tidy({ selected: true }),
    },
    nudge_right: nudge(1, 0),
    nudge_left: nudge(-1, 0),
    nudge_up: nudge(0, -1),
    nudge_down: nudge(0, 1),
    keep_place: {
      label: () =>
        allKeepPlace(blueprint) ? "Allow moving when tidying" : "Keep in place when tidying",
      refusal: () => noneSelected(blueprint),
      run: () => edit.keepPlace(!allKeepPlace(blueprint)),
    },
  };
}

/** Undoes or redoes, and shows what that changed, which can be far from where the view is now. */
function step({ editor, page }: Blueprint, take: () => void): void {
  const { plan: before } = editor.getState();
  take();
  focusSelection(editor, page);
  const { plan: after, selection } = editor.getState();
  const changed = changedNodes(before, after);
  const chosen = changed.filter((id) => selection.has(id));
  const others = changed.filter((id) => !selection.has(id));
  if (changed.length > 0) page.getState().canvas?.bringAnyIntoView([...chosen, ...others]);
}

/** Returns the kinds that the selected edge can have. */
function edgeKindChoices({ editor, edit }: Blueprint): Choice[] {
  const { plan, selectedEdges } = editor.getState();
  const key = singleOf(selectedEdges);
  if (key === undefined) return [];
  const now = edgeKindOf(plan, key);
  return edgeKindsFor(plan, key).map((kind) => ({
    id: kind,
    label: edgeKindLabels[kind],
    ...(kind === now && { refusal: "Already this kind" }),
    run: () => edit.changeEdgeKind(key, kind),
  }));
}

/** Returns the layout direction that the plan does not have. */
function otherDirection({ editor }: Blueprint): Direction {
  return editor.getState().plan.direction === "top_down" ? "left_right" : "top_down";
}

/** Returns whether all selected nodes keep their place. */
function allKeepPlace({ editor }: Blueprint): boolean {
  const { plan, selection } = editor.getState();
  return plan.nodes.every((node) => !selection.has(node.id) || node.keepsPlace === true);
}

/** Returns whether all selected nodes except notes are disabled. */
function isDisabled({ editor }: Blueprint): boolean {
  const { plan, selection } = editor.getState();
  const nodes = plan.nodes.filter(({ id, kind }) => selection.has(id) && kind.kind !== "note");
  return nodes.length > 0 && nodes.every((node) => node.disabled === true);
}

async function pasteFrom({ edit }: Blueprint, keeping: boolean): Promise<void> {
  const text = await clipboardRead();
  if (text === undefined || edit.paste(text, keeping)) return;
  showToast({ kind: "info", title: "Couldn't paste", detail: pasteFormatsText });
}

/** Returns the refusal of a command that draws edges from the selected nodes. */
function noneConnectable(blueprint: Blueprint): string | undefined {
  const { plan, selection } = blueprint.editor.getState();
  const isFound = plan.nodes.some(({ id, kind }) => selection.has(id) && kind.kind !== "note");
  return isFound ? undefined : (noneSelected(blueprint) ?? "Notes have no dependencies");
}

function noEdges({ editor }: Blueprint): string | undefined {
  return editor.getState().selectedEdges.size === 0 ? "Select an edge first" : undefined;
}

function noInferredEdges({ editor }: Blueprint): string | undefined {
  const has = editor.getState().plan.edges.some((edge) => edge.inferred);
  return has ? undefined : "No edge is inferred";
}

/** The selected inferred edges; undefined if none is selected, which stands for all. */
function selectedInferred({ editor }: Blueprint): ReadonlySet<string> | undefined {
  const { plan, selectedEdges } = editor.getState();
  const keys = plan.edges.filter((edge) => edge.inferred).map(edgeKey);
  const selected = keys.filter((key) => selectedEdges.has(key));
  return selected.length > 0 ? new Set(selected) : undefined;
}

/** Returns "Undo delete 3 nodes", or only the verb without a step. */
export function undoStepLabel(verb: "Undo" | "Redo", label: string | undefined): string {
  return label === undefined ? verb : `${verb} ${label}`;
}
