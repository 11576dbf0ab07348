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

/** The visible toasts. A fourth one removes the oldest. */
export const useToasts = create<ToastState>((set) => ({
  toasts: [],
  inset: 0,
  setInset: (inset) => set({ inset }),
  show: (toast) => {
    nextId += 1;
    const shown = { ...toast, id: nextId };
    set(({ toasts }) => ({ toasts: [...toasts, shown].slice(-maxToasts) }));
  },
  dismiss: (id) => set(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) })),
}));

/** Shows a toast. Also usable outside of components. */
export function showToast(toast: Omit<Toast, "id">): void {
  useToasts.getState().show(toast);
}
