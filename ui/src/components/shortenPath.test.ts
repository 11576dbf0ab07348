import { expect, test } from "vitest";
import { homeFromDataDirectory, shortenPath } from "./shortenPath";

test.each([
  ["/home/anna/.local/share/baton", "/home/anna"],
  ["/Users/anna/Library/Application Support/baton", "/Users/anna"],
  ["/root/.local/share/baton", "/root"],
  ["/rooted/baton", undefined],
  ["/tmp/data", undefined],
  [undefined, undefined],
])("data in %s means home %s", (directory, home) => {
  expect(homeFromDataDirectory(directory)).toBe(home);
});

test.each([
  ["/home/anna", "~"],
  ["/home/anna/src/baton", "~/src/baton"],
  // Another home directory with the same prefix.
  ["/home/annabel/src", "/home/annabel/src"],
  ["/home/anna/work/clients/northwind/payments", "~/…/northwind/payments"],
  ["/srv/a-very-long-folder-name/another-long-one", "/…/another-long-one"],
  ["/srv/builds", "/srv/builds"],
])("shortens %s to %s", (path, words) => {
  expect(shortenPath(path, "/home/anna", 26)).toBe(words);
});
