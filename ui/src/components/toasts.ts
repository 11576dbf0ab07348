import { create } from "zustand";

/** A passing word about an act that was done or refused. */
export interface Toast {
  id: number;
  kind: "info" | "error";
  /** "Node deleted", "Blueprint could not be saved". */
  title: string;
  detail?: string;
  /** One way back or on, such as undo. */
  action?: { label: string; onAct: () => void };
}

interface ToastState {
  toasts: Toast[];
  show: (toast: Omit<Toast, "id">) => void;
  dismiss: (id: number) => void;
}

const maxToasts = 3;
let nextId = 0;

/** The toasts on screen; the oldest leaves when a fourth comes. */
export const useToasts = create<ToastState>((set) => ({
  toasts: [],
  show: (toast) => {
    nextId += 1;
    const shown = { ...toast, id: nextId };
    set(({ toasts }) => ({ toasts: [...toasts, shown].slice(-maxToasts) }));
  },
  dismiss: (id) => set(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) })),
}));

/** Shows a toast from anywhere, also outside components. */
export function showToast(toast: Omit<Toast, "id">): void {
  useToasts.getState().show(toast);
}
