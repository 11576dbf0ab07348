import { create } from "zustand";

/** Whether the shortcuts dialog is open. */
export const useShortcutsDialog = create<{ open: boolean }>(() => ({ open: false }));
