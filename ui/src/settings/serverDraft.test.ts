import { expect, test } from "vitest";
import type { McpServer, ServerTool } from "@/api/bindings";
import { looksSecret, masked, shownAddress, shownCommand, shownError } from "./secretWords";
import {
  answerOf,
  draftOf,
  isServerReady,
  type ServerDraft,
  serverFaults,
  serverOf,
} from "./serverDraft";

const notes: McpServer = {
  name: "notes",
  transport: { kind: "stdio", command: "notes", args: ["--fast"], env: { API_KEY: "k" } },
  trusted: ["search"],
};
const far: McpServer = {
  name: "far",
  transport: { kind: "http", url: "https://far/mcp", headers: { Authorization: "Bearer x" } },
  trusted: ["*"],
};

test("a server that is opened and saved stays what it was", () => {
  for (const server of [notes, far]) expect(serverOf(draftOf(server))).toEqual(server);
});

test.each<[Partial<ServerDraft>, boolean]>([
  [{ name: "n", command: ["run"] }, true],
  [{ name: "", command: ["run"] }, false],
  [{ name: "a/b", command: ["run"] }, false],
  [{ name: "notes", command: ["run"] }, false],
  [{ name: "n", command: ["run --fast"] }, false],
  [{ name: "n", command: [" "] }, false],
  [{ name: "n", by: "http", url: "https://far/mcp" }, true],
  [{ name: "n", by: "http", url: "far/mcp" }, false],
  // What was written for the other way does not count.
  [{ name: "n", by: "http", command: ["run"] }, false],
  [{ name: "n", by: "http", url: "http://[::1]:8080/mcp", command: ["a b"] }, true],
])("%j is ready: %s", (change, ready) => {
  const draft = { ...draftOf(undefined), ...change };
  expect(isServerReady(draft, serverFaults(draft, ["notes"]))).toBe(ready);
});

test("a name that stands twice is a fault, lines without a name are left out", () => {
  const line = { name: "A", value: "1" };
  const twice = { ...draftOf(notes), env: [line, line] };
  expect(serverFaults(twice, []).pairs).toBe("A stands above already.");
  const unnamed = { ...draftOf(notes), env: [line, { name: " ", value: "2" }] };
  expect(serverOf(unnamed).transport).toMatchObject({ env: { A: "1" } });
});

test("a server is heard by its own rows; silence is no answer while it is asked", () => {
  const rows: ServerTool[] = [{ server: "far", error: "it is gone" }];
  expect(answerOf("far", rows, false)).toEqual({ kind: "unreachable", error: "it is gone" });
  expect(answerOf("notes", rows, true)).toBeUndefined();
  expect(answerOf("notes", rows, false)).toEqual({ kind: "offers", tools: [] });
});

test.each([
  ["API_KEY", "short", true],
  ["Authorization", "x", true],
  ["GH", "ghp_abc", true],
  ["X", "Bearer abc", true],
  ["X", "a8f5f167f44f4964e6c998dee827110c", true],
  ["LANG", "en_GB.UTF-8", false],
  ["ROOT", "/home/ada/projects/2026/notes-server", false],
  ["LOG_LEVEL", "debug", false],
])("%s=%s looks like a key: %s", (name, value, secret) => {
  expect(looksSecret(name, value)).toBe(secret);
});

test("keys in arguments and addresses are not shown", () => {
  expect(shownCommand(["run", "--token", "abc", "--api-key=abc", "--port", "80"])).toBe(
    `run --token ${masked} --api-key=${masked} --port 80`,
  );
  expect(shownAddress("https://ada:pw@far/mcp?key=1")).toBe(`https://${masked}@far/mcp?${masked}`);
  expect(shownAddress("https://far/mcp")).toBe("https://far/mcp");
  expect(shownError("no way (http://far/mcp?key=1), sorry")).toBe(
    `no way (http://far/mcp?${masked}), sorry`,
  );
});
