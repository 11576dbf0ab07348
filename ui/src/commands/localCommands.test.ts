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

test("a key can mean something different in each list, and nothing with a modifier", () => {
  expect(localCommandFor("sessions", press("s"))).toBe("sessions_star");
  expect(localCommandFor("plans", press("s"))).toBe("plans_star");
  expect(localCommandFor("timeline", press("s"))).toBeUndefined();
  expect(localCommandFor("timeline", press("E", { shiftKey: true }))).toBe(
    "timeline_previous_error",
  );
  expect(localCommandFor("sessions", press("j", { ctrlKey: true }))).toBeUndefined();
});

test("rebinding a key of one list does not affect the others", () => {
  expect(conflictingCommand("X", "sessions_star")).toBeUndefined();
  expect(conflictingCommand("N", "timeline_next"), "the blueprint's own N still works").toBe(
    undefined,
  );
  bindKey("sessions_star", "X");
  bindKey("timeline_next", "N");
  expect(localCommandFor("sessions", press("x"))).toBe("sessions_star");
  expect(localCommandFor("timeline", press("n"))).toBe("timeline_next");
  expect(keyBindings().keysOf("add")).toEqual(["N"]);
  resetAllKeys();
  expect(localCommandFor("sessions", press("x"))).toBeUndefined();
});

test("a global shortcut takes precedence over list shortcuts", () => {
  bindKey("keys", "J");
  expect(localCommandFor("sessions", press("j"))).toBeUndefined();
  expect(localCommandFor("timeline", press("j"))).toBeUndefined();
  expect(localCommandFor("timeline", press("ArrowDown"))).toBe("timeline_next");
});

test("list commands are not in the palette", () => {
  expect(commandEntries().filter(({ id }) => /plans_|sessions_|timeline_|inbox_/.test(id))).toEqual(
    [],
  );
});
