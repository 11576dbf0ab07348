import { useEffect, useState } from "react";
import { ApiError } from "@/api/ApiError";
import type { Choice } from "./command";
import { actOf, wordsOf } from "./offers";
import type { Entry } from "./paletteEntries";
import { usePalette } from "./paletteState";

/** A question that the palette asks before a command can act. */
export interface Question {
  title: string;
  /** None while the answers are being read. */
  entries: readonly Entry[] | undefined;
  failure: string | undefined;
}

interface Asked {
  title: string;
  choices: () => readonly Choice[] | Promise<readonly Choice[]>;
}

/** The questions that were asked so far, the latest shown; `back` returns to the one before. */
export function useQuestion() {
  const asking = usePalette((state) => state.asking);
  const [asked, setAsked] = useState<readonly Asked[]>(() => {
    const act = asking && actOf(asking);
    return act && "choices" in act ? [{ title: wordsOf(asking), choices: act.choices }] : [];
  });
  const [answers, setAnswers] = useState<Pick<Question, "entries" | "failure">>(unread);
  const latest = asked.at(-1);

  useEffect(() => {
    let left = false;
    setAnswers(unread);
    if (!latest) return;
    Promise.resolve()
      .then(() => latest.choices())
      .then(
        (choices) => left || setAnswers({ entries: choices.map(answer), failure: undefined }),
        (cause: unknown) =>
          left || setAnswers({ entries: [], failure: ApiError.from(cause).message }),
      );
    return () => {
      left = true;
    };
  }, [latest]);

  return {
    question: latest && { title: latest.title, ...answers },
    ask: (question: Asked) => setAsked((before) => [...before, question]),
    back: () => setAsked((before) => before.slice(0, -1)),
  };
}

const unread = { entries: undefined, failure: undefined };

function answer(choice: Choice): Entry {
  return { ...choice, section: "" };
}
