import { expect, test } from "vitest";
import type { Node, NodeKind } from "@/api/bindings";
import { kindSummary, toolCallText } from "./kindSummary";

function summary(command: string | string[]): string {
  const kind: NodeKind = { kind: "command", command, env: {}, cwd: null };
  return kindSummary({ kind } as Node);
}

test.each([
  ["npm test", "npm test"],
  ["# Run the tests\nnpm test", "npm test"],
  ["#!/usr/bin/env bash\nset -euo pipefail\n\n  # Build\ncargo build", "cargo build"],
  ["set -e; make all", "make all"],
  ["set -o errexit && make", "make"],
  ["cd ui && npm ci && npm test", "npm ci && npm test"],
  ["cd 'my project'\ncd \"a b\"; make", "make"],
  ["cd my\\ project && make", "make"],
  ["cd ui &&\n  npm test", "npm test"],
  ["docker run \\\n  --rm \\\n  image", "docker run --rm image"],
  ["first\nsecond", "first"],
  // Names that only begin like these.
  ["setup.sh && cdk deploy", "setup.sh && cdk deploy"],
  ["cdk deploy", "cdk deploy"],
  // Nothing else is there.
  ["# to do", "# to do"],
  ["cd ui", "cd ui"],
  ["set -e\r\n# nothing", "set -e # nothing"],
  ["  ", "No command yet"],
])("%j is summarized by its first real command", (command, line) => {
  expect(summary(command)).toBe(line);
});

test("a list of arguments is shown as it is, and the script of a shell like a script", () => {
  expect(summary(["cargo", "test", "# all"])).toBe("cargo test # all");
  expect(summary(["/bin/bash", "-euc", "# Build\nmake"])).toBe("make");
  expect(summary(["bash", "-c"])).toBe("bash -c");
});

test("the script of a shell tool is summarized too", () => {
  const toolArgs = { command: "set -e\nmake", cwd: "ui" };
  expect(toolCallText({ toolName: "shell", toolArgs })).toBe("shell make");
});
