import { beforeEach, expect, test } from "vitest";
import { resetAppState } from "@/shell/appState";
import { keyBindings } from "./keyBindings";
import { localCommandFor } from "./localCommands";
import { commandEntries } from "./paletteEntries";
import { bindKey, conflictingCommand, resetAllKeys } from "./rebindKeys";

const press = (key: string, held: Partial<Record<"ctrlKey" | "shiftKey", boolean>> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

beforeEach(resetAppState);

test("a key means something else in each list, and nothing with another one held", () => {
  expect(localCommandFor("sessions", press("s"))).toBe("sessions_star");
  expect(localCommandFor("plans", press("s"))).toBe("plans_star");
  expect(localCommandFor("timeline", press("s"))).toBeUndefined();
  expect(localCommandFor("timeline", press("E", { shiftKey: true }))).toBe(
    "timeline_previous_error",
  );
  expect(localCommandFor("sessions", press("j", { ctrlKey: true }))).toBeUndefined();
});

test("a list follows when its key is bound anew, and others keep theirs", () => {
  expect(conflictingCommand("X", "sessions_star")).toBeUndefined();
  expect(
    conflictingCommand("N", "timeline_next"),
    "the blueprint's own N goes on meaning what it did",
  ).toBe(undefined);
  bindKey("sessions_star", "X");
  bindKey("timeline_next", "N");
  expect(localCommandFor("sessions", press("x"))).toBe("sessions_star");
  expect(localCommandFor("timeline", press("n"))).toBe("timeline_next");
  expect(keyBindings().keysOf("add")).toEqual(["N"]);
  resetAllKeys();
  expect(localCommandFor("sessions", press("x"))).toBeUndefined();
});

test("a key that counts everywhere is taken from every list that has it", () => {
  bindKey("keys", "J");
  expect(localCommandFor("sessions", press("j"))).toBeUndefined();
  expect(localCommandFor("timeline", press("j"))).toBeUndefined();
  expect(localCommandFor("timeline", press("ArrowDown"))).toBe("timeline_next");
});

test("what a list does stands in no palette", () => {
  expect(commandEntries().filter(({ id }) => /plans_|sessions_|timeline_|inbox_/.test(id))).toEqual(
    [],
  );
});
