import { useEffect } from "react";
import { create } from "zustand";
import { showToast, useToasts } from "@/components/toasts";
import { type CommandId, definitionOf } from "./catalogue";
import type { CommandAct } from "./command";
import { openPalette } from "./paletteState";

/** What a part of the window lets people do while it is on screen. */
export type Offer = Partial<Record<CommandId, CommandAct>>;

/** What can be done now, the latest offer last. */
export const useOffers = create<{ offers: readonly Offer[] }>(() => ({ offers: [] }));

/** Offers commands until the returned function is called. */
export function offer(acts: Offer): () => void {
  useOffers.setState(({ offers }) => ({ offers: [...offers, acts] }));
  return () =>
    useOffers.setState(({ offers }) => ({ offers: offers.filter((other) => other !== acts) }));
}

/** Offers commands for as long as the component is on screen. `acts` keeps its identity, or is offered anew. */
export function useOffer(acts: Offer): void {
  useEffect(() => offer(acts), [acts]);
}

/** The act of a command, if anything on screen offers it; the innermost part counts. */
export function actOf(id: CommandId): CommandAct | undefined {
  return useOffers.getState().offers.findLast((acts) => acts[id] !== undefined)?.[id];
}

/** The words of a command at this moment. */
export function wordsOf(id: CommandId): string {
  return actOf(id)?.words?.() ?? definitionOf(id).words;
}

/** Why a command cannot be carried out now; nothing when it can. */
export function refusalOf(id: CommandId): string | undefined {
  const act = actOf(id);
  if (act) return act.refusal?.();
  return definitionOf(id).scope === "everywhere" ? "Not on this page" : "Open a blueprint first";
}

/** Carries a command out, or says why not. One that asks for a choice opens the palette at its question. */
export function perform(id: CommandId): void {
  const act = actOf(id);
  const refusal = refusalOf(id);
  if (!act || refusal !== undefined) {
    sayOnce(`${wordsOf(id)}: not now`, refusal);
    return;
  }
  if ("run" in act) void act.run();
  else openPalette(id);
}

/** A key that is pressed again and again says the same once. */
function sayOnce(title: string, detail = ""): void {
  const shown = useToasts.getState().toasts;
  if (shown.some((toast) => toast.title === title && toast.detail === detail)) return;
  showToast({ kind: "info", title, detail });
}
