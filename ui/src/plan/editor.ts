import { createContext, useContext } from "react";
import { createStore, type StoreApi, useStore } from "zustand";
import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import type { NodeId, Plan, PlanSave, PlanSaved, PlanView, RunId, RunView } from "@/api/bindings";
import { showToast } from "@/components/toasts";
import { pastMomentRefusal, type ShownRun } from "@/run/runAtMoment";
import {
  type Autosave,
  createAutosave,
  type PlanDeletion,
  reduceAutosave,
  type SaveEffect,
  type SaveEvent,
  type SaveState,
  saveStateOf,
} from "./autosave";
import { skippedStepToast } from "./conflictText";
import { externalChangeText } from "./externalChangeText";
import {
  applyExternalChange,
  createHistory,
  type History,
  type HistoryMove,
  recordEdit,
  redo,
  type Selected,
  undo,
} from "./history";
import { type PlanProblem, planProblems } from "./problems";

/** Maps a plan to a changed plan without mutating it. */
type Recipe = (plan: Plan) => Plan;

/**
 * One open blueprint: the working copy, its history, the selection, and the run that is shown. All
 * edits go through `edit`, so that they can be undone and are saved. Runs are not controlled here.
 */
export interface EditorState {
  /**
   * The working copy. Untouched nodes keep their identity from one edit to the next. While an
   * earlier moment of a run is shown, this is the version that the run executes; it cannot be
   * edited.
   */
  plan: Plan;
  /**
   * The backend's plan with its review, version and latest run. `view.plan` may be older than
   * `plan`.
   */
  view: PlanView;
  /** The revision that the next save is based on. */
  revision: number;
  /** Whether the working copy differs from the backend's plan. */
  dirty: boolean;
  saveState: SaveState;
  /**
   * Whether the backend rejected the working copy and accepted none since. Stays true while the next
   * edit is saved.
   */
  rejected: boolean;
  /**
   * The backend's message while `saveState` is `conflict`, `invalid` or `offline`, or the copy is
   * rejected.
   */
  saveMessage: string | undefined;
  /** What became of the plan; undefined unless `saveState` is `deleted`. */
  deletion: PlanDeletion | undefined;
  /** A summary of the latest change made elsewhere; undefined before the first. */
  externalChange: string | undefined;
  /**
   * What keeps the blueprint from running, with the nodes concerned: of the rejected working copy,
   * else of the last one that was saved.
   */
  problems: readonly PlanProblem[];

  selection: ReadonlySet<NodeId>;
  /** The keys of the selected edges, see `edgeKey`. */
  selectedEdges: ReadonlySet<string>;

  /** The run that the page shows; undefined before the first run. */
  runId: RunId | undefined;
  /**
   * The shown run once loaded, live or at an earlier moment. Unchanged nodes keep their identity.
   */
  run: ShownRun | undefined;
  /** The live state of that run, even while an earlier moment is shown. */
  liveRun: RunView | undefined;

  /** The label of the step that `undo` would take back, such as "Delete 3 nodes". */
  undoLabel: string | undefined;
  redoLabel: string | undefined;
  canUndo: boolean;
  canRedo: boolean;

  /**
   * Changes the plan as one undo step. `label` names the step, such as "Rename node". Edits with
   * the same `mergeKey` within 1.5 seconds of each other, such as keystrokes in one field, are
   * merged into one step. A recipe that returns its argument does nothing.
   */
  edit: (label: string, recipe: Recipe, mergeKey?: string) => void;
  /**
   * Undoes one or several steps, and selects what was selected before them. Changes made elsewhere
   * since then are kept; a step that collides with one is skipped, and a toast says so.
   */
  undo: (steps?: number) => void;
  /** Redoes one step, and selects what was selected when it was undone. */
  redo: () => void;
  /** The labels of the steps that `undo` would take back, latest first. */
  undoable: () => readonly string[];

  select: (nodes: Iterable<NodeId>, edges?: Iterable<string>) => void;

  /** Saves pending edits now. Resolves to whether the backend has the working copy. */
  flush: () => Promise<boolean>;
  /** The working copy, even while an earlier moment of a run is shown. */
  workingCopy: () => Plan;
  /** Resolves a conflict in favor of the working copy. Other changes made elsewhere are kept. */
  keepMine: () => void;
  /** Resolves a conflict in favor of the other side, as a step that can be undone. */
  takeTheirs: () => void;

  /** Called by the page when the backend's plan changed. */
  receiveView: (view: PlanView) => void;
  /** Called by the page when the backend's plan was deleted. A later view says it was restored. */
  receiveDeletion: (deletion: PlanDeletion) => void;
  /** Called by the page with the run to show. */
  showRun: (runId: RunId | undefined, run?: RunView) => void;
  /**
   * Shows the run at an earlier moment, with its version of the plan; with undefined, the live run
   * and the working copy.
   */
  showPastMoment: (past: ShownRun | undefined) => void;
}

export type Editor = StoreApi<EditorState>;

/**
 * Opens `view` for editing. `backend` checks and reads plans, and saves them unless `save` is
 * given.
 */
export function createEditor(
  backend: Pick<Backend, "call">,
  view: PlanView,
  save: (input: PlanSave) => Promise<PlanSaved> = (input) => backend.call("plan_save", input),
): Editor {
  let history: History = createHistory(view.plan);
  let autosave: Autosave = createAutosave(view);
  const savedProblems = createSavedProblems();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let idleCallbacks: (() => void)[] = [];

  const store = createStore<EditorState>((set, get) => {
    /** Publishes the state of the history and the autosave. */
    function show(more: Partial<EditorState> = {}) {
      set({
        plan: get().run?.past ? get().plan : history.plan,
        view: autosave.base,
        revision: autosave.base.revision,
        dirty: autosave.plan !== autosave.base.plan,
        saveState: saveStateOf(autosave),
        saveMessage: autosave.message,
        deletion: autosave.deletion,
        undoLabel: history.past.at(-1)?.label,
        redoLabel: history.future.at(-1)?.label,
        canUndo: history.past.length > 0,
        canRedo: history.future.length > 0,
        rejected: autosave.rejected,
        ...(!autosave.rejected && { problems: savedProblems(autosave.base) }),
        ...more,
      });
    }

    function dispatch(event: SaveEvent, more?: Partial<EditorState>) {
      const { next, effects } = reduceAutosave(autosave, event);
      autosave = next;
      for (const effect of effects) perform(effect);
      show(more);
      if (autosave.phase !== "saving") {
        const waiting = idleCallbacks;
        idleCallbacks = [];
        for (const go of waiting) go();
      }
    }

    function perform(effect: SaveEffect) {
      switch (effect.kind) {
        case "wait":
          clearTimeout(timer);
          timer = setTimeout(() => dispatch({ kind: "due" }), effect.milliseconds);
          return;
        case "save":
          clearTimeout(timer);
          save({ plan: effect.plan, baseRevision: effect.baseRevision }).then(
            (saved) => dispatch({ kind: "accepted", saved }),
            (cause: unknown) => {
              const { code, message } = ApiError.from(cause);
              dispatch({ kind: "refused", code, message });
            },
          );
          return;
        case "check":
          backend.call("plan_check", { plan: effect.plan }).then(
            (problems) => {
              if (autosave.phase !== "invalid" || autosave.plan !== effect.plan) return;
              set({ problems: planProblems(problems, effect.plan) });
            },
            // Without places, the message of the refusal is still shown.
            () => undefined,
          );
          return;
        case "read":
          backend.call("plan_get", { plan: autosave.base.plan.id }).then(
            (view) => dispatch({ kind: "received", view }),
            (cause: unknown) => {
              const { code, message } = ApiError.from(cause);
              dispatch({ kind: "read_failed", code, message });
            },
          );
          return;
        case "adopt": {
          const externalChange =
            externalChangeText(history.plan, effect.plan) ?? get().externalChange;
          history = applyExternalChange(history, effect.plan);
          set({ ...remainingSelection(get(), effect.plan), externalChange });
          return;
        }
        case "take":
          history = recordEdit(history, "Use theirs", effect.plan, Date.now());
          set(remainingSelection(get(), effect.plan));
          return;
      }
    }

    /** Publishes another history. `selected` is what to select; by default, what is left of now. */
    function setHistory(to: History, selected: Selected = get()): boolean {
      if (to === history) return false;
      if (get().run?.past) {
        showToast({ kind: "info", title: "Nothing was changed", detail: `${pastMomentRefusal}.` });
        return false;
      }
      const isSame = to.plan === history.plan;
      history = to;
      if (isSame) show();
      else {
        const { selection, selectedEdges } = selected;
        const more = { selection, selectedEdges, ...remainingSelection(selected, history.plan) };
        dispatch({ kind: "edited", plan: history.plan }, more);
      }
      return true;
    }

    /**
     * Undoes or redoes steps, and shows a toast for a step that collides with a change made
     * elsewhere.
     */
    function undoOrRedo(
      verb: "undone" | "redone",
      by: (from: History, selected: Selected) => HistoryMove,
      steps = 1,
    ) {
      let to = history;
      const { selection, selectedEdges } = get();
      let selected: Selected = { selection, selectedEdges };
      let last: HistoryMove["lost"];
      for (let step = 0; step < steps; step += 1) {
        const moved = by(to, selected);
        to = moved.history;
        selected = moved.selected ?? selected;
        last = moved.lost ?? last;
      }
      if (setHistory(to, selected) && last) showToast(skippedStepToast(verb, last));
    }

    return {
      plan: history.plan,
      view,
      revision: view.revision,
      dirty: false,
      saveState: "saved",
      rejected: false,
      saveMessage: undefined,
      deletion: undefined,
      externalChange: undefined,
      problems: savedProblems(view),
      selection: new Set(),
      selectedEdges: new Set(),
      runId: view.lastRun?.id,
      run: undefined,
      liveRun: undefined,
      undoLabel: undefined,
      redoLabel: undefined,
      canUndo: false,
      canRedo: false,

      edit: (label, recipe, mergeKey) => {
        const { selection, selectedEdges } = get();
        const selected = { selection, selectedEdges };
        setHistory(
          recordEdit(history, label, recipe(history.plan), Date.now(), mergeKey, selected),
        );
      },
      undo: (steps = 1) => undoOrRedo("undone", undo, steps),
      undoable: () => history.past.map(({ label }) => label).reverse(),
      redo: () => undoOrRedo("redone", redo),

      select: (nodes, edges = []) => {
        const selection = new Set(nodes);
        const selectedEdges = new Set(edges);
        const now = get();
        if (
          hasSameItems(now.selection, selection) &&
          hasSameItems(now.selectedEdges, selectedEdges)
        )
          return;
        set({ selection, selectedEdges });
      },

      flush: async () => {
        clearTimeout(timer);
        dispatch({ kind: "due" });
        while (autosave.phase === "saving" || autosave.phase === "waiting") {
          if (autosave.phase === "waiting") dispatch({ kind: "due" });
          await new Promise<void>((go) => idleCallbacks.push(go));
        }
        return autosave.phase === "rest";
      },
      workingCopy: () => history.plan,
      keepMine: () => dispatch({ kind: "mine_kept" }),
      takeTheirs: () => dispatch({ kind: "theirs_taken" }),

      receiveView: (view) => dispatch({ kind: "received", view }),
      receiveDeletion: (deletion) => {
        clearTimeout(timer);
        dispatch({ kind: "deleted", deletion });
      },
      showRun: (runId, run) => {
        const liveRun = run?.summary.id === runId ? run : undefined;
        const { run: shown } = get();
        const showsPast = shown?.past !== undefined && shown.summary.id === runId;
        set({ runId, liveRun, ...(!showsPast && { run: liveRun, plan: history.plan }) });
      },
      showPastMoment: (past) => {
        const run = past ?? get().liveRun;
        const plan = past?.plan ?? history.plan;
        set({ run, plan, ...remainingSelection(get(), plan) });
      },
    };
  });
  return store;
}

/** Returns the problems of the saved plan, as the same array until they change. */
function createSavedProblems(): (base: PlanView) => readonly PlanProblem[] {
  let found: PlanView["problems"] | undefined;
  let problems: readonly PlanProblem[] = [];
  return (base) => {
    if (base.problems !== found) problems = planProblems(base.problems, base.plan);
    found = base.problems;
    return problems;
  };
}

function hasSameItems<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): boolean {
  return one.size === other.size && [...one].every((item) => other.has(item));
}

/** The selection without nodes that are not in `plan`. */
function remainingSelection({ selection }: Selected, plan: Plan): Partial<EditorState> {
  if (selection.size === 0) return {};
  const left = plan.nodes.filter((node) => selection.has(node.id)).map((node) => node.id);
  return left.length === selection.size ? {} : { selection: new Set(left) };
}

/** Provides the open blueprint to its page. Tests provide their own. */
export const EditorContext = createContext<Editor | undefined>(undefined);

/** The store itself, for callbacks that read the current state. */
function useEditorStore(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error("no EditorContext above this component");
  return editor;
}

/**
 * The open blueprint, or a part of it: `useEditor((editor) => editor.plan.title)` rerenders only
 * when that part changes.
 */
export function useEditor(): EditorState;
export function useEditor<Part>(select: (state: EditorState) => Part): Part;
export function useEditor(select: (state: EditorState) => unknown = (state) => state): unknown {
  return useStore(useEditorStore(), select);
}
