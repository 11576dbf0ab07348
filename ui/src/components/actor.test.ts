import { expect, test } from "vitest";
import { formatActor, formatAuthor } from "./actor";

const nodeOf = (session: string) => (session === "s1" ? "Deploy" : undefined);

test.each([
  ["person", "You", "You"],
  ["person:window", "You, in the window", "You, in the window"],
  ["person:browser", "You, in a browser", "You, in a browser"],
  ["person:shell", "You, in a shell", "You, in a shell"],
  ["baton", "Baton", "Baton"],
  ["program:ci", "Program ci, with a token", "Program ci, with a token"],
  ["session:s1", "Session of Deploy", "A session"],
  ["session:s2", "A session", "A session"],
  ["agent:claude", "claude, outside of Baton", "claude"],
  // An unknown kind is never treated as a person.
  ["person:tray", "person:tray, outside of Baton", "person:tray, outside of Baton"],
  ["Person", "Person, outside of Baton", "Person, outside of Baton"],
  ["agent:person", "person, outside of Baton", "person"],
  ["constructor", "constructor, outside of Baton", "constructor, outside of Baton"],
])("%s", (actor, words, author) => {
  expect(formatActor(actor, nodeOf)).toBe(words);
  expect(formatAuthor(actor)).toBe(author);
});
