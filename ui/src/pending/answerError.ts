import type { InboxRequest } from "@/api/bindings";

export type InputAsk = Extract<InboxRequest, { kind: "input" }>;

/** Why an answer cannot be sent, for the person; nothing when it can. */
export function answerError({ inputType, options }: InputAsk, answer: string): string | undefined {
  switch (inputType) {
    case "text":
      return answer.trim() === "" ? "Write an answer first." : undefined;
    case "choice":
      return options.includes(answer) ? undefined : "Choose one of the answers first.";
    case "confirm":
      return answer === "yes" || answer === "no" ? undefined : "Answer yes or no.";
  }
}
