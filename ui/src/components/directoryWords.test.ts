import { expect, test } from "vitest";
import { directoryWords, homeOf } from "./directoryWords";

test.each([
  ["/home/anna/.local/share/baton", "/home/anna"],
  ["/Users/anna/Library/Application Support/baton", "/Users/anna"],
  ["/root/.local/share/baton", "/root"],
  ["/rooted/baton", undefined],
  ["/tmp/data", undefined],
  [undefined, undefined],
])("data in %s is in the home %s", (directory, home) => {
  expect(homeOf(directory)).toBe(home);
});

test.each([
  ["/home/anna", "~"],
  ["/home/anna/src/baton", "~/src/baton"],
  // Another person's home that begins alike.
  ["/home/annabel/src", "/home/annabel/src"],
  ["/home/anna/work/clients/northwind/payments", "~/…/northwind/payments"],
  ["/srv/a-very-long-folder-name/another-long-one", "/…/another-long-one"],
  ["/srv/builds", "/srv/builds"],
])("%s is written %s", (path, words) => {
  expect(directoryWords(path, "/home/anna", 26)).toBe(words);
});
