import { useEffect } from "react";
import { create } from "zustand";
import { showToast, useToasts } from "@/components/toasts";
import { type CommandId, definitionOf } from "./catalog";
import type { CommandHandler } from "./command";
import { openPalette } from "./paletteState";

/** The commands that a part of the window offers while it is mounted. */
export type CommandHandlers = Partial<Record<CommandId, CommandHandler>>;

/** The registered handlers, the latest last. */
export const useCommandRegistry = create<{ offers: readonly CommandHandlers[] }>(() => ({
  offers: [],
}));

/** Registers handlers until the returned function is called. */
export function registerCommands(acts: CommandHandlers): () => void {
  useCommandRegistry.setState(({ offers }) => ({ offers: [...offers, acts] }));
  return () =>
    useCommandRegistry.setState(({ offers }) => ({
      offers: offers.filter((other) => other !== acts),
    }));
}

/**
 * Registers handlers while the component is mounted. `acts` should be memoized; a new object
 * registers again.
 */
export function useCommands(acts: CommandHandlers): void {
  useEffect(() => registerCommands(acts), [acts]);
}

/** The handler of a command, if one is registered; the innermost component wins. */
export function handlerOf(id: CommandId): CommandHandler | undefined {
  return useCommandRegistry.getState().offers.findLast((acts) => acts[id] !== undefined)?.[id];
}

/** The current label of a command. */
export function commandLabel(id: CommandId): string {
  return handlerOf(id)?.label?.() ?? definitionOf(id).label;
}

/** Why a command is disabled; undefined when it can run. */
export function disabledReason(id: CommandId): string | undefined {
  const act = handlerOf(id);
  if (act) return act.refusal?.();
  return definitionOf(id).scope === "everywhere" ? "Not on this page" : "Open a blueprint first";
}

/** Runs a command, or shows why it is disabled. A command with choices opens the palette. */
export function runCommand(id: CommandId): void {
  const act = handlerOf(id);
  const refusal = disabledReason(id);
  if (!act || refusal !== undefined) {
    showToastOnce(`${commandLabel(id)}: not available right now`, refusal);
    return;
  }
  if ("run" in act) void act.run();
  else openPalette(id);
}

/** Avoids duplicate toasts when a key is pressed repeatedly. */
function showToastOnce(title: string, detail = ""): void {
  const shown = useToasts.getState().toasts;
  if (shown.some((toast) => toast.title === title && toast.detail === detail)) return;
  showToast({ kind: "info", title, detail });
}
