import { useEffect, useState } from "react";
import { ApiError } from "@/api/ApiError";
import type { Choice } from "./command";
import { commandLabel, handlerOf } from "./commandRegistry";
import type { PaletteEntry } from "./paletteEntries";
import { usePalette } from "./paletteState";

/** The choices that the palette shows for a command. */
export interface ChoicePrompt {
  title: string;
  /** Undefined while the options are loading. */
  entries: readonly PaletteEntry[] | undefined;
  failure: string | undefined;
}

interface PendingPrompt {
  title: string;
  choices: () => readonly Choice[] | Promise<readonly Choice[]>;
}

/** The stack of prompts so far; the latest is shown, and `back` returns to the previous one. */
export function useChoicePrompt() {
  const asking = usePalette((state) => state.asking);
  const [asked, setAsked] = useState<readonly PendingPrompt[]>(() => {
    const act = asking && handlerOf(asking);
    return act && "choices" in act ? [{ title: commandLabel(asking), choices: act.choices }] : [];
  });
  const [answers, setAnswers] = useState<Pick<ChoicePrompt, "entries" | "failure">>(loading);
  const latest = asked.at(-1);

  useEffect(() => {
    let left = false;
    setAnswers(loading);
    if (!latest) return;
    Promise.resolve()
      .then(() => latest.choices())
      .then(
        (choices) => left || setAnswers({ entries: choices.map(choiceEntry), failure: undefined }),
        (cause: unknown) =>
          left || setAnswers({ entries: [], failure: ApiError.from(cause).message }),
      );
    return () => {
      left = true;
    };
  }, [latest]);

  return {
    question: latest && { title: latest.title, ...answers },
    ask: (question: PendingPrompt) => setAsked((before) => [...before, question]),
    back: () => setAsked((before) => before.slice(0, -1)),
  };
}

const loading = { entries: undefined, failure: undefined };

function choiceEntry(choice: Choice): PaletteEntry {
  return { ...choice, section: "" };
}
