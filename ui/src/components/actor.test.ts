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
  ["agent:claude", "claude, outside Baton", "claude"],
  // An unknown kind is never treated as a person.
  ["person:tray", "person:tray, outside Baton", "person:tray, outside Baton"],
  ["Person", "Person, outside Baton", "Person, outside Baton"],
  ["agent:person", "person, outside Baton", "person"],
  ["constructor", "constructor, outside Baton", "constructor, outside Baton"],
])("%s", (actor, words, author) => {
  expect(formatActor(actor, nodeOf)).toBe(words);
  expect(formatAuthor(actor)).toBe(author);
});
