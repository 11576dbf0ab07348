import { useEffect } from "react";
import { create } from "zustand";
import { showToast, useToasts } from "@/components/toasts";
import { type CommandId, definitionOf } from "./catalog";
import type { CommandHandler } from "./command";
import { openPalette } from "./paletteState";

/** What a part of the window lets people do while it is on screen. */
export type CommandHandlers = Partial<Record<CommandId, CommandHandler>>;

/** What can be done now, the latest offer last. */
export const useCommandRegistry = create<{ offers: readonly CommandHandlers[] }>(() => ({
  offers: [],
}));

/** Offers commands until the returned function is called. */
export function registerCommands(acts: CommandHandlers): () => void {
  useCommandRegistry.setState(({ offers }) => ({ offers: [...offers, acts] }));
  return () =>
    useCommandRegistry.setState(({ offers }) => ({
      offers: offers.filter((other) => other !== acts),
    }));
}

/** Offers commands for as long as the component is on screen. `acts` keeps its identity, or is offered anew. */
export function useCommands(acts: CommandHandlers): void {
  useEffect(() => registerCommands(acts), [acts]);
}

/** The act of a command, if anything on screen offers it; the innermost part counts. */
export function handlerOf(id: CommandId): CommandHandler | undefined {
  return useCommandRegistry.getState().offers.findLast((acts) => acts[id] !== undefined)?.[id];
}

/** The words of a command at this moment. */
export function commandLabel(id: CommandId): string {
  return handlerOf(id)?.label?.() ?? definitionOf(id).label;
}

/** Why a command cannot be carried out now; nothing when it can. */
export function disabledReason(id: CommandId): string | undefined {
  const act = handlerOf(id);
  if (act) return act.refusal?.();
  return definitionOf(id).scope === "everywhere" ? "Not on this page" : "Open a blueprint first";
}

/** Carries a command out, or says why not. One that asks for a choice opens the palette at its question. */
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

/** A key that is pressed again and again says the same once. */
function showToastOnce(title: string, detail = ""): void {
  const shown = useToasts.getState().toasts;
  if (shown.some((toast) => toast.title === title && toast.detail === detail)) return;
  showToast({ kind: "info", title, detail });
}
