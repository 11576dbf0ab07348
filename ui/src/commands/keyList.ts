import { create } from "zustand";

/** Whether the list of keys is on screen. */
export const useKeyList = create<{ open: boolean }>(() => ({ open: false }));
