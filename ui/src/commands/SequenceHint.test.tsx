import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { resetAppState } from "@/shell/appState";
import { registerCommands } from "./commandRegistry";
import { beginSequence, endSequence } from "./keySequence";
import { SequenceHint } from "./SequenceHint";

afterEach(() => {
  endSequence();
  resetAppState();
});

test("shows the keys that may follow, of commands that are available", () => {
  const leave = registerCommands({ go_runs: { run: () => undefined } });
  render(<SequenceHint />);
  expect(screen.queryByText("Go to Runs")).toBeNull();
  act(() => beginSequence("G"));
  expect(screen.getByText("Go to Runs")).toBeVisible();
  expect(screen.getByText("R")).toBeVisible();
  expect(screen.queryByText("Go to Inbox")).toBeNull();
  act(endSequence);
  expect(screen.queryByText("Go to Runs")).toBeNull();
  leave();
});
