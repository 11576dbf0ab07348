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
  toast.kind === shown.kind &&
  toast.title === shown.title &&
  toast.detail === shown.detail;

/** The visible toasts. A fourth one removes the oldest, and a repeated one its earlier self. */
export const useToasts = create<ToastState>((set) => ({
  toasts: [],
  inset: 0,
  setInset: (inset) => set({ inset }),
  show: (toast) => {
    nextId += 1;
    const shown = { ...toast, id: nextId };
    set(({ toasts }) => ({
      toasts: [...toasts.filter((other) => !isRepeated(other, toast)), shown].slice(-maxToasts),
    }));
  },
  dismiss: (id) => set(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) })),
}));

/** Shows a toast. Also usable outside of components. */
export function showToast(toast: Omit<Toast, "id">): void {
  useToasts.getState().show(toast);
}
