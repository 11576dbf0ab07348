import { expect, test } from "vitest";
import { formatOffset } from "@/attempt/outputRows/outputTime";
import { fakeBackend } from "@/shell/fakeBackend";
import { parsePreferences } from "./outputPreferences";
import { isCopyable, maxCopyBytes, readOutputText } from "./outputText";

test("a text is read piece by piece", async () => {
  const { backend, inputsOf } = fakeBackend({
    output_text: ({ from, to }) => ({ text: `${from};`, next: Math.min(to, from + 10) }),
  });
  expect(await readOutputText(backend, "s", { from: 5, to: 30 }, false)).toBe("5;15;25;");
  expect(inputsOf("output_text")[1]).toEqual({ session: "s", from: 15, to: 30, colors: false });
});

test("a text that doesn't go on ends", async () => {
  const { backend, inputsOf } = fakeBackend({ output_text: () => ({ text: "x", next: 0 }) });
  expect(await readOutputText(backend, "s", { from: 0, to: 30 }, false)).toBe("x");
  expect(inputsOf("output_text")).toHaveLength(1);
});

test("32 MB can be copied", () => {
  expect(isCopyable({ from: 7, to: maxCopyBytes + 7 })).toBe(true);
  expect(isCopyable({ from: 7, to: maxCopyBytes + 8 })).toBe(false);
});

test.each([
  [0, "0.000s"],
  [12, "0.012s"],
  [59_999, "59.999s"],
  [65_120, "1m 05.120s"],
  [3_723_004, "1h 02m 03s"],
])("%d ms after the start is %s", (milliseconds, text) => {
  expect(formatOffset(milliseconds)).toBe(text);
});

test("invalid preferences become the defaults", () => {
  const defaults = { wrap: false, timestamps: false, lineNumbers: true };
  for (const stored of [undefined, null, "wrap", 3, [], { wrap: "yes", lineNumbers: 1 }])
    expect(parsePreferences(stored)).toEqual(defaults);
  expect(parsePreferences({ wrap: true, timestamps: true, lineNumbers: false })).toEqual({
    wrap: true,
    timestamps: true,
    lineNumbers: false,
  });
});
