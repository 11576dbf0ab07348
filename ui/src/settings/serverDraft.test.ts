import { expect, test } from "vitest";
import type { McpServer, ServerTool } from "@/api/bindings";
import { looksLikeSecret, maskCommand, maskError, maskPlaceholder, maskUrl } from "./maskSecrets";
import {
  fromServerDraft,
  isServerReady,
  type ServerDraft,
  serverErrors,
  serverToolsResult,
  toServerDraft,
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

test("a server draft round-trips", () => {
  for (const server of [notes, far]) expect(fromServerDraft(toServerDraft(server))).toEqual(server);
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
  // Fields of the other connection type are ignored.
  [{ name: "n", by: "http", command: ["run"] }, false],
  [{ name: "n", by: "http", url: "http://[::1]:8080/mcp", command: ["a b"] }, true],
])("%j is ready: %s", (change, ready) => {
  const draft = { ...toServerDraft(undefined), ...change };
  expect(isServerReady(draft, serverErrors(draft, ["notes"]))).toBe(ready);
});

test("duplicate names are errors, rows without a name are dropped", () => {
  const line = { name: "A", value: "1" };
  const twice = { ...toServerDraft(notes), env: [line, line] };
  expect(serverErrors(twice, []).pairs).toBe("A is already defined above.");
  const unnamed = { ...toServerDraft(notes), env: [line, { name: " ", value: "2" }] };
  expect(fromServerDraft(unnamed).transport).toMatchObject({ env: { A: "1" } });
});

test("tool results are per server, and undefined while loading", () => {
  const rows: ServerTool[] = [{ server: "far", error: "it is gone" }];
  expect(serverToolsResult("far", rows, false)).toEqual({
    kind: "unreachable",
    error: "it is gone",
  });
  expect(serverToolsResult("notes", rows, true)).toBeUndefined();
  expect(serverToolsResult("notes", rows, false)).toEqual({ kind: "offers", tools: [] });
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
])("%s=%s looks like a secret: %s", (name, value, secret) => {
  expect(looksLikeSecret(name, value)).toBe(secret);
});

test("secrets in arguments and URLs are masked", () => {
  expect(maskCommand(["run", "--token", "abc", "--api-key=abc", "--port", "80"])).toBe(
    `run --token ${maskPlaceholder} --api-key=${maskPlaceholder} --port 80`,
  );
  expect(maskUrl("https://ada:pw@far/mcp?key=1")).toBe(
    `https://${maskPlaceholder}@far/mcp?${maskPlaceholder}`,
  );
  expect(maskUrl("https://far/mcp")).toBe("https://far/mcp");
  expect(maskError("no way (http://far/mcp?key=1), sorry")).toBe(
    `no way (http://far/mcp?${maskPlaceholder}), sorry`,
  );
});
