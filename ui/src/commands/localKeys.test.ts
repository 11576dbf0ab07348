import { beforeEach, expect, test } from "vitest";
import { forgetAppState } from "@/shell/appState";
import { bindings } from "./bindings";
import { localCommand } from "./localKeys";
import { commandEntries } from "./paletteEntries";
import { bind, holderOf, resetAllKeys } from "./rebinding";

const press = (key: string, held: Partial<Record<"ctrlKey" | "shiftKey", boolean>> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

beforeEach(forgetAppState);

test("a key means something else in each list, and nothing with another one held", () => {
  expect(localCommand("sessions", press("s"))).toBe("sessions_star");
  expect(localCommand("plans", press("s"))).toBe("plans_star");
  expect(localCommand("timeline", press("s"))).toBeUndefined();
  expect(localCommand("timeline", press("E", { shiftKey: true }))).toBe("timeline_previous_error");
  expect(localCommand("sessions", press("j", { ctrlKey: true }))).toBeUndefined();
});

test("a list follows when its key is bound anew, and others keep theirs", () => {
  expect(holderOf("X", "sessions_star")).toBeUndefined();
  expect(holderOf("N", "timeline_next"), "the blueprint's own N goes on meaning what it did").toBe(
    undefined,
  );
  bind("sessions_star", "X");
  bind("timeline_next", "N");
  expect(localCommand("sessions", press("x"))).toBe("sessions_star");
  expect(localCommand("timeline", press("n"))).toBe("timeline_next");
  expect(bindings().keysOf("add")).toEqual(["N"]);
  resetAllKeys();
  expect(localCommand("sessions", press("x"))).toBeUndefined();
});

test("a key that counts everywhere is taken from every list that has it", () => {
  bind("keys", "J");
  expect(localCommand("sessions", press("j"))).toBeUndefined();
  expect(localCommand("timeline", press("j"))).toBeUndefined();
  expect(localCommand("timeline", press("ArrowDown"))).toBe("timeline_next");
});

test("what a list does stands in no palette", () => {
  expect(commandEntries().filter(({ id }) => /plans_|sessions_|timeline_|inbox_/.test(id))).toEqual(
    [],
  );
});
