import type { InboxAsk } from "@/api/bindings";

export type InputAsk = Extract<InboxAsk, { kind: "input" }>;

/** Why an answer cannot be sent, for the person; nothing when it can. */
export function answerFault({ inputType, options }: InputAsk, answer: string): string | undefined {
  switch (inputType) {
    case "text":
      return answer.trim() === "" ? "Write an answer first." : undefined;
    case "choice":
      return options.includes(answer) ? undefined : "Choose one of the answers first.";
    case "confirm":
      return answer === "yes" || answer === "no" ? undefined : "Answer yes or no.";
  }
}
