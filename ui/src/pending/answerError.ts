import type { InboxRequest } from "@/api/bindings";

export type InputAsk = Extract<InboxRequest, { kind: "input" }>;

/** Returns why an answer can't be sent, or `undefined` if it can. */
export function answerError({ inputType, options }: InputAsk, answer: string): string | undefined {
  switch (inputType) {
    case "text":
      return answer.trim() === "" ? "Enter an answer." : undefined;
    case "choice":
      return options.includes(answer) ? undefined : "Select an answer.";
    case "confirm":
      return answer === "yes" || answer === "no" ? undefined : "Select Yes or No.";
  }
}
