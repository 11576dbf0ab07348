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
  [
    "forbidden",
    "the token 'ci' is for 'read', and plan_save needs 'write': use one that was made with --surface write",
    "The token 'ci' is for 'read', and plan_save needs 'write': use one that was made with --surface write.",
  ],
  [
    "waits_for_person",
    "only a person may do this: request 0199 waits in the inbox",
    "Only a person may do this, and an agent opened this page. Allow the request in the Inbox of your own window.",
  ],
  ["conflict", "Version 4 was saved.", "Version 4 was saved."],
])("%s: %s", (code, message, sentence) => {
  expect(refusalWords(code, message)).toBe(sentence);
});
