import { create } from "zustand";

/** Whether the list of keys is on screen. */
export const useShortcutsDialog = create<{ open: boolean }>(() => ({ open: false }));
