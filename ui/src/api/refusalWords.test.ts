import { expect, test } from "vitest";
import { refusalWords } from "./refusalWords";

test.each([
  [
    "not_found",
    "find the plan 7: there is none",
    "Baton failed to find the plan 7: there is none. It may have been deleted meanwhile: go back and choose again.",
  ],
  [
    "unavailable",
    "write /data/baton.db: the disk is full; free some space, then try again",
    "Baton failed to write /data/baton.db: the disk is full; free some space, then try again.",
  ],
  [
    "busy",
    "reach the process 12 that executes run 3: it does not answer",
    "Baton failed to reach the process 12 that executes run 3: it does not answer. Try again in a moment.",
  ],
  [
    "refused",
    "delete the plan: it is running; cancel its run first",
    "Baton failed to delete the plan: it is running; cancel its run first.",
  ],
  // An instruction, not a failed act.
  [
    "bad_input",
    "write the goal first: what shall be true when the plan is done",
    "Write the goal first: what shall be true when the plan is done.",
  ],
  ["not_found", "there is no team 'a'", "There is no team 'a'."],
  ["conflict", "Version 4 was saved.", "Version 4 was saved."],
])("%s: %s", (code, message, sentence) => {
  expect(refusalWords(code, message)).toBe(sentence);
});
