import { expect, test } from "vitest";
import { formatBytes } from "@/components/formatBytes";
import { draftErrors, isReady, trimCommand } from "./agentDraft";

test.each([
  [{ id: "my-agent", command: ["agent"] }, true],
  [{ id: "", command: ["agent"] }, false],
  [{ id: "my agent", command: ["agent"] }, false],
  [{ id: "claude", command: ["agent"] }, false],
  [{ id: "a", command: [" "] }, false],
  [{ id: "a", command: ["agent --flag"] }, false],
  // A path can contain spaces.
  [{ id: "a", command: ["/opt/my agent/run"] }, true],
])("%j is ready: %s", (draft, ready) => {
  expect(isReady(draft, draftErrors(draft, ["claude"]))).toBe(ready);
});

test("trailing empty arguments are dropped, empty ones in between are kept", () => {
  expect(trimCommand([" agent ", "", "x", "", ""])).toEqual(["agent", "", "x"]);
});

test.each([
  [1, "1 byte"],
  [999, "999 bytes"],
  [48_234_112, "48.2 MB"],
  [999_999, "1.0 MB"],
  [5e15, "5000.0 TB"],
])("%d bytes are %s", (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});
