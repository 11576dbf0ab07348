import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useToasts } from "@/components/toasts";
import { resetAppState, setAppStateValue } from "@/shell/appState";
import { type CommandHandlers, registerCommands } from "./commandRegistry";
import { storageKey } from "./keyBindings";
import { sequenceTimeoutMs, useKeySequence } from "./keySequence";
import { usePalette } from "./paletteState";
import { useCommandKeys } from "./useCommandKeys";

function Page() {
  useCommandKeys();
  return (
    <>
      <div data-keys="nodes">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: represents a node on the canvas */}
        <div data-testid="node" tabIndex={0} />
        <input data-testid="field" />
        <button type="button" data-testid="inside" />
      </div>
      <button type="button" data-testid="button" />
      <div role="dialog">
        <button type="button" data-testid="dialog" />
      </div>
      <div role="menu">
        <div data-testid="menu" />
      </div>
    </>
  );
}

let leave: () => void = () => undefined;
const ran = vi.fn();

function open(acts: CommandHandlers) {
  render(<Page />);
  leave = registerCommands(acts);
}

const press = (at: string, key: string, held: object = {}) =>
  !fireEvent.keyDown(at === "body" ? document.body : screen.getByTestId(at), { key, ...held });

beforeEach(() => ran.mockClear());
afterEach(() => {
  leave();
  resetAppState();
  useToasts.setState({ toasts: [] });
  usePalette.setState({ open: false, asking: undefined });
});

test("a shortcut works within its scope, and never in a text field", () => {
  open({ add: { run: ran }, inspect: { run: ran } });
  expect(press("field", "n")).toBe(false);
  expect(press("dialog", "n")).toBe(false);
  expect(press("menu", "n")).toBe(false);
  expect(press("button", "Enter"), "the button handles Enter").toBe(false);
  expect(ran).not.toHaveBeenCalled();
  expect(press("button", "n")).toBe(true);
  expect(press("node", "Enter")).toBe(true);
  expect(press("body", "Enter")).toBe(true);
  expect(ran).toHaveBeenCalledTimes(3);
});

test("a button among the nodes handles Enter, but not letters", () => {
  open({ inspect: { run: ran }, rename: { run: ran }, connect: { run: ran } });
  expect(press("inside", "Enter")).toBe(false);
  expect(press("inside", " ")).toBe(false);
  expect(ran).not.toHaveBeenCalled();
  expect(press("inside", "c")).toBe(true);
  expect(ran).toHaveBeenCalledOnce();
});

test("a letter for a disabled node command shows the reason; an arrow is left alone", () => {
  const refusal = () => "Select a node first";
  open({ connect: { refusal, run: ran }, walk_right: { refusal, run: ran } });
  expect(press("node", "ArrowRight")).toBe(false);
  expect(useToasts.getState().toasts).toEqual([]);
  expect(press("node", "c")).toBe(true);
  expect(useToasts.getState().toasts[0]).toMatchObject({ detail: "Select a node first" });
});

test("the key of a command that is not registered is left alone", () => {
  open({ add: { run: ran } });
  expect(press("body", "z", { ctrlKey: true })).toBe(false);
});

test("a custom shortcut works, and the default no longer does", () => {
  open({ add: { run: ran } });
  setAppStateValue(storageKey, { version: 1, keys: { add: ["Shift+B"] } });
  expect(press("body", "n")).toBe(false);
  expect(press("body", "B", { shiftKey: true })).toBe(true);
  expect(ran).toHaveBeenCalledOnce();
});

test("a disabled command shows the reason, and its chord does not reach the browser", () => {
  open({ duplicate: { refusal: () => "Select a node first", run: ran } });
  expect(press("body", "d", { ctrlKey: true })).toBe(true);
  expect(ran).not.toHaveBeenCalled();
  expect(useToasts.getState().toasts[0]).toMatchObject({ detail: "Select a node first" });
});

test("only repeatable commands run while a key is held", () => {
  open({ undo: { run: ran }, tidy: { run: ran } });
  press("body", "z", { ctrlKey: true, repeat: true });
  expect(ran).toHaveBeenCalledOnce();
  expect(press("body", "T", { shiftKey: true, altKey: true, repeat: true })).toBe(true);
  expect(ran).toHaveBeenCalledOnce();
});

test("the innermost handler wins, and a command with choices opens the palette", () => {
  open({ add: { run: () => ran("outer") }, pause: { choices: () => [] } });
  const inner = registerCommands({ add: { run: () => ran("inner") } });
  press("body", "n");
  inner();
  press("body", "n");
  expect(ran.mock.calls).toEqual([["inner"], ["outer"]]);
  setAppStateValue(storageKey, { version: 1, keys: { pause: ["Shift+P"] } });
  press("body", "P", { shiftKey: true });
  expect(usePalette.getState()).toEqual({ open: true, asking: "pause" });
});

test("two keys pressed one after the other run a command", () => {
  open({ go_runs: { run: ran }, go_sessions: { run: () => ran("sessions") } });
  expect(press("field", "g"), "text is typed in a field").toBe(false);
  expect(press("field", "r")).toBe(false);
  expect(press("body", "r"), "the second key alone does nothing").toBe(false);
  expect(press("body", "g")).toBe(true);
  expect(useKeySequence.getState().pending).toBe("G");
  expect(press("body", "Shift"), "a modifier alone doesn't cancel").toBe(false);
  expect(press("body", "r")).toBe(true);
  expect(ran).toHaveBeenCalledExactlyOnceWith();
});

test("the second key of a sequence doesn't reach a focused list", () => {
  open({ go_sessions: { run: ran } });
  const inList = vi.fn();
  screen.getByTestId("node").addEventListener("keydown", inList);
  press("node", "g");
  press("node", "s");
  expect(ran).toHaveBeenCalledOnce();
  expect(inList).toHaveBeenCalledOnce();
});

test("Escape, another key and time cancel a sequence", () => {
  vi.useFakeTimers();
  open({ go_runs: { run: ran }, add: { run: () => ran("add") } });
  press("body", "g");
  expect(press("body", "Escape")).toBe(true);
  press("body", "r");
  press("body", "g");
  expect(press("body", "n"), "another key keeps its meaning").toBe(true);
  press("body", "r");
  press("body", "g");
  vi.advanceTimersByTime(sequenceTimeoutMs);
  press("body", "r");
  expect(ran.mock.calls).toEqual([["add"]]);
  vi.useRealTimers();
});

test("shortcuts are ignored while a pointer button is held, until release or window blur", () => {
  open({ add: { run: ran } });
  const pointer = (type: string, buttons: number) =>
    fireEvent(document.body, new MouseEvent(type, { bubbles: true, buttons }));
  for (const letGo of [() => pointer("pointerup", 0), () => fireEvent.blur(window)]) {
    ran.mockClear();
    pointer("pointerdown", 1);
    press("body", "n");
    expect(ran).not.toHaveBeenCalled();
    letGo();
    press("body", "n");
    expect(ran).toHaveBeenCalledOnce();
  }
});
