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
  undo,
} from "./history";
import { type PlanProblem, planProblem } from "./problems";

/** A change of the plan: takes a plan and answers another one. Never writes into what it was given. */
type Recipe = (plan: Plan) => Plan;

/**
 * One open blueprint: the working copy, its history, what is selected, and the run that is looked at. Everything that
 * edits goes through `edit`, so that it can be undone and is saved. What a run does is not edited here.
 */
export interface EditorState {
  /**
   * The working copy. Untouched nodes keep their identity from one edit to the next. While an earlier moment of a run is
   * looked at, the version that this run executes; it cannot be edited.
   */
  plan: Plan;
  /** The backend's plan with its review, version and latest run; `view.plan` may be older than `plan`. */
  view: PlanView;
  /** The revision that the next save is based on. */
  revision: number;
  /** The working copy is not what the backend keeps. */
  dirty: boolean;
  saveState: SaveState;
  /** The backend's sentence while `saveState` is `conflict`, `invalid` or `offline`. */
  saveMessage: string | undefined;
  /** What the last change of somebody else did, in words; none before the first. */
  externalChange: string | undefined;
  /** What keeps the working copy from being saved, each with its node; empty unless `saveState` is `invalid`. */
  problems: readonly PlanProblem[];

  selection: ReadonlySet<NodeId>;
  /** The keys of the selected edges, see `edgeKey`. */
  selectedEdges: ReadonlySet<string>;

  /** The run that the page shows; none before the first. */
  runId: RunId | undefined;
  /** That run, once it was read, or as it was at an earlier moment. Nodes that did not change keep their identity. */
  run: ShownRun | undefined;
  /** That run as it is, whatever moment of it is looked at. */
  liveRun: RunView | undefined;

  /** The act that `undo` would take back: "Delete 3 nodes"; none when there is nothing to undo. */
  undoLabel: string | undefined;
  redoLabel: string | undefined;
  canUndo: boolean;
  canRedo: boolean;

  /**
   * Changes the plan by one step of undo. `label` is what the step is called: "Rename node". Edits with the same
   * `mergeKey` that follow each other within 1.5 seconds, such as keystrokes in one field, are one step. A recipe that
   * answers the plan it was given does nothing.
   */
  edit: (label: string, recipe: Recipe, mergeKey?: string) => void;
  /**
   * Takes back one step, or several at once. What somebody else changed since stays; a step that it stands in the way of is
   * left out, and that is said.
   */
  undo: (steps?: number) => void;
  redo: () => void;
  /** What `undo` would take back, the latest first, as each step is called. */
  undoable: () => readonly string[];

  select: (nodes: Iterable<NodeId>, edges?: Iterable<string>) => void;

  /** Saves now what waits to be saved. Resolves to whether the backend has the working copy. */
  flush: () => Promise<boolean>;
  /** Ends a conflict with the working copy where both changed the same; what else somebody wrote stays. */
  keepMine: () => void;
  /** Ends a conflict with what somebody else wrote, as a step that can be taken back. */
  takeTheirs: () => void;

  /** For the page: the plan as the backend has it now. */
  receiveView: (view: PlanView) => void;
  /** For the page: the run to look at. */
  showRun: (runId: RunId | undefined, run?: RunView) => void;
  /** Shows the run as it was, with its own version of the plan; nothing: as it is, with the working copy. */
  showPastMoment: (past: ShownRun | undefined) => void;
}

export type Editor = StoreApi<EditorState>;

/** Opens `view` for editing. `backend` is asked to check and to read, and to save unless `save` does that. */
export function createEditor(
  backend: Pick<Backend, "call">,
  view: PlanView,
  save: (input: PlanSave) => Promise<PlanSaved> = (input) => backend.call("plan_save", input),
): Editor {
  let history: History = createHistory(view.plan);
  let autosave: Autosave = createAutosave(view);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let idleCallbacks: (() => void)[] = [];

  const store = createStore<EditorState>((set, get) => {
    /** Puts what the history and the autosave know in sight. */
    function show(more: Partial<EditorState> = {}) {
      set({
        plan: get().run?.past ? get().plan : history.plan,
        view: autosave.base,
        revision: autosave.base.revision,
        dirty: autosave.plan !== autosave.base.plan,
        saveState: saveStateOf(autosave),
        saveMessage: autosave.message,
        undoLabel: history.past.at(-1)?.label,
        redoLabel: history.future.at(-1)?.label,
        canUndo: history.past.length > 0,
        canRedo: history.future.length > 0,
        ...(autosave.phase !== "invalid" && { problems: none }),
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
            ({ problems, sentences }) => {
              if (autosave.phase !== "invalid" || autosave.plan !== effect.plan) return;
              set({
                problems: problems.map((problem, at) =>
                  planProblem(problem, sentences[at] ?? "", effect.plan),
                ),
              });
            },
            // Without the places the refusal's own sentence still stands.
            () => undefined,
          );
          return;
        case "read":
          backend.call("plan_get", { plan: autosave.base.plan.id }).then(
            (heard) => dispatch({ kind: "heard", view: heard }),
            (cause: unknown) => dispatch({ kind: "unread", message: ApiError.from(cause).message }),
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

    function setHistory(to: History): boolean {
      if (to === history) return false;
      if (get().run?.past) {
        showToast({ kind: "info", title: "Nothing was changed", detail: `${pastMomentRefusal}.` });
        return false;
      }
      const isSame = to.plan === history.plan;
      history = to;
      if (isSame) show();
      else
        dispatch({ kind: "edited", plan: history.plan }, remainingSelection(get(), history.plan));
      return true;
    }

    /** Goes back or forth; of a step that somebody else's change stands in the way of, says so. */
    function undoOrRedo(verb: "undone" | "redone", by: (from: History) => HistoryMove, steps = 1) {
      let to = history;
      let last: HistoryMove["lost"];
      for (let step = 0; step < steps; step += 1) {
        const moved = by(to);
        to = moved.history;
        last = moved.lost ?? last;
      }
      if (setHistory(to) && last) showToast(skippedStepToast(verb, last));
    }

    return {
      plan: history.plan,
      view,
      revision: view.revision,
      dirty: false,
      saveState: "saved",
      saveMessage: undefined,
      externalChange: undefined,
      problems: none,
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
        setHistory(recordEdit(history, label, recipe(history.plan), Date.now(), mergeKey));
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
      keepMine: () => dispatch({ kind: "mine_kept" }),
      takeTheirs: () => dispatch({ kind: "theirs_taken" }),

      receiveView: (heard) => dispatch({ kind: "heard", view: heard }),
      showRun: (runId, run) => {
        const liveRun = run?.summary.id === runId ? run : undefined;
        const { run: shown } = get();
        const looksBack = shown?.past !== undefined && shown.summary.id === runId;
        set({ runId, liveRun, ...(!looksBack && { run: liveRun, plan: history.plan }) });
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

const none: readonly PlanProblem[] = [];

function hasSameItems<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): boolean {
  return one.size === other.size && [...one].every((item) => other.has(item));
}

/** The selection without nodes that are no longer in `plan`. */
function remainingSelection({ selection }: EditorState, plan: Plan): Partial<EditorState> {
  if (selection.size === 0) return {};
  const left = plan.nodes.filter((node) => selection.has(node.id)).map((node) => node.id);
  return left.length === selection.size ? {} : { selection: new Set(left) };
}

/** Carries the open blueprint to its page; tests and harnesses put their own in. */
export const EditorContext = createContext<Editor | undefined>(undefined);

/** The open blueprint as a store, for callbacks that read the state of that moment. */
function useEditorStore(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error("no EditorContext above this component");
  return editor;
}

/** The open blueprint, or a part of it: `useEditor((editor) => editor.plan.title)` draws anew only when that changes. */
export function useEditor(): EditorState;
export function useEditor<Part>(select: (state: EditorState) => Part): Part;
export function useEditor(select: (state: EditorState) => unknown = (state) => state): unknown {
  return useStore(useEditorStore(), select);
}
