import { create } from "zustand";

/** A temporary message about an action that succeeded or failed. */
export interface Toast {
  id: number;
  kind: "info" | "error";
  /** "Node deleted", "Couldn't save the blueprint". */
  title: string;
  detail?: string;
  /** A follow-up action, such as Undo. */
  action?: { label: string; onAct: () => void };
  /** How long it is shown; errors stay until they are dismissed. */
  durationMs?: number;
  /** Called once it has gone, whether by itself, dismissed, or after its action. */
  onGone?: () => void;
}

interface ToastState {
  toasts: Toast[];
  /** The width of the panel at the right edge of the window that toasts must not cover. */
  inset: number;
  setInset: (inset: number) => void;
  show: (toast: Omit<Toast, "id">) => void;
  dismiss: (id: number) => void;
}

const maxToasts = 3;
let nextId = 0;

/** Reports whether two toasts say the same and offer nothing to do. */
const isRepeated = (toast: Toast, shown: Omit<Toast, "id">) =>
  toast.action === undefined &&
  shown.action === undefined &&
  toast.onGone === undefined &&
  toast.kind === shown.kind &&
  toast.title === shown.title &&
  toast.detail === shown.detail;

/**
 * The visible toasts. A repeated one replaces its earlier self, and a fourth one removes the oldest.
 * One that does something once it has gone is never removed for others: its time to undo is promised.
 */
export const useToasts = create<ToastState>((set, get) => ({
  toasts: [],
  inset: 0,
  setInset: (inset) => set({ inset }),
  show: (toast) => {
    nextId += 1;
    const others = get().toasts.filter((other) => !isRepeated(other, toast));
    const shown = [...others, { ...toast, id: nextId }];
    const surplus =
      shown.length > maxToasts
        ? shown.slice(0, -1).find(({ onGone }) => onGone === undefined)
        : undefined;
    set({ toasts: shown.filter((one) => one !== surplus) });
  },
  dismiss: (id) => {
    const gone = get().toasts.find((toast) => toast.id === id);
    set(({ toasts }) => ({ toasts: toasts.filter((toast) => toast !== gone) }));
    gone?.onGone?.();
  },
}));

/** Shows a toast. Also usable outside of components. */
export function showToast(toast: Omit<Toast, "id">): void {
  useToasts.getState().show(toast);
}
